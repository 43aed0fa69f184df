// Device work from libomptarget's records, with its figures and findings.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "loomp/omp-tools.h"
#include "profiler/export/exporters.h"
#include "profiler/lint/lint.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/devices.h"
#include "profiler/metrics/efficiency.h"
#include "profiler/metrics/run_times.h"
#include "profiler/recording/device_work.h"
#include "tests/analysis/support.h"

namespace loomp::analysis {
namespace {

using record::Event;
using record::on_device;
using record::Record;

std::uint32_t of(record::DeviceWork what, int device = 0) {
    return on_device(static_cast<std::uint32_t>(what), device);
}
constexpr auto kKernel = record::DeviceWork::kernel;
constexpr auto kTo = record::DeviceWork::copy_to;
constexpr auto kFrom = record::DeviceWork::copy_from;

/// A construct of task 7 on device 0 and its requests: kind, begin, end, bytes.
struct Asked {
    record::DeviceWork what;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t bytes;
};
std::vector<Record> construct(std::uint64_t name, std::uint64_t begin,
                              const std::vector<Asked> &asked, std::uint64_t completed) {
    std::vector<Record> records = {
        {begin, name, 0x1000, on_device(ompt_target_nowait, 0), Event::target_begin},
        {begin, name, 7, 0, Event::target_of}};
    for (const Asked &a : asked) {
        records.push_back({a.begin, name, a.bytes, of(a.what), Event::device_begin});
        records.push_back({a.end, name, a.bytes, of(a.what), Event::device_end});
    }
    records.push_back({asked.back().end + 1, name, 0, 0, Event::target_end});
    if (completed != 0)
        records.push_back({completed, name, 0, 0, Event::target_completed});
    return records;
}

std::vector<DeviceRecord> work_of(std::vector<std::vector<Record>> threads) {
    RecordedProcess process;
    process.device_records = std::move(threads);
    return device_work(process);
}

TEST(DeviceWork, AKernelHasTheRestOfItsConstructsTime) {
    // Copies of 64,000 bytes take at least 1,000 ns and their calls 100, so they continue after the
    // calls.
    const auto work = work_of({construct(
        1, 0, {{kTo, 0, 100, 64'000}, {kKernel, 200, 300, 0}, {kFrom, 400, 500, 64'000}}, 9'000)});
    ASSERT_EQ(work.size(), 3u);
    EXPECT_EQ(work[0].begin, 0);
    EXPECT_EQ(work[0].end, 200);
    EXPECT_EQ(work[1].what, kKernel);
    EXPECT_EQ(work[1].begin, 200);
    EXPECT_EQ(work[1].end, 9'000);
    EXPECT_EQ(work[1].task, 7u);
    EXPECT_EQ(work[1].address, 0x1000u);
    EXPECT_EQ(work[2].begin, 9'000);
    EXPECT_EQ(work[2].end, 9'000);
    EXPECT_EQ(work[2].bytes, 64'000u);
}

TEST(DeviceWork, ACallThatTakesAsLongAsTheCopyHasMadeIt) {
    const auto work = work_of(
        {construct(1, 0, {{kTo, 0, 50'000, 64'000}, {kKernel, 60'000, 60'100, 0}}, 100'000)});
    ASSERT_EQ(work.size(), 2u);
    EXPECT_EQ(work[0].end, 50'000);
    EXPECT_EQ(work[0].held, 50'000);
    EXPECT_EQ(work[1].begin, 60'000);
}

TEST(DeviceWork, KernelsOfPluginsThatComputeAtOnceEndWithTheirCalls) {
    const auto work = work_of(
        {construct(1, 0, {{kKernel, 0, 500'000, 0}, {kFrom, 500'100, 501'000, 100}}, 502'000)});
    ASSERT_EQ(work.size(), 2u);
    EXPECT_EQ(work[0].end, 500'000);
    EXPECT_EQ(work[1].begin, 500'100);
    EXPECT_EQ(work[1].end, 501'000);
}

TEST(DeviceWork, CopiesShareTheirConstructsTimeByBytes) {
    const auto work =
        work_of({construct(1, 0, {{kTo, 0, 10, 300'000}, {kTo, 20, 30, 100'000}}, 8'000)});
    ASSERT_EQ(work.size(), 2u);
    EXPECT_EQ(work[0].end, 6'000);
    EXPECT_EQ(work[1].begin, 6'000);
    EXPECT_EQ(work[1].end, 8'000);
}

TEST(DeviceWork, WhatIsInFlightAtOnceIsInSeveralRows) {
    const auto work = work_of({construct(1, 0, {{kKernel, 0, 10, 0}}, 1'000),
                               construct(2, 500, {{kKernel, 500, 510, 0}}, 2'000),
                               construct(3, 1'500, {{kKernel, 1'500, 1'510, 0}}, 3'000)});
    ASSERT_EQ(work.size(), 3u);
    EXPECT_EQ(work[0].row, 0u);
    EXPECT_EQ(work[1].row, 0u); // the third construct's, by time
    EXPECT_EQ(work[1].begin, 1'500);
    EXPECT_EQ(work[2].row, 1u);
}

TEST(DeviceWork, OfRuntimesThatDoNotTellOfItsEndTheTargetTaskDoes) {
    RecordedProcess process;
    process.device_records = {construct(1, 100, {{kKernel, 100, 110, 0}}, 0)};
    const std::vector<Record> records = {
        {50, 7, 0, ompt_task_explicit | ompt_task_target, Event::create},
        {5'000, 7, 0, ompt_task_complete, Event::schedule}};
    process.threads.push_back({1, MappedFile("/nowhere"), records, {}});
    EXPECT_EQ(device_work(process).at(0).end, 5'000);
    const std::vector<Record> of_another = {{50, 7, 0, ompt_task_explicit, Event::create},
                                            {5'000, 7, 0, ompt_task_complete, Event::schedule}};
    process.threads[0].records = of_another;
    EXPECT_EQ(device_work(process).at(0).end, 111);
}

class DeviceFigures : public testing::Test {
  protected:
    Events events;
    const Index kernel = events.builder.add_kind("kernel k", "");
    const Index copy = events.builder.add_kind("copy to device k", "");

    void put(double begin, double end, DeviceWorkKind what, Index row = 0,
             const std::string &task = "", double held = 0) {
        DeviceWork work{.begin = ns(begin),
                        .end = ns(end),
                        .held = ns(held),
                        .bytes = what == DeviceWorkKind::kernel ? 0U : 1'000U,
                        .rank = 0,
                        .device = 0,
                        .row = row,
                        .kind = what == DeviceWorkKind::kernel ? kernel : copy,
                        .what = what};
        events.builder.device_work(work, task.empty() ? 0 : events.id(task));
    }
};

TEST_F(DeviceFigures, AreOfTimeBesideWork) {
    // The device is busy from 1 to 6, from 3 to 4 with two constructs; a task runs from 2 to 5.
    events.thread("0.0");
    events.id("none"); // a name of 0 is none
    events.task("0.0", 2, 5, "host");
    put(1, 2, DeviceWorkKind::copy_to, 0, "", 0.5);
    put(2, 4, DeviceWorkKind::kernel);
    put(3, 6, DeviceWorkKind::kernel, 1);
    const Trace trace = events.take();
    const auto devices = device_table(trace);
    ASSERT_EQ(devices.size(), 1u);
    const DeviceRow &row = devices[0];
    EXPECT_EQ(row.kernels, 2u);
    EXPECT_EQ(row.kernel_time, ns(5));
    EXPECT_EQ(row.copies_to, 1u);
    EXPECT_EQ(row.bytes_to, 1'000u);
    EXPECT_EQ(row.copy_time, ns(1));
    EXPECT_EQ(row.held, ns(0.5));
    EXPECT_EQ(row.busy, ns(5));
    EXPECT_EQ(row.several, ns(1));
    EXPECT_EQ(row.overlapped, ns(3));
    EXPECT_DOUBLE_EQ(row.overlap(), 0.6);
    // A window selects the work that began in it, up to its end.
    const auto within = device_table(trace, Interval{ns(1.5), ns(4)});
    EXPECT_EQ(within.at(0).kernel_time, ns(3));
    EXPECT_EQ(within.at(0).copies_to, 0u);
    const auto kinds = device_kind_table(trace);
    ASSERT_EQ(kinds.size(), 2u);
    EXPECT_EQ(kinds[0].kind, kernel);
    EXPECT_EQ(kinds[0].longest, ns(3));
    EXPECT_EQ(kinds[1].bytes, 1'000u);
}

TEST_F(DeviceFigures, StandInsAreNoThreadsOfTheProgram) {
    // Two threads of 10 s: tasks of 10 and 6 s, 4 s idle. A stand-in runs a target task for 3 s
    // while the device is busy; this is no thread's time.
    events.task("0.0", 0, 10, "long");
    events.task("0.1", 0, 6, "short");
    const Index stand_in = events.builder.add_thread(0, 2, true);
    const Index launch = events.builder.add_kind("launch", "");
    events.builder.create(stand_in, ns(1), 77, launch);
    events.builder.run(stand_in, ns(6), 77);
    events.builder.leave(stand_in, ns(9), Leaving::ended);
    put(6, 10, DeviceWorkKind::kernel);
    const Trace trace = events.take();
    EXPECT_EQ(trace.count_threads(), 2u);
    const TimeBreakdown times = break_down(trace);
    EXPECT_EQ(times.total().work, ns(16));
    EXPECT_EQ(times.total().overhead, 0); // the target task is ready when it begins
    EXPECT_EQ(times.total().idle, ns(4));
    EXPECT_EQ(times.threads[2].total(), 0);
    const Efficiencies found = efficiencies(trace);
    EXPECT_DOUBLE_EQ(found.hybrid.balance, 0.8);
    EXPECT_DOUBLE_EQ(found.hybrid.communication, 1);
    Time outside = 0;
    for (const RunTimes &times : run_times(trace))
        outside += times[Doing::outside];
    EXPECT_EQ(run_times(trace)[2].total(), 0);
    EXPECT_EQ(outside, ns(4));
    EXPECT_EQ(device_table(trace).at(0).overlapped, ns(4));
}

TEST_F(DeviceFigures, WhatDevicesDoIsBehindTheThreadsInPerfetto) {
    events.thread("0.0");
    events.thread("0.1");
    events.id("none");
    events.task("0.0", 2, 5, "host");
    put(1, 2, DeviceWorkKind::copy_to, 0, "host");
    put(2, 4, DeviceWorkKind::kernel, 0, "host");
    put(3, 6, DeviceWorkKind::kernel, 1);
    std::ostringstream out;
    write_perfetto(events.take(), out);
    std::string seen;
    std::string names;
    const auto all = nlohmann::json::parse(out.str())["traceEvents"];
    for (const auto &event : all) {
        if (event.value("cat", "") == "device")
            seen += event["name"].get<std::string>() + " on " + event["tid"].dump() + " from " +
                    event["ts"].dump() + " for " + event["dur"].dump() + ", " +
                    event["args"].dump() + "\n";
        if (event["name"] == "thread_name" && event["tid"] >= 2)
            names += event["args"]["name"].get<std::string>() + "; ";
    }
    EXPECT_EQ(names, "device 0 row 0; device 0 row 1; ");
    EXPECT_EQ(seen, "copy to device k on 2 from 1000000.0 for 1000000.0, "
                    "{\"bytes\":1000,\"task\":\"1\"}\n"
                    "kernel k on 2 from 2000000.0 for 2000000.0, {\"bytes\":0,\"task\":\"1\"}\n"
                    "kernel k on 3 from 3000000.0 for 3000000.0, {\"bytes\":0,\"task\":\"0\"}\n");
}

std::vector<Finding> find(const Trace &trace, Advice advice) {
    std::vector<Finding> findings = lint(trace);
    std::erase_if(findings, [&](const Finding &finding) { return finding.advice != advice; });
    return findings;
}

TEST_F(DeviceFigures, CopiesThatHoldUpThreadsAreFound) {
    events.id("none");
    events.task("0.0", 0, 5, "host");
    put(0, 1, DeviceWorkKind::copy_to, 0, "", 1);
    put(1, 3, DeviceWorkKind::copy_to, 0, "", 2);
    const auto found = find(events.take(), Advice::pageable_copies);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, copy);
    EXPECT_EQ(found[0].count, 2u);
    EXPECT_EQ(found[0].cause, ns(3));
    EXPECT_DOUBLE_EQ(found[0].gain, 3e9);
}

TEST_F(DeviceFigures, NowAndThenACopyMayHoldUpAThread) {
    events.id("none");
    events.task("0.0", 0, 5, "host");
    put(0, 1, DeviceWorkKind::copy_to, 0, "", 1);
    put(1, 2, DeviceWorkKind::copy_to);
    put(2, 3, DeviceWorkKind::copy_to);
    EXPECT_TRUE(find(events.take(), Advice::pageable_copies).empty());
}

TEST_F(DeviceFigures, ShortKernelsAreFound) {
    events.id("none");
    events.task("0.0", 0, 5, "host");
    put(0, 10e-6, DeviceWorkKind::kernel);
    put(1, 1 + 5e-6, DeviceWorkKind::kernel);
    put(2, 3, DeviceWorkKind::kernel);
    const auto found = find(events.take(), Advice::short_kernels);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 2u);
    EXPECT_NEAR(found[0].gain, 15e3, 1);
}

TEST_F(DeviceFigures, KernelsThatComeOneAfterTheOtherForNoReasonAreFound) {
    events.id("none");
    for (const char *task : {"a", "b", "c"})
        events.create("0.0", 0, task);
    double now = 1;
    for (const char *task : {"a", "b", "c"}) {
        events.run("0.0", now, task);
        events.leave("0.0", now + 0.1);
        put(now, now + 1, DeviceWorkKind::kernel, 0, task);
        ++now;
    }
    const auto found = find(events.take(), Advice::serial_device);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].count, 2u);
    EXPECT_EQ(found[0].cause, ns(2));
    EXPECT_DOUBLE_EQ(found[0].gain, 1e9);
}

TEST_F(DeviceFigures, KernelsThatDependOnEachOtherAreNotSerial) {
    events.id("none");
    for (const char *task : {"a", "b", "c"})
        events.create("0.0", 0, task);
    events.depend(0, "a", "b");
    events.depend(0, "b", "c");
    double now = 1;
    for (const char *task : {"a", "b", "c"}) {
        events.run("0.0", now, task);
        events.leave("0.0", now + 0.1);
        put(now, now + 1, DeviceWorkKind::kernel, 0, task);
        ++now;
    }
    EXPECT_TRUE(find(events.take(), Advice::serial_device).empty());
}

} // namespace
} // namespace loomp::analysis
