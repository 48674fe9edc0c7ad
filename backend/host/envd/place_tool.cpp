// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/place_tool.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "backend/host/envd/accounts.h"
#include "backend/host/envd/unique_fd.h"
#include "backend/host/http/copy_frames.h"

namespace boxdeck::host::envd {

namespace {

constexpr std::size_t block = 256 * 1024;

[[noreturn]] void fail(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

bool isFolder(const std::string &path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool isNumber(const std::string &text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10;
}

class FrameReader
{
public:
    explicit FrameReader(const std::string &path)
        : m_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC))
    {
        if (!m_fd)
            fail(path);
        ::unlink(path.c_str());
        m_buffer.resize(block);
    }

    CopyFrame next()
    {
        std::string line;
        for (char letter = take(); letter != '\n'; letter = take()) {
            line += letter;
            if (line.size() > 200)
                broken();
        }
        CopyFrame frame;
        frame.kind = line.empty() ? '\0' : line[0];
        std::vector<std::int64_t> numbers;
        for (std::size_t at = 1; at < line.size();) {
            const auto end = std::min(line.find(' ', at + 1), line.size());
            std::int64_t number = 0;
            const auto [stop, error] = std::from_chars(line.data() + at + 1, line.data() + end, number);
            if (line[at] != ' ' || error != std::errc() || stop != line.data() + end)
                broken();
            numbers.push_back(number);
            at = end;
        }
        if (numbers.size() != 5 || numbers[1] < 0)
            broken();
        frame.mode = static_cast<std::uint32_t>(numbers[0]) & 07777U;
        frame.size = static_cast<std::uint64_t>(numbers[1]);
        frame.seconds = numbers[2];
        frame.path = text(numbers[3]);
        frame.target = text(numbers[4]);
        return frame;
    }

    void copyTo(int fd, std::uint64_t size, const std::string &path)
    {
        while (size > 0) {
            if (m_at == m_end)
                refill();
            const std::size_t piece = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_end - m_at));
            std::size_t done = 0;
            while (done < piece) {
                const ssize_t wrote = ::write(fd, m_buffer.data() + m_at + done, piece - done);
                if (wrote < 0 && errno == EINTR)
                    continue;
                if (wrote <= 0)
                    fail("cannot write " + path);
                done += static_cast<std::size_t>(wrote);
            }
            m_at += piece;
            size -= piece;
        }
    }

private:
    [[noreturn]] static void broken() { throw std::runtime_error("what is to be copied did not arrive whole"); }

    void refill()
    {
        const ssize_t got = ::read(m_fd.get(), m_buffer.data(), m_buffer.size());
        if (got <= 0)
            broken();
        m_at = 0;
        m_end = static_cast<std::size_t>(got);
    }

    char take()
    {
        if (m_at == m_end)
            refill();
        return m_buffer[m_at++];
    }

    std::string text(std::int64_t size)
    {
        if (size < 0 || static_cast<std::size_t>(size) > copyPathLimit)
            broken();
        std::string value;
        for (std::int64_t i = 0; i < size; ++i)
            value += take();
        return value;
    }

    UniqueFd m_fd;
    std::vector<char> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_end = 0;
};

class Placer
{
public:
    Placer(std::string target, Owner owner, std::optional<mode_t> mode)
        : m_target(std::move(target))
        , m_owner(owner)
        , m_mode(mode)
    {
    }

    void place(const CopyFrame &frame, FrameReader &from)
    {
        const std::string path = pathOf(frame.path);
        if (frame.kind == CopyFrame::folder) {
            folder(frame, path);
            return;
        }
        makeFolders(parentOf(path), m_owner);
        struct stat there = {};
        if (::lstat(path.c_str(), &there) == 0) {
            if (S_ISDIR(there.st_mode))
                throw std::runtime_error("cannot replace the folder " + path + " by a file");
            if (::unlink(path.c_str()) != 0)
                fail("cannot replace " + path);
        }
        if (frame.kind == CopyFrame::file)
            file(frame, path, from);
        else if (frame.kind == CopyFrame::link)
            link(frame, path);
        else if (::link(pathOf(frame.target).c_str(), path.c_str()) != 0)
            fail("cannot link " + path);
    }

    // Modes and times of folders last: filling one changes its time, and one without write permission stays fillable.
    void finish()
    {
        for (auto made = m_made.rbegin(); made != m_made.rend(); ++made) {
            giveTo(made->path, m_owner);
            if (::chmod(made->path.c_str(), m_mode.value_or(made->mode)) != 0)
                fail("cannot set the mode of " + made->path);
            setTime(made->path, made->seconds);
        }
    }

private:
    struct Made
    {
        std::string path;
        mode_t mode;
        std::int64_t seconds;
    };

    static std::string parentOf(const std::string &path)
    {
        const auto slash = path.rfind('/');
        return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
    }

    std::string pathOf(const std::string &below) const
    {
        if (below.empty())
            return m_target;
        return m_target.ends_with('/') ? m_target + below : m_target + '/' + below;
    }

    static void setTime(const std::string &path, std::int64_t seconds)
    {
        const timespec time{.tv_sec = static_cast<time_t>(seconds), .tv_nsec = 0};
        const timespec both[] = {time, time};
        ::utimensat(AT_FDCWD, path.c_str(), both, AT_SYMLINK_NOFOLLOW); // a wish only
    }

    void folder(const CopyFrame &frame, const std::string &path)
    {
        if (isFolder(path))
            return;
        makeFolders(parentOf(path), m_owner);
        struct stat there = {};
        if (::lstat(path.c_str(), &there) == 0 && ::unlink(path.c_str()) != 0)
            fail("cannot replace " + path);
        if (::mkdir(path.c_str(), 0700) != 0)
            fail("cannot make the folder " + path);
        m_made.push_back({.path = path, .mode = frame.mode, .seconds = frame.seconds});
    }

    void file(const CopyFrame &frame, const std::string &path, FrameReader &from)
    {
        const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!fd)
            fail("cannot write " + path);
        from.copyTo(fd.get(), frame.size, path);
        giveTo(path, m_owner);
        if (::fchmod(fd.get(), m_mode.value_or(frame.mode)) != 0)
            fail("cannot set the mode of " + path);
        setTime(path, frame.seconds);
    }

    void link(const CopyFrame &frame, const std::string &path)
    {
        if (::symlink(frame.target.c_str(), path.c_str()) != 0)
            fail("cannot make the link " + path);
        giveTo(path, m_owner);
        setTime(path, frame.seconds);
    }

    std::string m_target;
    Owner m_owner;
    std::optional<mode_t> m_mode;
    std::vector<Made> m_made;
};

const std::string &need(const ToolValues &values, const char *name)
{
    const auto found = values.find(name);
    if (found == values.end())
        throw std::runtime_error(std::string("missing ") + name);
    return found->second;
}

std::string absolute(const ToolValues &values)
{
    const std::string &target = need(values, "target");
    if (target.starts_with('/'))
        return target;
    std::string from = need(values, "workdir");
    if (from.empty()) {
        const auto account = Accounts::load().find(need(values, "user"));
        from = account && !account->home.empty() ? account->home : "/";
    }
    return from.ends_with('/') ? from + target : from + '/' + target;
}

} // namespace

Owner ownerFromText(const std::string &text)
{
    const auto colon = text.find(':');
    const std::string user = text.substr(0, colon);
    const std::string group = colon == std::string::npos ? std::string() : text.substr(colon + 1);
    const Accounts accounts = Accounts::load();
    Owner owner;
    if (const auto account = accounts.find(user))
        owner = {.uid = account->uid, .gid = account->gid};
    else if (isNumber(user))
        owner = {.uid = static_cast<uid_t>(std::stoul(user)), .gid = static_cast<gid_t>(std::stoul(user))};
    else
        throw std::runtime_error("there is no account '" + user + "' in the template");
    if (group.empty())
        return owner;
    if (const auto known = accounts.group(group))
        owner.gid = *known;
    else if (isNumber(group))
        owner.gid = static_cast<gid_t>(std::stoul(group));
    else if (const auto account = accounts.find(group))
        owner.gid = account->gid;
    else
        throw std::runtime_error("there is no group '" + group + "' in the template");
    return owner;
}

void giveTo(const std::string &path, const Owner &owner)
{
    const bool powerless = ::geteuid() != 0;
    if (::lchown(path.c_str(), owner.uid, owner.gid) != 0 && !powerless)
        fail("cannot set the owner of " + path);
}

void makeFolders(const std::string &path, const Owner &owner)
{
    for (std::size_t at = 1; at <= path.size(); ++at) {
        if (at < path.size() && path[at] != '/')
            continue;
        const std::string part = path.substr(0, at);
        if (::mkdir(part.c_str(), 0755) == 0)
            giveTo(part, owner);
        else if (!isFolder(part))
            fail("cannot make the folder " + part);
    }
}

void placeTool(const ToolValues &values)
{
    FrameReader from(need(values, "stream"));
    const Owner owner = ownerFromText(need(values, "owner"));
    std::optional<mode_t> mode;
    if (const std::string &text = need(values, "mode"); !text.empty()) {
        unsigned number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 8);
        if (error != std::errc() || end != text.data() + text.size() || number > 07777)
            throw std::runtime_error("'" + text + "' is no octal file mode");
        mode = static_cast<mode_t>(number);
    }
    std::string target = absolute(values);
    CopyFrame frame = from.next();
    const bool single = frame.path.empty() && frame.kind != CopyFrame::folder;
    if (!single || target.ends_with('/') || isFolder(target)) {
        makeFolders(target, owner);
        if (single)
            target += (target.ends_with('/') ? "" : "/") + need(values, "name");
    }
    Placer placer(target, owner, mode);
    for (; frame.kind != CopyFrame::end; frame = from.next()) {
        const bool known = frame.kind == CopyFrame::file || frame.kind == CopyFrame::folder ||
                           frame.kind == CopyFrame::link || frame.kind == CopyFrame::hardLink;
        if (!known)
            throw std::runtime_error("what is to be copied did not arrive whole");
        placer.place(frame, from);
    }
    placer.finish();
}

} // namespace boxdeck::host::envd
