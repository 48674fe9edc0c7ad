// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/host/http/headers.h"

#include <algorithm>

namespace boxdeck::host::http {

namespace {
constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
} // namespace

bool equalIgnoringCase(std::string_view left, std::string_view right)
{
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

Headers::Headers(std::initializer_list<Field> fields)
    : m_fields(fields)
{
}

void Headers::add(std::string name, std::string value)
{
    m_fields.emplace_back(std::move(name), std::move(value));
}

void Headers::set(std::string_view name, std::string value)
{
    const auto first = std::find_if(m_fields.begin(), m_fields.end(),
                                    [name](const Field &field) { return equalIgnoringCase(field.first, name); });
    if (first == m_fields.end()) {
        m_fields.emplace_back(std::string(name), std::move(value));
        return;
    }
    first->second = std::move(value);
    m_fields.erase(std::remove_if(std::next(first), m_fields.end(),
                                  [name](const Field &field) { return equalIgnoringCase(field.first, name); }),
                   m_fields.end());
}

void Headers::remove(std::string_view name)
{
    std::erase_if(m_fields, [name](const Field &field) { return equalIgnoringCase(field.first, name); });
}

std::optional<std::string_view> Headers::get(std::string_view name) const
{
    for (const Field &field : m_fields) {
        if (equalIgnoringCase(field.first, name))
            return field.second;
    }
    return std::nullopt;
}

} // namespace boxdeck::host::http
