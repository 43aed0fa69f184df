// What records of MPI's requests and communicators mean, by recordings made by hand.
#include <gtest/gtest.h>

#include "analysis/communicators.h"
#include "analysis/requests.h"

namespace loomp::analysis {
namespace {

using record::Event;
using record::Kind;
using record::pack;
using record::Record;

std::uint32_t detail(Kind kind, std::uint32_t flags = 0) {
    return static_cast<std::uint32_t>(kind) | flags;
}

Record envelope(std::uint64_t time, std::uint32_t peer, std::uint32_t tag) {
    return {time, pack(peer, tag), 1, 0, Event::envelope};
}
Record start(std::uint64_t time, std::uint64_t handle, Kind kind, std::uint32_t flags = 0) {
    return {time, handle, 8, detail(kind, flags), Event::start};
}
Record completions(std::uint64_t time, std::uint64_t began) {
    return {time, 0, began, 0, Event::completions};
}
Record finish(std::uint64_t time, std::uint64_t handle, std::uint32_t source = 0,
              std::uint32_t tag = 0, std::uint32_t flags = 0) {
    return {time, handle, pack(source, tag), flags, Event::finish};
}

RecordedProcess process_of(const std::vector<std::vector<Record>> &threads) {
    RecordedProcess process;
    for (const std::vector<Record> &records : threads)
        process.threads.push_back({static_cast<std::uint32_t>(process.threads.size() + 1),
                                   MappedFile("/nowhere"), records});
    return process;
}

std::vector<Index> uses(const Requests &requests, std::size_t thread) {
    std::vector<Index> found;
    for (const RequestRecord &of : requests.of_thread(thread))
        found.push_back(of.use);
    return found;
}

TEST(Clock, ADriftIsEven) {
    const Clock clock({1000, 500}, {3000, 700});
    EXPECT_EQ(clock.shared(1000), 1500);
    EXPECT_EQ(clock.shared(2000), 2600);
    EXPECT_EQ(clock.shared(4000), 4800);
    EXPECT_EQ(clock.shared(0), 400);
    EXPECT_EQ(clock.shifted(-500).shared(1000), 1000);
    // Measured once.
    EXPECT_EQ(Clock({10, 7}, {10, 7}).shared(100), 107);
}

TEST(Requests, AHandleThatAnotherThreadUsesNextIsAnotherUse) {
    // Thread 0 waits from 10 to 30; the handle is free, and used again, before it returns.
    const std::vector<std::vector<Record>> threads = {
        {envelope(5, 1, 2), start(5, 77, Kind::send), completions(30, 10), finish(30, 77)},
        {envelope(20, 3, 4), start(20, 77, Kind::receive), completions(50, 25),
         finish(50, 77, 9, 4)}};
    const Requests requests(process_of(threads));
    ASSERT_EQ(uses(requests, 0), (std::vector<Index>{0, 0}));
    ASSERT_EQ(uses(requests, 1), (std::vector<Index>{1, 1}));
    EXPECT_EQ(requests.use(0).peer, 1u);
    EXPECT_EQ(requests.use(0).kind, Kind::send);
    EXPECT_EQ(requests.use(1).peer, 9u); // the actual one
}

TEST(Requests, APersistentOneIsAsManyUsesAsItIsStarted) {
    const std::uint32_t any = record::kAny;
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, any, any),
         {1, 5, 8, detail(Kind::receive), Event::initialize},
         {2, 5, 5, 0, Event::start_of},
         completions(4, 3),
         finish(4, 5, 2, 7),
         {5, 5, 5, 0, Event::start_of},
         completions(7, 6),
         finish(7, 5, 3, 8)}};
    const Requests requests(process_of(threads));
    ASSERT_EQ(uses(requests, 0), (std::vector<Index>{kNone, 0, 0, 1, 1}));
    EXPECT_EQ(requests.use(0).peer, 2u);
    EXPECT_EQ(requests.use(1).peer, 3u);
    EXPECT_EQ(requests.use(1).tag, 8u);
    EXPECT_EQ(requests.use(1).communicator, 1u);
}

TEST(Requests, WhatIsCompletedTwiceOrNeverStartedHasNoUse) {
    const std::vector<std::vector<Record>> threads = {
        {completions(1, 0), finish(1, 5), envelope(2, 0, 0), start(2, 5, Kind::send),
         completions(4, 3), finish(4, 5), completions(6, 5), finish(6, 5)}};
    const Requests requests(process_of(threads));
    EXPECT_EQ(uses(requests, 0), (std::vector<Index>{kNone, 0, 0, kNone}));
}

TEST(Requests, AHandleFromBeforeAPauseIsNotKnownAfterIt) {
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 0, 0), start(1, 5, Kind::send), envelope(1, 0, 0),
         start(1, 9, Kind::send, record::kOwn), completions(10, 9), finish(10, 5),
         finish(11, 9, 0, 0, record::kOwn), envelope(12, 0, 0), start(12, 5, Kind::send),
         completions(14, 13), finish(14, 5)}};
    RecordedProcess process = process_of(threads);
    process.pauses = {{3, 8}};
    EXPECT_EQ(uses(Requests(process), 0), (std::vector<Index>{0, 1, kNone, 1, 2, 2}));
}

TEST(Requests, NamesOfTheRecorderAreNoHandles) {
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 0, 0),
         start(1, 5, Kind::send),
         envelope(2, 0, 0),
         {2, 5, 8, detail(Kind::receive, record::kOwn), Event::start},
         {3, 5, pack(0, 0), record::kOwn, Event::finish}}};
    const Requests requests(process_of(threads));
    EXPECT_EQ(uses(requests, 0), (std::vector<Index>{0, 1, 1}));
}

TEST(Communicators, AreOneByTheirMembersAndTheOrderOfTheirMaking) {
    Recording recording;
    for (long rank : {0, 1, 2}) {
        RecordedProcess &process = recording.processes.emplace_back();
        process.rank = rank;
        process.communicators.push_back({1, {0, 1, 2}, {}}); // the world
        if (rank != 1)
            process.communicators.push_back({2, {2, 0}, {}}); // a part, in another order
        process.communicators.push_back({3, {0, 1, 2}, {}});  // a copy
    }
    const Communicators communicators(recording);
    ASSERT_EQ(communicators.all().size(), 3u);
    const Index copy = communicators.find(0, 3, 0).communicator;
    EXPECT_EQ(copy, communicators.find(1, 3, 0).communicator);
    EXPECT_NE(copy, communicators.find(1, 1, 0).communicator);
    const Index part = communicators.find(2, 2, 0).communicator;
    EXPECT_EQ(communicators.all()[part], (std::vector<Index>{2, 0}));
    EXPECT_EQ(communicators.find(0, 9, 0).communicator, kNone);
}

TEST(Communicators, PeersOfAnIntercommunicatorAreTheOtherGroups) {
    Recording recording;
    for (long rank : {0, 1, 2}) {
        RecordedProcess &process = recording.processes.emplace_back();
        process.rank = rank;
        if (rank == 0)
            process.communicators.push_back({1, {0}, {2, 1}});
        else
            process.communicators.push_back({1, {2, 1}, {0}});
    }
    const Communicators communicators(recording);
    ASSERT_EQ(communicators.all().size(), 1u);
    const auto target = communicators.find(0, 1, 0); // rank 2
    const auto source = communicators.find(2, 1, 0); // rank 0
    EXPECT_EQ(communicators.all()[target.communicator][target.number], 2u);
    EXPECT_EQ(communicators.all()[source.communicator][source.number], 0u);
}

} // namespace
} // namespace loomp::analysis
