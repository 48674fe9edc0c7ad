// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QMap>
#include <QStringList>

#include <memory>

namespace boxdeck::protocol {

/// Reads one JSON value and its members, and remembers the path of the first thing that is wrong, such as
/// `[3].sandboxID`. Members nobody asks for are ignored; null and absent are the same and mean the zero value (proto3
/// JSON); numbers and text stand in for each other (protocol/compat.md 2.21). Codecs read everything, then ask error()
/// once. Copies share that memory. Not thread safe.
class JsonReader
{
public:
    explicit JsonReader(const QJsonValue &value, const QString &path = {});

    /// Reads a whole document: an object or array, `null`, or a bare value. Internal with code "bad_answer" if it is
    /// not JSON.
    static Result<JsonReader> parse(const QByteArray &json);

    /// The member `key`, a literal; absent if there is none. A problem if this is neither an object nor absent.
    JsonReader operator[](QLatin1String key) const;
    JsonReader member(const QString &key) const; ///< the same for keys that are data
    /// The first of two spellings that is present: proto JSON allows lowerCamelCase and snake_case.
    JsonReader either(QLatin1String key, QLatin1String other) const;
    /// The elements of an array; none if absent. A problem if it is something else.
    QList<JsonReader> items() const;

    bool isAbsent() const { return m_value.isUndefined() || m_value.isNull(); }
    bool isObject() const { return m_value.isObject(); }
    bool isArray() const { return m_value.isArray(); }
    bool isText() const { return m_value.isString(); }
    const QJsonValue &value() const { return m_value; }
    const QString &path() const;

    QString text() const;     ///< also of numbers and bools
    QString mustText() const; ///< a problem when absent or blank
    qint64 integer() const;   ///< also of text; a problem when it is no whole number or out of range
    int smallInt() const;     ///< integer() within int
    quint32 uint32() const;   ///< integer() within 0..2^32-1
    double real() const;      ///< also of text; a problem when it is no finite number
    bool boolean() const;     ///< also of "true" and "false"
    QByteArray bytes() const; ///< base64, either alphabet, padding optional
    /// RFC 3339 with up to nanoseconds (kept: milliseconds), with or without a zone; UTC. Text that is no time gives
    /// an invalid one and no problem (protocol/compat.md 2.19); another type is a problem.
    QDateTime time() const;
    /// The same in nanoseconds since 1970; 0 where time() is invalid, before 1970 or after 2262.
    qint64 timeNs() const;
    QStringList texts() const;              ///< an array of text
    QMap<QString, QString> textMap() const; ///< an object; values that are not text become text (compat.md 2.18)

    /// Notes that something is wrong here, unless something was before.
    void problem(const QString &what) const;
    /// The first problem of this reader and all made from it: Internal, code "bad_answer", message "path: what".
    std::optional<Error> error() const;
    /// The value if nothing was wrong, else the error.
    template <typename T> Result<T> result(T value) const
    {
        if (auto wrong = error())
            return tl::unexpected(std::move(*wrong));
        return value;
    }

private:
    JsonReader(const QJsonValue &value, const JsonReader &parent);
    /// The member itself, without a name yet.
    JsonReader childOf(const QJsonValue &value) const;

    QJsonValue m_value;
    std::optional<QJsonObject> m_object; ///< the value as an object, taken apart once
    // Where this is. Put together only when asked for: a list of thousands has tens of thousands of members.
    mutable std::optional<QString> m_path;
    QString m_parentPath;
    QLatin1String m_literal; ///< the key, if it is a literal of a codec
    QString m_key;           ///< the key, if it is data
    qsizetype m_index = -1;
    std::shared_ptr<QString> m_problem;
};

} // namespace boxdeck::protocol
