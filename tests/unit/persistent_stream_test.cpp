// Iterations that the program neither marks nor waits between: their period, and programs that
// repeat themselves, or almost, against the same run one after another.
#include "core/persistent/period.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/persistent/persistent.h"
#include "core/scheduling/next_task.h"
#include "core/scheduling/taskgroup.h"
#include "core/scheduling/waiting.h"
#include "creation.h"

namespace loomp::core {
namespace {

using test::create;
using test::on;

std::size_t length_of(const std::string &elements, std::size_t least) {
    PeriodFinder finder;
    for (const char element : elements)
        finder.add(static_cast<std::uint64_t>(element));
    EXPECT_EQ(finder.size(), elements.size());
    return finder.repeated(least);
}

TEST(Period, IsFoundWhenItHasBeenRepeated) {
    EXPECT_EQ(length_of("", 1), 0u);
    EXPECT_EQ(length_of("abc", 1), 0u);
    EXPECT_EQ(length_of("abcab", 1), 0u);
    EXPECT_EQ(length_of("abcabc", 1), 3u);
    EXPECT_EQ(length_of("aabaab", 1), 3u);
    EXPECT_EQ(length_of("abcadabcad", 1), 5u);
    EXPECT_EQ(length_of("abcabcabcd", 1), 0u);
}

TEST(Period, ShortOnesAreTakenTogether) {
    EXPECT_EQ(length_of("abababab", 5), 6u);
    EXPECT_EQ(length_of("ababab", 5), 0u) << "six at the end would have to repeat what came before";
    EXPECT_EQ(length_of("aaaaa", 4), 4u);
}

TEST(Period, EndsWholePeriodsFromTheBeginning) {
    EXPECT_EQ(length_of("xabcabc", 1), 0u);
    EXPECT_EQ(length_of("xabcabcab", 1), 3u);
}

// --- Programs ------------------------------------------------------------------------------------

constexpr std::size_t kCells = 12;
using Cells = std::array<std::uint32_t, kCells>;
const char code[4] = {};

struct Operation {
    std::size_t from, beside, to;
    void apply(Cells &cells, std::uint32_t n) const {
        cells[to] = cells[to] * 3 + cells[from] * 5 + cells[beside] + n;
    }
};

Operation random_operation(std::mt19937 &random) {
    return {random() % kCells, random() % kCells, random() % kCells};
}

enum class Deviation { none, more, fewer, other, wait, wait_for_one, group, own, kCount };

struct Program {
    std::vector<Operation> operations;
    std::uint32_t iterations;
    std::vector<Deviation> deviations; ///< of iterations

    /// `task(operation, n)` creates a task, or does its work.
    template <class Make, class Wait> void run(Make task, Wait wait) const {
        for (std::uint32_t n = 0; n < iterations; ++n) {
            const Deviation deviation = deviations[n];
            const std::size_t half = operations.size() / 2;
            wait(deviation, /*begins=*/true, operations[half]);
            for (std::size_t i = 0; i < operations.size(); ++i) {
                Operation operation = operations[i];
                if (i == half && deviation == Deviation::fewer)
                    continue;
                if (i == half && deviation == Deviation::other)
                    operation.to = (operation.to + 1) % kCells;
                task(operation, n);
                if (i == half && deviation == Deviation::more)
                    task(operations.front(), n);
            }
            wait(deviation, /*begins=*/false, operations[half]);
        }
    }
};

Program random_program(std::mt19937 &random, std::uint32_t out_of) {
    Program program;
    for (std::size_t i = 0, count = 1 + random() % 60; i < count; ++i)
        program.operations.push_back(random_operation(random));
    program.iterations = 5000 / static_cast<std::uint32_t>(program.operations.size());
    for (std::uint32_t n = 0; n < program.iterations; ++n)
        program.deviations.push_back(
            out_of == 0 || random() % out_of != 0
                ? Deviation::none
                : static_cast<Deviation>(random() % unsigned(Deviation::kCount)));
    return program;
}

/// Its tasks, as a region's; returns how many turns of streams there were.
std::uint64_t run_in_tasks(const Program &program, int threads, Cells &cells) {
    std::uint64_t turns = 0;
    test::in_single(threads, [&] {
        const std::uint64_t before = Worker::current()->discovery.iterations_reexecuted;
        const auto task = [&](const Operation &operation, std::uint32_t n) {
            create([&cells, operation, n] { operation.apply(cells, n); },
                   {on(&cells[operation.from], Access::in),
                    on(&cells[operation.beside], Access::in),
                    on(&cells[operation.to], Access::inout)},
                   &code[operation.to % sizeof code]);
        };
        const auto wait = [&](Deviation deviation, bool begins, const Operation &operation) {
            if (deviation == Deviation::group)
                begins ? (void)begin_taskgroup() : end_taskgroup();
            if (deviation == Deviation::wait && !begins)
                taskwait();
            if (deviation == Deviation::wait_for_one && !begins) {
                const Dependence one = on(&cells[operation.to], Access::in);
                taskwait(&one, 1);
            }
            if (deviation == Deviation::own && begins) {
                // Not of the graph: without dependences, and with children of its own.
                create([] { test::spawn_task([] { cpu_relax(); }); }, {}, &code[0]);
            }
        };
        program.run(task, wait);
        turns = Worker::current()->discovery.iterations_reexecuted - before;
    });
    return turns;
}

std::uint64_t expect_same_as_serial(const Program &program, int threads) {
    Cells expected{}, cells{};
    program.run([&](const Operation &operation, std::uint32_t n) { operation.apply(expected, n); },
                [](Deviation, bool, const Operation &) {});
    const std::uint64_t turns = run_in_tasks(program, threads, cells);
    EXPECT_EQ(cells, expected);
    return turns;
}

/// While it lives, graphs are found in all programs.
struct FindsGraphs {
    FindsGraphs() { persists_automatically = true; }
    ~FindsGraphs() { persists_automatically = false; }
};

TEST(PersistentStream, RepeatsWhatDoesNotChange) {
    const test::AllTasksQueued queued;
    const FindsGraphs finds;
    std::mt19937 random(20261123);
    for (int round = 0; round < 40; ++round) {
        const Program program = random_program(random, 0);
        // What was recorded is at most the first 3,000: a stream of 1,083 at most, and as many
        // before it.
        EXPECT_GE(expect_same_as_serial(program, 1 + round % 4), 1u) << round;
        if (HasFailure())
            FAIL() << "round " << round;
    }
}

TEST(PersistentStream, KeepsTheOrderWhereItIsLeft) {
    const test::AllTasksQueued queued;
    const FindsGraphs finds;
    std::mt19937 random(5);
    for (int round = 0; round < 120; ++round) {
        const std::uint32_t seldom = 3u << round % 8;
        (void)expect_same_as_serial(random_program(random, seldom), 1 + round % 4);
        if (HasFailure())
            FAIL() << "round " << round;
    }
}

TEST(PersistentStream, TransparentTasksAfterItKeepTheirOrder) {
    const test::AllTasksQueued queued;
    const FindsGraphs finds;
    std::atomic<int> x{0};
    std::uint64_t turns = 0;
    int seen = 0;
    test::in_single(2, [&] {
        const std::uint64_t before = Worker::current()->discovery.iterations_reexecuted;
        for (int n = 0; n < 5000; ++n)
            create([&x] { ++x; }, {on(&x, Access::inout)}, &code[n % 2]);
        turns = Worker::current()->discovery.iterations_reexecuted - before;
        const auto add_late = [&x] {
            for (int i = 0; i < 100; ++i) // so that what comes next could overtake it
                taskyield();
            ++x;
        };
        ask_of_next_task().flags = kTransparent;
        create([&x, add_late] { create(add_late, {on(&x, Access::inout)}, &code[2]); },
               {on(&x, Access::inout)}, &code[3]);
        create([&] { seen = x; }, {on(&x, Access::in)}, &code[4]);
    });
    EXPECT_GT(turns, 0u);
    EXPECT_EQ(seen, 5001);
}

} // namespace
} // namespace loomp::core
