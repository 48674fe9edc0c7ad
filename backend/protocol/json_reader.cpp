// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/json_reader.h"

#include <QJsonDocument>

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

/// Reads digits one after the other.
class Digits
{
public:
    explicit Digits(QStringView text)
        : m_text(text)
    {
    }

    bool atEnd() const { return m_at >= m_text.size(); }
    QChar peek() const { return atEnd() ? QChar() : m_text.at(m_at); }
    bool isDigit() const { return peek() >= QLatin1Char('0') && peek() <= QLatin1Char('9'); }
    /// One of these characters.
    bool skip(QLatin1String any)
    {
        if (atEnd() || !any.contains(peek()))
            return false;
        ++m_at;
        return true;
    }
    /// Exactly so many digits; -1 if there are fewer.
    int number(int count)
    {
        int value = 0;
        for (int i = 0; i < count; ++i, ++m_at) {
            if (!isDigit())
                return -1;
            value = value * 10 + peek().digitValue();
        }
        return value;
    }
    /// A fraction in nanoseconds, whatever its length; -1 if there is no digit.
    qint64 nanoseconds()
    {
        qint64 value = 0;
        int count = 0;
        for (; isDigit(); ++m_at, ++count) {
            if (count < 9)
                value = value * 10 + peek().digitValue();
        }
        for (int i = count; i < 9; ++i)
            value *= 10;
        return count > 0 && count <= 18 ? value : -1;
    }

private:
    QStringView m_text;
    qsizetype m_at = 0;
};

struct Moment
{
    QDateTime time;   ///< UTC, milliseconds; invalid if the text is no time
    qint64 below = 0; ///< nanoseconds below the millisecond
};

/// RFC 3339, and what servers make of it: a blank for the T, small letters, a comma, an offset without a colon, no
/// zone. By hand: a list of thousands has twice as many times, and Qt reads milliseconds at most.
Moment momentOf(const QString &text)
{
    Digits in(QStringView(text).trimmed());
    const int year = in.number(4);
    const bool dashes = in.skip(QLatin1String("-"));
    const int month = in.number(2);
    const bool dashed = dashes && in.skip(QLatin1String("-"));
    const int day = in.number(2);
    const bool parted = dashed && in.skip(QLatin1String("Tt "));
    const int hour = in.number(2);
    const bool colon = parted && in.skip(QLatin1String(":"));
    const int minute = in.number(2);
    const bool colons = colon && in.skip(QLatin1String(":"));
    const int second = in.number(2);
    if (!colons || year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0 || second < 0)
        return {};
    qint64 fraction = 0;
    if (in.skip(QLatin1String(".,")) && (fraction = in.nanoseconds()) < 0)
        return {};
    while (in.skip(QLatin1String(" \t"))) {
    }
    int offset = 0; // seconds
    if (const QChar sign = in.peek(); in.skip(QLatin1String("+-"))) {
        const int hours = in.number(2);
        in.skip(QLatin1String(":"));
        const int minutes = in.number(2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59)
            return {};
        offset = (hours * 60 + minutes) * (sign == QLatin1Char('-') ? -60 : 60);
    } else {
        in.skip(QLatin1String("Zz"));
    }
    constexpr int nsPerMs = 1'000'000;
    const QDate date(year, month, day);
    const QTime time(hour, minute, second, int(fraction / nsPerMs));
    if (!in.atEnd() || !date.isValid() || !time.isValid())
        return {};
    return {.time = QDateTime(date, time, Qt::UTC).addSecs(-offset), .below = fraction % nsPerMs};
}

} // namespace

JsonReader::JsonReader(const QJsonValue &value, const QString &path)
    : m_value(value)
    , m_path(path)
    , m_problem(std::make_shared<QString>())
{
    if (m_value.isObject())
        m_object = m_value.toObject();
}

JsonReader::JsonReader(const QJsonValue &value, const JsonReader &parent)
    : m_value(value)
    , m_parentPath(parent.path())
    , m_problem(parent.m_problem)
{
    if (m_value.isObject())
        m_object = m_value.toObject();
}

const QString &JsonReader::path() const
{
    if (!m_path) {
        if (m_index >= 0)
            m_path = QStringLiteral("%1[%2]").arg(m_parentPath).arg(m_index);
        else
            m_path = (m_parentPath.isEmpty() ? m_parentPath : m_parentPath + QLatin1Char('.')) + m_key + m_literal;
    }
    return *m_path;
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

JsonReader JsonReader::childOf(const QJsonValue &value) const
{
    if (!isAbsent() && !isObject())
        problem(QStringLiteral("not an object"));
    return {value, *this};
}

JsonReader JsonReader::operator[](QLatin1String key) const
{
    // A missing member of a QJsonObject reads as Undefined, which is absent.
    JsonReader child = childOf(m_object ? m_object->value(key) : QJsonValue(QJsonValue::Undefined));
    child.m_literal = key;
    return child;
}

JsonReader JsonReader::member(const QString &key) const
{
    JsonReader child = childOf(m_object ? m_object->value(key) : QJsonValue(QJsonValue::Undefined));
    child.m_key = key;
    return child;
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
    for (qsizetype i = 0; i < array.size(); ++i) {
        JsonReader child(array.at(i), *this);
        child.m_index = i;
        list.append(child);
    }
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
    return momentOf(m_value.toString()).time;
}

qint64 JsonReader::timeNs() const
{
    if (!isText()) // time() tells what is wrong
        return 0;
    const Moment moment = momentOf(m_value.toString());
    const qint64 ms = moment.time.isValid() ? moment.time.toMSecsSinceEpoch() : 0;
    constexpr qint64 nsPerMs = 1'000'000;
    const bool fits = ms > 0 && ms < std::numeric_limits<qint64>::max() / nsPerMs; // years 1970 to 2262
    return fits ? ms * nsPerMs + moment.below : 0;
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
        *m_problem = path().isEmpty() ? what : path() + QStringLiteral(": ") + what;
}

std::optional<Error> JsonReader::error() const
{
    if (m_problem->isEmpty())
        return std::nullopt;
    return badAnswer(*m_problem);
}

} // namespace boxdeck::protocol
