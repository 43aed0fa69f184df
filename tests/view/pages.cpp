// Pages to test the view with: view_pages small FILE | large TASKS FILE | pieces COUNT FILE
//
// A stencil on ranks with halos, scheduled as the tasks become ready: each iteration has tasks of
// kind "update" that depend on their neighbours of the one before, one that sends an edge to the
// next rank, one that receives, and every tenth one a check that all updates come before. Each
// rank has a device, to which the first update of an iteration copies what a kernel needs.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "profiler/build/trace_builder.h"
#include "profiler/view/page.h"

namespace loomp::analysis {
namespace {

struct Shape {
    Index ranks;
    Index threads; ///< of each rank
    std::size_t blocks;
    std::size_t iterations;
};

constexpr Time kCreation = 150;
constexpr Time kStart = 90;
constexpr Time kLatency = 30'000;
constexpr Index kCheckEvery = 10;

class Stencil {
  public:
    explicit Stencil(const Shape &shape) : shape_(shape) {
        for (Index rank = 0; rank < shape.ranks; ++rank) {
            builder_.add_rank();
            for (Index thread = 0; thread < shape.threads; ++thread)
                threads_.push_back(builder_.add_thread(rank, thread));
        }
        free_.resize(threads_.size(), 0);
        produced_.resize(shape.ranks, 0);
        done_.assign(shape.ranks, std::vector<Done>(shape.blocks));
        received_.resize(shape.ranks);
        update_ = builder_.add_kind("stencil.cc:41", "/src/stencil.cc:41");
        send_ = builder_.add_kind("halo.cc:17", "/src/halo.cc:17");
        receive_ = builder_.add_kind("halo.cc:25", "/src/halo.cc:25");
        check_ = builder_.add_kind("residual<\"x\">&</script>", "/src/residual.cc:9");
        mpi_send_ = builder_.add_kind("MPI_Send", "");
        mpi_recv_ = builder_.add_kind("MPI_Recv", "");
        kernel_ = builder_.add_kind("kernel stencil.cc:50", "/src/stencil.cc:50");
        copy_ = builder_.add_kind("copy to device stencil.cc:50", "/src/stencil.cc:50");
    }

    Trace run() {
        for (std::size_t i = 0; i < shape_.iterations; ++i)
            iterate(i);
        return builder_.take();
    }

  private:
    struct Done {
        std::uint64_t id = 0; ///< 0: nothing yet
        Time end = 0;
    };
    struct Placed {
        Index thread;
        std::uint64_t id;
        Time begin;
    };

    /// Up to `spread` more than `least`.
    Time about(Time least, Time spread) {
        random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return least + static_cast<Time>((random_ >> 33) % static_cast<std::uint64_t>(spread));
    }

    Placed begin(Index rank, Index kind, const std::vector<Done> &after) {
        const Index first = rank * shape_.threads;
        Time &producer = produced_[rank];
        producer += kCreation;
        const std::uint64_t id = ++ids_;
        builder_.create(threads_[first], producer, id, kind);
        Time ready = producer;
        for (const Done &done : after)
            if (done.id != 0) {
                builder_.depend(rank, done.id, id);
                ready = std::max(ready, done.end);
            }
        const auto from = free_.begin() + first;
        const auto earliest = std::min_element(from, from + shape_.threads);
        const Index thread = static_cast<Index>(earliest - free_.begin());
        const Time start = std::max(*earliest + kStart, ready + kStart);
        builder_.run(threads_[thread], start, id);
        return {thread, id, start};
    }
    Done end(const Placed &task, Time when) {
        builder_.leave(threads_[task.thread], when, Leaving::ended);
        free_[task.thread] = when;
        return {task.id, when};
    }

    void iterate(std::size_t number) {
        const auto tag = static_cast<std::int32_t>(number);
        std::vector<Time> sent(shape_.ranks);
        for (Index rank = 0; rank < shape_.ranks; ++rank) {
            update(rank);
            const Placed sends = begin(rank, send_, {done_[rank].back()});
            const Index thread = threads_[sends.thread];
            const std::uint64_t request = ++ids_;
            const Time start = sends.begin + 500;
            builder_.enter_call(thread, start, mpi_send_);
            builder_.start(thread, start, request,
                           {.kind = RequestKind::send,
                            .peer = (rank + 1) % shape_.ranks,
                            .tag = tag,
                            .bytes = 8192});
            sent[rank] = about(start + 2000, 1000);
            builder_.finish(thread, sent[rank], request);
            builder_.leave_call(thread, sent[rank]);
            end(sends, sent[rank] + 300);
        }
        for (Index rank = 0; rank < shape_.ranks && shape_.ranks > 1; ++rank) {
            const Index from = (rank + shape_.ranks - 1) % shape_.ranks;
            const Placed receives = begin(rank, receive_, {received_[rank]});
            const Index thread = threads_[receives.thread];
            const std::uint64_t request = ++ids_;
            const Time start = receives.begin + 200;
            builder_.enter_call(thread, start, mpi_recv_);
            builder_.start(thread, start, request,
                           {.kind = RequestKind::receive, .peer = from, .tag = tag});
            const Time got = std::max(start + 1000, about(sent[from] + kLatency, kLatency));
            builder_.finish(thread, got, request);
            builder_.leave_call(thread, got);
            received_[rank] = end(receives, got + 400);
        }
        if (number % kCheckEvery == kCheckEvery - 1)
            for (Index rank = 0; rank < shape_.ranks; ++rank) {
                const Placed checks = begin(rank, check_, done_[rank]);
                end(checks, about(checks.begin + 4000, 2000));
            }
    }

    void update(Index rank) {
        std::vector<Done> &done = done_[rank];
        std::vector<Done> next(done.size());
        for (std::size_t block = 0; block < done.size(); ++block) {
            std::vector<Done> after = {done[block]};
            if (block > 0)
                after.push_back(done[block - 1]);
            else
                after.push_back(received_[rank]);
            if (block + 1 < done.size())
                after.push_back(done[block + 1]);
            const Placed task = begin(rank, update_, after);
            next[block] = end(task, about(task.begin + 20'000, 30'000));
            if (block == 0)
                offload(rank, task);
        }
        done = std::move(next);
    }

    /// Adds device work on two rows in turn, within the task.
    void offload(Index rank, const Placed &task) {
        const auto row = static_cast<Index>(offloaded_++ / shape_.ranks % 2);
        DeviceWork work{.begin = task.begin + 1'000,
                        .end = task.begin + 5'000,
                        .held = 300,
                        .bytes = 65'536,
                        .rank = rank,
                        .device = 0,
                        .row = row,
                        .kind = copy_,
                        .what = DeviceWorkKind::copy_to};
        builder_.device_work(work, task.id);
        work = {.begin = work.end,
                .end = task.begin + 15'000,
                .rank = rank,
                .device = 0,
                .row = row,
                .kind = kernel_,
                .what = DeviceWorkKind::kernel};
        builder_.device_work(work, task.id);
    }

    Shape shape_;
    TraceBuilder builder_;
    std::vector<Index> threads_;
    std::vector<Time> free_;              ///< since when, of each thread
    std::vector<Time> produced_;          ///< up to when each rank's first thread has created tasks
    std::vector<std::vector<Done>> done_; ///< the latest update of each block of each rank
    std::vector<Done> received_;
    Index update_, send_, receive_, check_, mpi_send_, mpi_recv_, kernel_, copy_;
    std::size_t offloaded_ = 0;
    std::uint64_t ids_ = 0;
    std::uint64_t random_ = 1;
};

/// A task with a long name that suspends and resumes again and again.
Trace task_of_pieces(std::size_t count) {
    TraceBuilder builder;
    builder.add_rank();
    const Index thread = builder.add_thread(0, 0);
    builder.create(thread, 0, 1, builder.add_kind(std::string(20 << 10, 'L'), ""));
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<Time>(10 * i);
        builder.run(thread, begin, 1);
        builder.leave(thread, begin + 5, i + 1 < count ? Leaving::suspended : Leaving::ended);
    }
    return builder.take();
}

int write(const Trace &trace, const char *file) {
    std::ofstream out(file);
    const std::vector<Remark> findings = {
        {"Tasks too fine", "/src/halo.cc:17", 0.0004, "Merge them: <b>no tag</b>."},
        {"Late sends", "rank 1", 0.0021, "Give halo.cc:17 a priority."}};
    write_page(trace, {.name = "stencil <b>&amp; halos", .findings = findings}, out);
    if (out.flush())
        return 0;
    std::perror(file);
    return 1;
}

} // namespace
} // namespace loomp::analysis

int main(int argc, char **argv) {
    using namespace loomp::analysis;
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "small" && argc == 3)
        return write(Stencil({.ranks = 2, .threads = 4, .blocks = 24, .iterations = 40}).run(),
                     argv[2]);
    if (what == "pieces" && argc == 4)
        return write(task_of_pieces(std::strtoull(argv[2], nullptr, 10)), argv[3]);
    if (what == "large" && argc == 4) {
        constexpr std::size_t kBlocks = 64;
        constexpr Index kRanks = 4;
        const std::size_t of_iteration = kRanks * (kBlocks + 2);
        return write(Stencil({.ranks = kRanks,
                              .threads = 8,
                              .blocks = kBlocks,
                              .iterations = std::strtoull(argv[2], nullptr, 10) / of_iteration})
                         .run(),
                     argv[3]);
    }
    std::fprintf(stderr, "usage: view_pages small FILE | large TASKS FILE | pieces COUNT FILE\n");
    return 2;
}
