#include "hpccg/verify.h"

#include <algorithm>
#include <set>

namespace hpccg {

namespace {

// Returns true if the sub-blocks have each row once. Otherwise tasks write the same rows, though
// the result may be right.
bool each_row_once(const Matrix &matrix, const Blocks &blocks) {
    std::int64_t next = 0;
    for (const Block &block : blocks.blocks) {
        if (block.rows.first != next)
            return false;
        for (const SubBlock &sub : block.subs) {
            if (sub.rows.first != next || sub.rows.empty())
                return false;
            next = sub.rows.last;
        }
        if (block.rows.last != next)
            return false;
    }
    return next == matrix.rows;
}

std::int64_t length(Range rows) { return rows.last - rows.first; }

// Returns true if `parts` parts of one row less were too small for the whole.
bool as_small_as_possible(std::int64_t part, int parts, std::int64_t whole) {
    return (part - 1) * parts < whole;
}

bool small_enough(const Matrix &matrix, const Blocks &blocks, int t1, int t2) {
    const std::int64_t longest = blocks.blocks.empty() ? 0 : length(blocks.blocks.front().rows);
    for (const Block &block : blocks.blocks) {
        if (!as_small_as_possible(length(block.rows), t1, matrix.rows))
            return false;
        for (const SubBlock &sub : block.subs)
            if (!as_small_as_possible(length(sub.rows), t2, longest))
                return false;
    }
    return true;
}

// The first row of the block that has `row`; another rank's plane is a block.
std::int64_t block_of(const Matrix &matrix, const Blocks &blocks, std::int64_t row) {
    if (row < 0)
        return -matrix.halo_before;
    if (row >= matrix.rows)
        return matrix.rows;
    const auto after = std::upper_bound(
        blocks.blocks.begin(), blocks.blocks.end(), row,
        [](std::int64_t value, const Block &block) { return value < block.rows.first; });
    return (after - 1)->rows.first;
}

bool same(const std::set<std::int64_t> &expected, const std::vector<std::int64_t> &found) {
    return found.size() == expected.size() &&
           std::equal(expected.begin(), expected.end(), found.begin());
}

// Returns true if each sub-block reads the blocks of its columns, and each plane that is sent the
// blocks of its rows.
bool reads_are_exact(const Matrix &matrix, const Blocks &blocks) {
    for (const Block &block : blocks.blocks)
        for (const SubBlock &sub : block.subs) {
            std::set<std::int64_t> expected;
            for (std::int64_t at = matrix.row_start[sub.rows.first];
                 at < matrix.row_start[sub.rows.last]; ++at)
                expected.insert(block_of(matrix, blocks, matrix.column[at]));
            if (!same(expected, sub.reads))
                return false;
        }
    for (const Halo &halo : blocks.halos) {
        std::set<std::int64_t> expected;
        for (std::int64_t row = halo.own.first; row < halo.own.last; ++row)
            expected.insert(block_of(matrix, blocks, row));
        if (!same(expected, halo.own_blocks))
            return false;
    }
    return true;
}

} // namespace

void check_cut(const Matrix &matrix, const Blocks &blocks, int t1, int t2, apps::Report &report) {
    const bool once = each_row_once(matrix, blocks);
    report.check("cut", once, "each row is in one block");
    if (!once) // the others take it for granted
        return;
    report.check("block size", small_enough(matrix, blocks, t1, t2),
                 "no block is larger than T1 and T2 ask for");
    report.check("dependences", reads_are_exact(matrix, blocks),
                 "tasks read the blocks of their columns");
}

} // namespace hpccg
