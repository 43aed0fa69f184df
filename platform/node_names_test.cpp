#include "platform/node_names.h"

#include <csignal>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>

namespace loomp::test {
namespace {

/// A job that no other process has.
std::uint64_t new_job() {
    static int count = 0;
    return job_number("test " + std::to_string(getpid()) + " " + std::to_string(++count));
}

TEST(NodeNames, AreFoundFromTheirTakingOn) {
    const std::uint64_t job = new_job();
    NodeName one;
    NodeName other;
    EXPECT_FALSE(one.is_held());
    one.take(job, "layer", 1);
    ASSERT_TRUE(one.is_held());
    EXPECT_TRUE(one.is_taken("layer", 1));
    EXPECT_FALSE(one.is_taken("layer", 2));
    EXPECT_FALSE(one.is_taken("other", 1));
    other.take(job, "layer", 2);
    EXPECT_TRUE(one.is_taken("layer", 2));
    EXPECT_TRUE(other.is_taken("layer", 1));
    other.stop_looking();
    EXPECT_TRUE(one.is_taken("layer", 2));
}

TEST(NodeNames, EndWithTheirProcess) {
    const std::uint64_t job = new_job();
    NodeName own;
    own.take(job, "layer", 0);
    int taken[2];
    ASSERT_EQ(pipe(taken), 0);
    const pid_t child = fork();
    if (child == 0) {
        NodeName name;
        name.take(job, "layer", 1);
        _exit(name.is_held() && write(taken[1], "", 1) == 1 && pause() != 0 ? 0 : 1);
    }
    char byte = 1;
    ASSERT_EQ(read(taken[0], &byte, 1), 1);
    EXPECT_TRUE(own.is_taken("layer", 1));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_FALSE(own.is_taken("layer", 1));
    close(taken[0]);
    close(taken[1]);
}

/// The others of the job find it, so the process must count itself.
TEST(NodeNames, AreHeldThatAnotherProcessHasTaken) {
    const std::uint64_t job = new_job();
    NodeName first;
    NodeName second;
    first.take(job, "layer", 1);
    second.take(job, "layer", 1);
    EXPECT_TRUE(second.is_held());
    EXPECT_TRUE(second.is_taken("layer", 1));
}

/// Open MPI's names of jobs have the host's name first, and the launcher's process last.
TEST(NodeNames, DifferForJobsWhoseLongTextsDifferAtTheEnd) {
    const std::string host(100, 'h');
    NodeName one;
    NodeName other;
    const std::string number = std::to_string(getpid());
    one.take(job_number(host + number + "@1"), "layer", 1);
    other.take(job_number(host + number + "@2"), "layer", 2);
    EXPECT_FALSE(one.is_taken("layer", 2));
    EXPECT_FALSE(other.is_taken("layer", 1));
    EXPECT_EQ(job_number("job"), job_number("job"));
}

} // namespace
} // namespace loomp::test
