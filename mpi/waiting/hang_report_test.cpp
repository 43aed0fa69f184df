// The report of a job that hangs: the culprit is on its first line, whatever else waits.
// sources: mpi/waiting/hang_report.cpp
#include "mpi/waiting/hang_report.h"

#include <gtest/gtest.h>

namespace loomp::mpi {
namespace {

using Kind = PendingCall::Kind;

constexpr std::int64_t kNow = 20'000'000'000;
constexpr std::uint64_t kWorld = 1;
constexpr std::uint64_t kTwin = 2;

PendingCall call(Kind kind, int peer, int tag, const char *place, std::uint64_t members = kWorld) {
    PendingCall made;
    made.kind = kind;
    made.peer = peer;
    made.tag = tag;
    made.members = members;
    made.since = kNow - 6'000'000'000;
    made.name = kind == Kind::send ? "MPI_Ssend" : "MPI_Recv";
    made.comm = members == kWorld ? "MPI_COMM_WORLD" : "twin";
    made.place = place;
    return made;
}
PendingCall receive(int peer, int tag, std::uint64_t members = kWorld) {
    return call(Kind::receive, peer, tag, ", at r.c:1", members);
}
PendingCall send(int peer, int tag, std::uint64_t members = kWorld) {
    return call(Kind::send, peer, tag, ", at s.c:2", members);
}
PendingCall collective(const char *name, const char *place) {
    PendingCall made = call(Kind::collective, kNotKnown, kNotKnown, place);
    made.name = name;
    return made;
}

RankState state(int rank, std::vector<PendingCall> calls) {
    RankState made;
    made.rank = rank;
    made.idle_since = kNow - 5'000'000'000;
    made.calls = std::move(calls);
    return made;
}

JobOfRanks of_size(int size) { return {size, size, {}, {}}; }

std::string first_line(const std::vector<RankState> &states, const JobOfRanks &job) {
    const std::string report = hang_report(states, job, kNow);
    return report.substr(0, report.find('\n'));
}
/// The cause, in a job whose ranks are all known.
std::string cause(const std::vector<RankState> &states) {
    const std::string line = first_line(states, of_size(static_cast<int>(states.size())));
    return line.substr(line.find("5.0 s: ") + 7);
}

TEST(HangReport, FindsAnotherTagAmongManyCalls) {
    std::vector<PendingCall> many;
    for (int i = 0; i < 17; ++i)
        many.push_back(receive(2, i));
    many.push_back(receive(1, 7));
    EXPECT_EQ(first_line({state(0, many), state(1, {send(0, 9999)}), state(2, {receive(0, 3)})},
                         of_size(3)),
              "loomp: all 3 ranks have been idle for 5.0 s: rank 1 sends tag 9999 to rank 0 "
              "(MPI_Ssend, at s.c:2), which waits for tag 7 from rank 1 (MPI_Recv, at r.c:1)");
}

TEST(HangReport, HasRareCallsFirst) {
    const std::string report = hang_report(
        {state(0, {receive(1, 7), receive(1, 8)}), state(1, {send(0, 9999)})}, of_size(2), kNow);
    EXPECT_NE(report.find("\nloomp:   1 x MPI_Ssend, at s.c:2: rank 1 to rank 0, tag 9999, "
                          "MPI_COMM_WORLD; for 6.0 s\n"
                          "loomp:   2 x MPI_Recv, at r.c:1: rank 0 from rank 1, tag 7, "
                          "MPI_COMM_WORLD; rank 0 from rank 1, tag 8, MPI_COMM_WORLD; for 6.0 s\n"
                          "loomp:   it is a hang, unless a thread that is not OpenMP's ends it\n"),
              std::string::npos)
        << report;
}

TEST(HangReport, FindsAnotherCommunicator) {
    EXPECT_EQ(cause({state(0, {receive(1, 7)}), state(1, {send(0, 7, kTwin)})}),
              "rank 1 sends tag 7 to rank 0 on twin (MPI_Ssend, at s.c:2), which waits on "
              "MPI_COMM_WORLD (MPI_Recv, at r.c:1)");
}

TEST(HangReport, FindsAMessageThatHasArrived) {
    RankState waits = state(0, {receive(2, 4), receive(1, 7)});
    waits.arrived = {{1, 9999, kWorld, "MPI_COMM_WORLD"}};
    EXPECT_EQ(cause({waits, state(1, {})}),
              "rank 1 has sent tag 9999 to rank 0, which waits for tag "
              "7 from rank 1 (MPI_Recv, at r.c:1)");
    waits.arrived = {{1, 7, kTwin, "twin"}};
    EXPECT_EQ(cause({waits, state(1, {})}),
              "rank 1 has sent tag 7 to rank 0 on twin, which waits on "
              "MPI_COMM_WORLD (MPI_Recv, at r.c:1)");
}

TEST(HangReport, SaysThatCallsMatchAndNothingCame) {
    EXPECT_EQ(
        cause({state(0, {receive(1, 7)}), state(1, {send(0, 7)})}),
        "rank 1 sends tag 7 to rank 0 (MPI_Ssend, at s.c:2), which waits for it (MPI_Recv, at "
        "r.c:1): their communicators differ, or the library holds the message");
}

TEST(HangReport, FindsACycleWithoutTheRanksThatLeadToIt) {
    EXPECT_EQ(
        cause({state(0, {receive(1, 7)}), state(1, {receive(2, 7)}), state(2, {receive(3, 7)}),
               state(3, {receive(1, 7)})}),
        "ranks wait for each other in a cycle: rank 1 for rank 2 (MPI_Recv, at r.c:1), rank 2 "
        "for rank 3 (MPI_Recv, at r.c:1), rank 3 for rank 1 (MPI_Recv, at r.c:1)");
}

TEST(HangReport, SaysThatACycleMayComeFromAnotherStep) {
    EXPECT_NE(hang_report({state(0, {receive(1, 7)}), state(1, {receive(0, 7)})}, of_size(2), kNow)
                  .find("\nloomp:   if steps share a tag, a receive of another step may have taken "
                        "the message: give each step a tag, or the tasks a dependence\n"),
              std::string::npos);
    EXPECT_EQ(hang_report({state(0, {receive(1, 7)}), state(1, {send(0, 8)})}, of_size(2), kNow)
                  .find("if steps share a tag"),
              std::string::npos);
}

TEST(HangReport, FindsRanksThatMakeNoOtherCall) {
    JobOfRanks job = of_size(2);
    job.finishing = {1};
    EXPECT_EQ(
        first_line({state(0, {receive(1, 7)})}, job),
        "loomp: rank 0 has been idle for 5.0 s: rank 0 receives from rank 1, tag 7 (MPI_Recv, "
        "at r.c:1), which sends nothing more: it is in MPI_Finalize");
    EXPECT_EQ(first_line({state(0, {send(1, 7)})}, job),
              "loomp: rank 0 has been idle for 5.0 s: rank 0 sends to rank 1, tag 7 (MPI_Ssend, at "
              "s.c:2), which receives nothing more: it is in MPI_Finalize");
    job = of_size(2);
    job.ended = {1};
    EXPECT_EQ(first_line({state(0, {receive(1, 7)})}, job),
              "loomp: rank 0 has been idle for 5.0 s: rank 0 waits for rank 1, which has ended "
              "(MPI_Recv, at r.c:1)");
    EXPECT_EQ(
        cause({state(0, {receive(1, 7)}), state(1, {})}),
        "rank 0 receives from rank 1, tag 7 (MPI_Recv, at r.c:1): no call of rank 1 fits; its "
        "threads are idle");
    EXPECT_EQ(cause({state(0, {receive(0, 7)})}),
              "rank 0 receives from rank 0, tag 7 (MPI_Recv, at r.c:1): no call of rank 0 fits");
}

TEST(HangReport, NamesTheCallOfTheLastRank) {
    JobOfRanks job = of_size(3);
    job.finishing = {0, 2};
    EXPECT_EQ(first_line({state(1, {receive(kAny, 4)})}, job),
              "loomp: rank 1 has been idle for 5.0 s: rank 1 is in MPI_Recv from any rank, tag 4, "
              "MPI_COMM_WORLD, at r.c:1, while all other ranks are in MPI_Finalize");
}

TEST(HangReport, NamesARankThatIsNotIdle) {
    EXPECT_EQ(first_line({state(0, {receive(1, 7)})}, of_size(2)),
              "loomp: rank 0 has been idle for 5.0 s: rank 0 receives from rank 1, tag 7 "
              "(MPI_Recv, at r.c:1), which is not idle, or in a call that loomp does not see");
    EXPECT_FALSE(is_explained({state(0, {receive(1, 7)})}, of_size(2)));
    // Nothing is known of ranks of other nodes.
    EXPECT_EQ(first_line({state(0, {receive(3, 7)})}, {8, 2, {}, {}}),
              "loomp: rank 0 has been idle for 5.0 s; tasks wait in MPI");
}

PendingCall outside(PendingCall made) {
    made.is_outside = true;
    made.since = 0;
    return made;
}
RankState in_collective(int rank, const char *name, std::vector<int> ranks) {
    RankState made = state(rank, {outside(collective(name, ", at a.c:1"))});
    made.members = {{kWorld, std::move(ranks)}};
    return made;
}

TEST(HangReport, NamesCallsOutsideTasks) {
    const std::vector<RankState> states = {state(0, {receive(1, 7)}),
                                           state(1, {outside(receive(0, 5))})};
    EXPECT_EQ(cause(states),
              "ranks wait for each other in a cycle: rank 0 for rank 1 (MPI_Recv, at "
              "r.c:1), rank 1 for rank 0 (MPI_Recv, at r.c:1, outside tasks)");
    EXPECT_TRUE(is_explained(states, of_size(2)));
    const std::string report = hang_report(states, of_size(2), kNow);
    EXPECT_NE(
        report.find("\nloomp:   1 x MPI_Recv, at r.c:1, outside tasks: rank 1 from rank 0, tag "
                    "5, MPI_COMM_WORLD; for 5.0 s\n"),
        std::string::npos)
        << report;
    EXPECT_EQ(report.find("if steps share a tag"), std::string::npos);
    EXPECT_NE(hang_report({state(0, {outside(call(Kind::other, kNotKnown, kNotKnown, ""))})},
                          of_size(1), kNow)
                  .find("; MPI calls wait\n"),
              std::string::npos);
}

TEST(HangReport, FindsARankThatHasNotCalledACollective) {
    const RankState first = in_collective(0, "MPI_Barrier", {0, 1});
    EXPECT_EQ(cause({first, state(1, {receive(0, 7)})}),
              "rank 1 has not called the collective of MPI_COMM_WORLD in which rank 0 waits "
              "(MPI_Barrier, at a.c:1, outside tasks): it is in MPI_Recv from rank 0, tag 7, "
              "MPI_COMM_WORLD, at r.c:1");
    JobOfRanks job = of_size(2);
    job.finishing = {1};
    EXPECT_EQ(first_line({first}, job),
              "loomp: rank 0 has been idle for 5.0 s: rank 1 has not called the collective of "
              "MPI_COMM_WORLD in which rank 0 waits (MPI_Barrier, at a.c:1, outside tasks): it is "
              "in MPI_Finalize");
    job = of_size(2);
    job.ended = {1};
    EXPECT_NE(first_line({first}, job).find("outside tasks): it has ended"), std::string::npos);
    // It may only be slow.
    EXPECT_NE(first_line({first}, of_size(2))
                  .find("(MPI_Barrier, at a.c:1, outside tasks): it is not idle, or in a call that "
                        "loomp does not see"),
              std::string::npos);
    EXPECT_FALSE(is_explained({first}, of_size(2)));
    const std::vector<RankState> all = {first, in_collective(1, "MPI_Barrier", {0, 1})};
    EXPECT_FALSE(is_explained(all, of_size(2)));
    EXPECT_EQ(cause(all), "ranks are in MPI_Barrier of MPI_COMM_WORLD, at a.c:1, outside tasks: "
                          "their arguments differ, or it takes long");
}

TEST(HangReport, DoesNotTakeRequestsForPendingThatMayBeComplete) {
    PendingCall one = outside(receive(1, 7));
    PendingCall other = outside(receive(1, 8));
    one.one_of = other.one_of = 2;
    const std::vector<RankState> waits = {state(0, {one, other}), state(1, {})};
    EXPECT_TRUE(is_explained(waits, of_size(2)));
    EXPECT_EQ(cause(waits), "rank 0 waits for a message from rank 1, tag 7, MPI_COMM_WORLD or from "
                            "rank 1, tag 8, MPI_COMM_WORLD (MPI_Recv, at r.c:1, outside tasks): no "
                            "call of another rank fits");
    // The send may end with a long transfer.
    EXPECT_FALSE(is_explained({waits.front(), state(1, {send(0, 8)})}, of_size(2)));
    // One of the requests is not known.
    EXPECT_FALSE(is_explained({state(0, {one}), state(1, {})}, of_size(2)));
    // No more is known of the rank than that it waits for a request.
    EXPECT_FALSE(is_explained({state(0, {outside(receive(1, 7))}),
                               state(1, {outside(call(Kind::other, kNotKnown, kNotKnown, ""))})},
                              of_size(2)));
}

TEST(HangReport, FindsCollectivesInAnotherOrder) {
    EXPECT_EQ(cause({state(0, {collective("MPI_Bcast", ", at a.c:1")}),
                     state(1, {collective("MPI_Barrier", ", at a.c:2")})}),
              "ranks are in different collectives of MPI_COMM_WORLD: rank 0 (MPI_Bcast, at a.c:1), "
              "rank 1 (MPI_Barrier, at a.c:2)");
    EXPECT_EQ(cause({state(0, {collective("MPI_Bcast", ", at a.c:1"),
                               collective("MPI_Barrier", ", at a.c:2")}),
                     state(1, {})}),
              "rank 0 is in two collectives of MPI_COMM_WORLD, whose order nothing gives "
              "(MPI_Bcast, at a.c:1), (MPI_Barrier, at a.c:2)");
}

TEST(HangReport, FindsCallsWithoutAnOrder) {
    EXPECT_EQ(cause({state(0, {receive(1, 7), receive(1, 7)}), state(1, {receive(0, 8)})}),
              "rank 0 has several calls from rank 1, tag 7, MPI_COMM_WORLD, whose order nothing "
              "gives (MPI_Recv, at r.c:1): give each step a tag, or the tasks a dependence");
}

TEST(HangReport, HasALostEventBeforeCallsOfOtherRanksAndOneLineForEachOther) {
    RankState loses = state(1, {});
    loses.events = {"nobody has fulfilled it", "nor this one"};
    loses.locks = {"1 task waits for a lock"};
    const std::string report = hang_report({state(0, {receive(1, 7)}), loses}, of_size(2), kNow);
    // The task that sends may be about to fulfil the event.
    RankState sends = loses;
    sends.calls = {send(0, 9999)};
    EXPECT_NE(cause({state(0, {receive(1, 7)}), sends}).find("rank 1 sends tag 9999 to rank 0"),
              std::string::npos);
    EXPECT_EQ(report.find("loomp: all 2 ranks have been idle for 5.0 s: rank 1: nobody has "
                          "fulfilled it\nloomp:   rank 1: nor this one\nloomp:   rank 1: 1 task "
                          "waits for a lock\nloomp:   1 x "),
              0u)
        << report;
}

TEST(HangReport, NamesRanksOfWhichNothingIsKnown) {
    EXPECT_NE(hang_report({state(0, {receive(3, 7)})}, of_size(3), kNow)
                  .find("\nloomp:   not idle, or in a call that loomp does not see: ranks 1, 2\n"),
              std::string::npos);
    EXPECT_NE(hang_report({state(0, {receive(3, 7)})}, {8, 2, {}, {}}, kNow)
                  .find("\nloomp:   only this node's 2 ranks, of 8, were compared\n"),
              std::string::npos);
    JobOfRanks job = of_size(3);
    job.finishing = {1};
    job.ended = {2};
    EXPECT_NE(hang_report({state(0, {})}, job, kNow)
                  .find("; tasks wait in MPI\nloomp:   in MPI_Finalize: rank 1\n"
                        "loomp:   ended: rank 2\n"),
              std::string::npos);
}

TEST(HangReport, IsBounded) {
    std::vector<PendingCall> calls;
    for (int i = 0; i < 20; ++i)
        calls.push_back(call(Kind::receive, 1, i, (", at r.c:" + std::to_string(i)).c_str()));
    for (int i = 20; i < 30; ++i)
        calls.push_back(receive(1, i));
    RankState one = state(0, calls);
    one.more_calls = 5;
    const std::string report = hang_report({one, state(1, {})}, of_size(2), kNow);
    EXPECT_NE(report.find("\nloomp:   and calls at 8 other places\nloomp:   and 5 more calls\n"),
              std::string::npos)
        << report;
}

TEST(HangState, IsReadAsItWasWritten) {
    RankState one = state(3, {receive(1, kAny), send(2, 4, kTwin)});
    one.calls.back().detail = " (request 1 of 3)";
    one.others_pend = true;
    one.arrived = {{1, 9999, kWorld, "MPI_COMM_WORLD"}};
    one.calls.front().is_outside = true;
    one.calls.front().one_of = 2;
    one.members = {{kTwin, {0, 2}}, {kWorld, {}}};
    one.events = {"an event"};
    one.locks = {"a lock"};
    one.more_calls = 2;
    const std::string bytes = bytes_of(one);
    RankState read;
    ASSERT_TRUE(read_state(bytes, read));
    EXPECT_EQ(bytes_of(read), bytes);
    EXPECT_EQ(read.calls.size(), 2u);
    EXPECT_EQ(read.events, one.events);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        RankState part;
        EXPECT_FALSE(read_state(std::string_view(bytes).substr(0, length), part));
    }
}

} // namespace
} // namespace loomp::mpi
