#include "hpccg/blocks.h"

#include <algorithm>

namespace hpccg {

namespace {

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The vector blocks read by `rows`, ascending, each once: a block already noted by this sub-block
// carries its stamp, so the work is one look per nonzero and no search. The first and the last
// stamp are those of the planes below and above.
std::vector<std::int64_t> blocks_read(const Matrix &matrix, Range rows, std::int64_t b1,
                                      std::vector<std::int64_t> &stamps) {
    std::vector<std::int64_t> found;
    for (std::int64_t at = matrix.row_start[rows.first]; at < matrix.row_start[rows.last]; ++at) {
        const std::int64_t column = matrix.column[at];
        std::size_t place = 0;
        std::int64_t first = -matrix.halo_before;
        if (column >= matrix.rows) {
            place = stamps.size() - 1;
            first = matrix.rows;
        } else if (column >= 0) {
            place = static_cast<std::size_t>(1 + column / b1);
            first = column / b1 * b1;
        }
        if (stamps[place] == rows.first)
            continue;
        stamps[place] = rows.first;
        found.push_back(first);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::int64_t> blocks_of(Range rows, std::int64_t b1) {
    std::vector<std::int64_t> found;
    for (std::int64_t first = rows.first / b1 * b1; first < rows.last; first += b1)
        found.push_back(first);
    return found;
}

} // namespace

Blocks cut(const Matrix &matrix, int t1, int t2, int before, int after) {
    const std::int64_t n = matrix.rows;
    if (n == 0)
        return {};
    const std::int64_t b1 = ceil_divide(n, t1);
    const std::int64_t b2 = ceil_divide(b1, t2);
    Blocks result;
    result.rows_per_block = b1;
    std::vector<std::int64_t> stamps(static_cast<std::size_t>(ceil_divide(n, b1) + 2), -1);
    for (std::int64_t first = 0; first < n; first += b1) {
        Block block;
        block.rows = {first, std::min(n, first + b1)};
        for (std::int64_t sub = first; sub < block.rows.last; sub += b2) {
            SubBlock piece;
            piece.rows = {sub, std::min(block.rows.last, sub + b2)};
            piece.reads = blocks_read(matrix, piece.rows, b1, stamps);
            result.reads += static_cast<std::int64_t>(piece.reads.size());
            block.sub_starts.push_back(sub);
            block.subs.push_back(std::move(piece));
        }
        result.blocks.push_back(std::move(block));
    }
    constexpr int down = 1;
    constexpr int up = 2;
    if (matrix.halo_before > 0) {
        const Range own = {0, matrix.halo_before};
        result.halos.push_back({before, -matrix.halo_before, own, blocks_of(own, b1), down, up});
    }
    if (matrix.halo_after > 0) {
        const Range own = {n - matrix.halo_after, n};
        result.halos.push_back({after, n, own, blocks_of(own, b1), up, down});
    }
    result.matrix_reads = matrix.nonzeros;
    return result;
}

} // namespace hpccg
