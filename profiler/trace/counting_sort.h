// Sorts large elements by small numbers through counting. Sorted input costs almost nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace loomp::analysis {

/// Sorts in place by `key(element)`, which is below `keys`. `less` orders elements of one key;
/// those that it does not order must be equal. Returns the begin of each key's elements; one more
/// than `keys`.
template <class Element, class Key, class Less>
std::vector<Index> counting_sort(std::vector<Element> &elements, std::size_t keys, Key key,
                                 Less less) {
    std::vector<Index> begins(keys + 1, 0);
    for (const Element &element : elements)
        ++begins[key(element) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    const auto by_key = [&](const Element &a, const Element &b) { return key(a) < key(b); };
    if (!std::is_sorted(elements.begin(), elements.end(), by_key)) {
        // Each swap puts an element among those of its key.
        std::vector<Index> next(begins.begin(), begins.end() - 1);
        for (std::size_t i = 0; i < keys; ++i)
            while (next[i] < begins[i + 1]) {
                Element &element = elements[next[i]];
                if (const std::size_t to = key(element); to == i)
                    ++next[i];
                else
                    std::swap(element, elements[next[to]++]);
            }
    }
    for (std::size_t i = 0; i < keys; ++i) {
        const auto first = elements.begin() + begins[i];
        const auto last = elements.begin() + begins[i + 1];
        if (last - first > 1 && !std::is_sorted(first, last, less))
            std::sort(first, last, less);
    }
    return begins;
}

} // namespace loomp::analysis
