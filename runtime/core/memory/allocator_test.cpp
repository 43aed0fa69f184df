// Allocators: alignment, exact pool accounting, every fallback, and the owner of a block after a
// reallocation (OpenMP 5.2, 6.2 and 18.13).
#include "runtime/core/memory/allocator.h"

#include <cstring>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

enum Key { sync_hint = 1, alignment, access_, pool_size, fallback, fb_data, pinned, partition };
enum Value { default_mem_fb = 11, null_fb, abort_fb, allocator_fb, environment, interleaved = 18 };
constexpr std::uintptr_t kDefaultSpace = 0, kLowLatency = 4;
constexpr std::uintptr_t kDefault = ~std::uintptr_t{0};

AllocatorHandle make(std::vector<AllocatorTrait> traits, std::uintptr_t space = kDefaultSpace) {
    return make_allocator(space, static_cast<int>(traits.size()), traits.data());
}

struct Owned {
    explicit Owned(std::vector<AllocatorTrait> traits) : handle(make(std::move(traits))) {
        EXPECT_NE(handle, kNullAllocator);
    }
    ~Owned() { destroy_allocator(handle); }
    const AllocatorHandle handle;
};

std::uintptr_t address(const void *p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Allocator, RefusesTraitsThatCannotBe) {
    EXPECT_EQ(make({{alignment, 24}}), kNullAllocator);
    EXPECT_EQ(make({{alignment, 0}}), kNullAllocator);
    EXPECT_EQ(make({{sync_hint, 7}}), kNullAllocator);
    EXPECT_EQ(make({{access_, 3}}), kNullAllocator);
    EXPECT_EQ(make({{fallback, 15}}), kNullAllocator);
    EXPECT_EQ(make({{pinned, 2}}), kNullAllocator);
    EXPECT_EQ(make({{partition, 11}}), kNullAllocator);
    EXPECT_EQ(make({{0, 1}}), kNullAllocator);
    EXPECT_EQ(make({{99, 1}}), kNullAllocator);
    EXPECT_EQ(make({}, 6), kNullAllocator);
}

TEST(Allocator, TakesOrdinaryMemoryForEverySpace) {
    for (std::uintptr_t space = kDefaultSpace; space <= kLowLatency; ++space) {
        const AllocatorHandle made = make({}, space);
        EXPECT_NE(made, kNullAllocator);
        destroy_allocator(made);
    }
}

TEST(Allocator, TakesDefaultForEveryTrait) {
    Owned a({{sync_hint, kDefault},
             {alignment, kDefault},
             {access_, kDefault},
             {pool_size, kDefault},
             {fallback, kDefault},
             {fb_data, kDefault},
             {pinned, kDefault},
             {partition, kDefault}});
    void *block = allocate(1, 100, a.handle);
    ASSERT_NE(block, nullptr);
    deallocate(block);
}

TEST(Allocator, AlignsToTheLargestWish) {
    Owned a({{alignment, 256}});
    for (std::size_t wish = 1; wish <= 8192; wish *= 2) {
        void *predefined = allocate(wish, 40, kDefaultMemAlloc);
        EXPECT_EQ(address(predefined) % (wish < 16 ? 16 : wish), 0u);
        void *custom = allocate(wish, 40, a.handle);
        EXPECT_EQ(address(custom) % (wish < 256 ? 256 : wish), 0u);
        std::memset(predefined, 1, 40);
        std::memset(custom, 1, 40);
        deallocate(predefined);
        deallocate(custom);
    }
}

TEST(Allocator, ZeroesOnRequestAndGivesNothingForNothing) {
    EXPECT_EQ(allocate(1, 0, kDefaultMemAlloc), nullptr);
    for (int round = 0; round < 4; ++round) {
        auto *block =
            static_cast<unsigned char *>(allocate(64, 3000, kDefaultMemAlloc, Content::zero));
        for (int i = 0; i < 3000; ++i)
            ASSERT_EQ(block[i], 0);
        std::memset(block, 0xff, 3000);
        deallocate(block);
    }
    deallocate(nullptr);
}

TEST(Allocator, CountsAPoolToTheByte) {
    Owned a({{pool_size, 1000 + 2 * kBlockRecord}, {fallback, null_fb}, {alignment, 64}});
    EXPECT_EQ(allocate(1, 1001 + kBlockRecord, a.handle), nullptr);
    void *most = allocate(1, 999, a.handle);
    ASSERT_NE(most, nullptr);
    EXPECT_EQ(allocate(1, 2, a.handle), nullptr);
    void *last = allocate(1, 1, a.handle);
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(allocate(1, 1, a.handle), nullptr);
    deallocate(most);
    most = allocate(1, 999, a.handle);
    EXPECT_NE(most, nullptr);
    deallocate(most);
    deallocate(last);
    EXPECT_EQ(allocate(1, ~std::size_t{0}, a.handle), nullptr);
}

TEST(Allocator, FallsBackAsItsTraitSays) {
    Owned small({{pool_size, 100 + kBlockRecord}, {fallback, null_fb}});
    Owned via({{pool_size, 10}, {fallback, allocator_fb}, {fb_data, small.handle}});
    Owned any({{pool_size, 10 + kBlockRecord}});
    void *from_small = allocate(1, 60, via.handle);
    ASSERT_NE(from_small, nullptr);
    EXPECT_EQ(allocate(1, 60, via.handle), nullptr) << "the fallback's pool is charged";
    deallocate(from_small);
    void *from_default = allocate(1, 5000, any.handle);
    EXPECT_NE(from_default, nullptr);
    void *own = allocate(1, 10, any.handle);
    EXPECT_NE(own, nullptr) << "what the fallback gave is not charged to the pool";
    deallocate(own);
    deallocate(from_default);
    EXPECT_EQ(allocate(1, ~std::size_t{0} - 8, any.handle), nullptr);
}

TEST(AllocatorDeathTest, AbortsWithAReason) {
    EXPECT_DEATH(
        {
            Owned a({{pool_size, 100}, {fallback, abort_fb}});
            allocate(1, 101, a.handle);
        },
        "loomp: out of memory: 101 bytes from an allocator that has 0 of 100 in use");
    EXPECT_DEATH(
        {
            Owned a({{pool_size, 100}, {fallback, null_fb}});
            allocate_or_abort(1, 101, a.handle);
        },
        "101 bytes");
}

TEST(Allocator, ReallocatesInPlaceOfItsPool) {
    Owned a({{pool_size, 100 + kBlockRecord}, {fallback, null_fb}});
    char *block = static_cast<char *>(allocate(1, 60, a.handle));
    ASSERT_NE(block, nullptr);
    std::strcpy(block, "kept");
    block = static_cast<char *>(reallocate(block, 100, kNullAllocator));
    ASSERT_NE(block, nullptr) << "only the growth is charged";
    EXPECT_STREQ(block, "kept");
    EXPECT_EQ(reallocate(block, 101, kNullAllocator), nullptr);
    EXPECT_STREQ(block, "kept") << "a block that cannot grow stays";
    block = static_cast<char *>(reallocate(block, 8, kNullAllocator));
    void *rest = allocate(1, 92 - kBlockRecord, a.handle);
    EXPECT_NE(rest, nullptr) << "shrinking gives back";
    EXPECT_STREQ(block, "kept");
    deallocate(rest);
    deallocate(block);
}

TEST(Allocator, ReallocatesBetweenAllocators) {
    Owned from({{pool_size, 100 + kBlockRecord}, {fallback, null_fb}});
    Owned to({{alignment, 512}});
    char *block = static_cast<char *>(allocate(128, 100, from.handle));
    ASSERT_NE(block, nullptr);
    std::memset(block, 7, 100);
    block = static_cast<char *>(reallocate(block, 50, to.handle));
    EXPECT_EQ(address(block) % 512, 0u);
    for (int i = 0; i < 50; ++i)
        ASSERT_EQ(block[i], 7);
    void *whole = allocate(1, 100, from.handle);
    EXPECT_NE(whole, nullptr) << "the old pool has its bytes back";
    deallocate(whole);
    block = static_cast<char *>(reallocate(block, 5000, kNullAllocator));
    EXPECT_EQ(address(block) % 512, 0u);
    EXPECT_EQ(block[49], 7);
    deallocate(block);
}

TEST(Allocator, PinsPages) {
    Owned a({{pinned, 1}, {fallback, null_fb}, {pool_size, 20000}});
    char *block = static_cast<char *>(allocate(1, 10000, a.handle));
    if (block == nullptr)
        GTEST_SKIP() << "RLIMIT_MEMLOCK is too small here";
    EXPECT_EQ(block[0] + block[9999], 0);
    std::memset(block, 1, 10000);
    block = static_cast<char *>(reallocate(block, 9000, kNullAllocator));
    EXPECT_EQ(block[8999], 1);
    deallocate(block);
    // Alignments beyond a page leave unused pages in front, and all of them are freed.
    for (int i = 0; i < 100; ++i) {
        void *aligned = allocate(1 << 20, 10000, a.handle);
        ASSERT_NE(aligned, nullptr);
        EXPECT_EQ(address(aligned) % (1 << 20), 0u);
        deallocate(aligned);
    }
}

long locked_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmLck:", 0) == 0)
            return std::stol(line.substr(6));
    return 0;
}

/// mlock() does nothing under the sanitizers.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kPagesArePinned = false;
#else
constexpr bool kPagesArePinned = true;
#endif

TEST(Allocator, PinsPagesOfTheGnuAllocator) {
    constexpr AllocatorHandle pinned_of_gnu = 200;
    constexpr int page = kPagesArePinned ? 4 : 0;
    const long before = locked_kilobytes();
    void *block = allocate(1, 5000, pinned_of_gnu, Content::zero);
    if (block == nullptr)
        GTEST_SKIP() << "RLIMIT_MEMLOCK is too small here";
    EXPECT_EQ(locked_kilobytes(), before + 2 * page);
    block = reallocate(block, 9000, kNullAllocator);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(locked_kilobytes(), before + 3 * page);
    deallocate(block);
    EXPECT_EQ(locked_kilobytes(), before);
}

TEST(Allocator, SmallPinnedBlocksKeepTheirContent) {
    Owned a({{pinned, 1}, {fallback, null_fb}});
    const long before = locked_kilobytes();
    std::vector<char *> blocks;
    for (int i = 0; i < 100; ++i) {
        auto *block =
            static_cast<char *>(allocate(16, 10 + i * 15U % 900, a.handle, Content::zero));
        if (block == nullptr)
            GTEST_SKIP() << "RLIMIT_MEMLOCK is too small here";
        for (unsigned at = 0; at < 10 + i * 15U % 900; ++at) {
            EXPECT_EQ(block[at], 0);
            block[at] = static_cast<char>(i + 1);
        }
        blocks.push_back(block);
        if (i % 3 == 0) {
            EXPECT_EQ(blocks[i / 2][9], i / 2 + 1);
            deallocate(blocks[i / 2]);
            blocks[i / 2] = static_cast<char *>(allocate(1, 10, a.handle));
            std::memset(blocks[i / 2], i / 2 + 1, 10);
        }
    }
    EXPECT_EQ(locked_kilobytes() - before, kPagesArePinned ? 4 * 100 : 0);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(blocks[i][0], i + 1);
        EXPECT_EQ(blocks[i][9], i + 1);
        deallocate(blocks[i]);
    }
    EXPECT_EQ(locked_kilobytes(), before);
}

TEST(Allocator, SmallPinnedBlocksOutliveAFork) {
    Owned a({{pinned, 1}, {fallback, null_fb}});
    void *block = allocate(1, 10, a.handle);
    if (block == nullptr)
        GTEST_SKIP() << "RLIMIT_MEMLOCK is too small here";
    const pid_t child = fork();
    if (child == 0) {
        deallocate(block); // the parent's
        void *own = allocate(1, 10, a.handle);
        const bool well = own != nullptr && locked_kilobytes() == (kPagesArePinned ? 4 : 0);
        deallocate(own);
        _exit(well && locked_kilobytes() == 0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    deallocate(block);
}

TEST(Allocator, TakesTheHostsMemoryWithoutDevices) {
    // LLVM's allocators of drivers, and libgomp's managed one.
    for (const AllocatorHandle handle : {100U, 101U, 102U, 201U}) {
        auto *block = static_cast<char *>(allocate(64, 100, handle, Content::zero));
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(block[99], 0);
        deallocate(block);
    }
}

TEST(Allocator, TakesEveryPartition) {
    for (std::uintptr_t where = environment; where <= interleaved; ++where)
        for (std::uintptr_t pin : {0, 1}) {
            constexpr std::size_t size = 50000;
            Owned a({{partition, where}, {pinned, pin}});
            char *block = static_cast<char *>(allocate(1, size, a.handle, Content::zero));
            ASSERT_NE(block, nullptr);
            for (std::size_t i = 0; i < size; ++i)
                ASSERT_EQ(block[i], 0);
            std::memset(block, 1, size);
            deallocate(block);
        }
}

TEST(Allocator, AccountsForManyThreads) {
    constexpr int kThreads = 4, kRounds = 5000;
    constexpr std::size_t kPool = 3 * (64 + kBlockRecord);
    Owned a({{pool_size, kPool}, {fallback, null_fb}});
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&a] {
            for (int i = 0; i < kRounds; ++i)
                if (void *block = allocate(1, 64, a.handle)) {
                    std::memset(block, i, 64);
                    deallocate(block);
                }
        });
    for (std::thread &thread : threads)
        thread.join();
    void *whole = allocate(1, kPool - kBlockRecord, a.handle);
    EXPECT_NE(whole, nullptr) << "every byte came back";
    deallocate(whole);
}

} // namespace
} // namespace loomp::core
