#include "profiler/archive/what_follows.h"

#include <gtest/gtest.h>

namespace loomp::analysis::archive {
namespace {

using record::Event;
using record::Record;

bool left(const std::vector<Event> &events) {
    std::vector<Record> records;
    for (const Event event : events)
        records.push_back({1, 2, 3, 0, event});
    const Record *const found = call_left_in(records);
    return found != nullptr && found->event == Event::leave_call;
}

TEST(WhatFollows, ACallThatATaskContinuesInRecordsItsResultsBeforeItReturns) {
    EXPECT_TRUE(left({Event::leave_call}));
    EXPECT_TRUE(left({Event::counters, Event::completions, Event::finish, Event::leave_call}));
    // A matched probe.
    EXPECT_TRUE(left({Event::envelope, Event::start, Event::counters, Event::leave_call}));
    EXPECT_TRUE(left({Event::passed_on, Event::freed, Event::deleted, Event::leave_call}));
    EXPECT_FALSE(left({}));
    EXPECT_FALSE(left({Event::enter_call, Event::envelope, Event::start, Event::leave_call}));
    EXPECT_FALSE(left({Event::schedule, Event::leave_call}));
    EXPECT_FALSE(left({Event::completions, Event::finish}));
}

} // namespace
} // namespace loomp::analysis::archive
