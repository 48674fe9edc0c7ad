// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/sandbox/helper.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <map>
#include <stdexcept>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include "backend/host/builds/copy_stream.h"
#include "backend/host/sandbox/copy_tree.h"
#include "backend/host/sandbox/root_layout.h"
#include "backend/host/sandbox/rootfs_import.h"
#include "backend/host/volumes/content_server.h"

namespace boxdeck::host {

namespace {

using Values = std::map<std::string, std::string>;

// Where the helper shows bubblewrap the root and the daemon. /sys exists everywhere, bubblewrap does not need it, and
// only this helper's own mount namespace sees the change.
constexpr const char *stage = "/sys";

constexpr int handedFd = 3; // the first one that whoever starts a helper may hand it

// More than a million entries need, little enough that a hostile archive hurts only its own build.
constexpr std::uint64_t unpackMemory = 2ULL << 30;

std::string rangeText(const std::optional<UidRange> &range)
{
    return range ? toText(*range) : "none";
}

[[noreturn]] void throwErrno(const std::string &what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

const std::string &need(const Values &values, const std::string &name)
{
    const auto found = values.find(name);
    if (found == values.end())
        throw std::runtime_error("missing " + name);
    return found->second;
}

void limit(__rlimit_resource which, std::uint64_t most)
{
    rlimit now{};
    if (most == 0 || getrlimit(which, &now) != 0)
        return;
    const rlim_t value = std::min<rlim_t>(most, now.rlim_max);
    const rlimit wanted{value, value};
    if (setrlimit(which, &wanted) != 0)
        throwErrno("setting a limit");
}

int cloneTree(const std::string &path)
{
    const int fd = open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    if (fd < 0)
        throwErrno(path);
    return fd;
}

void attach(int tree, const std::string &at)
{
    if (move_mount(tree, "", AT_FDCWD, at.c_str(), MOVE_MOUNT_F_EMPTY_PATH) != 0)
        throwErrno(at);
    close(tree);
}

// The root lies in a folder that only its owner may walk into, and inside the range we are nobody here. So both things
// are taken hold of while we still have our own ids, and shown at a place that everybody can reach.
void stageMounts(RunRequest &request)
{
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        throwErrno("making mounts private");
    const int root = cloneTree(request.root);
    const int envd = cloneTree(request.envd);
    std::vector<int> volumes;
    for (const FolderMount &volume : request.mounts)
        volumes.push_back(cloneTree(volume.folder));
    becomeRangeRoot();
    if (mount("boxdeck", stage, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=0755") != 0)
        throwErrno("mounting a staging folder");
    const std::string rootAt = std::string(stage) + "/root";
    const std::string envdAt = std::string(stage) + "/envd";
    if (mkdir(rootAt.c_str(), 0755) != 0)
        throwErrno(rootAt);
    const int file = open(envdAt.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    if (file < 0)
        throwErrno(envdAt);
    close(file);
    attach(root, rootAt);
    attach(envd, envdAt);
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        FolderMount &volume = request.mounts[i];
        volume.folder = std::string(stage) + "/volume" + std::to_string(i);
        if (mkdir(volume.folder.c_str(), 0755) != 0)
            throwErrno(volume.folder);
        attach(volumes[i], volume.folder);
    }
}

// So that the helper's words need no escaping: mount0=FOLDER, target0=PATH, mount1=…
std::vector<FolderMount> mountsOf(const Values &values)
{
    std::vector<FolderMount> mounts;
    for (std::size_t i = 0; values.contains("mount" + std::to_string(i)); ++i)
        mounts.push_back({need(values, "mount" + std::to_string(i)), need(values, "target" + std::to_string(i))});
    return mounts;
}

// In the range already, if there is one: what is made belongs to its root.
void prepareVolume(const std::string &folder, bool setOwners)
{
    for (const char *name : {"/upload", "/trash", "/data"}) {
        if (mkdir((folder + name).c_str(), 0700) != 0 && errno != EEXIST)
            throwErrno(folder + name);
    }
    // For every account of every sandbox it is mounted in.
    const std::string data = folder + "/data";
    if (setOwners && chown(data.c_str(), sandboxUserId, sandboxUserId) != 0)
        throwErrno(data);
    if (chmod(data.c_str(), 0777) != 0)
        throwErrno(data);
}

// Should this computer run out of memory, a sandbox's processes go first, before anybody's desktop.
void offerToOutOfMemoryKiller()
{
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    [[maybe_unused]] const ssize_t wrote = write(fd, "500", 3); // refused where it is higher already: fine too
    close(fd);
}

// The keys of our session (of a login, a mounted file server …) are there for everything it starts, by whatever
// account. An empty one of the sandbox's own takes its place. A kernel without keys has nothing to leave.
void leaveKeysBehind()
{
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0 && errno != ENOSYS)
        throwErrno("leaving this session's keys");
}

[[noreturn]] void runSandbox(RunRequest request)
{
    std::string root = request.root;
    std::string envd = request.envd;
    if (request.range) {
        enterUidRange(*request.range, {.newMountNamespace = true});
        stageMounts(request);
        root = std::string(stage) + "/root";
        envd = std::string(stage) + "/envd";
    }
    leaveKeysBehind();
    for (const FolderMount &volume : request.mounts)
        makeMountPoint(root, volume.target);
    // After the new namespace was made: set before, the limit would also count against our own account outside.
    limit(RLIMIT_NPROC, request.processes);
    limit(RLIMIT_NOFILE, request.openFiles);
    const rlimit noCores{0, 0};
    setrlimit(RLIMIT_CORE, &noCores);
    offerToOutOfMemoryKiller();

    std::vector<std::string> command = bubblewrapCommand(request, root, envd);
    std::vector<char *> argv;
    for (std::string &word : command)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(request.bwrap.c_str(), argv.data());
    throwErrno(request.bwrap);
}

std::optional<UidRange> rangeOf(const Values &values)
{
    const std::string &text = need(values, "range");
    if (text == "none")
        return {};
    const auto range = uidRangeFromText(text);
    if (!range)
        throw std::runtime_error("the range is not readable");
    return range;
}

void enterToHandleFiles(const std::optional<UidRange> &range)
{
    if (!range)
        return;
    enterUidRange(*range, {.keepOwnIds = true});
    becomeRangeRoot();
}

int helper(const std::vector<std::string> &words)
{
    if (words.empty())
        throw std::runtime_error("what is to be done is missing");
    Values values;
    std::size_t at = 1;
    for (; at < words.size() && words[at] != "--"; ++at) {
        const auto equals = words[at].find('=');
        if (equals == std::string::npos)
            throw std::runtime_error("not understood: " + words[at]);
        values[words[at].substr(0, equals)] = words[at].substr(equals + 1);
    }
    const auto range = rangeOf(values);
    if (words[0] == "prepare") {
        enterToHandleFiles(range);
        layOutRoot(need(values, "root"), {.hostname = need(values, "hostname"), .setOwners = range.has_value()});
        return 0;
    }
    if (words[0] == "copy") {
        enterToHandleFiles(range);
        copyTree(need(values, "from"), need(values, "to"), need(values, "record"));
        if (const std::string &hostname = need(values, "hostname"); !hostname.empty())
            renameHost(need(values, "to"), hostname);
        return 0;
    }
    if (words[0] == "import") {
        enterToHandleFiles(range);
        importRoot(handedFd, need(values, "to"), need(values, "record"), {.idCount = range ? range->count : 0});
        return 0;
    }
    if (words[0] == "pack") {
        packRoot(need(values, "from"), handedFd);
        return 0;
    }
    if (words[0] == "rename-host") {
        enterToHandleFiles(range);
        renameHost(need(values, "root"), need(values, "hostname"));
        return 0;
    }
    if (words[0] == "remove") {
        enterToHandleFiles(range);
        removeTree(need(values, "folder"));
        return 0;
    }
    if (words[0] == "unpack") {
        limit(RLIMIT_AS, unpackMemory);
        writeCopyStream(need(values, "archive"), need(values, "stream"),
                        {.source = need(values, "source"), .contentLimit = std::stoull(need(values, "content"))});
        return 0;
    }
    if (words[0] == "prepare-volume") {
        enterToHandleFiles(range);
        prepareVolume(need(values, "folder"), range.has_value());
        return 0;
    }
    if (words[0] == "serve-volumes") {
        constexpr int listenFd = 3;
        constexpr int leashFd = 4;
        runContentServer(need(values, "folder"), range, listenFd, leashFd);
        return 0;
    }
    if (words[0] != "run")
        throw std::runtime_error("not understood: " + words[0]);
    RunRequest request{.bwrap = need(values, "bwrap"),
                       .envd = need(values, "envd"),
                       .root = need(values, "root"),
                       .hostname = need(values, "hostname"),
                       .range = range,
                       .ownUsr = need(values, "usr") == "own",
                       .mounts = mountsOf(values),
                       .processes = std::stoull(need(values, "processes")),
                       .openFiles = std::stoull(need(values, "files")),
                       .infoFd = std::stoi(need(values, "info"))};
    if (at < words.size())
        request.words.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
    runSandbox(std::move(request));
}

} // namespace

std::vector<std::string> helperPrepare(const std::optional<UidRange> &range, const std::string &root,
                                       const std::string &hostname)
{
    return {helperArgument, "prepare", "range=" + rangeText(range), "root=" + root, "hostname=" + hostname};
}

std::vector<std::string> helperRemove(const std::optional<UidRange> &range, const std::string &folder)
{
    return {helperArgument, "remove", "range=" + rangeText(range), "folder=" + folder};
}

std::vector<std::string> helperCopy(const std::optional<UidRange> &range, const std::string &from,
                                    const std::string &to, const CopyOptions &options)
{
    return {helperArgument,
            "copy",
            "range=" + rangeText(range),
            "from=" + from,
            "to=" + to,
            "record=" + options.record,
            "hostname=" + options.hostname};
}

std::vector<std::string> helperImport(const std::optional<UidRange> &range, const std::string &to,
                                      const std::string &record)
{
    return {helperArgument, "import", "range=" + rangeText(range), "to=" + to, "record=" + record};
}

std::vector<std::string> helperPack(const std::string &from)
{
    return {helperArgument, "pack", "range=none", "from=" + from};
}

std::vector<std::string> helperRenameHost(const std::optional<UidRange> &range, const std::string &root,
                                          const std::string &hostname)
{
    return {helperArgument, "rename-host", "range=" + rangeText(range), "root=" + root, "hostname=" + hostname};
}

std::vector<std::string> helperUnpack(const std::string &archive, const std::string &stream, const std::string &source,
                                      std::uint64_t contentLimit)
{
    return {helperArgument,
            "unpack",
            "range=none",
            "archive=" + archive,
            "stream=" + stream,
            "source=" + source,
            "content=" + std::to_string(contentLimit)};
}

std::vector<std::string> helperPrepareVolume(const std::optional<UidRange> &range, const std::string &folder)
{
    return {helperArgument, "prepare-volume", "range=" + rangeText(range), "folder=" + folder};
}

std::vector<std::string> helperServeVolumes(const std::optional<UidRange> &range, const std::string &folder)
{
    return {helperArgument, "serve-volumes", "range=" + rangeText(range), "folder=" + folder};
}

std::vector<std::string> helperRun(const RunRequest &request)
{
    std::vector<std::string> words{helperArgument,
                                   "run",
                                   "range=" + rangeText(request.range),
                                   "bwrap=" + request.bwrap,
                                   "envd=" + request.envd,
                                   "root=" + request.root,
                                   "hostname=" + request.hostname,
                                   std::string("usr=") + (request.ownUsr ? "own" : "shared"),
                                   "processes=" + std::to_string(request.processes),
                                   "files=" + std::to_string(request.openFiles),
                                   "info=" + std::to_string(request.infoFd)};
    for (std::size_t i = 0; i < request.mounts.size(); ++i) {
        words.push_back("mount" + std::to_string(i) + '=' + request.mounts[i].folder);
        words.push_back("target" + std::to_string(i) + '=' + request.mounts[i].target);
    }
    words.emplace_back("--");
    words.insert(words.end(), request.words.begin(), request.words.end());
    return words;
}

int helperMain(const std::vector<std::string> &words)
{
    try {
        return helper(words);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "boxdeck-host: %s\n", error.what());
        return 1;
    }
}

} // namespace boxdeck::host
