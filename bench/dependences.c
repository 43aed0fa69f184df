// Dependent tasks: the cost of discovering and running a graph from one producer, with empty
// bodies. Every case claims that a task costs at most the better peer's. A bound in ns is the
// project's own, with 2 threads.
//
// A call builds one graph of kTasks tasks and waits for it. The size is fixed because it affects
// the result: the live tasks must not fit in a cache.
#include "bench.h"

const char bench_subject[] = "dependences";

enum { kTasks = 4096, kChains = 64, kSide = 64, kWidth = 64, kFan = 64 };

static double cell[kTasks];
static double grid[kSide + 1][kSide + 1];
static double line[2][kWidth + 2];

// One thread creates `calls` graphs and waits for each.
static struct bench_sample graphs(long calls, void (*create)(void)) {
    struct bench_sample sample = {0};
#pragma omp parallel
#pragma omp single
    {
        double start = bench_now();
        for (long c = 0; c < calls; c++) {
            create();
#pragma omp taskwait
        }
        sample = bench_since(start, (double)calls * kTasks);
    }
    return sample;
}

#define GRAPH_CASE(name, create)                                                                   \
    static struct bench_sample name(long calls) { return graphs(calls, create); }

// Claim: one chain of inout, without parallelism: at most 120 ns. The successor starts without a
// queue in between.
static void create_chain(void) {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : cell[0])
        bench_touch(0);
    }
}
GRAPH_CASE(inout_chain, create_chain)

// Claim: 64 independent chains, one dependence a task: at most 150 ns.
static void create_chains(void) {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : cell[i % kChains])
        bench_touch(0);
    }
}
GRAPH_CASE(inout_64_chains, create_chains)

// Claim: one dependence on the task's own address, so no edge: the bare cost of a new entry in the
// map of addresses.
static void create_distinct(void) {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(out : cell[i])
        bench_touch(0);
    }
}
GRAPH_CASE(out_distinct, create_distinct)

// Claim: the cost grows with the dependences no faster than linearly. With the 64 chains above (1)
// and the next cases (4 and 8) this is a series: k - 1 in, 1 inout, on 64 addresses.
static void create_deps2(void) {
    for (int i = 0; i < kTasks; i++) {
        int a = i % kChains;
#pragma omp task depend(in : cell[a + 1]) depend(inout : cell[a])
        bench_touch(0);
    }
}
GRAPH_CASE(deps_2, create_deps2)

static void create_deps4(void) {
    for (int i = 0; i < kTasks; i++) {
        int a = i % kChains;
#pragma omp task depend(in : cell[a + 1], cell[a + 2], cell[a + 3]) depend(inout : cell[a])
        bench_touch(0);
    }
}
GRAPH_CASE(deps_4, create_deps4)

// Claim: 8 dependences, 7 in and 1 inout: at most 400 ns.
static void create_deps8(void) {
    for (int i = 0; i < kTasks; i++) {
        int a = i % kChains;
#pragma omp task depend(in : cell[a + 1], cell[a + 2], cell[a + 3], cell[a + 4], cell[a + 5],      \
                            cell[a + 6], cell[a + 7]) depend(inout : cell[a])
        bench_touch(0);
    }
}
GRAPH_CASE(deps_8, create_deps8)

// Claim: a 2D wavefront (north, west, itself), whose parallelism grows and shrinks: at most 220 ns.
static void create_wavefront(void) {
    for (int i = 1; i <= kSide; i++)
        for (int j = 1; j <= kSide; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(inout : grid[i][j])
            bench_touch(0);
        }
}
GRAPH_CASE(wavefront, create_wavefront)

// Claim: one address four times in one task merges to one access, at little more than its price.
static void create_same_address(void) {
    for (int i = 0; i < kTasks; i++) {
        int a = i % kChains;
#pragma omp task depend(in : cell[a], cell[a], cell[a]) depend(inout : cell[a])
        bench_touch(0);
    }
}
GRAPH_CASE(same_address_4, create_same_address)

// Claim: four dependences between the same two tasks make one edge, found in O(1).
static void create_same_pair(void) {
    for (int i = 0; i < kTasks; i++) {
        int a = i % kChains * 4;
#pragma omp task depend(inout : cell[a], cell[a + 1], cell[a + 2], cell[a + 3])
        bench_touch(0);
    }
}
GRAPH_CASE(same_pair_4, create_same_pair)

// Claim: an iterated 1D stencil (itself and both neighbours of the last iteration, one result), the
// shape of an iterative code: at most 200 ns when discovered anew each time.
static void create_stencil(void) {
    for (int t = 0; t < kTasks / kWidth; t++) {
        int from = t % 2, to = 1 - from;
        for (int i = 1; i <= kWidth; i++) {
#pragma omp task depend(in : line[from][i - 1], line[from][i], line[from][i + 1])                  \
    depend(out : line[to][i])
            bench_touch(0);
        }
    }
}
GRAPH_CASE(stencil_1d, create_stencil)

#ifdef __clang__ // gcc 12 has no inoutset
// Claim: 64 inoutset writers, then 64 readers, go through one redirect node, 128 edges and not
// 4,096: at most 150 ns a task.
static void create_inoutset(void) {
    for (int r = 0; r < kTasks / (2 * kFan); r++) {
        for (int i = 0; i < kFan; i++) {
#pragma omp task depend(inoutset : cell[0])
            bench_touch(0);
        }
        for (int i = 0; i < kFan; i++) {
#pragma omp task depend(in : cell[0])
            bench_touch(0);
        }
    }
}
GRAPH_CASE(inoutset_64x64, create_inoutset)
#endif

const struct bench_case bench_cases[] = {
    {"inout-chain", "task", .run = inout_chain, .peer_max = 1.0, .anchor_ns = 120},
    {"inout-64-chains", "task", .run = inout_64_chains, .peer_max = 1.0, .anchor_ns = 150},
    {"out-distinct", "task", .run = out_distinct, .peer_max = 1.0},
    {"deps-2", "task", .run = deps_2, .peer_max = 1.0},
    {"deps-4", "task", .run = deps_4, .peer_max = 1.0},
    {"deps-8", "task", .run = deps_8, .peer_max = 1.0, .anchor_ns = 400},
    {"wavefront", "task", .run = wavefront, .peer_max = 1.0, .anchor_ns = 220},
    {"same-address-4", "task", .run = same_address_4, .peer_max = 1.0},
    {"same-pair-4", "task", .run = same_pair_4, .peer_max = 1.0},
    {"stencil-1d", "task", .run = stencil_1d, .peer_max = 1.0, .anchor_ns = 200},
#ifdef __clang__
    {"inoutset-64x64", "task", .run = inoutset_64x64, .peer_max = 1.0, .anchor_ns = 150},
#endif
    {0},
};
