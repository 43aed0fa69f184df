// The ranks of a job that seem to hang meet, leave and meet again; one of them reports for all.
// sources: mpi/waiting/hang_report.cpp mpi/waiting/meeting.cpp
#include "mpi/waiting/meeting.h"

#include <unistd.h>

#include <gtest/gtest.h>

namespace loomp::mpi {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kBegin = 100 * kSecond;

RankState state(int rank, int calls = 1) {
    RankState made;
    made.rank = rank;
    made.idle_since = kBegin - 5 * kSecond;
    for (int i = 0; i < calls; ++i) {
        PendingCall call;
        call.kind = PendingCall::Kind::receive;
        call.peer = 1 - rank;
        call.tag = i;
        call.name = "MPI_Recv";
        call.place = ", at r.c:" + std::to_string(i);
        made.calls.push_back(call);
    }
    return made;
}

/// A job of two ranks, both of them in this process.
class Meetings : public testing::Test {
  protected:
    static PlaceInJob place(int rank) {
        static int jobs = 0;
        job_ = rank == 0 ? job_number(getpid()) + static_cast<std::uint64_t>(++jobs) : job_;
        return {job_, rank, 2, 2, {}};
    }
    /// Both look, some times a second; returns what they are to print.
    std::string look(int times = 6) {
        std::string printed;
        for (; times > 0; --times) {
            now_ += kSecond / 10;
            for (Meeting *meeting : {&first_, &second_})
                if (meeting->is_there())
                    printed += meeting->look(now_, 5, 60);
        }
        return printed;
    }
    static std::size_t count(const std::string &text, const std::string &part) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
            ++found;
        return found;
    }
    std::string describe(Meeting &meeting, bool for_signal) {
        std::string text = "nothing";
        for (int tries = 0; !meeting.describe(now_, for_signal, text); ++tries) {
            EXPECT_LT(tries, 10);
            look(1);
        }
        return text;
    }

    static std::uint64_t job_;
    std::int64_t now_ = kBegin;
    Meeting first_{place(0)};
    Meeting second_{place(1)};
};
std::uint64_t Meetings::job_ = 0;

TEST_F(Meetings, ReportOnceForAll) {
    first_.come(state(0));
    EXPECT_EQ(look(), ""); // the other rank is not idle
    second_.come(state(1));
    EXPECT_EQ(count(look(), "loomp: all 2 ranks have been idle"), 1u);
    EXPECT_EQ(look(), "");
}

// A rank that waits outside tasks may only wait for much data.
TEST_F(Meetings, ReportCallsOutsideTasksAtOnceIfTheyAreExplained) {
    RankState one = state(0);
    one.calls[0].is_outside = true;
    RankState other = state(1);
    other.calls[0].kind = PendingCall::Kind::send;
    first_.come(one);
    second_.come(other);
    EXPECT_EQ(look(100), ""); // the two calls fit
    other.calls[0].is_outside = true;
    second_.leave();
    other.calls[0].tag = 8;
    second_.come(other);
    EXPECT_EQ(count(look(), "loomp: all 2 ranks have been idle"), 1u);
}

TEST_F(Meetings, ReportCallsOfAllRanksOutsideTasksLate) {
    for (Meeting *meeting : {&first_, &second_}) {
        RankState one = state(meeting == &first_ ? 0 : 1);
        one.calls[0].is_outside = true;
        one.calls[0].kind = PendingCall::Kind::other;
        one.calls[0].peer = kNotKnown;
        meeting->come(one);
        // The other one may compute.
        EXPECT_EQ(look(meeting == &first_ ? 1000 : 1), "");
    }
    EXPECT_EQ(count(look(1000), "loomp: all 2 ranks have been idle"), 1u);
    // A hang that is explained is reported nevertheless.
    first_.leave();
    first_.come(state(0));
    second_.leave();
    second_.come(state(1));
    EXPECT_EQ(count(look(100), "loomp: all 2 ranks have been idle"), 1u);
}

TEST_F(Meetings, DoNotReportAgainWhenTheHostHasEnded) {
    first_.come(state(0));
    look(1);
    second_.come(state(1));
    EXPECT_NE(look(), "");
    first_.leave();
    EXPECT_EQ(look(1000), "");
}

TEST_F(Meetings, ReportARankAloneOnlyWhenItIsOverdue) {
    first_.come(state(0));
    EXPECT_EQ(look(500), "");
    EXPECT_EQ(count(look(100), "loomp: rank 0 has been idle"), 1u);
    second_.come(state(1));
    EXPECT_EQ(count(look(), "loomp: all 2 ranks have been idle"), 1u);
}

TEST_F(Meetings, DoNotReportWhileOtherOperationsMayEndTheWaits) {
    RankState waits = state(1);
    waits.others_pend = true;
    first_.come(state(0));
    second_.come(waits);
    EXPECT_EQ(look(100), "");
}

TEST_F(Meetings, GoOnWithoutTheHost) {
    first_.come(state(0));
    EXPECT_EQ(look(2), "");
    second_.come(state(1));
    EXPECT_EQ(look(2), "");
    first_.leave(); // a thread of it works again
    EXPECT_EQ(look(100), "");
    EXPECT_NE(describe(second_, false).find("loomp: rank 1 has been idle"), std::string::npos);
    first_.come(state(0));
    EXPECT_EQ(count(look(), "loomp: all 2 ranks have been idle"), 1u);
}

TEST_F(Meetings, AnswerWithTheStatesOfAll) {
    first_.come(state(0));
    second_.come(state(1, 2000)); // more bytes than a socket takes at once
    look();
    for (Meeting *meeting : {&first_, &second_, &first_, &second_}) {
        const std::string text = describe(*meeting, false);
        EXPECT_NE(text.find("loomp: all 2 ranks have been idle"), std::string::npos) << text;
    }
}

TEST_F(Meetings, PrintOnceForASignalThatAllRanksGet) {
    first_.come(state(0));
    second_.come(state(1));
    look();
    EXPECT_NE(describe(first_, true), "");
    look(1);
    EXPECT_EQ(describe(second_, true), "");
    look(50);
    EXPECT_NE(describe(second_, true), "");
    EXPECT_EQ(describe(first_, true), "");
}

TEST(AMeeting, WithoutAJobKnowsOneRank) {
    Meeting alone({0, 0, 1, 1, {}});
    alone.come(state(0));
    EXPECT_EQ(alone.look(kBegin, 5, 60), "");
    EXPECT_NE(alone.look(kBegin + kSecond, 5, 60).find("loomp: rank 0 has been idle"),
              std::string::npos);
}

} // namespace
} // namespace loomp::mpi
