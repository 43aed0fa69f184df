// The order in which tasks run with each preset. Sending tasks have priority(1) or, with FA, report
// that they send.
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/environment/settings.h"
#include "runtime/core/scheduling/priority.h"
#include "runtime/core/scheduling/sending_kinds.h"
#include "tests/unit/preset.h"
#include "tests/unit/support.h"

namespace loomp::core {
namespace {

class Preset {
  public:
    explicit Preset(PriorityPreset preset) { test::use_preset(preset); }
    ~Preset() { test::use_preset(PriorityPreset::none); }
    Preset(const Preset &) = delete;
    Preset &operator=(const Preset &) = delete;
};

/// Names tasks of the graph below.
enum Step { kPlain, kSend, kBeforeSend, kTwoBefore };

/// Returns the order in which one thread runs a graph; its first task holds all others back until
/// the graph is complete. The graph has plain tasks, a task followed by a task before a send, tasks
/// before a send, and sends, created in this order. Sends report themselves.
std::vector<Step> order() {
    std::vector<Step> order;
    int gate = 0;
    int data[8] = {};
    const auto spawn = [&](Step step, int *at, int *after) {
        const auto add = [&](Task &task) {
            const Dependence dependences[] = {test::on(&gate, Access::in),
                                              test::on(at, Access::inout),
                                              test::on(after, Access::in)};
            set_priority(task, step == kSend ? 1 : 0);
            core::spawn(task, dependences, 3);
        };
        if (step == kSend)
            add(test::make_task([&order] {
                order.push_back(kSend);
                note_send();
            }));
        else
            add(test::make_task([&order, step] { order.push_back(step); }));
    };
    const test::AllTasksQueued queued;
    test::in_single(1, [&] {
        test::spawn_task([] {}, {test::on(&gate, Access::inout)});
        for (int i = 0; i < 3; ++i)
            spawn(kPlain, &data[i], &data[i]);
        spawn(kTwoBefore, &data[3], &data[3]);
        spawn(kBeforeSend, &data[4], &data[3]);
        spawn(kSend, &data[5], &data[4]);
        spawn(kBeforeSend, &data[6], &data[6]);
        spawn(kSend, &data[7], &data[6]);
        spawn(kSend, &data[0], &data[7]);
    });
    return order;
}

std::size_t count_before_last_send(const std::vector<Step> &order, Step step) {
    std::size_t count = 0;
    std::size_t sends = 0;
    for (const Step now : order) {
        sends += now == kSend ? 1 : 0;
        count += now == step && sends < 3 ? 1 : 0;
    }
    return count;
}

TEST(PriorityPreset, DecidesWhatIsNotGiven) {
    const char *const environment[] = {"LOOMP_PRIORITY_PRESET=sa",
                                       "LOOMP_PRIORITY_PROPAGATED_AT=idle", nullptr};
    load_settings(environment);
    EXPECT_EQ(settings().priority_value, PriorityValue::max);
    EXPECT_EQ(settings().priority_propagation, PriorityPropagation::decrement);
    EXPECT_EQ(settings().priority_when, PriorityWhen::idle);
    load_settings();
    EXPECT_EQ(settings().priority_propagation, PriorityPropagation::none);
}

TEST(PriorityPreset, Ma2TakesTheWayToASendBeforeAllElse) {
    const Preset preset(PriorityPreset::ma2);
    // The last send waits for a plain task, which therefore leads to a send, too.
    EXPECT_EQ(count_before_last_send(order(), kPlain), 1u);
}

TEST(PriorityPreset, SaTakesTheShortestWayFirst) {
    const Preset preset(PriorityPreset::sa);
    const std::vector<Step> got = order();
    ASSERT_EQ(got.size(), 9u);
    // One plain task and the predecessor of the second send are one step away from a send. The
    // longer way comes after these two and their sends; the other plain tasks come last.
    EXPECT_EQ(got[4], kTwoBefore);
    EXPECT_EQ(got[5], kBeforeSend);
    EXPECT_EQ(got[6], kSend);
    EXPECT_EQ(got[7], kPlain);
    EXPECT_EQ(got[8], kPlain);
}

TEST(PriorityPreset, FaLearnsFromTheFirstSend) {
    const Preset preset(PriorityPreset::fa);
    (void)order();
    const std::vector<Step> got = order();
    ASSERT_EQ(got.size(), 9u);
    // An idle thread searches for predecessors. The single thread is never idle, so only sends come
    // first, as soon as they are ready.
    for (std::size_t i = 1; i < got.size(); ++i)
        if (got[i - 1] == kBeforeSend) {
            EXPECT_EQ(got[i], kSend);
        }
}

TEST(PriorityPreset, ReadySendsComeFirst) {
    for (const PriorityPreset which :
         {PriorityPreset::ma1, PriorityPreset::ma2, PriorityPreset::sa, PriorityPreset::fa}) {
        const Preset preset(which);
        std::vector<int> order;
        int data[6] = {};
        for (int round = 0; round < 2; ++round) {
            order.clear();
            const test::AllTasksQueued queued;
            test::in_single(1, [&] {
                for (int i = 0; i < 6; ++i) {
                    const Dependence dependence = test::on(&data[i], Access::inout);
                    const auto add = [&](Task &task) {
                        set_priority(task, i % 2);
                        spawn(task, &dependence, 1);
                    };
                    if (i % 2 != 0)
                        add(test::make_task([&order, i] {
                            order.push_back(i);
                            note_send();
                        }));
                    else
                        add(test::make_task([&order, i] { order.push_back(i); }));
                }
            });
        }
        ASSERT_EQ(order.size(), 6u);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_EQ(order[i] % 2, 1) << static_cast<int>(which);
    }
}

} // namespace
} // namespace loomp::core
