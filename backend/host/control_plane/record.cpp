// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/record.h"

#include <array>
#include <cstdio>

#include <boost/json.hpp>

namespace boxdeck::host {

namespace json = boost::json;

namespace {

json::object textMap(const std::map<std::string, std::string> &values)
{
    json::object object;
    for (const auto &[name, value] : values)
        object[name] = value;
    return object;
}

std::map<std::string, std::string> textMap(const json::value &value)
{
    std::map<std::string, std::string> values;
    for (const auto &[name, member] : value.as_object())
        values.emplace(name, member.as_string());
    return values;
}

std::string text(const json::object &object, const char *name)
{
    return std::string(object.at(name).as_string());
}

TimePoint time(const json::object &object, const char *name)
{
    const auto value = timeFromText(text(object, name));
    if (!value)
        throw std::runtime_error(std::string(name) + " is no time");
    return *value;
}

} // namespace

TimePoint now()
{
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

std::string toText(TimePoint time)
{
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(time - day);
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return buffer.data();
}

std::optional<TimePoint> timeFromText(const std::string &text)
{
    using namespace std::chrono;
    int year = 0;
    unsigned month = 0;
    unsigned dayOfMonth = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int used = 0;
    if (std::sscanf(text.c_str(), "%4d-%2u-%2u%*1[Tt ]%2d:%2d:%2d%n", &year, &month, &dayOfMonth, &hour, &minute,
                    &second, &used) != 6 ||
        used != 19)
        return {};
    const year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(dayOfMonth)};
    if (!date.ok() || hour > 23 || minute > 59 || second > 60 || hour < 0 || minute < 0 || second < 0)
        return {};
    std::size_t at = 19;
    long fraction = 0;
    if (at < text.size() && text[at] == '.') {
        long scale = 100000;
        const std::size_t start = ++at;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
            fraction += (text[at] - '0') * scale;
            scale /= 10;
        }
        if (at == start)
            return {};
    }
    minutes offset{0};
    const std::string zone = text.substr(at);
    if (zone != "Z" && zone != "z") {
        int zoneHours = 0;
        int zoneMinutes = 0;
        int zoneUsed = 0;
        if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') ||
            std::sscanf(zone.c_str() + 1, "%2d:%2d%n", &zoneHours, &zoneMinutes, &zoneUsed) != 2 || zoneUsed != 5 ||
            zoneHours > 23 || zoneMinutes > 59)
            return {};
        offset = minutes((zoneHours * 60 + zoneMinutes) * (zone[0] == '-' ? -1 : 1));
    }
    return sys_days(date) + hours(hour) + minutes(minute) + seconds(second) + microseconds(fraction) - offset;
}

json::object toJson(const SandboxRecord &record)
{
    json::object object{
        {"version", 1},
        {"sandboxID", record.id},
        {"templateID", record.templateId},
        {"buildID", record.buildId},
        {"alias", record.alias},
        {"config", toJson(record.config)},
        {"createdAt", toText(record.createdAt)},
        {"startedAt", toText(record.startedAt)},
        {"endAt", toText(record.endAt)},
        {"state", record.state == SandboxState::Running ? "running" : "paused"},
        {"createTimeout", record.createTimeout.count()},
        {"autoPause", record.autoPause},
        {"autoPauseMemory", record.autoPauseMemory},
        {"autoResume", record.autoResume},
        {"diskOnly", record.diskOnly},
        {"allowPublicTraffic", record.allowPublicTraffic},
        {"envdAccessToken", record.envdAccessToken},
        {"trafficAccessToken", record.trafficAccessToken},
        {"metadata", textMap(record.metadata)},
        {"envVars", textMap(record.envVars)},
    };
    if (record.allowInternetAccess)
        object["allowInternetAccess"] = *record.allowInternetAccess;
    if (record.network)
        object["network"] = *record.network;
    json::array mounts;
    for (const VolumeMount &mount : record.volumeMounts)
        mounts.push_back(json::object{{"volumeID", mount.volumeId}, {"name", mount.name}, {"path", mount.path}});
    if (!mounts.empty())
        object["volumeMounts"] = std::move(mounts);
    return object;
}

SandboxRecord recordFromJson(const json::object &object)
{
    SandboxRecord record{
        .id = text(object, "sandboxID"),
        .templateId = text(object, "templateID"),
        .alias = text(object, "alias"),
        .createdAt = time(object, "createdAt"),
        .startedAt = time(object, "startedAt"),
        .endAt = time(object, "endAt"),
        .state = text(object, "state") == "paused" ? SandboxState::Paused : SandboxState::Running,
        .createTimeout = std::chrono::seconds(object.at("createTimeout").to_number<std::int64_t>()),
        .autoPause = object.at("autoPause").as_bool(),
        .autoPauseMemory = object.at("autoPauseMemory").as_bool(),
        .autoResume = object.at("autoResume").as_bool(),
        .diskOnly = object.at("diskOnly").as_bool(),
        .allowPublicTraffic = object.at("allowPublicTraffic").as_bool(),
        .envdAccessToken = text(object, "envdAccessToken"),
        .trafficAccessToken = text(object, "trafficAccessToken"),
        .metadata = textMap(object.at("metadata")),
        .envVars = textMap(object.at("envVars")),
    };
    if (const json::value *value = object.if_contains("allowInternetAccess"))
        record.allowInternetAccess = value->as_bool();
    // Records of older hosts have neither: they are of the built-in template.
    if (const json::value *value = object.if_contains("buildID"))
        record.buildId = value->as_string();
    if (const json::value *value = object.if_contains("config"))
        record.config = configFromJson(value->as_object());
    if (const json::value *value = object.if_contains("network"))
        record.network = value->as_object();
    if (const json::value *value = object.if_contains("volumeMounts")) {
        for (const json::value &mount : value->as_array())
            record.volumeMounts.push_back({.volumeId = text(mount.as_object(), "volumeID"),
                                           .name = text(mount.as_object(), "name"),
                                           .path = text(mount.as_object(), "path")});
    }
    return record;
}

} // namespace boxdeck::host
