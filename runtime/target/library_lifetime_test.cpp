// The end of the devices: exit() waits for the threads that are inside the library, and no thread
// enters any more but the one that exits.
#include "runtime/target/library_lifetime.h"

#include <thread>

#include <gtest/gtest.h>

#include "platform/atomic.h"
#include "platform/clock.h"

namespace loomp::target {
namespace {

TEST(LibraryLifetime, TheEndWaitsForInquiries) {
    add_image();
    Atomic<bool> inside{false};
    Atomic<bool> over{false};
    std::thread asker([&] {
        const Inquiry inquiry;
        inside = true;
        core::pause_for(20'000'000);
        {
            const Inquiry within; // the gate has closed by now
        }
        over = true;
    });
    while (!inside)
        core::pause_for(10'000);
    EXPECT_FALSE(is_closed_here());
    remove_image();
    EXPECT_TRUE(over);
    EXPECT_TRUE(is_closed_here());
    {
        const Inquiry by_who_exits;
    }
    asker.join();

    // Another thread waits for the end of the process, which does not come here.
    Atomic<bool> passed{false};
    std::thread late([&passed] {
        const Inquiry inquiry;
        passed = true;
    });
    late.detach();
    core::pause_for(20'000'000);
    EXPECT_FALSE(passed);
}

} // namespace
} // namespace loomp::target
