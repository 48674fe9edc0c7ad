// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/redact.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace boxdeck {

namespace {

constexpr int deepest = 32;

enum class Inside {
    Open,    ///< shown unless it looks like a secret
    Network, ///< allow and deny lists are shown, everything else that is text is not
    Closed,  ///< only names are shown
};

/// "apiKey", "API-Key" and "api_key" are one name.
QString folded(const QString &name)
{
    QString result;
    for (const QChar letter : name) {
        if (letter.isLetterOrNumber())
            result += letter.toCaseFolded();
    }
    return result;
}

bool saysSecret(const QString &name)
{
    static const QStringList words = {
        QStringLiteral("secret"),     QStringLiteral("password"),       QStringLiteral("passwd"),
        QStringLiteral("passphrase"), QStringLiteral("token"),          QStringLiteral("credential"),
        QStringLiteral("authoriz"),   QStringLiteral("authentication"), QStringLiteral("cookie"),
        QStringLiteral("apikey"),     QStringLiteral("privatekey"),     QStringLiteral("accesskey"),
        QStringLiteral("signature"),  QStringLiteral("bearer"),
    };
    static const QStringList whole = {QStringLiteral("key"), QStringLiteral("auth"), QStringLiteral("pwd"),
                                      QStringLiteral("pass"), QStringLiteral("jwt")};
    return whole.contains(name) ||
           std::any_of(words.begin(), words.end(), [&](const QString &word) { return name.contains(word); });
}

/// Names that say secret and hold none: which variable the key is in, and whether there is one.
bool isHarmless(const QString &name, const QJsonValue &value)
{
    return value.isBool() || (name == QLatin1String("apikeyenv") && value.isString());
}

Inside insideOf(const QString &name, Inside outside)
{
    static const QStringList closed = {
        QStringLiteral("env"),         QStringLiteral("envs"),         QStringLiteral("envvars"),
        QStringLiteral("environment"), QStringLiteral("headers"),      QStringLiteral("metadata"),
        QStringLiteral("mcp"),         QStringLiteral("volumemounts"), QStringLiteral("rules"),
        QStringLiteral("transform"),   QStringLiteral("proxy"),        QStringLiteral("egressproxy"),
        QStringLiteral("buildargs"),   QStringLiteral("registry"),     QStringLiteral("fromimageregistry"),
        QStringLiteral("iam"),
    };
    if (outside == Inside::Closed || closed.contains(name))
        return Inside::Closed;
    if (name == QLatin1String("network"))
        return Inside::Network;
    if (outside == Inside::Network && name != QLatin1String("allowout") && name != QLatin1String("denyout"))
        return Inside::Closed;
    return outside == Inside::Network ? Inside::Open : outside;
}

QJsonValue redact(const QJsonValue &value, Inside inside, int depth)
{
    if (depth > deepest)
        return redactedMark;
    switch (value.type()) {
    case QJsonValue::Object: {
        const QJsonObject object = value.toObject();
        QJsonObject result;
        for (auto member = object.begin(); member != object.end(); ++member) {
            const QString name = folded(member.key());
            // What comes as a name may be a secret itself, where a map was filled the wrong way round.
            const QString shown = redactedText(member.key());
            if (inside != Inside::Closed && saysSecret(name))
                result[shown] = isHarmless(name, member.value()) ? member.value() : QJsonValue(redactedMark);
            else
                result[shown] = redact(member.value(), insideOf(name, inside), depth + 1);
        }
        return result;
    }
    case QJsonValue::Array: {
        QJsonArray result;
        const QJsonArray array = value.toArray();
        for (const QJsonValue &element : array)
            result.append(redact(element, inside, depth + 1));
        return result;
    }
    case QJsonValue::String: {
        if (inside != Inside::Open)
            return redactedMark;
        // JSON within a text is JSON all the same.
        const QString text = value.toString();
        if (text.startsWith(u'{') || text.startsWith(u'[')) {
            const auto document = QJsonDocument::fromJson(text.toUtf8());
            if (document.isObject())
                return redact(document.object(), inside, depth + 1);
            if (document.isArray())
                return redact(document.array(), inside, depth + 1);
        }
        return redactedText(text);
    }
    case QJsonValue::Double:
        return inside == Inside::Closed ? QJsonValue(redactedMark) : value; // a PIN is a number
    case QJsonValue::Bool:
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        break;
    }
    return value;
}

} // namespace

QJsonValue redacted(const QJsonValue &value)
{
    return redact(value, Inside::Open, 0);
}

QString redactedText(const QString &text)
{
    static const QRegularExpression keys(QStringLiteral(
        "(?:sk_)?e2b_[0-9A-Za-z]{8,}|\\beyJ[\\w-]{8,}\\.[\\w-]+\\.[\\w-]*|\\b(?:gh[pousr]|github_pat)_\\w{16,}|"
        "\\bsk-[\\w-]{16,}|\\bAKIA[0-9A-Z]{12,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*"));
    static const QRegularExpression schemes(
        QStringLiteral("\\b(bearer|basic)\\s++(?:(?:bearer|basic)\\s++)*+[\\w.~+/=:-]{4,}"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression userInfo(QStringLiteral("(://)[^/?#\\s]*@"));
    static const QRegularExpression query(QStringLiteral("(://[^?\\s]*\\?)[^#\\s]+"));
    const std::pair<const QRegularExpression &, QString> steps[] = {
        {keys, redactedMark},
        {schemes, QStringLiteral("\\1 ") + redactedMark},
        {userInfo, QStringLiteral("\\1") + redactedMark + u'@'},
        {query, QStringLiteral("\\1") + redactedMark},
    };
    QString result = text;
    for (const auto &[expression, replacement] : steps) {
        if (!expression.match(result).isValid()) // it was made to be too much: what can't be searched is not shown
            return redactedMark;
        result.replace(expression, replacement);
    }
    return result;
}

} // namespace boxdeck
