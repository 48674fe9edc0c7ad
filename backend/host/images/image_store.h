// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "backend/host/images/layer_store.h"

namespace boxdeck::host {

/// `--image NAME=PATH`: a root file system to register under a name.
struct ImageOption
{
    std::string name;
    std::string path; ///< a folder or a tar archive; empty = forget the name

    bool operator==(const ImageOption &) const = default;
};

/// Reads NAME=PATH. Throws StartError with what is wrong.
ImageOption readImageOption(const std::string &text);

/// The root file systems that builds may begin from, by the name that `fromImage` gives. Each is a layer with a /usr of
/// its own; what was registered once stays until it is forgotten. One durable file lists them.
class ImageStore
{
public:
    ImageStore(LayerStore &layers, std::string file);

    /// Reads what earlier runs registered; images whose layer is gone are forgotten. Call once, after the layers.
    void restore();
    std::set<std::string> layers() const;
    /// Registers or forgets one. Nothing is read again while the path names the same file, or folder, of the same time.
    /// Throws StartError that names the image and what is wrong with it.
    asio::awaitable<void> apply(ImageOption option);
    /// The layer of an image; `docker.io/library/NAME:latest`, `NAME:latest` and `NAME` are the same.
    std::optional<std::string> find(const std::string &name) const;

private:
    struct Image
    {
        std::string path;
        std::string fingerprint; ///< tells whether the path still holds the same
        std::string layerId;
    };

    void save() const;

    LayerStore &m_layers;
    std::string m_file;
    std::map<std::string, Image> m_images; ///< by name in its short form
};

} // namespace boxdeck::host
