// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/control_plane/sandbox_log.h"

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>

namespace boxdeck::host {

namespace {

namespace json = boost::json;

constexpr off_t mostBytes = 256 * 1024;

std::string current(const std::string &folder)
{
    return folder + "/log.jsonl";
}

std::string old(const std::string &folder)
{
    return folder + "/log.old.jsonl";
}

void readInto(std::vector<LogEntry> &entries, const std::string &file)
{
    std::ifstream stream(file, std::ios::binary);
    for (std::string line; std::getline(stream, line);) {
        // A crash may have left a line that is not whole.
        boost::system::error_code error;
        const json::value value = json::parse(line, error);
        const json::object *object = error ? nullptr : value.if_object();
        const auto text = [object](const char *name) {
            const json::value *member = object == nullptr ? nullptr : object->if_contains(name);
            return member != nullptr && member->is_string() ? std::string(member->as_string()) : std::string();
        };
        const auto time = timeFromText(text("time"));
        if (time && !text("level").empty())
            entries.push_back({*time, text("level"), text("message")});
    }
}

} // namespace

void appendLog(const std::string &folder, const LogEntry &entry)
{
    const std::string file = current(folder);
    const std::string line = json::serialize(json::object{
                                 {"time", toText(entry.time)}, {"level", entry.level}, {"message", entry.message}}) +
                             '\n';
    struct stat info
    {
    };
    if (stat(file.c_str(), &info) == 0 && info.st_size >= mostBytes)
        rename(file.c_str(), old(folder).c_str());
    const Fd fd(open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd) {
        [[maybe_unused]] const ssize_t wrote = write(fd.get(), line.data(), line.size()); // a full disk loses a line
    }
}

std::vector<LogEntry> readLog(const std::string &folder)
{
    std::vector<LogEntry> entries;
    readInto(entries, old(folder));
    readInto(entries, current(folder));
    return entries;
}

} // namespace boxdeck::host
