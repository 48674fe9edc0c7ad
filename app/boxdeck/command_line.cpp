// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck/command_line.h"

#include "backend/session/connection_profile.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>

namespace boxdeck::app {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

Failure wrong(const QString &sentence)
{
    return Failure(Error{.kind = ErrorKind::InvalidRequest, .message = sentence});
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(Text::tr("The desktop for people who run E2B sandboxes."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, Text::tr("Show this help."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")}, Text::tr("Show the version."));
    const QCommandLineOption dataDir(QStringLiteral("data-dir"), Text::tr("Keep everything the app writes in DIR."),
                                     QStringLiteral("DIR"));
    const QCommandLineOption account(QStringLiteral("account"), Text::tr("Begin with the account called NAME."),
                                     QStringLiteral("NAME"));
    const QCommandLineOption connect(QStringLiteral("connect"),
                                     Text::tr("Use this server for this run only, with the key in E2B_API_KEY."),
                                     QStringLiteral("API_URL"));
    const QCommandLineOption sandboxUrl(QStringLiteral("sandbox-url"),
                                        Text::tr("With --connect: one address for every sandbox."),
                                        QStringLiteral("URL"));
    const QCommandLineOption domain(QStringLiteral("domain"), Text::tr("With --connect: the sandboxes' domain."),
                                    QStringLiteral("HOST"));
    const QCommandLineOption open(QStringLiteral("open"), Text::tr("Open this sandbox. It is not woken."),
                                  QStringLiteral("SANDBOX_ID"));
    const QCommandLineOption language(QStringLiteral("lang"), Text::tr("Language for this run: en or zh_CN."),
                                      QStringLiteral("CODE"));
    parser.addOptions({help, version, dataDir, account, connect, sandboxUrl, domain, open, language});
    if (!parser.parse(arguments))
        return wrong(parser.errorText());
    if (!parser.positionalArguments().isEmpty())
        return wrong(Text::tr("Unexpected argument: %1").arg(parser.positionalArguments().first()));

    CommandLine result;
    if (parser.isSet(help)) {
        result.answer = parser.helpText();
        return result;
    }
    if (parser.isSet(version)) {
        result.answer = QStringLiteral("boxdeck ") + QLatin1String(BOXDECK_VERSION) + QLatin1Char('\n');
        return result;
    }
    if (parser.isSet(dataDir)) {
        if (parser.value(dataDir).isEmpty())
            return wrong(Text::tr("--data-dir needs a folder."));
        result.dataDir = QDir::cleanPath(QDir::current().absoluteFilePath(parser.value(dataDir)));
    }
    result.account = parser.value(account);
    result.domain = parser.value(domain);
    result.open = parser.value(open);
    result.language = parser.value(language);
    if (parser.isSet(connect)) {
        const auto url = session::parseServerUrl(parser.value(connect));
        if (!url)
            return wrong(Text::tr("--connect needs the address of a server, such as https://api.example.com."));
        result.connect = *url;
    }
    if (parser.isSet(sandboxUrl)) {
        const auto url = session::parseServerUrl(parser.value(sandboxUrl));
        if (!url)
            return wrong(Text::tr("--sandbox-url needs an address, such as http://127.0.0.1:3002."));
        result.sandboxUrl = *url;
    }
    if (!result.connect && (result.sandboxUrl || !result.domain.isEmpty()))
        return wrong(Text::tr("--sandbox-url and --domain belong to --connect."));
    return result;
}

} // namespace boxdeck::app
