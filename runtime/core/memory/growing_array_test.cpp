// Arrays that grow: small and large ones keep their items, and what is added is zero.
#include "runtime/core/memory/growing_array.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

/// More than the memory of small arrays.
constexpr std::uint32_t kMany = 1u << 20;

TEST(GrowingArray, KeepsItsItemsAsItGrows) {
    GrowingArray<std::uint32_t> array;
    EXPECT_TRUE(array.empty());
    for (std::uint32_t i = 0; i < kMany; ++i)
        array.push_back(i);
    const std::uint32_t more[] = {0, 1, 2};
    array.append(more, 3);
    ASSERT_EQ(array.size(), kMany + 3);
    for (std::uint32_t i = 0; i < array.size(); ++i)
        ASSERT_EQ(array[i], i % kMany);
    array.shrink_to_fit();
    EXPECT_EQ(array[kMany + 2], 2u);
    GrowingArray<std::uint32_t> moved = std::move(array);
    EXPECT_EQ(moved.size(), kMany + 3);
    moved = {};
    EXPECT_TRUE(moved.empty());
}

TEST(GrowingArray, OverlaysItems) {
    for (const std::uint32_t size : {5u, kMany}) {
        GrowingArray<std::uint32_t> array;
        for (std::uint32_t i = 0; i < size; ++i)
            array.push_back(i + 1);
        const auto items = std::move(array).overlay<std::int32_t>(size + 100);
        EXPECT_TRUE(array.empty());
        ASSERT_EQ(items.size(), size + 100);
        EXPECT_EQ(items[size - 1], static_cast<std::int32_t>(size));
        for (std::uint32_t i = size; i < items.size(); ++i)
            ASSERT_EQ(items[i], 0);
    }
}

} // namespace
} // namespace loomp::core
