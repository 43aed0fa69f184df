// How the vectors and the matrix are cut (thesis 6.1.1): T1 vector blocks of B1 = ceil(n / T1)
// rows, each in up to T2 sub-blocks of B2 = ceil(B1 / T2) rows for the matrix-vector product, and
// which vector blocks each sub-block's rows read. All of it is computed once, before the solver
// starts, and only read afterwards.
#pragma once

#include "hpccg/problem.h"

#include <cstdint>
#include <vector>

namespace hpccg {

struct Range {
    std::int64_t first;
    std::int64_t last; // one past

    bool empty() const { return first >= last; }
};

struct SubBlock {
    Range rows;
    // First rows of the vector blocks that these rows of the matrix touch, each once; those of
    // other ranks' planes below and above count as a block each.
    std::vector<std::int64_t> reads;
};

struct Block {
    Range rows;
    std::vector<SubBlock> subs;
    // First rows of `subs`: what a task depends on that reads the product over the whole block.
    std::vector<std::int64_t> sub_starts;
};

// A plane that another rank has, next to this rank's.
struct Halo {
    int peer;
    std::int64_t first; // row that the peer's plane begins with, in this rank's counting
    Range own;          // this rank's rows that the peer reads
    std::vector<std::int64_t> own_blocks; // first rows of the blocks that these are in
    int tag_out;                          // the tag of the messages: up or down
    int tag_in;
};

struct Blocks {
    std::int64_t rows_per_block = 0; // B1
    std::vector<Block> blocks;       // none of them empty, so there may be fewer than T1
    std::vector<Halo> halos;         // at most two
    std::int64_t matrix_reads = 0;   // nonzeros looked at: the dependences without deduplication
    std::int64_t reads = 0;          // the dependences kept
};

// `before` and `after` are the ranks that the planes next to this one's belong to.
Blocks cut(const Matrix &matrix, int t1, int t2, int before, int after);

} // namespace hpccg
