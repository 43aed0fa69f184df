// The contents of `loomp view`'s page.
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/metrics/communication.h"
#include "profiler/metrics/iterations.h"
#include "profiler/view/columns.h"
#include "profiler/view/page.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

TEST(Columns, Base64IsThatOfRfc4648) {
    const std::pair<const char *, const char *> cases[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto &[bytes, text] : cases)
        EXPECT_EQ(base64(bytes), text);
}

TEST(Columns, NumbersTakeAByteForSixBitsAndOneForEachFurtherSeven) {
    Columns columns;
    columns.begin("plain");
    for (const std::int64_t value : {0, -1, 63, -64})
        columns.put(value);
    columns.begin("wide");
    columns.put(64);
    columns.put(std::numeric_limits<std::int64_t>::min());
    columns.add("differences", Columns::Coding::differences,
                std::vector<int>{1000000, 1000001, 999999}, [](int value) { return value; });
    ASSERT_EQ(columns.entries().size(), 3u);
    EXPECT_EQ(columns.entries()[0].bytes, 4u);
    EXPECT_EQ(columns.entries()[1].bytes, 2u + 10u);
    EXPECT_EQ(columns.entries()[2].bytes, 3u + 1u + 1u);
    EXPECT_EQ(columns.entries()[2].count, 3u);
}

/// Tasks of kinds (their first letters) on rank 0, each created after the one before.
class Created {
  public:
    void create(const std::string &kinds) {
        for (const char kind : kinds) {
            if (kinds_.find(kind) == kinds_.end())
                kinds_[kind] = events_.builder.add_kind({kind}, "");
            ++count_;
            events_.builder.create(events_.thread("0.0"), count_,
                                   static_cast<std::uint64_t>(count_), kinds_[kind]);
        }
    }
    void depend(std::uint64_t from, std::uint64_t to) { events_.builder.depend(0, from, to); }
    /// The indices of the tasks in order of creation.
    std::vector<Index> iterations() { return iterations_of(events_.take()); }

  private:
    Events events_;
    std::map<char, Index> kinds_;
    Time count_ = 0;
};

TEST(Iterations, BeginWithTheFirstOfTheKindsThatComeOnceInEach) {
    Created tasks;
    tasks.create("iaabcaabcaabd");
    EXPECT_EQ(tasks.iterations(), (std::vector<Index>{0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Iterations, AreNotThoseOfAKindThatComesEverySecondTime) {
    Created tasks;
    tasks.create("ababcababc");
    EXPECT_EQ(tasks.iterations(), (std::vector<Index>{0, 0, 1, 1, 1, 2, 2, 3, 3, 3}));
}

TEST(Iterations, OfOneKindAreStepsOfItsGraph) {
    Created tasks;
    tasks.create("aaaa");
    tasks.depend(1, 3);
    tasks.depend(2, 3);
    tasks.depend(3, 4);
    EXPECT_EQ(tasks.iterations(), (std::vector<Index>{0, 0, 1, 2}));
}

/// Rank 0 computes on two threads, and has two messages in flight, one of them for long.
Trace communicating() {
    Events events;
    events.create("0.0", 0, "sends");
    events.run("0.0", 0, "sends");
    events.start("0.0", 1, 1, RequestKind::send, 1, 1);
    events.start("0.0", 1.3, 2, RequestKind::send, 1, 2);
    events.finish("0.0", 1.4, 1);
    events.finish("0.0", 1.4, 2);
    events.leave("0.0", 3.17);
    events.task("0.1", 1.25, 7.6, "computes");
    events.create("1.0", 0, "receives");
    events.run("1.0", 0, "receives");
    events.start("1.0", 0, 3, RequestKind::receive, 0, 1);
    events.start("1.0", 0, 4, RequestKind::receive, 0, 2);
    events.finish("1.0", 2.2, 4);
    events.finish("1.0", 9.1, 3);
    events.leave("1.0", 10);
    return events.take();
}

TEST(OverlapOverTime, IsTheOverlapOfEachPart) {
    const Trace trace = communicating();
    ASSERT_EQ(trace.messages.size(), 2u);
    for (const std::size_t parts : {1, 3, 7, 100}) {
        const Interval window{ns(0.5), ns(9.5)};
        const auto over_time = overlap_over_time(trace, 0, window, parts);
        ASSERT_EQ(over_time.size(), parts);
        for (std::size_t i = 0; i < parts; ++i) {
            const auto at = [&](std::size_t part) {
                return window.begin +
                       window.length() * static_cast<Time>(part) / static_cast<Time>(parts);
            };
            const Overlap part = overlap_of_rank(trace, 0, Interval{at(i), at(i + 1)});
            EXPECT_EQ(over_time[i].work, part.work) << i << " of " << parts;
            EXPECT_EQ(over_time[i].communication, part.communication) << i << " of " << parts;
            EXPECT_EQ(over_time[i].flights, part.flights) << i << " of " << parts;
        }
    }
}

nlohmann::json summary_in(const std::string &page) {
    const std::string begin = R"(id="summary">)";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(Page, SaysWhatTheTraceSays) {
    std::ostringstream out;
    write_page(communicating(),
               {.name = "a<b & c",
                .findings = {{{"Late", "x.c:1", 0.5, "Do </script> it."}}},
                .unfinished = {"the run was cut off"}},
               out);
    const std::string page = out.str();
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_NE(page.find("<title>a&lt;b &amp; c"), std::string::npos);
    const auto summary = summary_in(page);
    EXPECT_EQ(summary["tasks"], 3);
    EXPECT_EQ(summary["tasksCreated"], 3);
    EXPECT_EQ(summary["unfinished"][0], "the run was cut off");
    EXPECT_EQ(summary["makespan"][1].get<Time>() - summary["makespan"][0].get<Time>(), ns(10));
    EXPECT_EQ(summary["threads"].size(), 3u);
    EXPECT_EQ(summary["threads"][1]["work"], ns(6.35));
    EXPECT_EQ(summary["findings"][0]["text"], "Do </script> it.");
    EXPECT_EQ(summary["path"]["length"], ns(10));
}

TEST(Page, OfATraceWithNothingInItIsOne) {
    std::ostringstream out;
    Trace nothing;
    nothing.task_segments = nothing.task_calls = {0};
    write_page(nothing, {.name = "nothing", .findings = {}}, out);
    EXPECT_EQ(summary_in(out.str())["tasks"], 0);
}

} // namespace
} // namespace loomp::analysis
