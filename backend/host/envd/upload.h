// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/host/envd/accounts.h"
#include "backend/host/envd/gzip.h"
#include "backend/host/envd/multipart.h"
#include "backend/host/envd/unique_fd.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boxdeck::host::envd {

/// What an upload's head says.
struct UploadPlan
{
    Account account;
    std::string defaultDirectory;
    std::optional<std::string> path; ///< The query's path; without it each part names its own.
    std::string contentType;
    bool gzip = false; ///< The whole body is compressed.
    std::optional<std::uint64_t> contentLength;
    std::map<std::string, std::string> metadata; ///< Replaces that of each file.
};

/// Reads the X-Metadata-* headers. Throws HttpError (400) for what cannot be an attribute.
std::map<std::string, std::string> uploadMetadata(const std::vector<std::pair<std::string, std::string>> &headers);

/// The receiving end of POST /files (protocol/envd.md section 7). Writes in place: an existing file is truncated and
/// keeps its mode, links are followed, missing directories are made. Waits for the disk; not for the I/O thread.
/// A file that this upload made is taken away again when the upload fails, so that no half file is left under the
/// real name; one that was there before is not restored.
class Upload : private MultipartParser::Sink
{
public:
    /// Throws HttpError for a content type or a path that cannot be served.
    explicit Upload(UploadPlan plan);
    ~Upload() override;
    Upload(const Upload &) = delete;
    Upload &operator=(const Upload &) = delete;

    /// The next piece of the request body. Throws HttpError.
    void feed(std::string_view bytes);
    /// The body is complete: gives the answer, a JSON array of the written files. Throws HttpError.
    std::string finish();

private:
    void partBegin(const MediaType &disposition) override;
    void partData(std::string_view bytes) override;
    void partEnd() override;

    void feedPlain(std::string_view bytes);
    void open(const std::string &path);
    void close();
    void writeMetadata();

    UploadPlan m_plan;
    std::unique_ptr<GzipReader> m_gzip;
    std::unique_ptr<MultipartParser> m_multipart;
    UniqueFd m_file;
    std::string m_filePath;
    bool m_created = false;
    std::vector<std::string> m_written;
};

} // namespace boxdeck::host::envd
