// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/pinned_ca.h"

#include <QFile>
#include <QSslCertificate>

namespace boxdeck::session {

Result<QSslConfiguration> trustOnly(const QString &pemFile)
{
    const auto refused = [&](const char *code) {
        return Failure(Error{.kind = ErrorKind::Local, .code = QLatin1String(code), .message = pemFile});
    };
    constexpr qint64 largest = 4 * 1024 * 1024; // the system's own bundle is a twentieth of it
    QFile file(pemFile);
    if (!file.open(QIODevice::ReadOnly))
        return refused("ca_unreadable");
    const QList<QSslCertificate> authorities = QSslCertificate::fromData(file.read(largest), QSsl::Pem);
    if (authorities.isEmpty())
        return refused("ca_empty");
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setCaCertificates(authorities);
    return tls;
}

} // namespace boxdeck::session
