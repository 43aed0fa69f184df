// Messages on stderr: one line, prefixed, in one write.
#include "platform/diagnostics.h"

#include <fcntl.h>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "platform/watched_stderr.h"

namespace loomp::core {
namespace {

TEST(Message, WarningsArePrefixedLines) {
    testing::internal::CaptureStderr();
    warn("%s=%d: odd", "X", 3);
    warn("100%% sure");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "loomp: X=3: odd\nloomp: 100% sure\n");
}

TEST(Message, ALongWarningStaysALine) {
    testing::internal::CaptureStderr();
    warn("%s", std::string(5000, 'x').c_str());
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find('\n'), said.size() - 1);
    EXPECT_EQ(said.find("loomp: xxx"), 0U);
}

TEST(Message, ControlCharactersBecomeQuestionMarks) {
    testing::internal::CaptureStderr();
    warn("%s", "two\nlines\x1b[2J\x7f, \xc3\xa9");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "loomp: two?lines?[2J?, \xc3\xa9\n");
}

std::string elsewhere;

TEST(Message, AFileOfTheProgramsThatGetsNumber2GetsNoMessage) {
    const int kept = dup(STDERR_FILENO);
    watch_stderr([](const char *line, std::size_t size) { elsewhere.append(line, size); });
    char name[] = "/tmp/loomp-message-XXXXXX";
    const int file = mkstemp(name);
    unlink(name);
    ASSERT_EQ(dup2(file, STDERR_FILENO), STDERR_FILENO);
    warn("lost");
    close(STDERR_FILENO);
    warn("closed");
    dup2(kept, STDERR_FILENO);
    watch_stderr(nullptr);
    EXPECT_EQ(elsewhere, "loomp: lost\nloomp: closed\n");
    EXPECT_EQ(lseek(file, 0, SEEK_END), 0);
    close(file);
    close(kept);
}

TEST(MessageDeathTest, FatalSaysWhyAndAborts) {
    EXPECT_DEATH(fatal("no %s", "memory"), "^loomp: no memory\n");
}

} // namespace
} // namespace loomp::core
