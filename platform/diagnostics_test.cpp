// Messages on stderr: one line, prefixed, in one write.
#include "platform/diagnostics.h"

#include <string>

#include <gtest/gtest.h>

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

TEST(MessageDeathTest, FatalSaysWhyAndAborts) {
    EXPECT_DEATH(fatal("no %s", "memory"), "^loomp: no memory\n");
}

} // namespace
} // namespace loomp::core
