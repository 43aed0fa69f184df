// The order of tasks and the races of small programs, as records by hand.
#include "profiler/check/order.h"

#include <gtest/gtest.h>
#include <vector>

#include "loomp/omp-tools.h"
#include "profiler/check/shadow.h"

namespace loomp::check {

namespace {

/// A program's events. Task 1 is the initial one; all run on thread 1.
class Program {
  public:
    Program() : shadow_(order_, [this](const Conflict &each) { found_.push_back(each); }) {
        take(LOOMP_CHECK_MEMBER_BEGIN, 1);
    }

    void take(loomp_check_kind kind, Address a = 0, Address b = 0, Address c = 0) {
        take_of({kind, 1, a, b, c});
    }
    /// An event of any thread.
    void take_of(const Record &record) { order_.take(record); }
    /// Task `task` creates another with `items` on one address each.
    void create(TaskNumber task, TaskNumber created,
                std::vector<std::pair<Address, ompt_dependence_type_t>> items = {},
                unsigned flags = 0) {
        take(LOOMP_CHECK_CREATE, task, created, 0x1000 + created);
        take(LOOMP_CHECK_DETAILS, ompt_task_explicit | flags, 0, created);
        for (const auto &[address, kind] : items)
            take(LOOMP_CHECK_DEPEND, created, address, kind);
    }
    void run(TaskNumber from, TaskNumber task) { take(LOOMP_CHECK_RUN, from, task); }
    void end(TaskNumber task, TaskNumber next) { take(LOOMP_CHECK_END, task, next); }
    void use(TaskNumber task, Address begin, Address end, How how, TaskNumber owner = 0) {
        shadow_.use(begin, end, {order_.current(task), 0x2000 + task, how, owner});
    }
    void write(TaskNumber task, Address at) { use(task, at, at + 8, How::write); }
    void read(TaskNumber task, Address at) { use(task, at, at + 8, How::read); }
    void read_at(TaskNumber task, Address at, Address code) {
        shadow_.use(at, at + 8, {order_.current(task), code, How::read, 0});
    }
    /// A task from begin to end that writes 8 bytes.
    void writer(TaskNumber creator, TaskNumber task, Address at) {
        run(creator, task);
        write(task, at);
        end(task, creator);
    }

    std::size_t races() const {
        std::size_t count = 0;
        for (const Conflict &each : found_)
            count += each.excluded ? 0 : 1;
        return count;
    }
    std::size_t excluded() const { return found_.size() - races(); }
    const std::vector<Conflict> &found() const { return found_; }
    Shadow &shadow() { return shadow_; }

  private:
    Order order_;
    Shadow shadow_;
    std::vector<Conflict> found_;
};

constexpr auto kIn = ompt_dependence_type_in, kOut = ompt_dependence_type_out,
               kInout = ompt_dependence_type_inout, kSet = ompt_dependence_type_inoutset,
               kMutex = ompt_dependence_type_mutexinoutset,
               kAll = ompt_dependence_type_out_all_memory;

} // namespace

TEST(Order, SiblingsWithoutClausesAreInNoOrder) {
    Program program;
    program.create(1, 2);
    program.writer(1, 2, 64);
    program.create(1, 3);
    program.writer(1, 3, 68);
    ASSERT_EQ(program.races(), 1u);
    EXPECT_EQ(program.found()[0].begin, 68u);
    EXPECT_EQ(program.found()[0].end, 72u);
}

TEST(Order, AClauseOrdersTasksThatHaveCompleted) {
    Program program;
    program.create(1, 2, {{500, kOut}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{500, kInout}});
    program.writer(1, 3, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, ReadersAreOrderedWithWritersOnly) {
    Program program;
    program.create(1, 2, {{500, kOut}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{500, kIn}});
    program.writer(1, 3, 72);
    program.create(1, 4, {{500, kIn}});
    program.writer(1, 4, 72); // with task 3
    program.create(1, 5, {{500, kInout}});
    program.writer(1, 5, 72);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, SetsOfWritersAreOrderedWithOthersOnly) {
    Program program;
    program.create(1, 2, {{500, kSet}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{500, kSet}});
    program.writer(1, 3, 64);
    program.create(1, 4, {{500, kIn}});
    program.writer(1, 4, 64);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, MutexinoutsetExcludes) {
    Program program;
    for (const TaskNumber task : {2, 3}) {
        program.create(1, task, {{500, kMutex}});
        program.writer(1, task, 64);
    }
    EXPECT_EQ(program.races(), 0u);
    EXPECT_EQ(program.excluded(), 1u);
}

TEST(Order, AllMemoryIsOrderedWithEachItem) {
    Program program;
    program.create(1, 2, {{500, kIn}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{0, kAll}});
    program.writer(1, 3, 64);
    program.create(1, 4, {{700, kIn}});
    program.writer(1, 4, 64);
    EXPECT_EQ(program.races(), 0u);
}

constexpr unsigned kTransparent = ompt_task_exporting,
                   kWeak = ompt_task_exporting | ompt_task_importing;

TEST(Order, SiblingsOfATransparentTaskComeAfterItsChildren) {
    for (const unsigned flags : {0u, kTransparent}) {
        Program program;
        program.create(1, 2, {{500, kInout}}, flags);
        program.run(1, 2);
        program.create(2, 3, {{500, kIn}});
        program.create(2, 4, {{600, kInout}});
        program.writer(2, 3, 64);
        program.writer(2, 4, 72);
        program.end(2, 1);
        program.create(1, 5, {{500, kIn}});
        program.run(1, 5);
        program.write(5, 64);
        EXPECT_EQ(program.races(), flags != 0 ? 0u : 1u);
        program.write(5, 72); // the other child's
        EXPECT_EQ(program.races(), flags != 0 ? 1u : 2u);
    }
}

TEST(Order, AWeakTasksChildrenComeAfterItsPredecessors) {
    Program program;
    program.create(1, 2, {{500, kInout}});
    program.create(1, 3, {{500, kInout}}, kWeak);
    program.writer(1, 2, 64);
    program.run(1, 3);
    program.read(3, 64); // its own code has waited for nothing
    EXPECT_EQ(program.races(), 1u);
    program.create(3, 4, {{500, kInout}}, kWeak);
    program.run(3, 4);
    program.create(4, 5, {{500, kIn}});
    program.writer(4, 5, 64);
    program.end(4, 3);
    program.end(3, 1);
    program.create(1, 6, {{500, kIn}});
    program.writer(1, 6, 64); // after all of them
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, ATaskThatNamesAllMemoryComesAfterChildrenOfTransparentOnes) {
    Program program;
    program.create(1, 2, {{500, kInout}}, kTransparent);
    program.run(1, 2);
    program.create(2, 3, {{500, kInout}});
    program.writer(2, 3, 64);
    program.end(2, 1);
    program.create(1, 4, {{0, kAll}}, kWeak);
    program.run(1, 4);
    program.create(4, 5, {{700, kIn}});
    program.writer(4, 5, 64);
    program.end(4, 1);
    program.create(1, 6, {{800, kIn}});
    program.writer(1, 6, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, AWeakTaskThatIsUndeferredWaitsItself) {
    Program program;
    program.create(1, 2, {{500, kInout}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{500, kInout}}, kWeak | ompt_task_undeferred);
    program.writer(1, 3, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, TwoItemsOfATaskOnOneAddressAreTheStrongerOne) {
    Program program;
    program.create(1, 2, {{500, kIn}, {500, kOut}});
    program.writer(1, 2, 64);
    program.create(1, 3, {{500, kIn}});
    program.writer(1, 3, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, CousinsAreInNoOrder) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.create(2, 3, {{500, kOut}});
    program.writer(2, 3, 64);
    program.end(2, 1);
    program.create(1, 4);
    program.run(1, 4);
    program.create(4, 5, {{500, kOut}});
    program.writer(4, 5, 64);
    program.end(4, 1);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, ATaskwaitWaitsForChildrenOnly) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.create(2, 3);
    program.writer(2, 3, 64);
    program.write(2, 72);
    program.end(2, 1);
    program.take(LOOMP_CHECK_TASKWAIT_END, 1);
    program.write(1, 72);
    EXPECT_EQ(program.races(), 0u);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, ATaskgroupWaitsForDescendants) {
    Program program;
    program.take(LOOMP_CHECK_GROUP_BEGIN, 1);
    program.create(1, 2);
    program.run(1, 2);
    program.create(2, 3);
    program.writer(2, 3, 64);
    program.end(2, 1);
    program.take(LOOMP_CHECK_GROUP_END, 1);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, TheCreatorContinuesAfterAnUndeferredTask) {
    Program program;
    program.create(1, 2, {}, ompt_task_undeferred);
    program.writer(1, 2, 64);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, ATaskWithAnEventCompletesAfterItsFulfilment) {
    Program program;
    program.create(1, 2, {{500, kOut}});
    program.run(1, 2);
    program.take(LOOMP_CHECK_DETACH, 2, 1);
    program.create(1, 3);
    program.run(1, 3);
    program.write(3, 64);
    program.take(LOOMP_CHECK_FULFIL, 2, 1);
    program.write(3, 72);
    program.end(3, 1);
    program.create(1, 4, {{500, kIn}});
    program.writer(1, 4, 64);
    EXPECT_EQ(program.races(), 0u);
    program.create(1, 5, {{500, kIn}});
    program.writer(1, 5, 72); // after the event
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, BarriersOfARegionAreInOrder) {
    Program program;
    program.take(LOOMP_CHECK_REGION_BEGIN, 1, 2, 0x3000);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 3, 2, 0);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 4, 2, 1);
    program.write(3, 64);
    program.take(LOOMP_CHECK_BARRIER_BEGIN, 3, 2);
    program.write(4, 72);
    program.take(LOOMP_CHECK_BARRIER_BEGIN, 4, 2);
    program.take(LOOMP_CHECK_BARRIER_END, 3, 2);
    program.write(3, 72);
    program.take(LOOMP_CHECK_BARRIER_BEGIN, 3, 2); // before the other one has left the first
    program.take(LOOMP_CHECK_BARRIER_END, 4, 2);
    program.write(4, 64);
    EXPECT_EQ(program.races(), 0u);
    program.write(4, 72); // the other one has written it in this phase
    EXPECT_EQ(program.races(), 1u);
    program.take(LOOMP_CHECK_BARRIER_BEGIN, 4, 2);
    program.take(LOOMP_CHECK_BARRIER_END, 3, 2);
    program.take(LOOMP_CHECK_MEMBER_END, 3);
    program.take(LOOMP_CHECK_REGION_END, 1, 2);
    program.write(1, 64);
    program.write(1, 72);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, LocksExclude) {
    Program program;
    for (const TaskNumber task : {2, 3}) {
        program.create(1, task);
        program.run(1, task);
        program.take(LOOMP_CHECK_LOCKED, 900);
        program.write(task, 64);
        program.take(LOOMP_CHECK_UNLOCKED, 900);
        program.write(task, 128 + 8 * task);
        program.end(task, 1);
    }
    EXPECT_EQ(program.races(), 0u);
    EXPECT_EQ(program.excluded(), 1u);
}

TEST(Order, ReadersOfALockDoNotExcludeEachOther) {
    for (const bool writes : {false, true}) {
        Program program;
        for (const TaskNumber task : {2, 3}) {
            program.create(1, task);
            program.run(1, task);
            program.take(LOOMP_CHECK_LOCKED, 900, 0,
                         task == 3 && writes ? LOOMP_CHECK_FOR_WRITER : LOOMP_CHECK_FOR_READERS);
            program.write(task, 64);
            program.take(LOOMP_CHECK_UNLOCKED, 900);
            program.end(task, 1);
        }
        EXPECT_EQ(program.races(), writes ? 0u : 1u);
    }
}

TEST(Order, ARegionEndsAfterMembersThatMetOtherBarriers) {
    Program program;
    program.take(LOOMP_CHECK_REGION_BEGIN, 1, 2, 0x3000);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 3, 2, 0);
    program.take(LOOMP_CHECK_BARRIER_BEGIN, 3, 2);
    program.take(LOOMP_CHECK_BARRIER_END, 3, 2);
    program.take(LOOMP_CHECK_MEMBER_END, 3);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 4, 2, 1); // the next team of a league
    program.create(4, 5);
    program.writer(4, 5, 72);
    program.write(4, 64);
    program.take(LOOMP_CHECK_MEMBER_END, 4);
    program.take(LOOMP_CHECK_REGION_END, 1, 2);
    program.write(1, 64);
    program.write(1, 72);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Order, AThreadComesAfterItsCreatorAndBeforeWhoJoinsIt) {
    Program program;
    const auto on_second = [&program](loomp_check_kind kind, Address a = 0, Address b = 0) {
        program.take_of({kind, 2, a, b, 0});
    };
    program.write(1, 64);
    program.take(LOOMP_CHECK_THREAD_MADE, 700);
    on_second(LOOMP_CHECK_THREAD_BEGIN, 700, 800);
    on_second(LOOMP_CHECK_MEMBER_BEGIN, 2);
    program.write(2, 64);
    program.write(2, 72);
    program.write(1, 80);
    program.write(2, 80);
    EXPECT_EQ(program.races(), 1u);
    program.take(LOOMP_CHECK_THREAD_JOINED, 800);
    program.write(1, 72);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, ACallOfMpiUsesMemoryUntilItIsComplete) {
    Program program;
    program.write(1, 64);
    program.take(LOOMP_CHECK_CALL, 1, 2);
    program.write(2, 64);
    EXPECT_EQ(program.races(), 0u);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 1u);
    program.take(LOOMP_CHECK_COMPLETED, 1, 2);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Order, ATaskCompletesAfterTheCallsThatAreBoundToIt) {
    Program program;
    program.create(1, 2, {{500, kOut}});
    program.run(1, 2);
    program.take(LOOMP_CHECK_CALL, 2, 3);
    program.write(3, 64);
    program.take(LOOMP_CHECK_BOUND, 2, 3);
    program.end(2, 1);
    program.create(1, 4, {{500, kIn}});
    program.writer(1, 4, 64);
    EXPECT_EQ(program.races(), 0u);
    program.create(1, 5);
    program.writer(1, 5, 64);
    EXPECT_EQ(program.races(), 1u) << "with task 4, which stands for the call";
}

TEST(Order, DoacrossIterationsComeAfterThoseTheyWaitFor) {
    Program program;
    program.take(LOOMP_CHECK_REGION_BEGIN, 1, 2, 0x3000);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 3, 2, 0);
    program.take(LOOMP_CHECK_MEMBER_BEGIN, 4, 2, 1);
    program.write(3, 64);
    program.take(LOOMP_CHECK_POSTED, 3, 7);
    program.write(3, 72);
    program.take(LOOMP_CHECK_AWAITED, 4, 7);
    program.write(4, 64);
    EXPECT_EQ(program.races(), 0u);
    program.write(4, 72); // after the part that was waited for
    EXPECT_EQ(program.races(), 1u);
    program.write(3, 80);
    program.take(LOOMP_CHECK_AWAITED, 4, 8); // another iteration
    program.write(4, 80);
    EXPECT_EQ(program.races(), 2u);
}

/// Task 2 makes the call 3, which writes byte 64, and leaves its completion to that.
void detach_with_call(Program &program) {
    program.create(1, 2, {{500, kOut}});
    program.run(1, 2);
    program.take(LOOMP_CHECK_CALL, 2, 3);
    program.write(3, 64);
    program.take(LOOMP_CHECK_DETACH, 2, 1);
}

TEST(Order, ACallbackThatFulfilsAnEventComesAfterItsCall) {
    Program program;
    detach_with_call(program);
    program.run(1, 3); // a callback, while the initial task waits
    program.take(LOOMP_CHECK_FULFIL, 2, 1);
    program.run(3, 1);
    program.create(1, 4, {{500, kIn}});
    program.writer(1, 4, 64);
    EXPECT_EQ(program.races(), 0u);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 1u) << "the initial task did not wait for task 4";
}

TEST(Order, AnInitialTaskOfACallbackComesAfterTheCall) {
    Program program;
    detach_with_call(program);
    // The progress helper finds the completion.
    program.take_of({LOOMP_CHECK_RUN, 4, 0, 3, 0});
    program.take_of({LOOMP_CHECK_MEMBER_BEGIN, 4, 5, 0, 1});
    program.take_of({LOOMP_CHECK_FULFIL, 4, 2, 1, 0});
    program.take_of({LOOMP_CHECK_MEMBER_END, 4, 5, 0, 0});
    program.take_of({LOOMP_CHECK_RUN, 4, 0, 0, 0});
    program.create(1, 6, {{500, kIn}});
    program.writer(1, 6, 64);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Shadow, AnAccessUnderALockDoesNotStandForOneWithout) {
    Program program;
    program.write(1, 64);
    program.create(1, 2, {{500, kOut}});
    program.writer(1, 2, 64);
    for (const TaskNumber task : {3, 4}) {
        program.create(1, task, {{task == 3 ? 500u : 501u, kInout}});
        program.run(1, task);
        program.take(LOOMP_CHECK_LOCKED, 900);
        program.write(task, 64);
        program.take(LOOMP_CHECK_UNLOCKED, 900);
        program.end(task, 1);
    }
    EXPECT_EQ(program.races(), 1u);
    EXPECT_EQ(program.excluded(), 1u);
}

TEST(Shadow, OfManyReadersTheOnlyOneOfItsConstructIsKept) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.read(2, 64);
    program.end(2, 1);
    for (TaskNumber task = 3; task < 200; ++task) {
        program.take(LOOMP_CHECK_CREATE, 1, task, 0x1000);
        program.take(LOOMP_CHECK_DETAILS, ompt_task_explicit, 0, task);
        program.take(LOOMP_CHECK_DEPEND, task, 500, kIn);
        program.run(1, task);
        program.read_at(task, 64, 0x4000);
        program.end(task, 1);
    }
    program.create(1, 200, {{500, kOut}});
    program.writer(1, 200, 64);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Shadow, AtomicUpdatesExcludeReadsAndUpdates) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.use(2, 64, 72, How::atomic);
    program.end(2, 1);
    program.use(1, 64, 72, How::atomic);
    program.use(1, 64, 72, How::read);
    EXPECT_EQ(program.races(), 0u);
    program.write(1, 64);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Shadow, FramesOfAnotherTaskAreOtherMemory) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.use(2, 64, 72, How::write, 2);
    program.end(2, 1);
    program.create(1, 3);
    program.run(1, 3);
    program.use(3, 64, 72, How::write, 3);
    EXPECT_EQ(program.races(), 0u);
}

TEST(Shadow, ABlockThatIsUsedAgainIsOtherMemory) {
    Program program;
    program.create(1, 2);
    program.writer(1, 2, 64);
    program.shadow().forget(60, 66);
    program.create(1, 3);
    program.use(1, 64, 66, How::write);
    EXPECT_EQ(program.races(), 0u);
    program.use(1, 66, 67, How::write);
    EXPECT_EQ(program.races(), 1u);
}

TEST(Shadow, EachPartOfARangeHasItsOwnUses) {
    Program program;
    program.create(1, 2);
    program.run(1, 2);
    program.use(2, 0x100, 0x200, How::write);
    program.end(2, 1);
    program.create(1, 3);
    program.run(1, 3);
    program.use(3, 0x180, 0x181, How::read);
    program.use(3, 0x80, 0x100, How::write);
    program.use(3, 0x200, 0x300, How::write);
    EXPECT_EQ(program.races(), 1u);
    program.use(3, 0x0, 0x400, How::read);
    EXPECT_EQ(program.races(), 3u); // below and above the byte that has been reported
}

} // namespace loomp::check
