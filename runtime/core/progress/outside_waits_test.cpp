// A worker remembers the objects whose code began its regions, so that each is searched once.
#include "runtime/core/progress/outside_waits.h"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "platform/loader.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

bool remembers(const Worker &worker, const void *code) {
    return std::any_of(worker.searched.begin(), worker.searched.end(),
                       [code](const auto &object) { return object.contains(code); });
}

TEST(OutsideWaits, ObjectsTakeTurns) {
    const void *const own = reinterpret_cast<const void *>(&remembers);
    const void *const librarys = reinterpret_cast<const void *>(&std::fputs);
    test::in_parallel(1, [&](Member &) {
        Worker &worker = *Worker::current();
        for (const void *code : {own, librarys, own}) {
            meet_code(worker, code);
            EXPECT_TRUE(worker.searched.front().contains(code));
        }
        EXPECT_TRUE(remembers(worker, librarys));
    });
}

TEST(OutsideWaits, CodeInNoObjectIsRememberedByItsPage) {
    if (!can_list_libraries())
        return;
    alignas(4096) static char made[2 * 4096]; // stands for code that the program made
    test::in_parallel(1, [&](Member &) {
        Worker &worker = *Worker::current();
        const auto *const nowhere = reinterpret_cast<const char *>(std::uintptr_t{4096});
        meet_code(worker, nowhere);
        EXPECT_TRUE(worker.searched.front().contains(nowhere + 4095));
        EXPECT_FALSE(worker.searched.front().contains(nowhere + 4096));
        meet_code(worker, made); // in the program's object
        EXPECT_TRUE(worker.searched.front().contains(made + 4096));
        EXPECT_TRUE(remembers(worker, nowhere));
    });
}

} // namespace
} // namespace loomp::core
