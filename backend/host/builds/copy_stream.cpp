// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/builds/copy_stream.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <set>
#include <system_error>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

#include "backend/host/http/copy_frames.h"
#include "backend/host/sandbox/spawn.h"

namespace boxdeck::host {

namespace {

constexpr std::size_t block = 256 * 1024;

std::string quoted(const std::string &path)
{
    constexpr std::size_t most = 200;
    return '\'' + (path.size() > most ? path.substr(0, most) + "…" : path) + '\'';
}

// The parts of a path without `.` and empty ones; nothing when it is absolute or holds `..`.
bool cleanParts(const std::string &path, std::vector<std::string> &parts)
{
    if (path.starts_with('/'))
        return false;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        std::string part = path.substr(at, end - at);
        at = end + 1;
        if (part == "..")
            return false;
        if (!part.empty() && part != ".")
            parts.push_back(std::move(part));
    }
    return true;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string path;
    for (const std::string &part : parts)
        path += (path.empty() ? "" : "/") + part;
    return path;
}

bool climbsOut(std::vector<std::string> place, const std::string &target)
{
    if (target.starts_with('/'))
        return false;
    if (!place.empty())
        place.pop_back();
    for (std::size_t at = 0; at <= target.size();) {
        const auto end = std::min(target.find('/', at), target.size());
        const std::string part = target.substr(at, end - at);
        at = end + 1;
        if (part == "..") {
            if (place.empty())
                return true;
            place.pop_back();
        } else if (!part.empty() && part != ".") {
            place.push_back(part);
        }
    }
    return false;
}

class Output
{
public:
    explicit Output(const std::string &path)
        : m_fd(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
        if (!m_fd)
            throw std::system_error(errno, std::generic_category(), "unpacking the files of a COPY step");
    }

    void add(const CopyFrame &frame)
    {
        m_buffer += frame.kind;
        for (const auto number :
             {static_cast<std::int64_t>(frame.mode), static_cast<std::int64_t>(frame.size), frame.seconds,
              static_cast<std::int64_t>(frame.path.size()), static_cast<std::int64_t>(frame.target.size())})
            m_buffer += ' ' + std::to_string(number);
        m_buffer += '\n' + frame.path + frame.target;
        if (m_buffer.size() > block)
            flush();
    }

    void content(const char *data, std::size_t size)
    {
        m_buffer.append(data, size);
        if (m_buffer.size() > block)
            flush();
    }

    void flush()
    {
        std::size_t done = 0;
        while (done < m_buffer.size()) {
            const ssize_t wrote = write(m_fd.get(), m_buffer.data() + done, m_buffer.size() - done);
            if (wrote < 0 && errno == EINTR)
                continue;
            if (wrote <= 0)
                throw std::system_error(errno, std::generic_category(), "unpacking the files of a COPY step");
            done += static_cast<std::size_t>(wrote);
        }
        m_buffer.clear();
    }

private:
    Fd m_fd;
    std::string m_buffer;
};

class Reader
{
public:
    Reader(const CopySelection &selection, const std::string &stream)
        : m_selection(selection)
        , m_base(copyBase(selection.source))
        , m_out(stream)
        , m_archive(archive_read_new(), archive_read_free)
    {
    }

    void run(const std::string &path)
    {
        archive *from = m_archive.get();
        archive_read_support_filter_gzip(from);
        archive_read_support_format_tar(from);
        if (archive_read_open_filename(from, path.c_str(), block) != ARCHIVE_OK)
            unreadable();
        archive_entry *entry = nullptr;
        for (;;) {
            const int result = archive_read_next_header(from, &entry);
            if (result == ARCHIVE_EOF)
                break;
            // A warning is a name that does not fit this locale: the bytes are there all the same.
            if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
                unreadable();
            take(entry);
        }
        if (!m_any)
            throw CopyRefused("the uploaded archive holds nothing at " + quoted(m_selection.source));
        m_out.add({.kind = CopyFrame::end});
        m_out.flush();
    }

private:
    [[noreturn]] void unreadable() const
    {
        const char *said = archive_error_string(m_archive.get());
        throw CopyRefused(std::string("the uploaded archive is no readable tar") +
                          (said != nullptr ? std::string(": ") + said : std::string()));
    }

    void take(archive_entry *entry)
    {
        if (++m_entries > m_selection.entryLimit)
            throw CopyRefused("the uploaded archive has more than " + std::to_string(m_selection.entryLimit) +
                              " entries");
        const char *named = archive_entry_pathname(entry);
        const std::string shown = named != nullptr ? named : "";
        std::vector<std::string> parts;
        if (!cleanParts(shown, parts))
            throw CopyRefused("the uploaded archive has the entry " + quoted(shown) +
                              ", which would lie outside the context folder");
        if (shown.size() > copyPathLimit)
            throw CopyRefused("the uploaded archive has a path that is too long: " + quoted(shown));
        checkParents(parts, shown);
        const std::string path = joined(parts);
        CopyFrame frame{.mode = static_cast<std::uint32_t>(archive_entry_mode(entry)) & 07777U,
                        .seconds = archive_entry_mtime(entry)};
        describe(entry, frame, parts, shown);
        std::string below;
        const bool wanted = placeOf(path, below);
        if (frame.kind == CopyFrame::hardLink)
            frame.target = wanted ? linkedPlace(frame.target, shown) : std::string();
        if (frame.kind == CopyFrame::file || frame.kind == CopyFrame::hardLink)
            m_files.emplace(path, wanted);
        if (!wanted)
            return; // skipping it reads past its content, which must be sound too
        m_any = true;
        frame.path = below;
        m_out.add(frame);
        if (frame.kind == CopyFrame::file)
            copyContent(frame.size, shown);
    }

    // Nothing may be written through a link of the archive: the link could lead anywhere.
    void checkParents(const std::vector<std::string> &parts, const std::string &shown) const
    {
        std::string parent;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            parent += (parent.empty() ? "" : "/") + parts[i];
            if (m_links.contains(parent))
                throw CopyRefused("the uploaded archive has the entry " + quoted(shown) + " behind the link " +
                                  quoted(parent));
        }
    }

    void describe(archive_entry *entry, CopyFrame &frame, const std::vector<std::string> &parts,
                  const std::string &shown)
    {
        if (const char *linked = archive_entry_hardlink(entry)) {
            std::vector<std::string> target;
            if (!cleanParts(linked, target) || !m_files.contains(joined(target)))
                throw CopyRefused("the uploaded archive has the hard link " + quoted(shown) +
                                  " to something that is not in it: " + quoted(linked));
            frame.kind = CopyFrame::hardLink;
            frame.target = joined(target);
            return;
        }
        switch (archive_entry_filetype(entry)) {
        case AE_IFREG:
            frame.kind = CopyFrame::file;
            frame.size = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
            break;
        case AE_IFDIR:
            frame.kind = CopyFrame::folder;
            break;
        case AE_IFLNK: {
            const char *text = archive_entry_symlink(entry);
            frame.kind = CopyFrame::link;
            frame.target = text != nullptr ? text : "";
            if (frame.target.empty() || frame.target.size() > copyPathLimit || climbsOut(parts, frame.target))
                throw CopyRefused("the uploaded archive has the link " + quoted(shown) + " to " + quoted(frame.target) +
                                  ", which leads out of the context folder");
            m_links.insert(joined(parts));
            break;
        }
        default:
            throw CopyRefused("the uploaded archive has the entry " + quoted(shown) +
                              ", which is a device, pipe or socket");
        }
    }

    // Where an entry belongs below the target, and whether it is wanted at all.
    bool placeOf(const std::string &path, std::string &below) const
    {
        if (m_base.empty()) {
            below = path;
            return !path.empty();
        }
        if (path == m_base)
            return true;
        if (!path.starts_with(m_base + '/'))
            return false;
        below = path.substr(m_base.size() + 1);
        return true;
    }

    std::string linkedPlace(const std::string &target, const std::string &shown) const
    {
        const auto found = m_files.find(target);
        if (found == m_files.end() || !found->second)
            throw CopyRefused("the uploaded archive has the hard link " + quoted(shown) + " to " + quoted(target) +
                              ", which is not among the files to copy");
        if (m_base.empty())
            return target;
        return target == m_base ? std::string() : target.substr(m_base.size() + 1);
    }

    void copyContent(std::uint64_t size, const std::string &shown)
    {
        m_content += size;
        if (m_content > m_selection.contentLimit)
            throw CopyRefused("the uploaded archive unpacks to more than " +
                              std::to_string(m_selection.contentLimit / (1024 * 1024)) + " MiB");
        std::vector<char> buffer(block);
        std::uint64_t left = size;
        while (left > 0) {
            const la_ssize_t got = archive_read_data(m_archive.get(), buffer.data(),
                                                     static_cast<std::size_t>(std::min<std::uint64_t>(left, block)));
            if (got <= 0)
                throw CopyRefused("the uploaded archive ends within " + quoted(shown));
            m_out.content(buffer.data(), static_cast<std::size_t>(got));
            left -= static_cast<std::uint64_t>(got);
        }
    }

    CopySelection m_selection;
    std::string m_base;
    Output m_out;
    std::unique_ptr<archive, int (*)(archive *)> m_archive;
    std::set<std::string> m_links;
    std::unordered_map<std::string, bool> m_files; // and whether they are among what is placed
    std::uint64_t m_entries = 0;
    std::uint64_t m_content = 0;
    bool m_any = false;
};

} // namespace

std::string copyBase(const std::string &source)
{
    std::vector<std::string> parts;
    if (!cleanParts(source, parts))
        throw CopyRefused("the source " + quoted(source) + " of a COPY step lies outside the context folder");
    const auto glob = std::find_if(parts.begin(), parts.end(), [](const std::string &part) {
        return part.find_first_of("*?[{\\") != std::string::npos;
    });
    parts.erase(glob, parts.end());
    return joined(parts);
}

void writeCopyStream(const std::string &archive, const std::string &stream, const CopySelection &selection)
{
    // Names are bytes here as everywhere on Linux; without this libarchive would try to make ASCII of them.
    std::setlocale(LC_CTYPE, "C.UTF-8");
    Reader(selection, stream).run(archive);
}

} // namespace boxdeck::host
