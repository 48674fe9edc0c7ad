// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck-host/options.h"

#include <charconv>
#include <stdexcept>

#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

void readListen(const std::string &text, Options &options)
{
    const auto colon = text.rfind(':');
    const StartError wrong("--listen needs an address and a port, such as 127.0.0.1:3000, not '" + text + "'");
    if (colon == std::string::npos || colon == 0)
        throw wrong;
    options.address = text.substr(0, colon);
    if (options.address.starts_with('[') && options.address.ends_with(']'))
        options.address = options.address.substr(1, options.address.size() - 2);
    else if (options.address.find(':') != std::string::npos)
        throw wrong;
    if (options.address == "localhost")
        options.address = "127.0.0.1";
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, options.port);
    if (error != std::errc() || stop != end)
        throw wrong;
}

std::int64_t readMebibytes(const std::string &option, const std::string &text)
{
    std::int64_t amount = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, amount);
    if (error != std::errc() || stop != end || amount < 16 || amount > (1 << 30))
        throw StartError(option + " needs a number of MiB, at least 16, not '" + text + "'");
    return amount;
}

void readLimits(const std::string &text, Options &options)
{
    try {
        options.buildLimits = readBuildLimits(text);
    } catch (const std::invalid_argument &error) {
        throw StartError("--build-limits does not take '" + std::string(error.what()) + "'; see boxdeck-host --help");
    }
}

} // namespace

Options readOptions(const std::vector<std::string> &words)
{
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string name = words[i];
        std::string value;
        const auto equals = name.find('=');
        const bool joined = name.starts_with("--") && equals != std::string::npos;
        if (joined) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        if (name == "--help" || name == "-h") {
            options.help = true;
            continue;
        }
        if (name == "--version") {
            options.version = true;
            continue;
        }
        if (name != "--listen" && name != "--data" && name != "--api-key-file" && name != "--envd" &&
            name != "--memory" && name != "--disk" && name != "--image" && name != "--build-limits")
            throw StartError("'" + words[i] + "' is not understood; see boxdeck-host --help");
        if (!joined) {
            if (i + 1 >= words.size())
                throw StartError(name + " needs a value; see boxdeck-host --help");
            value = words[++i];
        }
        if (value.empty())
            throw StartError(name + " needs a value; see boxdeck-host --help");
        if (name == "--listen")
            readListen(value, options);
        else if (name == "--memory")
            options.memoryMib = readMebibytes(name, value);
        else if (name == "--disk")
            options.diskMib = readMebibytes(name, value);
        else if (name == "--build-limits")
            readLimits(value, options);
        else if (name == "--image")
            options.images.push_back(readImageOption(value));
        else if (name == "--data")
            options.data = value;
        else if (name == "--api-key-file")
            options.apiKeyFile = value;
        else
            options.envd = value;
    }
    return options;
}

const char *helpText()
{
    return "boxdeck-host: sandboxes on this computer, behind the E2B protocol\n"
           "\n"
           "  --listen ADDRESS:PORT  where to listen (127.0.0.1 and any free port)\n"
           "  --data DIR             where sandboxes and records live (~/.local/share/boxdeck-host)\n"
           "  --api-key-file FILE    take the API key from this file (otherwise one of its own under DIR)\n"
           "  --envd PATH            the daemon that runs inside sandboxes (beside this program)\n"
           "  --memory MIB           pause a sandbox whose processes use more (half of this computer's)\n"
           "  --image NAME=PATH      a root file system (folder, or tar archive) that templates can be built from;\n"
           "                         NAME= forgets it. May be given more than once, and is kept\n"
           "  --build-limits LIST    name=number,… of: time, ready, ready-wait (seconds), running (builds at once),\n"
           "                         log (KiB), archive, archives, cache (MiB)\n"
           "  --disk MIB             pause a sandbox whose files take more (half of the disk of DIR)\n"
           "  --version, --help\n"
           "\n"
           "Prints one JSON line with apiUrl, sandboxUrl, apiKey and pid when it is ready.\n"
           "It is for one person on one machine, and no multi-tenant service.\n";
}

} // namespace boxdeck::host
