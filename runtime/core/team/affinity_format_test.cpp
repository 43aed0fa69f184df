// OMP_AFFINITY_FORMAT (OpenMP 5.2, 21.2.5): fields, widths, fillings.
#include "runtime/core/team/affinity_format.h"

#include <gtest/gtest.h>

#include "runtime/abi/api/buffers.h"

namespace loomp::core {
namespace {

std::string expanded(const char *format) {
    AffinityValues values;
    values.team_num = 1;
    values.num_teams = 4;
    values.nesting_level = 2;
    values.thread_num = 3;
    values.num_threads = 8;
    values.ancestor_tnum = -1;
    values.host = "node7";
    values.process_id = 1234;
    values.native_thread_id = 1240;
    values.thread_affinity = "0-3,5";
    return expand_affinity_format(format, values);
}

TEST(AffinityFormat, ShortAndLongNames) {
    EXPECT_EQ(expanded("%t %T %L %n %N %a %H %P %i %A"), "1 4 2 3 8 -1 node7 1234 1240 0-3,5");
    EXPECT_EQ(expanded("%{team_num} %{num_teams} %{nesting_level} %{thread_num} %{num_threads} "
                       "%{ancestor_tnum} %{host} %{process_id} %{native_thread_id} "
                       "%{thread_affinity}"),
              "1 4 2 3 8 -1 node7 1234 1240 0-3,5");
}

TEST(AffinityFormat, WidthsFillFromEitherSide) {
    EXPECT_EQ(expanded("%4n|"), "3   |");
    EXPECT_EQ(expanded("%.4n|"), "   3|");
    EXPECT_EQ(expanded("%0.4n|"), "0003|");
    EXPECT_EQ(expanded("%0.4a|"), "-001|");
    EXPECT_EQ(expanded("%.4a|"), "  -1|");
    EXPECT_EQ(expanded("%0.8H|"), "   node7|") << "zeros fill numbers only";
    EXPECT_EQ(expanded("%8{host}|"), "node7   |");
    EXPECT_EQ(expanded("%.2P|"), "1234|") << "a width never cuts";
}

TEST(AffinityFormat, PlainTextAndPercentSigns) {
    EXPECT_EQ(expanded(""), "");
    EXPECT_EQ(expanded("L:%0.5L%%%n>"), "L:00002%3>");
    EXPECT_EQ(expanded("100%%"), "100%");
}

TEST(AffinityFormat, UnknownFieldsAreUndefined) {
    EXPECT_EQ(expanded("%x|"), "undefined|");
    EXPECT_EQ(expanded("%{nothing}|"), "undefined|");
    EXPECT_EQ(expanded("%{open"), "undefined");
    EXPECT_EQ(expanded("%"), "undefined");
    EXPECT_EQ(expanded("%{}"), "undefined");
}

TEST(AffinityFormat, AHugeWidthIsBounded) {
    EXPECT_LE(expanded("%99999999999999999999n").size(), 4096U);
}

TEST(AffinityFormat, BuffersMayBeShortOrAbsent) {
    char buffer[] = "xxxxxx";
    EXPECT_EQ(abi::to_buffer("abcdef", buffer, 4), 6U);
    EXPECT_STREQ(buffer, "abc");
    EXPECT_EQ(abi::to_fortran("ab", buffer, 4), 2U);
    EXPECT_STREQ(buffer, "ab  xx");
    EXPECT_EQ(abi::to_fortran("abcdef", buffer, 3), 6U);
    EXPECT_STREQ(buffer, "abc xx");
    EXPECT_EQ(abi::to_buffer("abcdef", nullptr, 0), 6U);
    EXPECT_EQ(abi::to_fortran("abcdef", nullptr, 0), 6U);
}

TEST(AffinityFormat, ThisThreadHasValues) {
    EXPECT_EQ(format_affinity("%{nesting_level} %{num_threads} %a"), "0 1 -1");
    EXPECT_NE(current_affinity_values().thread_affinity, "");
}

TEST(AffinityFormat, TheProgramMayChangeIt) {
    const std::string before = affinity_format();
    set_affinity_format("thread %n");
    EXPECT_EQ(affinity_format(), "thread %n");
    EXPECT_EQ(format_affinity(nullptr), "thread 0");
    EXPECT_EQ(format_affinity(""), "thread 0");
    set_affinity_format(before.c_str());
}

} // namespace
} // namespace loomp::core
