// Block caches: size classes; blocks freed elsewhere return home and are reused.
#include "runtime/core/memory/task_memory.h"

#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::core {
namespace {

TEST(BlockCache, ClassesHoldWhatTheySay) {
    for (std::size_t size = 1; size < 300000; size += size < 3000 ? 1 : 997) {
        const unsigned size_class = size_class_of(size);
        ASSERT_LT(size_class, kClasses);
        ASSERT_GE(size_of_class(size_class), size);
        ASSERT_TRUE(size_class == 0 || size_of_class(size_class - 1) < size) << size;
    }
}

TEST(BlockCache, BlocksAreDisjointAndReused) {
    auto cache = std::make_unique<BlockCache>();
    for (unsigned size_class : {1u, 4u, 16u, 18u, 24u}) {
        const std::size_t size = size_of_class(size_class);
        std::set<char *> blocks;
        for (int i = 0; i < 100; ++i) {
            auto *block = static_cast<char *>(cache->allocate(size_class));
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % kBlockGranule, 0u);
            auto above = blocks.lower_bound(block);
            ASSERT_TRUE(above == blocks.end() || block + size <= *above);
            ASSERT_TRUE(above == blocks.begin() || *std::prev(above) + size <= block);
            blocks.insert(block);
        }
        const std::size_t reserved = cache->bytes_reserved();
        for (char *block : blocks)
            cache->free_local(block, size_class);
        for (int i = 0; i < 100; ++i)
            ASSERT_EQ(blocks.count(static_cast<char *>(cache->allocate(size_class))), 1u);
        EXPECT_EQ(cache->bytes_reserved(), reserved);
    }
}

TEST(BlockCache, RemoteFreesReturnHome) {
    auto home = std::make_unique<BlockCache>();
    auto other = std::make_unique<BlockCache>();
    std::set<void *> blocks;
    for (int i = 0; i < 1000; ++i)
        blocks.insert(home->allocate(3));
    ASSERT_EQ(blocks.size(), 1000u);
    const std::size_t reserved = home->bytes_reserved();
    std::vector<void *> list(blocks.begin(), blocks.end());
    std::thread([&] {
        for (void *block : list)
            other->free_remote(block, 3, *home);
        other->flush();
    }).join();
    std::set<void *> again;
    for (int i = 0; i < 1000; ++i)
        again.insert(home->allocate(3));
    EXPECT_EQ(again, blocks);
    EXPECT_EQ(home->bytes_reserved(), reserved);
    EXPECT_EQ(other->bytes_reserved(), 0u);
}

TEST(BlockCache, ManyFreeAtOnce) {
    // Two threads return blocks while the owner allocates.
    auto home = std::make_unique<BlockCache>();
    std::vector<void *> parts[2];
    for (int i = 0; i < 20000; ++i)
        parts[i % 2].push_back(home->allocate(2));
    std::vector<std::thread> threads;
    for (auto &part : parts)
        threads.emplace_back([&] {
            BlockCache mine;
            for (void *block : part)
                mine.free_remote(block, 2, *home);
            mine.flush();
        });
    std::set<void *> taken;
    for (int i = 0; i < 20000; ++i)
        ASSERT_TRUE(taken.insert(home->allocate(2)).second);
    for (std::thread &thread : threads)
        thread.join();
}

} // namespace
} // namespace loomp::core
