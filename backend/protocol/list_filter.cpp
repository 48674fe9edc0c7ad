// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/protocol/list_filter.h"

#include <algorithm>

namespace boxdeck::protocol {

namespace {

/// Letters, digits, . _ ~ - : the same however often a server decodes it.
bool isPlain(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    return bytes.toPercentEncoding() == bytes;
}

bool matches(const SandboxSummary &item, const ListQuery &query)
{
    if (!query.states.isEmpty() && !query.states.contains(item.state))
        return false;
    for (auto it = query.metadata.begin(); it != query.metadata.end(); ++it) {
        const auto found = item.metadata.find(it.key());
        if (found == item.metadata.end() || *found != it.value())
            return false;
    }
    if (query.startedAfter.isValid() && item.startedAt.isValid() && item.startedAt < query.startedAfter)
        return false;
    // Servers answer a name with the id of what they resolved it to: only a wrong alias proves a wrong template.
    if (!query.templateName.isEmpty() && item.templateId.value != query.templateName && !item.alias.isEmpty() &&
        item.alias.compare(query.templateName, Qt::CaseInsensitive) != 0 &&
        !query.templateName.endsWith(QLatin1Char('/') + item.alias, Qt::CaseInsensitive) &&
        !item.alias.endsWith(QLatin1Char('/') + query.templateName, Qt::CaseInsensitive))
        return false;
    return true;
}

} // namespace

QByteArray metadataFilter(const QMap<QString, QString> &metadata, MetadataSending sending)
{
    if (sending == MetadataSending::None)
        return {};
    QByteArrayList pairs;
    for (auto it = metadata.begin(); it != metadata.end(); ++it) {
        if (sending == MetadataSending::PlainPairs &&
            (!isPlain(it.key()) || !isPlain(it.value()) || it.key().isEmpty()))
            continue;
        // Level 1, then each part again as a form would (level 2).
        pairs.append(it.key().toUtf8().toPercentEncoding().toPercentEncoding() + '=' +
                     it.value().toUtf8().toPercentEncoding().toPercentEncoding());
    }
    return pairs.join('&').toPercentEncoding(); // level 3: the query's own
}

void applyQuery(QList<SandboxSummary> &items, const ListQuery &query)
{
    items.removeIf([&](const SandboxSummary &item) { return !matches(item, query); });
    const bool oldestFirst = query.order == ListOrder::OldestFirst;
    const auto isBefore = [&](const SandboxSummary &a, const SandboxSummary &b) {
        if (a.startedAt.isValid() != b.startedAt.isValid())
            return a.startedAt.isValid();
        if (!a.startedAt.isValid())
            return false;
        return oldestFirst ? a.startedAt < b.startedAt : b.startedAt < a.startedAt;
    };
    if (!std::is_sorted(items.begin(), items.end(), isBefore)) // nearly always it is
        std::stable_sort(items.begin(), items.end(), isBefore);
}

} // namespace boxdeck::protocol
