// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/json_reader.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QTimeZone>

#include <cmath>
#include <limits>

namespace boxdeck::protocol {

namespace {

Error badAnswer(const QString &message)
{
    return {.kind = ErrorKind::Internal,
            .delivery = Delivery::Answered,
            .code = QStringLiteral("bad_answer"),
            .message = message};
}

std::optional<qint64> wholeNumber(const QJsonValue &value)
{
    if (value.isDouble()) {
        const double number = value.toDouble();
        // toInteger() gives whole numbers exactly but falls back for 1.5 and 1e300; 0 tells nothing then.
        const qint64 whole = value.toInteger(0);
        if (whole != 0 || number == 0.0)
            return whole;
        return std::nullopt;
    }
    bool ok = false;
    const qint64 whole = value.toString().trimmed().toLongLong(&ok);
    return ok ? std::optional(whole) : std::nullopt;
}

QString asText(const QJsonValue &value)
{
    switch (value.type()) {
    case QJsonValue::String:
        return value.toString();
    case QJsonValue::Bool:
        return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
    case QJsonValue::Double:
        if (const auto whole = wholeNumber(value))
            return QString::number(*whole);
        return QString::number(value.toDouble(), 'g', 17);
    case QJsonValue::Array:
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    case QJsonValue::Object:
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        break;
    }
    return {};
}

QRegularExpressionMatch timeMatch(const QString &text)
{
    static const QRegularExpression shape(
        QStringLiteral("^(\\d{4}-\\d{2}-\\d{2})[Tt ](\\d{2}:\\d{2}:\\d{2})(?:[.,](\\d{1,18}))?\\s*"
                       "([Zz]|[+-]\\d{2}:?\\d{2})?$"));
    return shape.match(text.trimmed());
}

/// Qt reads milliseconds at most and only upper-case separators; servers send up to nanoseconds.
QDateTime timeOf(const QString &text)
{
    const QRegularExpressionMatch match = timeMatch(text);
    if (!match.hasMatch())
        return {};
    const QString fraction = (match.captured(3) + QStringLiteral("000")).left(3);
    const QString zone = match.captured(4).isEmpty() ? QStringLiteral("Z") : match.captured(4).toUpper();
    return QDateTime::fromString(match.captured(1) + QLatin1Char('T') + match.captured(2) + QLatin1Char('.') +
                                     fraction + zone,
                                 Qt::ISODateWithMs)
        .toUTC();
}

} // namespace

JsonReader::JsonReader(const QJsonValue &value, const QString &path)
    : JsonReader(value, path, std::make_shared<QString>())
{
}

JsonReader::JsonReader(const QJsonValue &value, const QString &path, std::shared_ptr<QString> problem)
    : m_value(value)
    , m_path(path)
    , m_problem(std::move(problem))
{
}

Result<JsonReader> JsonReader::parse(const QByteArray &json)
{
    const QByteArray text = json.trimmed();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error == QJsonParseError::NoError)
        return JsonReader(document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object()));
    // QJsonDocument takes no bare value, but some servers answer a list with null.
    const QJsonDocument wrapped = QJsonDocument::fromJson('[' + text + ']', &error);
    if (error.error == QJsonParseError::NoError && wrapped.array().size() == 1)
        return JsonReader(wrapped.array().at(0));
    return tl::unexpected(badAnswer(QStringLiteral("the answer is not JSON: %1").arg(error.errorString())));
}

JsonReader JsonReader::operator[](QLatin1String key) const
{
    return member(key);
}

JsonReader JsonReader::member(const QString &key) const
{
    const QString path = m_path.isEmpty() ? key : m_path + QLatin1Char('.') + key;
    if (!isAbsent() && !isObject())
        problem(QStringLiteral("not an object"));
    // A missing member of a QJsonObject reads as Undefined, which is absent.
    return {m_value.isObject() ? m_value.toObject().value(key) : QJsonValue(QJsonValue::Undefined), path, m_problem};
}

JsonReader JsonReader::either(QLatin1String key, QLatin1String other) const
{
    JsonReader first = (*this)[key];
    if (!first.isAbsent())
        return first;
    JsonReader second = (*this)[other];
    return second.isAbsent() ? first : second;
}

QList<JsonReader> JsonReader::items() const
{
    QList<JsonReader> list;
    if (isAbsent())
        return list;
    if (!isArray()) {
        problem(QStringLiteral("not an array"));
        return list;
    }
    const QJsonArray array = m_value.toArray();
    list.reserve(array.size());
    for (qsizetype i = 0; i < array.size(); ++i)
        list.append(JsonReader(array.at(i), QStringLiteral("%1[%2]").arg(m_path).arg(i), m_problem));
    return list;
}

QString JsonReader::text() const
{
    if (isArray() || isObject()) {
        problem(QStringLiteral("not a text"));
        return {};
    }
    return asText(m_value);
}

QString JsonReader::mustText() const
{
    QString result = text();
    if (result.trimmed().isEmpty())
        problem(QStringLiteral("missing"));
    return result;
}

qint64 JsonReader::integer() const
{
    if (isAbsent() || (isText() && m_value.toString().trimmed().isEmpty()))
        return 0;
    const auto whole = wholeNumber(m_value);
    if (!whole)
        problem(QStringLiteral("not a whole number"));
    return whole.value_or(0);
}

int JsonReader::smallInt() const
{
    const qint64 whole = integer();
    if (whole < std::numeric_limits<int>::min() || whole > std::numeric_limits<int>::max()) {
        problem(QStringLiteral("out of range"));
        return 0;
    }
    return static_cast<int>(whole);
}

quint32 JsonReader::uint32() const
{
    const qint64 whole = integer();
    if (whole < 0 || whole > std::numeric_limits<quint32>::max()) {
        problem(QStringLiteral("out of range"));
        return 0;
    }
    return static_cast<quint32>(whole);
}

double JsonReader::real() const
{
    if (isAbsent() || (isText() && m_value.toString().trimmed().isEmpty()))
        return 0;
    bool ok = m_value.isDouble();
    const double number = ok ? m_value.toDouble() : m_value.toString().trimmed().toDouble(&ok);
    if (!ok || !std::isfinite(number)) {
        problem(QStringLiteral("not a number"));
        return 0;
    }
    return number;
}

bool JsonReader::boolean() const
{
    if (isAbsent())
        return false;
    if (m_value.isBool())
        return m_value.toBool();
    const QString word = asText(m_value).toLower();
    if (word == QLatin1String("true") || word == QLatin1String("1"))
        return true;
    if (word != QLatin1String("false") && word != QLatin1String("0") && !word.isEmpty())
        problem(QStringLiteral("not true or false"));
    return false;
}

QByteArray JsonReader::bytes() const
{
    if (isAbsent())
        return {};
    if (!isText()) {
        problem(QStringLiteral("not base64"));
        return {};
    }
    const QByteArray text = m_value.toString().toLatin1();
    const bool urlSafe = text.contains('-') || text.contains('_');
    const auto alphabet = urlSafe ? QByteArray::Base64UrlEncoding : QByteArray::Base64Encoding;
    auto decoded = QByteArray::fromBase64Encoding(text, alphabet | QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) {
        problem(QStringLiteral("not base64"));
        return {};
    }
    return std::move(*decoded);
}

QDateTime JsonReader::time() const
{
    if (isAbsent())
        return {};
    if (!isText()) {
        problem(QStringLiteral("not a time"));
        return {};
    }
    return timeOf(m_value.toString());
}

qint64 JsonReader::timeNs() const
{
    const QDateTime moment = time();
    if (!moment.isValid())
        return 0;
    constexpr qint64 nsPerMs = 1'000'000;
    const QString fraction = timeMatch(m_value.toString()).captured(3);
    const qint64 below = (fraction + QStringLiteral("000000000")).mid(3, 6).toLongLong();
    return moment.toMSecsSinceEpoch() * nsPerMs + below;
}

QStringList JsonReader::texts() const
{
    QStringList list;
    for (const JsonReader &item : items())
        list.append(item.text());
    return list;
}

QMap<QString, QString> JsonReader::textMap() const
{
    QMap<QString, QString> map;
    if (isAbsent())
        return map;
    if (!isObject()) {
        problem(QStringLiteral("not an object"));
        return map;
    }
    const QJsonObject object = m_value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        map.insert(it.key(), asText(it.value()));
    return map;
}

void JsonReader::problem(const QString &what) const
{
    if (m_problem->isEmpty())
        *m_problem = m_path.isEmpty() ? what : m_path + QStringLiteral(": ") + what;
}

std::optional<Error> JsonReader::error() const
{
    if (m_problem->isEmpty())
        return std::nullopt;
    return badAnswer(*m_problem);
}

} // namespace boxdeck::protocol
