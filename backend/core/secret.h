// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace boxdeck {

/// A key or token. It can't be printed, streamed, compared by accident or put into a QVariant; the only way out is
/// reveal(), which is easy to find in a review. The bytes are wiped when the last holder lets go.
class Secret
{
public:
    Secret() = default;
    explicit Secret(QByteArray bytes);
    Secret(const Secret &other);
    Secret(Secret &&other) noexcept;
    Secret &operator=(Secret other) noexcept;
    ~Secret();

    bool isEmpty() const { return m_bytes.isEmpty(); }

    /// The bytes themselves: for a request header, the keychain, and nothing else.
    const QByteArray &reveal() const { return m_bytes; }

    /// Equality in constant time for equal lengths.
    bool operator==(const Secret &other) const;

private:
    QByteArray m_bytes;
};

} // namespace boxdeck
