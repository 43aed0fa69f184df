#include "hpccg/blocks.h"

#include <algorithm>

namespace hpccg {

namespace {

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The vector blocks read by `rows`, ascending, each once: a block already noted by this sub-block
// carries its stamp, so the work is one look per nonzero and no search.
std::vector<std::int64_t> blocks_read(const Matrix &matrix, Range rows, std::int64_t b1,
                                      std::vector<std::int64_t> &stamps) {
    std::vector<std::int64_t> found;
    for (std::int64_t at = matrix.row_start[rows.first]; at < matrix.row_start[rows.last]; ++at) {
        const std::int64_t block = matrix.column[at] / b1;
        std::int64_t &stamp = stamps[static_cast<std::size_t>(block)];
        if (stamp == rows.first)
            continue;
        stamp = rows.first;
        found.push_back(block * b1);
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

Blocks cut(const Matrix &matrix, int t1, int t2) {
    const std::int64_t n = matrix.rows;
    const std::int64_t b1 = ceil_divide(n, t1);
    const std::int64_t b2 = ceil_divide(b1, t2);
    Blocks result;
    std::vector<std::int64_t> stamps(static_cast<std::size_t>(ceil_divide(n, b1)), -1);
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
    result.matrix_reads = matrix.nonzeros;
    return result;
}

} // namespace hpccg
