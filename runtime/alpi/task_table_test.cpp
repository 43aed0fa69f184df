// Records of tasks: found, inserted and removed in a few steps however many there are, by any
// thread.
#include "runtime/alpi/task_table.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace loomp::alpi {
namespace {

/// The record's task, and how often the table has looked at it.
class Counted {
  public:
    Counted(alpi_task *task = nullptr) : task_(task) {}
    operator alpi_task *() const {
        ++looks;
        return task_;
    }
    static std::size_t looks;

  private:
    alpi_task *task_;
};
std::size_t Counted::looks = 0;

struct Record {
    Counted task;
    Record *next = nullptr;
};

/// Returns addresses as blocks of task memory have them, one after the other; nothing is ever
/// stored there.
alpi_task *task_number(std::size_t number, std::size_t size) {
    constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
    return reinterpret_cast<alpi_task *>(base + number * size);
}

/// The cost of the operations on all records: the most looks at records, and how many on the
/// average.
class Looks {
  public:
    template <class Operation> void count(Operation operation) {
        Counted::looks = 0;
        operation();
        most = std::max(most, Counted::looks);
        sum_ += Counted::looks;
        ++operations_;
    }
    double average() const { return static_cast<double>(sum_) / static_cast<double>(operations_); }
    std::size_t most = 0;

  private:
    std::size_t sum_ = 0;
    std::size_t operations_ = 0;
};

class TaskTableOfMany : public testing::TestWithParam<std::size_t> {};

TEST_P(TaskTableOfMany, FindsInFewSteps) {
    constexpr std::size_t count = 100'000;
    auto table = std::make_unique<TaskTable<Record>>();
    std::vector<Record> records(count);
    for (std::size_t i = 0; i < count; ++i) {
        records[i].task = task_number(i, GetParam());
        table->part_of(records[i].task).insert(records[i]);
    }
    Looks looks;
    for (Record &record : records)
        looks.count([&] { EXPECT_EQ(table->part_of(record.task).find(record.task), &record); });
    alpi_task *const missing = task_number(count, GetParam());
    EXPECT_EQ(table->part_of(missing).find(missing), nullptr);
    EXPECT_LE(looks.most, 20u);
    EXPECT_LE(looks.average(), 8.0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, TaskTableOfMany, testing::Values(128, 192, 512, 4096, 8 << 20));

TEST(TaskTable, LosesNoneWhenOthersAreRemoved) {
    constexpr std::size_t count = 10'000;
    auto table = std::make_unique<TaskTable<Record>>();
    std::vector<Record> records(count);
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        records[i].task = task_number(i, 256);
        order[i] = i;
        table->part_of(records[i].task).insert(records[i]);
    }
    std::mt19937 random(7);
    for (int round = 0; round < 3; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        std::vector<bool> in(count, true);
        for (std::size_t k = 0; k < count; ++k) {
            Record &record = records[order[k]];
            table->part_of(record.task).remove(record);
            in[order[k]] = false;
            if (k % 1000 == 0)
                for (std::size_t i = 0; i < count; ++i) {
                    alpi_task *const task = records[i].task;
                    ASSERT_EQ(table->part_of(task).find(task), in[i] ? &records[i] : nullptr);
                }
        }
        for (Record &record : records)
            table->part_of(record.task).insert(record);
    }
}

// Hunts lost records where threads insert and remove their own in common parts.
TEST(TaskTable, ThreadsFindTheirRecordsAmongOthers) {
    struct Plain {
        alpi_task *task = nullptr;
        Plain *next = nullptr;
    };
    static TaskTable<Plain> table;
    constexpr std::size_t threads = 4;
    constexpr std::size_t each = 500;
    std::vector<std::thread> running;
    running.reserve(threads);
    for (std::size_t thread = 0; thread < threads; ++thread)
        running.emplace_back([thread] {
            std::vector<Plain> records(each);
            std::mt19937 random(static_cast<unsigned>(thread));
            for (std::size_t i = 0; i < each; ++i)
                records[i].task = task_number(i * threads + thread, 128);
            std::vector<bool> in(each, false);
            for (int step = 0; step < 50'000; ++step) {
                const std::size_t i = random() % each;
                alpi_task *const task = records[i].task;
                auto &part = table.part_of(task);
                const std::lock_guard guard(part.lock);
                ASSERT_EQ(part.find(task), in[i] ? &records[i] : nullptr);
                if (in[i])
                    part.remove(records[i]);
                else
                    part.insert(records[i]);
                in[i] = !in[i];
            }
            for (std::size_t i = 0; i < each; ++i)
                if (in[i]) {
                    auto &part = table.part_of(records[i].task);
                    const std::lock_guard guard(part.lock);
                    part.remove(records[i]);
                }
        });
    for (std::thread &thread : running)
        thread.join();
}

} // namespace
} // namespace loomp::alpi
