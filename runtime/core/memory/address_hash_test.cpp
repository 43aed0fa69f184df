// The hash spreads the addresses that programs use as dependences: tiles and blocks at every
// stride.
#include "runtime/core/memory/address_hash.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

struct Probes {
    double mean;
    int most;
};

/// Inserts `count` addresses, `columns` in a row, into a table like DependenceMap's.
Probes probe(std::uint64_t count, std::uint64_t columns, std::uint64_t stride, std::uint64_t row) {
    unsigned bits = 6;
    while (count > (std::uint64_t{1} << bits) / 2)
        ++bits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::vector<bool> used(mask + 1);
    std::uint64_t sum = 0;
    int most = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t address =
            0x7f3a12340040ull + (i % columns) * stride + (i / columns) * row;
        std::uint64_t slot = hash_address(reinterpret_cast<void *>(address)) >> (64 - bits);
        int probes = 1;
        for (; used[slot]; slot = (slot + 1) & mask)
            ++probes;
        used[slot] = true;
        sum += static_cast<std::uint64_t>(probes);
        most = std::max(most, probes);
    }
    return {static_cast<double>(sum) / static_cast<double>(count), most};
}

void expect_spread(std::uint64_t count, std::uint64_t columns, std::uint64_t stride,
                   std::uint64_t row = 0) {
    const Probes probes = probe(count, columns, stride, row);
    // A random hash needs 1.5 probes on average at this load; some of thousands of small tables are
    // worse.
    EXPECT_LT(probes.mean, count < 100 ? 4.0 : 2.6)
        << count << " by " << columns << ", strides " << stride << ", " << row;
    EXPECT_LT(probes.most, 64) << count << " by " << columns << ", strides " << stride << ", "
                               << row;
}

constexpr std::uint64_t kCounts[] = {30, 500, 4000};

TEST(AddressHash, SpreadsEveryStrideUpToAPage) {
    for (const std::uint64_t count : kCounts)
        for (std::uint64_t stride = 8; stride <= 4096; stride += 8)
            expect_spread(count, count, stride);
}

TEST(AddressHash, SpreadsStridesUpToFourMebibytes) {
    for (const std::uint64_t count : kCounts) {
        for (std::uint64_t stride = 4096; stride <= 4u << 20; stride += 8 * 997)
            expect_spread(count, count, stride);
        for (unsigned log = 3; log <= 22; ++log)
            for (const std::uint64_t odd : {1, 3, 5, 7, 1000})
                for (const std::uint64_t off : {0, 8, 64})
                    expect_spread(count, count, (odd << log) + off);
    }
}

TEST(AddressHash, SpreadsTilesOfMatrices) {
    for (const std::uint64_t count : kCounts)
        for (unsigned tile = 6; tile <= 12; ++tile)
            for (const std::uint64_t leading : {1000, 1024, 4096, 10000, 16384, 20011})
                expect_spread(count, 16, std::uint64_t{1} << tile,
                              leading * 8 * (std::uint64_t{1} << tile) / 8);
}

} // namespace
} // namespace loomp::core
