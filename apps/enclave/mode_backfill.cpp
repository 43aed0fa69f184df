#include "common/omp_decls.h"
#include "enclave/walk.h"

#include <thread>

namespace enclave {

namespace {

// The enclaves of a subdomain: one thread puts them in, any thread takes them, in that order.
class Queue {
  public:
    void reserve(int cells) { cells_.resize(static_cast<std::size_t>(cells)); }
    void put(int cell) {
        const int at = put_.load(std::memory_order_relaxed);
        cells_[static_cast<std::size_t>(at)] = cell;
        put_.store(at + 1, std::memory_order_release); // the cell is written
    }
    // No more will be put in.
    void close() { closed_.store(true, std::memory_order_release); }

    bool take(int &cell) {
        int at = taken_.load(std::memory_order_relaxed);
        while (at < put_.load(std::memory_order_acquire)) {
            if (taken_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
                cell = cells_[static_cast<std::size_t>(at)];
                return true;
            }
        }
        return false;
    }
    // Nothing is left, and nothing will come. The order of the two loads matters: all that was put
    // in before it was closed is seen.
    bool finished() const {
        return closed_.load(std::memory_order_acquire) &&
               taken_.load(std::memory_order_relaxed) == put_.load(std::memory_order_relaxed);
    }

  private:
    std::vector<int> cells_;
    alignas(64) std::atomic<int> put_{0};
    std::atomic<bool> closed_{false};
    alignas(64) std::atomic<int> taken_{0};
};

// The thread's own queue comes first, then the next ones. False if all are finished.
bool take_any(std::vector<Queue> &queues, std::size_t own, int &cell) {
    for (;;) {
        bool finished = true;
        for (std::size_t k = 0; k < queues.size(); ++k) {
            Queue &queue = queues[(own + k) % queues.size()];
            if (queue.take(cell))
                return true;
            finished = finished && queue.finished();
        }
        if (finished)
            return false;
        std::this_thread::yield();
    }
}

} // namespace

void run_backfill(Traversal &traversal) {
    const std::vector<Piece> &subdomains = traversal.partition().subdomains();
    const int count = static_cast<int>(subdomains.size());
    std::vector<Queue> queues(static_cast<std::size_t>(count));
    for (int s = 0; s < count; ++s)
        queues[static_cast<std::size_t>(s)].reserve(subdomains[s].size());
#pragma omp parallel
    {
        std::size_t own = 0;
        const auto put = [&](int cell, int s) {
            own = static_cast<std::size_t>(s);
            queues[own].put(cell);
        };
        const auto close = [&] {
            for (int s = 0; s < count; ++s)
                if (s % omp_get_num_threads() == omp_get_thread_num())
                    queues[static_cast<std::size_t>(s)].close();
        };
        walk(traversal, put, close);
        int cell = 0;
        while (take_any(queues, own, cell))
            traversal.advance(cell);
    }
}

} // namespace enclave
