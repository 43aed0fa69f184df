// The asymmetric fence, also if the kernel refuses membarrier at some moment.
#include "platform/atomic.h"
#include "platform/fence.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

struct alignas(kCacheLine) Flag {
    Atomic<int> value{0};
};

/// Two threads store and load repeatedly, and start together.
class Litmus {
  public:
    /// Returns how often neither side read the other's store. The heavy side runs `prepare` first.
    /// There are fewer rounds if the threads must share their processors with many others.
    template <class Prepare> int count_misses(int most_rounds, Prepare prepare) {
        Atomic<bool> prepared{false};
        Atomic<int> rounds{most_rounds};
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        std::thread heavy([&] {
            prepare();
            prepared = true;
            for (int round = 1; round <= rounds; ++round) {
                meet(heavy_ready_, light_ready_, round);
                y_.value.store(round, std::memory_order_relaxed);
                heavy_fence();
                heavy_read_[round % 2].value.store(x_.value.load(std::memory_order_relaxed),
                                                   std::memory_order_relaxed);
            }
            meet(heavy_ready_, light_ready_, rounds + 1);
        });
        while (!prepared)
            std::this_thread::yield();
        int misses = 0;
        for (int round = 1; round <= rounds; ++round) {
            if (round % 16 == 0 && std::chrono::steady_clock::now() > end)
                rounds = round; // before the heavy side leaves this round's meeting
            meet(light_ready_, heavy_ready_, round);
            if (round > 1 && light_read_ < round - 1 &&
                heavy_read_[(round - 1) % 2].value.load(std::memory_order_relaxed) < round - 1)
                ++misses;
            // Stores that miss the caches keep the next one in the processor's buffer.
            for (int i = round % 32; i > 0; --i)
                cold_[(cold_at_ += 4160) % cold_.size()] = 1;
            x_.value.store(round, std::memory_order_relaxed);
            light_fence();
            light_read_ = y_.value.load(std::memory_order_relaxed);
        }
        meet(light_ready_, heavy_ready_, rounds + 1);
        heavy.join();
        return misses;
    }

  private:
    static void meet(Flag &mine, const Flag &other, int round) {
        mine.value.store(round);
        for (int spins = 0; other.value.load() < round; ++spins) {
            if (spins < 1000)
                cpu_relax();
            else
                std::this_thread::yield();
        }
    }

    Flag x_, y_, heavy_read_[2], heavy_ready_, light_ready_;
    int light_read_ = 0;
    std::vector<char> cold_ = std::vector<char>(std::size_t{64} << 20);
    std::size_t cold_at_ = 0;
};

/// Makes membarrier fail in the calling thread.
void refuse_membarrier() {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program = {sizeof code / sizeof code[0], code};
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

TEST(Fence, OneSideReadsTheOthersStore) {
    initialize_fences();
    EXPECT_EQ(Litmus().count_misses(20000, [] {}), 0);
}

#if !defined(__SANITIZE_THREAD__) // light fences are always full under ThreadSanitizer
// Another thread may be about to pass a light fence that is only a compiler barrier.
TEST(Fence, WhenItIsRefusedItWaitsUntilAllThreadsKnow) {
    initialize_fences();
    if (light_fence_is_full) // the kernel has no membarrier, so no thread needs the news
        return;
    std::chrono::nanoseconds waited{0};
    std::thread([&waited] {
        refuse_membarrier();
        const auto begin = std::chrono::steady_clock::now();
        heavy_fence();
        waited = std::chrono::steady_clock::now() - begin;
    }).join();
    EXPECT_TRUE(light_fence_is_full);
    EXPECT_GE(waited, std::chrono::milliseconds(4));
}
#endif

TEST(Fence, AlsoWhereTheKernelRefusesItLater) {
    initialize_fences();
    EXPECT_EQ(Litmus().count_misses(300000, refuse_membarrier), 0);
}

} // namespace
} // namespace loomp::core
