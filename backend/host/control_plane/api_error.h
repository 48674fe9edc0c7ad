// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace boxdeck::host {

/// An answer other than success: status, and a sentence for the caller. Ends up as `{"code": status, "message": …}`;
/// the number is not decoration, the official SDK looks at it (protocol/control-plane.md, section 3).
class ApiError : public std::runtime_error
{
public:
    ApiError(int status, const std::string &message, std::string errorCode = {})
        : std::runtime_error(message)
        , m_status(status)
        , m_errorCode(std::move(errorCode))
    {
    }

    int status() const { return m_status; }
    /// The optional machine word `error_code`, may be empty.
    const std::string &errorCode() const { return m_errorCode; }

private:
    int m_status;
    std::string m_errorCode;
};

} // namespace boxdeck::host
