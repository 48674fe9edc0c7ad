// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/terminal/cell.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace boxdeck::terminal {

/// What few cells have: a hyperlink and a colour of their own for the underline.
struct Extra
{
    std::string uri; ///< untrusted, UTF-8, printable ASCII only (OSC 8); empty for none
    std::string id;  ///< joins runs of cells to one link
    Color underline; ///< default: as the text

    bool operator==(const Extra &) const = default;
};

/// Interned values that cells name by a small number. Entry 0 stands for "none". Full means full: intern() then
/// answers 0 until the owner has swept out what no cell uses any more.
template <typename Value> class Pool
{
public:
    explicit Pool(std::size_t limit)
        : m_limit(limit)
    {
        m_values.emplace_back();
        m_keys.emplace_back();
    }

    bool isFull() const { return m_values.size() - m_free.size() >= m_limit; }
    const Value &at(std::size_t index) const { return m_values[index < m_values.size() ? index : 0]; }

    /// The number of `value`, whose text for comparison is `key`.
    std::size_t intern(const std::string &key, Value value)
    {
        if (const auto known = m_index.find(key); known != m_index.end())
            return known->second;
        if (isFull())
            return 0;
        std::size_t index = m_values.size();
        if (m_free.empty()) {
            m_values.emplace_back();
            m_keys.emplace_back();
        } else {
            index = m_free.back();
            m_free.pop_back();
        }
        m_values[index] = std::move(value);
        m_keys[index] = key;
        m_index.emplace(key, index);
        return index;
    }

    /// Frees every entry whose flag in `used` is unset.
    void sweep(const std::vector<bool> &used)
    {
        for (std::size_t i = 1; i < m_values.size(); ++i) {
            if ((i < used.size() && used[i]) || m_keys[i].empty())
                continue;
            m_index.erase(m_keys[i]);
            m_keys[i].clear();
            m_values[i] = {};
            m_free.push_back(i);
        }
    }

    std::size_t capacity() const { return m_values.size(); }

private:
    std::size_t m_limit;
    std::vector<Value> m_values;
    std::vector<std::string> m_keys; ///< empty where free
    std::vector<std::size_t> m_free;
    std::unordered_map<std::string, std::size_t> m_index;
};

using ExtraPool = Pool<Extra>;
using ClusterPool = Pool<std::u32string>;

} // namespace boxdeck::terminal
