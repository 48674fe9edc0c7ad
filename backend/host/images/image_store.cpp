// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/images/image_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <sys/stat.h>
#include <system_error>

#include <boost/json.hpp>

#include "backend/host/control_plane/data_folder.h"

namespace boxdeck::host {

namespace {

namespace json = boost::json;

std::string shortForm(std::string name)
{
    for (const std::string_view prefix : {"docker.io/", "index.docker.io/", "library/"}) {
        if (name.starts_with(prefix))
            name.erase(0, prefix.size());
    }
    constexpr std::string_view latest = ":latest";
    if (name.ends_with(latest))
        name.resize(name.size() - latest.size());
    return name;
}

// Of an archive: which file, how long and of when. Of a folder: which folder, and when its top changed last.
std::string fingerprintOf(const std::string &path)
{
    struct stat info
    {
    };
    if (stat(path.c_str(), &info) != 0)
        throw StartError(path + ": " + std::error_code(errno, std::generic_category()).message());
    if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
        throw StartError(path + " is neither a folder nor a file");
    std::ostringstream text;
    text << info.st_dev << ':' << info.st_ino << ':' << info.st_size << ':' << info.st_mtim.tv_sec << '.'
         << info.st_mtim.tv_nsec;
    return text.str();
}

} // namespace

ImageOption readImageOption(const std::string &text)
{
    const auto equals = text.find('=');
    ImageOption option{.name = text.substr(0, equals)};
    const bool plain = option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                     "._-/:@") == std::string::npos;
    if (equals == std::string::npos || option.name.empty() || option.name.size() > 255 || !plain)
        throw StartError("--image needs a name and a path, such as python:3.12=/srv/python.tar.gz, not '" + text + "'");
    option.path = text.substr(equals + 1);
    return option;
}

ImageStore::ImageStore(LayerStore &layers, std::string file)
    : m_layers(layers)
    , m_file(std::move(file))
{
}

void ImageStore::restore()
{
    std::ostringstream text;
    if (std::ifstream stream(m_file, std::ios::binary); stream)
        text << stream.rdbuf();
    if (text.str().empty())
        return;
    try {
        const json::value list = json::parse(text.str());
        for (const auto &[name, value] : list.as_object()) {
            const json::object &one = value.as_object();
            Image image{.path = std::string(one.at("path").as_string()),
                        .fingerprint = std::string(one.at("fingerprint").as_string()),
                        .layerId = std::string(one.at("layer").as_string())};
            if (!m_layers.contains(image.layerId))
                continue;
            m_layers.pin(image.layerId);
            m_images.emplace(name, std::move(image));
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "boxdeck-host: %s is not readable (%s); name the images again with --image\n",
                     m_file.c_str(), error.what());
    }
}

std::set<std::string> ImageStore::layers() const
{
    std::set<std::string> used;
    for (const auto &[name, image] : m_images)
        used.insert(image.layerId);
    return used;
}

void ImageStore::save() const
{
    json::object list;
    for (const auto &[name, image] : m_images)
        list[name] = {{"path", image.path}, {"fingerprint", image.fingerprint}, {"layer", image.layerId}};
    writeDurably(m_file, json::serialize(list) + '\n');
}

asio::awaitable<void> ImageStore::apply(ImageOption option)
{
    const std::string name = shortForm(option.name);
    const auto known = m_images.find(name);
    const std::string old = known == m_images.end() ? std::string() : known->second.layerId;
    std::string failure;
    try {
        if (option.path.empty()) {
            m_images.erase(name);
        } else {
            // The same folder must not be known under two names only because it was named from elsewhere.
            const std::unique_ptr<char, void (*)(void *)> whole(realpath(option.path.c_str(), nullptr), std::free);
            const std::string path = whole ? whole.get() : option.path;
            const std::string fingerprint = fingerprintOf(path);
            if (known != m_images.end() && known->second.path == path && known->second.fingerprint == fingerprint)
                co_return;
            std::fprintf(stderr, "boxdeck-host: reading the image %s from %s\n", option.name.c_str(), path.c_str());
            const std::string layer = co_await m_layers.importFrom(path);
            m_layers.pin(layer);
            m_images[name] = Image{.path = path, .fingerprint = fingerprint, .layerId = layer};
        }
        save();
    } catch (const std::exception &error) {
        failure = error.what();
    }
    if (!failure.empty())
        throw StartError("the image " + option.name + " cannot be read from " + option.path + ": " + failure);
    m_layers.unpin(old);
    if (!old.empty())
        co_await m_layers.remove(old);
}

std::optional<std::string> ImageStore::find(const std::string &name) const
{
    const auto found = m_images.find(shortForm(name));
    return found == m_images.end() ? std::nullopt : std::optional(found->second.layerId);
}

} // namespace boxdeck::host
