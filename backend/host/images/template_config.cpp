// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/template_config.h"

#include <boost/json.hpp>

namespace boxdeck::host {

namespace json = boost::json;

namespace {

std::string text(const json::object &object, const char *name)
{
    return std::string(object.at(name).as_string());
}

} // namespace

json::object toJson(const TemplateConfig &config)
{
    json::object variables;
    for (const auto &[name, value] : config.envVars)
        variables[name] = value;
    return {{"ownUsr", config.ownUsr}, {"defaultUser", config.defaultUser}, {"workdir", config.workdir},
            {"envVars", variables},    {"startCmd", config.startCmd},       {"readyCmd", config.readyCmd}};
}

TemplateConfig configFromJson(const json::object &object)
{
    TemplateConfig config{.ownUsr = object.at("ownUsr").as_bool(),
                          .defaultUser = text(object, "defaultUser"),
                          .workdir = text(object, "workdir"),
                          .startCmd = text(object, "startCmd"),
                          .readyCmd = text(object, "readyCmd")};
    for (const auto &[name, value] : object.at("envVars").as_object())
        config.envVars.emplace(name, value.as_string());
    return config;
}

} // namespace boxdeck::host
