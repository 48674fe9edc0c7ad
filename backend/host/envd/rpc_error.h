// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace boxdeck::host::envd {

/// The codes of the Connect protocol (protocol/envd.md 8.5).
enum class Code {
    Canceled,
    Unknown,
    InvalidArgument,
    DeadlineExceeded,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    OutOfRange,
    Unimplemented,
    Internal,
    Unavailable,
    DataLoss,
    Unauthenticated,
};

/// The code's name on the wire, e.g. "not_found".
std::string_view codeName(Code code);
/// The HTTP status of a unary answer with that code.
int httpStatus(Code code);

/// A refused RPC. Thrown by the services, turned into the error shape of the call by the RPC router.
class RpcError : public std::runtime_error
{
public:
    RpcError(Code code, const std::string &message)
        : std::runtime_error(message)
        , m_code(code)
    {
    }
    Code code() const { return m_code; }
    /// {"code":"…","message":"…"}
    std::string json() const;

private:
    Code m_code;
};

/// A refused plain HTTP request: a status and {"code":<number>,"message":"…"}, or only the text where the reference
/// has its router's answer (a query that cannot be read).
class HttpError : public std::runtime_error
{
public:
    enum class Shape { Json, Text };
    HttpError(int status, const std::string &message, Shape shape = Shape::Json)
        : std::runtime_error(message)
        , m_status(status)
        , m_shape(shape)
    {
    }
    int status() const { return m_status; }
    Shape shape() const { return m_shape; }
    std::string json() const;

private:
    int m_status;
    Shape m_shape;
};

/// The system's text for an errno value, e.g. "no such file or directory".
std::string errnoText(int error);

} // namespace boxdeck::host::envd
