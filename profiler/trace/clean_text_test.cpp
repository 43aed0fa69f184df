#include "profiler/trace/clean_text.h"

#include <gtest/gtest.h>

#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

TEST(CleanText, IsValidAndHasNoControlCharacters) {
    EXPECT_EQ(clean_text("plain </x>\"'&\\"), "plain </x>\"'&\\");
    EXPECT_EQ(clean_text("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
              "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    const std::string bad = "\xef\xbf\xbd";
    EXPECT_EQ(clean_text("bad\xff\xfe\x01utf"), "bad" + bad + bad + " utf");
    EXPECT_EQ(clean_text("\x1b[31mred\x7f\n\t"), " [31mred   ");
    EXPECT_EQ(clean_text("\xc2\x9b"), " ");                 // a terminal's CSI in eight bits
    EXPECT_EQ(clean_text("\xc0\xaf"), bad + bad);           // overlong
    EXPECT_EQ(clean_text("\xed\xa0\x80"), bad + bad + bad); // a surrogate
    EXPECT_EQ(clean_text("\xf4\x90\x80\x80"), bad + bad + bad + bad); // beyond Unicode
    EXPECT_EQ(clean_text("cut\xe2\x82"), "cut" + bad + bad);
}

TEST(CleanText, NamesCanBeSeen) {
    Events events;
    events.builder.add_kind("", "");
    events.builder.add_kind(" \n ", "");
    events.builder.add_kind(" x", "");
    const Trace trace = events.take();
    EXPECT_EQ(trace.kinds[0].label, "(unnamed)");
    EXPECT_EQ(trace.kinds[1].label, "(blank)");
    EXPECT_EQ(trace.kinds[2].label, " x");
}

TEST(CleanText, LongOnesAreCutBetweenCharacters) {
    EXPECT_EQ(shortened("abcd", 4), "abcd");
    EXPECT_EQ(shortened("abcde", 4), "abcd...");
    EXPECT_EQ(shortened("abc\xe2\x82\xac", 4), "abc...");
    EXPECT_EQ(shortened("abc\xe2\x82\xac", 6), "abc\xe2\x82\xac");
}

TEST(CleanText, IsAllThatATraceHas) {
    Events events;
    const Index kind = events.builder.add_kind("a\x1b\xff", "b\x01");
    events.builder.set_counters({"c\xfe"});
    const Trace trace = events.take();
    EXPECT_EQ(trace.kinds[kind].label, "a \xef\xbf\xbd");
    EXPECT_EQ(trace.kinds[kind].source, "b ");
    EXPECT_EQ(trace.counters[0], "c\xef\xbf\xbd");
}

} // namespace
} // namespace loomp::analysis
