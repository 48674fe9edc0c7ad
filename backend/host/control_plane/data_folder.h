// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

/// The host cannot start; the text says what to do about it.
class StartError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The folder that holds everything this host keeps, locked against a second host for as long as this object lives.
class DataFolder
{
public:
    /// Makes the folder if needed and locks it. Throws StartError.
    explicit DataFolder(const std::string &path);

    /// Absolute path.
    const std::string &path() const { return m_path; }
    /// One folder per sandbox, named by its id.
    std::string sandboxes() const { return m_path + "/sandboxes"; }
    /// One folder per layer, named by its id (see LayerStore).
    std::string layers() const { return m_path + "/layers"; }
    /// One file per template (see TemplateCatalog).
    std::string templates() const { return m_path + "/templates"; }
    /// One folder per volume (see VolumeStore).
    std::string volumes() const { return m_path + "/volumes"; }
    /// Folders on their way out.
    std::string trash() const { return m_path + "/trash"; }
    /// Short path of a socket's file in a folder only we can enter. Valid in this process only: socket addresses hold
    /// 107 characters and the data folder may lie deep.
    std::string socketPath(const std::string &name) const;

    /// The host's own API key, made at the first call and kept 0600. Throws StartError.
    std::string ownApiKey() const;
    /// A secret of this host under a name of its own, made at the first call and kept 0600. Throws StartError.
    std::string ownSecret(const std::string &name) const;

    /// What the files of the sandboxes and layers kept here belong to; empty if none are kept or nothing is known.
    std::string boundIds() const;
    /// Remembers it. Throws std::system_error.
    void bindIds(const std::string &ids) const;

private:
    std::string keptSecret(const std::string &file, const std::string &prefix, std::size_t digits) const;

    std::string m_path;
    Fd m_lock;
    Fd m_run;
};

/// Reads a key from a file the operator names, without blanks around it. Throws StartError.
std::string readApiKeyFile(const std::string &path);

/// $XDG_DATA_HOME/boxdeck-host, or ~/.local/share/boxdeck-host.
std::string defaultDataFolder();

/// Writes @p content to @p path so that after a crash either the old or the new content is there, mode 0600.
/// Throws std::system_error.
void writeDurably(const std::string &path, const std::string &content);

/// Text of @p digits random lower-case hexadecimal digits from the system's generator.
std::string randomHex(std::size_t digits);
/// Text of @p length random characters out of [a-z0-9].
std::string randomId(std::size_t length);

} // namespace boxdeck::host
