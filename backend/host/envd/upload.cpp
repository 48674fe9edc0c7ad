// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/envd/upload.h"

#include "backend/host/envd/entry_info.h"
#include "backend/host/envd/paths.h"
#include "backend/host/envd/rpc_error.h"
#include "backend/host/http/headers.h"
#include "backend/host/http/json_text.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <system_error>

namespace boxdeck::host::envd {

namespace {

constexpr std::size_t longestMetadataKey = 246;
constexpr std::size_t metadataLimit = 4096;

[[noreturn]] void throwFileError(int error, const std::string &what)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    throw HttpError(full ? 507 : 500, what + ": " + errnoText(error));
}

std::string expandOrRefuse(const std::string &path, const UploadPlan &plan)
{
    try {
        return expandPath(path, plan.account.home, plan.defaultDirectory);
    } catch (const std::invalid_argument &error) {
        throw HttpError(400, std::string("error resolving path: ") + error.what());
    }
}

} // namespace

std::map<std::string, std::string> uploadMetadata(const std::vector<std::pair<std::string, std::string>> &headers)
{
    constexpr std::string_view prefix = "x-metadata-";
    std::map<std::string, std::string> metadata;
    std::size_t total = 0;
    for (const auto &[name, value] : headers) {
        if (name.size() <= prefix.size() ||
            !http::equalIgnoringCase(std::string_view(name).substr(0, prefix.size()), prefix))
            continue;
        std::string key = name.substr(prefix.size());
        for (char &c : key)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
        const auto printable = [](char c) { return c >= 0x20 && c < 0x7F; };
        if (key.size() > longestMetadataKey)
            throw HttpError(400, "invalid metadata: a key is longer than 246 bytes");
        if (!std::all_of(key.begin(), key.end(), printable) || !std::all_of(value.begin(), value.end(), printable))
            throw HttpError(400, "invalid metadata: only printable ASCII is allowed");
        if (metadata.try_emplace(key, value).second)
            total += key.size() + value.size();
    }
    if (total > metadataLimit)
        throw HttpError(400, "invalid metadata: more than 4096 bytes in total");
    return metadata;
}

Upload::Upload(UploadPlan plan)
    : m_plan(std::move(plan))
{
    const MediaType type = MediaType::parse(m_plan.contentType);
    if (m_plan.gzip)
        m_gzip = std::make_unique<GzipReader>();
    if (type.type == "application/octet-stream") {
        if (!m_plan.path)
            throw HttpError(400, "path query parameter is required for raw body upload");
        open(expandOrRefuse(*m_plan.path, m_plan));
    } else if (type.type.starts_with("multipart/")) {
        const auto boundary = type.parameters.find("boundary");
        if (boundary == type.parameters.end() || boundary->second.empty())
            throw HttpError(500, "error parsing multipart form: no multipart boundary param in Content-Type");
        MultipartParser::Sink &sink = *this;
        m_multipart = std::make_unique<MultipartParser>(boundary->second, sink);
    } else {
        throw HttpError(400, "unsupported content type: " + m_plan.contentType +
                                 ", expected multipart/form-data or application/octet-stream");
    }
}

Upload::~Upload()
{
    if (m_file && m_created)
        ::unlink(m_filePath.c_str());
}

void Upload::feed(std::string_view bytes)
{
    if (!m_gzip) {
        feedPlain(bytes);
        return;
    }
    try {
        m_gzip->feed(bytes, [this](std::string_view plain) { feedPlain(plain); });
    } catch (const GzipError &error) {
        throw HttpError(error.atStart ? 400 : 500, std::string("error decompressing request body: ") + error.what());
    }
}

void Upload::feedPlain(std::string_view bytes)
{
    if (!m_multipart) {
        partData(bytes);
        return;
    }
    try {
        m_multipart->feed(bytes);
    } catch (const MultipartError &error) {
        throw HttpError(500, std::string("error reading form: ") + error.what());
    }
}

std::string Upload::finish()
{
    try {
        if (m_gzip)
            m_gzip->finish();
        if (m_multipart)
            m_multipart->finish();
    } catch (const GzipError &error) {
        throw HttpError(error.atStart ? 400 : 500, std::string("error decompressing request body: ") + error.what());
    } catch (const MultipartError &error) {
        throw HttpError(500, std::string("error reading form: ") + error.what());
    }
    if (!m_multipart)
        close();
    std::string json;
    http::JsonWriter out(json);
    out.beginArray();
    for (const std::string &path : m_written) {
        out.beginObject();
        if (const auto metadata = readMetadata(path); !metadata.empty()) {
            out.key("metadata").beginObject();
            for (const auto &[key, value] : metadata)
                out.key(key).string(value);
            out.endObject();
        }
        out.key("name").string(baseName(path)).key("path").string(path).key("type").string("file");
        out.endObject();
    }
    out.endArray();
    return json;
}

void Upload::partBegin(const MediaType &disposition)
{
    const auto name = disposition.parameters.find("name");
    if (disposition.type != "form-data" || name == disposition.parameters.end() || name->second != "file")
        return; // skipped in silence
    std::string path;
    if (m_plan.path) {
        path = *m_plan.path;
    } else {
        const auto fileName = disposition.parameters.find("filename");
        if (fileName == disposition.parameters.end()) {
            throw HttpError(400, "error getting multipart custom part file name: filename not found in "
                                 "Content-Disposition header");
        }
        path = fileName->second;
    }
    path = expandOrRefuse(path, m_plan);
    if (std::find(m_written.begin(), m_written.end(), path) != m_written.end()) {
        throw HttpError(400, "you cannot upload multiple files to the same path '" + path +
                                 "' in one upload request, only the first specified file was uploaded");
    }
    open(path);
}

void Upload::partData(std::string_view bytes)
{
    if (!m_file)
        return;
    while (!bytes.empty()) {
        const ssize_t n = ::write(m_file.get(), bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno != EINTR) {
            const int error = errno;
            if (error == ENOSPC || error == EDQUOT) {
                const std::string size =
                    m_plan.contentLength && *m_plan.contentLength > 0
                        ? "attempted to write " + std::to_string(*m_plan.contentLength) + " bytes: "
                        : std::string();
                throw HttpError(507, size + "not enough disk space available");
            }
            throwFileError(error, "error writing file");
        }
    }
}

void Upload::partEnd()
{
    if (m_file)
        close();
}

void Upload::open(const std::string &path)
{
    try {
        ensureDirectories(parentPath(path), m_plan.account.uid, m_plan.account.gid);
    } catch (const std::system_error &error) {
        throwFileError(error.code().value(), "error ensuring directories");
    }
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode))
            throw HttpError(400, "path is a directory: " + path);
        if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
            throw HttpError(400, "path is not a regular file: " + path);
    } else if (errno != ENOENT) {
        throwFileError(errno, "error getting file info");
    }
    m_filePath = path;
    // Exclusively first, to know whether the file is ours to take away if the upload fails.
    m_file.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    m_created = static_cast<bool>(m_file);
    if (!m_file)
        // Without waiting: a pipe that has taken the file's place would hold the thread until somebody reads it.
        m_file.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666));
    if (!m_file) {
        const int error = errno;
        throwFileError(error, error == ENOSPC ? "not enough inodes available" : "error opening file");
    }
    if (const int error = chownFd(m_file.get(), m_plan.account.uid, m_plan.account.gid); error != 0)
        throwFileError(error, "error changing file ownership");
}

void Upload::close()
{
    writeMetadata();
    // A network or quota file system may tell only now that it has no room.
    if (::close(m_file.release()) != 0 && errno != EINTR) {
        const int error = errno;
        if (m_created)
            ::unlink(m_filePath.c_str());
        throwFileError(error, "error writing file");
    }
    m_written.push_back(m_filePath);
}

void Upload::writeMetadata()
{
    for (const auto &[key, value] : readMetadata(m_filePath)) {
        if (!m_plan.metadata.contains(key))
            ::fremovexattr(m_file.get(), ("user.e2b." + key).c_str());
    }
    for (const auto &[key, value] : m_plan.metadata) {
        if (::fsetxattr(m_file.get(), ("user.e2b." + key).c_str(), value.data(), value.size(), 0) == 0)
            continue;
        if (errno == ENOTSUP)
            return; // the body is kept; the answer tells what is really there
        throwFileError(errno, "error writing file metadata");
    }
}

} // namespace boxdeck::host::envd
