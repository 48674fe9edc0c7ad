// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/remote_path.h"
#include "backend/net/http_request.h"

namespace boxdeck::api {

/// A form with one part named `file`, streamed around another source (protocol/envd.md section 7).
struct MultipartUpload
{
    QByteArray contentType;
    net::UploadSource source;
};

/// `path` becomes the part's filename as far as a header can hold it; the server takes the name from the query.
MultipartUpload multipartUpload(net::UploadSource content, const RemotePath &path);

} // namespace boxdeck::api
