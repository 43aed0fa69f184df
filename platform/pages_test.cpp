// Machines with larger pages than this one: the program's sysconf() reports 64 KiB. The memory that
// the runtime maps, and the stacks that it requests, are multiples of that.
// env: OMP_STACKSIZE=1000K
#include "platform/pages.h"

#include <memory>
#include <pthread.h>

#include <gtest/gtest.h>

#include "runtime/core/memory/task_memory.h"
#include "tests/unit/support.h"

namespace {
constexpr long kLargePage = 64 << 10;
}

extern "C" long __sysconf(int name);
/// Sanitizers call this, too, before they are ready.
extern "C" __attribute__((no_sanitize("thread,address"))) long sysconf(int name) noexcept {
    return name == _SC_PAGESIZE ? kLargePage : __sysconf(name);
}

namespace loomp::core::test {
namespace {

TEST(Pages, AreAsLargeAsTheSystemSays) { EXPECT_EQ(page_size(), std::size_t{kLargePage}); }

TEST(Pages, LargeBlocksOfTasksAreWholeOnes) {
    auto cache = std::make_unique<BlockCache>();
    (void)cache->allocate(size_class_of(2000));
    EXPECT_EQ(cache->bytes_reserved(), std::size_t{kLargePage});
    (void)cache->allocate(size_class_of(kLargePage + 1));
    EXPECT_EQ(cache->bytes_reserved(), std::size_t{3 * kLargePage});
}

TEST(Pages, StacksOfThreadsAreWholeOnes) {
    in_parallel(2, [](Member &member) {
        if (member.num == 0)
            return;
        pthread_attr_t attributes;
        ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
        std::size_t size = 0;
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
        EXPECT_EQ(size, std::size_t{1 << 20});
    });
}

} // namespace
} // namespace loomp::core::test
