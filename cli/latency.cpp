#include "cli/latency.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/core.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace loomp::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostProcessors = 8192;
constexpr int kSamples = 3;
constexpr int kRounds = 1000; ///< of a sample

/// A processor mask of any size.
class Mask {
  public:
    void add(int processor) { CPU_SET_S(static_cast<std::size_t>(processor), kSize, mask()); }
    std::vector<int> processors() {
        std::vector<int> list;
        for (int i = 0; i < kMostProcessors; ++i)
            if (CPU_ISSET_S(static_cast<std::size_t>(i), kSize, mask()))
                list.push_back(i);
        return list;
    }
    cpu_set_t *mask() { return reinterpret_cast<cpu_set_t *>(words_.data()); }
    static constexpr std::size_t kSize = kMostProcessors / 8;

  private:
    std::vector<unsigned long> words_ = std::vector<unsigned long>(kSize / sizeof(unsigned long));
};

bool run_on(int processor) {
    Mask mask;
    mask.add(processor);
    return sched_setaffinity(0, Mask::kSize, mask.mask()) == 0;
}

/// Two threads that write one line in turn: odd numbers are of the one that answers.
class Pair {
  public:
    /// Half a round's nanoseconds, the least of the samples. Negative: a processor is refused.
    double measure(int here, int there) {
        std::thread answering([this, there] { answer(there); });
        const double nanoseconds = ask(here);
        answering.join();
        return refused_.load() ? -1 : nanoseconds;
    }

  private:
    void await(int number) const {
        // acquire, and release where it is written: as a lock or a barrier would be handed over.
        while (word_.load(std::memory_order_acquire) != number) {
        }
    }
    void answer(int processor) {
        if (!run_on(processor))
            refused_.store(true);
        ready_.store(true);
        for (int round = 0; round < kSamples * kRounds; ++round) {
            await(2 * round + 1);
            word_.store(2 * round + 2, std::memory_order_release);
        }
    }
    double ask(int processor) {
        if (!run_on(processor))
            refused_.store(true);
        while (!ready_.load())
            sched_yield();
        double least = 1e30;
        for (int sample = 0; sample < kSamples; ++sample) {
            const auto begin = Clock::now();
            for (int round = sample * kRounds; round < (sample + 1) * kRounds; ++round) {
                word_.store(2 * round + 1, std::memory_order_release);
                await(2 * round + 2);
            }
            const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
            least = std::min(least, taken.count() / kRounds / 2);
        }
        return least;
    }

    alignas(128) std::atomic<int> word_{0};
    alignas(128) std::atomic<bool> ready_{false};
    std::atomic<bool> refused_{false};
};

} // namespace

int show_latencies() {
    Mask mask;
    if (sched_getaffinity(0, Mask::kSize, mask.mask()) != 0) {
        fmt::print(stderr, "loomp: cannot read which processors this process may use: {}\n",
                   std::strerror(errno));
        return 1;
    }
    const std::vector<int> processors = mask.processors();
    const std::size_t count = processors.size();
    if (count < 2) {
        fmt::print(stderr, "loomp: this process may use one processor only, so there is no latency "
                           "between two: give it more (taskset, the batch system's options)\n");
        return 1;
    }
    std::vector<double> least(count * count, 0);
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j) {
            const double nanoseconds = Pair().measure(processors[i], processors[j]);
            if (nanoseconds < 0) {
                fmt::print(stderr,
                           "loomp: one of the processors {} and {} was taken away meanwhile\n",
                           processors[i], processors[j]);
                return 1;
            }
            least[i * count + j] = least[j * count + i] = nanoseconds;
            all.push_back(nanoseconds);
        }
    std::sort(all.begin(), all.end());
    fmt::print("latency    nanoseconds until a processor sees what another one wrote: half of a "
               "round, the least of {} samples of {} rounds\n",
               kSamples, kRounds);
    fmt::print("           least {:.0f}, median {:.0f}, most {:.0f}\n", all.front(),
               all[all.size() / 2], all.back());
    fmt::print("processor ");
    for (const int processor : processors)
        fmt::print(" {:>5}", processor);
    fmt::print("\n");
    for (std::size_t i = 0; i < count; ++i) {
        fmt::print("{:>10}", processors[i]);
        for (std::size_t j = 0; j < count; ++j)
            if (i == j)
                fmt::print(" {:>5}", "-");
            else
                fmt::print(" {:>5.0f}", least[i * count + j]);
        fmt::print("\n");
    }
    return 0;
}

} // namespace loomp::cli
