// Finds the name that a user probably meant by a misspelled one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace loomp::text {

/// Returns how many letters one must insert, omit, replace or swap with the next one to turn `a`
/// into `b`.
inline std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1); // the row above the last
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// Returns whether a user may have meant `name` by `written`: few letters differ, for its length.
inline bool is_near(std::string_view written, std::string_view name) {
    constexpr std::size_t most = 3;
    const std::size_t allowed = std::clamp<std::size_t>(written.size() / 3, 1, most);
    const std::size_t longer = std::max(written.size(), name.size());
    const std::size_t shorter = std::min(written.size(), name.size());
    return longer - shorter <= allowed && distance(written, name) <= allowed;
}

/// Returns the nearest of `names` that is near; empty if none is.
template <class Names> std::string_view nearest_name(std::string_view written, const Names &names) {
    std::string_view nearest;
    std::size_t least = 0;
    for (const auto &name : names) {
        if (!is_near(written, name))
            continue;
        const std::size_t away = distance(written, name);
        if (nearest.empty() || away < least) {
            nearest = name;
            least = away;
        }
    }
    return nearest;
}

} // namespace loomp::text
