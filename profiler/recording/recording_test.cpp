// The meaning of records of MPI's requests and communicators, tested with recordings made by hand.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "profiler/recording/communicators.h"
#include "profiler/recording/requests.h"

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
                                   MappedFile("/nowhere"),
                                   records,
                                   {}});
    return process;
}

std::vector<Index> uses(const Requests &requests, std::size_t thread) {
    std::vector<Index> found;
    for (const RequestRecord &record : requests.of_thread(thread))
        found.push_back(record.use);
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
        {envelope(20, record::kAny, 4), start(20, 77, Kind::receive), completions(50, 25),
         finish(50, 77, 9, 4)}};
    const Requests requests(process_of(threads));
    ASSERT_EQ(uses(requests, 0), (std::vector<Index>{0, 0}));
    ASSERT_EQ(uses(requests, 1), (std::vector<Index>{1, 1}));
    EXPECT_EQ(requests.use(0).peer, 1u);
    EXPECT_EQ(requests.use(0).kind, Kind::send);
    EXPECT_EQ(requests.use(1).peer, 9u); // the actual one
}

TEST(Requests, SendsThatAreCompleteAtOnceShareAHandle) {
    // MPICH gives them one. Each task completes its own ones, from the oldest on.
    const auto begin = [](std::uint64_t task) { return Record{1, 0, task, 0, Event::schedule}; };
    const std::vector<std::vector<Record>> threads = {
        {begin(8), envelope(2, 1, 10), start(2, 5, Kind::send), envelope(3, 1, 11),
         start(3, 5, Kind::send), completions(9, 8), finish(9, 5), completions(11, 10),
         finish(11, 5)},
        {begin(9), envelope(1, 1, 12), start(1, 5, Kind::send), envelope(4, 1, 13),
         start(4, 5, Kind::collective), completions(7, 6), finish(7, 5), finish(7, 5)}};
    const Requests requests(process_of(threads));
    EXPECT_EQ(uses(requests, 0), (std::vector<Index>{1, 2, 1, 2}));
    EXPECT_EQ(uses(requests, 1), (std::vector<Index>{0, 3, 0, 3}));
}

TEST(Requests, AReceiveHasItsHandleAlone) {
    // The end of a send is not recorded, before a receive gets its handle, and that of the receive.
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 1, 10), start(1, 5, Kind::send), envelope(2, 1, 11),
         start(2, 5, Kind::receive), envelope(3, 1, 12), start(3, 5, Kind::send), completions(5, 4),
         finish(5, 5), completions(7, 6), finish(7, 5)}};
    EXPECT_EQ(uses(Requests(process_of(threads)), 0), (std::vector<Index>{0, 1, 2, 2, kNone}));
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

TEST(Requests, AFreedHandleMeansNothing) {
    // A persistent request and a receive are freed; later requests, unknown and known, get their
    // handles.
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 0, 0),
         {1, 5, 8, detail(Kind::collective), Event::initialize},
         {2, 5, 1, 0, Event::freed},
         {3, 5, 5, 0, Event::start_of},
         envelope(4, 0, 0),
         start(4, 6, Kind::receive),
         {6, 6, 5, 0, Event::freed},
         completions(8, 7),
         finish(8, 6)}};
    const Requests requests(process_of(threads));
    EXPECT_EQ(uses(requests, 0), (std::vector<Index>{kNone, kNone, kNone, 0, kNone, kNone}));
    EXPECT_FALSE(requests.use(0).completed);
}

TEST(Requests, ACancelledReceiveThatIsFreedMayHaveReceivedAnything) {
    // The second one is found complete: its cancellation came too late.
    const std::vector<std::vector<Record>> threads = {{envelope(1, 3, 4),
                                                       start(1, 5, Kind::receive),
                                                       {3, 5, 2, 0, Event::cancel},
                                                       {5, 5, 4, 0, Event::freed},
                                                       envelope(6, 3, 4),
                                                       start(6, 5, Kind::receive),
                                                       {8, 5, 7, 0, Event::cancel},
                                                       completions(10, 9),
                                                       finish(10, 5, 3, 4)}};
    const Requests requests(process_of(threads));
    EXPECT_EQ(uses(requests, 0), (std::vector<Index>{0, kNone, kNone, 1, kNone, 1}));
    EXPECT_EQ(requests.use(0).peer, record::kAny);
    EXPECT_EQ(requests.use(1).peer, 3u);
}

TEST(Requests, TheSizeOfABlockingSendIsKnownAtItsEnd) {
    const std::vector<std::vector<Record>> threads = {{envelope(1, 3, 4),
                                                       start(1, 5, Kind::send, record::kOwn),
                                                       {2, 5, 64, record::kOwn, Event::finish}}};
    EXPECT_EQ(Requests(process_of(threads)).use(0).bytes, 64u);
}

TEST(Requests, AHandleThatIsStartedAnewIsNoPersistentOne) {
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 0, 0),
         {1, 5, 8, detail(Kind::receive), Event::initialize},
         envelope(2, 0, 0),
         start(2, 5, Kind::send),
         completions(4, 3),
         finish(4, 5),
         {5, 5, 5, 0, Event::start_of}}};
    EXPECT_EQ(uses(Requests(process_of(threads)), 0), (std::vector<Index>{kNone, 0, 0, kNone}));
}

TEST(Requests, AProbedMessageIsReceivedUnderAnotherHandle) {
    // Two probes; the second message is received first, the first by a request.
    const std::vector<std::vector<Record>> threads = {{envelope(1, 0, 7),
                                                       start(1, 70, Kind::receive),
                                                       envelope(2, 0, 7),
                                                       start(2, 71, Kind::receive),
                                                       completions(4, 3),
                                                       finish(4, 71, 0, 7),
                                                       {5, 9, 70, 0, Event::passed_on},
                                                       completions(7, 6),
                                                       finish(7, 9, 0, 7)}};
    EXPECT_EQ(uses(Requests(process_of(threads)), 0), (std::vector<Index>{0, 1, 1, kNone, 0}));
}

TEST(Requests, ACallThatFailedHasHadNoEffect) {
    const std::vector<std::vector<Record>> threads = {
        {envelope(1, 3, 4), start(1, 5, Kind::receive, record::kOwn),
         finish(2, 5, 9, 9, record::kOwn | record::kCancelled)}};
    const Requests requests(process_of(threads));
    EXPECT_TRUE(requests.use(0).cancelled);
    EXPECT_FALSE(requests.use(0).completed);
    EXPECT_EQ(requests.use(0).peer, 3u);
}

TEST(Format, NumbersOfTasksAreNeverThoseOfImplicitOnes) {
    static_assert(record::next_number(0) == 1);
    static_assert(record::next_number(record::kFirstImplicit - 2) == record::kFirstImplicit - 1);
    static_assert(record::next_number(record::kFirstImplicit - 1) == 1);
    static_assert(record::next_number(record::kNoNumber) == 1);
}

/// A folder with one thread's ring. Each piece has two records, whose time is the piece's number.
class Ring {
  public:
    explicit Ring(const std::vector<std::uint64_t> &pieces)
        : folder_(std::filesystem::temp_directory_path() /
                  ("loomp-ring-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_ / "process-1");
        std::vector<Record> file(pieces.size() * kRecords, Record{});
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (pieces[i] == 0) // it is about to be used
                continue;
            Record *piece = &file[i * kRecords];
            piece[0] = {pieces[i], pieces[i], record::kMagic, record::kVersion, Event::piece};
            piece[1] = piece[2] = {pieces[i], 1, 2, 0, Event::create};
        }
        std::ofstream(folder_ / "process-1" / "ring-1", std::ios::binary)
            .write(reinterpret_cast<const char *>(file.data()),
                   static_cast<std::streamsize>(file.size() * sizeof(Record)));
        std::ofstream(folder_ / "process-1" / "info") << "clock 0 100\nstop 20\nstart 30\n";
    }
    Ring(const Ring &) = delete;
    Ring &operator=(const Ring &) = delete;
    ~Ring() { std::filesystem::remove_all(folder_); }
    Recording open() const { return open_recording(folder_); }

  private:
    static constexpr std::size_t kRecords = record::kPieceSize / sizeof(Record);
    std::filesystem::path folder_;
};

std::vector<std::uint64_t> times(const Recording &recording) {
    std::vector<std::uint64_t> found;
    for (const Record &record : recording.processes.at(0).threads.at(0).records)
        found.push_back(record.time);
    return found;
}

TEST(Rings, AreReadFromTheOldestPieceOn) {
    const Recording recording = Ring({4, 5, 3}).open();
    EXPECT_EQ(times(recording), (std::vector<std::uint64_t>{3, 3, 4, 4, 5, 5}));
    const RecordedProcess &process = recording.processes[0];
    const auto gaps = process.gaps_of(process.threads[0]);
    ASSERT_EQ(gaps.size(), 2u);
    EXPECT_EQ(gaps[0].begin, 0);
    EXPECT_EQ(gaps[0].end, 3);
    EXPECT_EQ(gaps[1].begin, 20);
    EXPECT_TRUE(recording.problems.empty());
}

TEST(Rings, ThatAreNotFullAreWhole) {
    const Recording recording = Ring({1, 2, 0}).open();
    EXPECT_EQ(times(recording), (std::vector<std::uint64_t>{1, 1, 2, 2}));
    EXPECT_EQ(recording.processes[0].gaps_of(recording.processes[0].threads[0]).size(), 1u);
}

TEST(Rings, MayLackAPiece) {
    EXPECT_EQ(times(Ring({4, 0, 3}).open()), (std::vector<std::uint64_t>{3, 3, 4, 4}));
    EXPECT_EQ(times(Ring({4, 0, 2}).open()), (std::vector<std::uint64_t>{4, 4}));
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
