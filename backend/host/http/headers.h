// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boxdeck::host::http {

/// Whether two ASCII texts are equal when upper and lower case are the same (header names, codings, schemes).
bool equalIgnoringCase(std::string_view left, std::string_view right);

/// An ordered list of header fields. Names are compared without regard to case and kept as they were given;
/// a name may occur more than once.
class Headers
{
public:
    using Field = std::pair<std::string, std::string>;

    Headers() = default;
    Headers(std::initializer_list<Field> fields);

    /// Appends a field, also when one of that name is there already.
    void add(std::string name, std::string value);
    /// Replaces every field of that name by one, or appends it.
    void set(std::string_view name, std::string value);
    /// Drops every field of that name.
    void remove(std::string_view name);

    /// The value of the first field of that name. The view lives as long as the field.
    std::optional<std::string_view> get(std::string_view name) const;
    bool contains(std::string_view name) const { return get(name).has_value(); }

    const std::vector<Field> &fields() const { return m_fields; }

private:
    std::vector<Field> m_fields;
};

} // namespace boxdeck::host::http
