// Damaged, truncated, empty, foreign or future archives and recordings: one line names the damage
// and its place, and the readable rest is read.
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <unistd.h>

#include <gtest/gtest.h>
#include <otf2/otf2.h>

#include "loomp/omp-tools.h"
#include "profiler/archive/archive.h"
#include "tests/analysis/other_archive.h"

namespace loomp::analysis {
namespace {

namespace fs = std::filesystem;
using record::Event;
using record::Record;
using record::task_name;

constexpr std::uint32_t kTasks = 1000; ///< for each of two threads

/// A temporary folder that the destructor removes.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("loomp-damage-" + std::to_string(getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    const fs::path &path() const { return path_; }

  private:
    fs::path path_;
};

std::string contents(const fs::path &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path &file, const std::string &text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

void change(const fs::path &file, const std::function<void(std::string &)> &how) {
    std::string text = contents(file);
    how(text);
    write(file, text);
}

/// A thread that creates tasks and runs each at once.
std::string thread_file(std::uint32_t thread) {
    const record::Header header{.thread = thread};
    std::string file(reinterpret_cast<const char *>(&header), sizeof header);
    const auto add = [&](const Record &record) {
        file.append(reinterpret_cast<const char *>(&record), sizeof record);
    };
    const std::uint64_t self = task_name(thread, record::kNoNumber - 1);
    std::uint64_t time = 100;
    add({time, self, 0, ompt_task_implicit, Event::implicit_begin});
    for (std::uint32_t i = 1; i <= kTasks; ++i) {
        const std::uint64_t task = task_name(thread, i);
        add({time += 10, task, 0x400000, ompt_task_explicit, Event::create});
        add({time += 10, self, task, ompt_task_switch, Event::schedule});
        add({time += 10, task, self, ompt_task_complete, Event::schedule});
    }
    return file;
}

/// A recording of one process with two threads.
void record_in(const fs::path &folder) {
    const fs::path process = folder / "process-1";
    fs::create_directories(process);
    write(process / record::kInfoFile, "rank 0\nhost node\nclock 50 1700000000000000000\n");
    for (const std::uint32_t thread : {1, 2})
        write(process / (record::kThreadPrefix + std::to_string(thread)), thread_file(thread));
}

std::size_t explicit_tasks(const Trace &trace) {
    return static_cast<std::size_t>(std::count_if(trace.tasks.begin(), trace.tasks.end(),
                                                  [](const Task &task) { return !task.implicit; }));
}

std::string joined(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines)
        text += line + '\n';
    return text;
}

struct Case {
    const char *name;
    std::function<void(const fs::path &folder)> damage;
    std::vector<std::string> says; ///< parts of the problems or of the exception
    std::size_t at_least;          ///< tasks that can be read nevertheless
    bool readable = true;
};

Case refused(const char *name, const std::function<void(const fs::path &folder)> &damage,
             const std::vector<std::string> &says) {
    return {name, damage, says, 0, false};
}

void check(const Case &damaged, const std::function<Trace(std::vector<std::string> &)> &read) {
    SCOPED_TRACE(damaged.name);
    std::vector<std::string> lines;
    std::size_t tasks = 0;
    bool readable = true;
    try {
        const Trace trace = read(lines);
        lines.insert(lines.end(), trace.problems.begin(), trace.problems.end());
        tasks = explicit_tasks(trace);
    } catch (const std::runtime_error &problem) {
        lines.emplace_back(problem.what());
        readable = false;
    }
    EXPECT_EQ(readable, damaged.readable) << joined(lines);
    EXPECT_GE(tasks, damaged.at_least) << joined(lines);
    for (const std::string &line : lines)
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    for (const std::string &part : damaged.says)
        EXPECT_NE(joined(lines).find(part), std::string::npos) << part << "\nis not in\n"
                                                               << joined(lines);
}

const auto kCut = [](std::size_t to) {
    return [to](std::string &text) { text.resize(std::min(text.size(), to)); };
};
const auto kPut = [](std::size_t at, const std::string &what) {
    return [at, what](std::string &text) { text.replace(at, what.size(), what); };
};

/// Changes a file of events: the first time after byte `from` becomes the file's first time plus
/// `more`.
const auto kTime = [](std::size_t from, std::uint64_t more) {
    return [=](std::string &text) {
        constexpr char timestamp = 5;
        constexpr std::size_t header = 18;
        std::size_t at = from;
        const auto time_at = [&](std::size_t where) {
            std::uint64_t time = 0;
            std::memcpy(&time, text.data() + where + 1, sizeof time);
            return time;
        };
        ASSERT_EQ(text[header], timestamp);
        const std::uint64_t first = time_at(header);
        while (text[at] != timestamp || time_at(at) < first || time_at(at) > first + 1'000'000'000)
            ASSERT_LT(++at + sizeof first, text.size());
        const std::uint64_t changed = first + more;
        std::memcpy(text.data() + at + 1, &changed, sizeof changed);
    };
};

TEST(Archives, DamagedOnesAreReadAsFarAsTheyCanBe) {
    const std::size_t all = 2 * kTasks;
    const auto file = [](const char *name, const std::function<void(std::string &)> &how) {
        return [=](const fs::path &folder) { change(folder / name, how); };
    };
    const auto empty = kCut(0);
    const std::vector<Case> cases = {
        {"nothing", [](const fs::path &) {}, {}, all},
        refused("no anchor", [](const fs::path &at) { fs::remove(at / kArchive); },
                {"traces.otf2: No such file or directory"}),
        refused("empty anchor", file(kArchive, empty), {"traces.otf2: empty: no OTF2 archive"}),
        refused("cut anchor", file(kArchive, kCut(20)),
                {"traces.otf2: cut off: the 20 bytes of an OTF2 archive's first file are too few"}),
        refused("text as anchor",
                [](const fs::path &at) { write(at / kArchive, "hello, world, hello\n"); },
                {"traces.otf2: no OTF2 archive, or one that is damaged at its very beginning"}),
        refused("anchor of the future", file(kArchive, kPut(7, "\x09")),
                {"format 9", "a newer one is needed"}),
        refused("compressed", file(kArchive, kPut(29, "\x02")),
                {"a compressed OTF2 archive, which loomp does not read: record it without "
                 "compression"}),
        refused(
            "SIONlib's", file(kArchive, kPut(28, "\x02")),
            {"an OTF2 archive in SIONlib's files, which loomp does not read: record it with OTF2's "
             "POSIX substrate"}),
        refused("of no substrate", file(kArchive, kPut(28, "\x07")),
                {"a damaged OTF2 archive: its first file says what cannot be"}),
        refused("no definitions", [](const fs::path &at) { fs::remove(at / "traces.def"); },
                {"traces.def: No such file or directory: without it, traces.otf2 cannot be read"}),
        refused("empty definitions", file("traces.def", empty), {"traces.def: empty"}),
        refused(
            "cut definitions", file("traces.def", kCut(40)),
            {"traces.def: damaged at byte", ", so definitions are missing: it is cut off there"}),
        refused("damaged definitions", file("traces.def", kPut(60, "\x0a\xff\xff\xff\xff")),
                {"traces.def: damaged at byte", "are missing: what is there is no definition"}),
        refused("definitions without threads", file("traces.def", kPut(18, "\x02")),
                {"traces.def: no threads are defined there"}),
        refused("a folder as definitions",
                [](const fs::path &at) {
                    fs::remove(at / "traces.def");
                    fs::create_directory(at / "traces.def");
                },
                {"traces.def: not a regular file"}),
        {"no events of a thread",
         [](const fs::path &at) { fs::remove(at / "traces/1.evt"); },
         {"1.evt: No such file or directory: its", "events are left out"},
         kTasks},
        {"no events at all",
         [](const fs::path &at) { fs::remove_all(at / "traces"); },
         {"0.evt: No such file", "1.evt: No such file"},
         0},
        {"empty events", file("traces/0.evt", empty), {"0.evt: empty"}, kTasks},
        {"cut events",
         file("traces/0.evt", kCut(10'000)),
         {"0.evt: damaged at byte 99", " events, which is where they end: it is cut off there"},
         kTasks + 100},
        {"cut in the header", file("traces/0.evt", kCut(10)), {"0.evt: damaged at byte 0"}, kTasks},
        {"damaged events",
         file("traces/1.evt", kPut(10'000, std::string(64, '\xfe'))),
         {"1.evt: damaged at byte 99", "which is where they end: what is there is no event"},
         kTasks + 100},
        {"zeros for events",
         file("traces/1.evt", kPut(10'000, std::string(5'000, '\0'))),
         {"1.evt: damaged at byte"},
         kTasks + 100},
        {"no chunk of events",
         file("traces/1.evt", kPut(0, "\x07")),
         {"1.evt: damaged at byte 0", "end: what is there is no part of an OTF2 archive"},
         kTasks},
        {"a list of attributes that is too short",
         file("traces/1.evt", kPut(27, "\x06\x03\x01\x01\x04")),
         {"1.evt: damaged at byte", "end: what is there is no list of attributes"},
         kTasks},
        {"a time before others",
         file("traces/1.evt", kTime(10'000, 0)),
         {"1.evt: 2 events have a time before that of an earlier one, which is taken"},
         all},
        {"a time far away",
         file("traces/1.evt", kTime(10'000, std::uint64_t{1} << 62)),
         {"1.evt: damaged at byte", "end: its time is months after the beginning"},
         kTasks + 100},
        {"no local definitions",
         [](const fs::path &at) { fs::remove(at / "traces/0.def"); },
         {},
         all},
        {"damaged local definitions", file("traces/0.def", kPut(2, "\xff\xff\xff\xff")), {}, all},
    };
    for (const Case &damaged : cases) {
        const Folder folder;
        record_in(folder.path());
        write_archive(open_recording(folder.path()), folder.path());
        damaged.damage(folder.path());
        check(damaged,
              [&](std::vector<std::string> &) { return read_archive(folder.path() / kArchive); });
    }
}

TEST(Archives, OneThatMayNotBeReadIsNamed) {
    const Folder folder;
    record_in(folder.path());
    write_archive(open_recording(folder.path()), folder.path());
    fs::permissions(folder.path() / "traces/0.evt", fs::perms::none);
    // Permissions do not stop root from reading.
    const bool root = geteuid() == 0;
    constexpr uid_t kNobody = 65534;
    if (root) {
        ASSERT_EQ(seteuid(kNobody), 0);
    }
    const Trace trace = read_archive(folder.path() / kArchive);
    if (root) {
        ASSERT_EQ(seteuid(0), 0);
    }
    EXPECT_EQ(explicit_tasks(trace), kTasks);
    EXPECT_NE(joined(trace.problems).find("0.evt: Permission denied"), std::string::npos);
}

TEST(Archives, OneThatCannotBeWrittenIsNoCrash) {
    const Folder folder;
    record_in(folder.path());
    const auto recording = open_recording(folder.path());
    fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
    const bool root = geteuid() == 0;
    constexpr uid_t kNobody = 65534;
    if (root) {
        ASSERT_EQ(chown(folder.path().c_str(), kNobody, kNobody), 0);
        ASSERT_EQ(seteuid(kNobody), 0);
    }
    std::string said;
    try {
        write_archive(recording, folder.path());
    } catch (const std::runtime_error &problem) {
        said = problem.what();
    }
    if (root) {
        ASSERT_EQ(seteuid(0), 0);
    }
    fs::permissions(folder.path(), fs::perms::owner_all);
    EXPECT_EQ(said.find("opening: "), 0U) << said; // and OTF2's own messages
}

TEST(Recordings, DamagedOnesAreReadAsFarAsTheyCanBe) {
    const std::size_t all = 2 * kTasks;
    const auto file = [](const char *name, const std::function<void(std::string &)> &how) {
        return [=](const fs::path &folder) { change(folder / "process-1" / name, how); };
    };
    const auto both = [](const std::function<void(std::string &)> &how) {
        return [=](const fs::path &folder) {
            change(folder / "process-1/thread-1", how);
            change(folder / "process-1/thread-2", how);
        };
    };
    constexpr std::size_t kSize = sizeof(Record);
    const std::vector<Case> cases = {
        {"nothing", [](const fs::path &) {}, {}, all},
        refused("no folder", [](const fs::path &at) { fs::remove_all(at); },
                {"No such file or directory"}),
        refused("nothing in it", [](const fs::path &at) { fs::remove_all(at / "process-1"); },
                {"nothing is recorded there"}),
        refused("no threads",
                [](const fs::path &at) {
                    fs::remove(at / "process-1/thread-1");
                    fs::remove(at / "process-1/thread-2");
                },
                {"nothing is recorded there"}),
        {"a thread less",
         [](const fs::path &at) { fs::remove(at / "process-1/thread-1"); },
         {},
         kTasks},
        {"empty thread", file("thread-1", kCut(0)), {"thread-1: empty"}, kTasks},
        {"cut in the header",
         file("thread-1", kCut(20)),
         {"thread-1: cut off: too short for a recording"},
         kTasks},
        {"a folder as thread",
         [](const fs::path &at) {
             fs::remove(at / "process-1/thread-1");
             fs::create_directory(at / "process-1/thread-1");
         },
         {"thread-1: not a regular file: what it had is left out"},
         kTasks},
        {"cut in a record",
         file("thread-1", kCut(100 * kSize + 5)),
         {"thread-1: cut off within record 100"},
         kTasks + 33},
        {"of another tool",
         file("thread-1", kPut(0, "something")),
         {"thread-1: no recording of loomp's"},
         kTasks},
        refused("of the future", both(kPut(8, std::string("\x63\0\0\0", 4))),
                {"thread-1: a recording of format 99", "this loomp reads format",
                 "the loomp that recorded it is needed"}),
        {"of the version before", both(kPut(8, std::string("\4\0\0\0", 4))), {}, all},
        refused("of an old version", both(kPut(8, std::string("\3\0\0\0", 4))),
                {"thread-1: a recording of format 3", "this loomp reads formats 4 to 5",
                 "the loomp that recorded it is needed"}),
        {"damaged",
         file("thread-2", kPut(300 * kSize, std::string(200, '\xfe'))),
         {"thread-2: damaged: what follows record 299 is left out"},
         kTasks + 99},
        {"zeros", file("thread-2", kPut(300 * kSize, std::string(64, '\0'))), {}, kTasks + 99},
        {"absurd numbers",
         file("thread-1",
              [](std::string &text) {
                  for (std::size_t at = kSize; at + kSize <= text.size(); at += kSize)
                      text.replace(at + 8, 8, std::string(8, static_cast<char>(at % 251)));
              }),
         {},
         kTasks},
        {"no info", [](const fs::path &at) { fs::remove(at / "process-1/info"); }, {}, all},
        {"nonsense for info",
         file("info",
              [](std::string &text) {
                  text =
                      "rank x\nclock 9e99 -1\noffset 99999999999999999999 1\nclock 1\n\xff\xfe\n";
              }),
         {},
         all},
        {"nonsense for the rest",
         [](const fs::path &at) {
             for (const char *name : {"maps", "labels", "communicators"})
                 write(at / "process-1" / name, "1 2 3 / x 99999999999\n\xff\n4294967296 1\n");
         },
         {},
         all},
    }; // namespace
    for (const Case &damaged : cases) {
        const Folder folder;
        record_in(folder.path());
        damaged.damage(folder.path());
        check(damaged, [&](std::vector<std::string> &lines) {
            const Recording recording = open_recording(folder.path());
            lines = recording.problems;
            write_archive(recording, folder.path());
            return read_archive(folder.path() / kArchive);
        });
    }
}

// Other tools write regions and messages, but no tasks.
TEST(Archives, OfOtherToolsTheCallsAreRead) {
    const Folder folder;
    OTF2_Archive *archive = open_for_events(folder.path() / "other");
    ASSERT_NE(archive, nullptr);
    const std::uint64_t second = 1'000'000; // ticks
    for (const OTF2_LocationRef rank : {0, 1}) {
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, rank);
        const auto at = [&](std::uint64_t seconds) { return 5 * second + seconds * second; };
        OTF2_EvtWriter_ProgramBegin(writer, nullptr, at(0), OTF2_UNDEFINED_STRING, 0, nullptr);
        // The location's own numbers, which its definitions map.
        OTF2_EvtWriter_Enter(writer, nullptr, at(1), 1);
        if (rank == 0)
            OTF2_EvtWriter_MpiSend(writer, nullptr, at(2), 1, 0, 7, 64);
        else
            OTF2_EvtWriter_MpiRecv(writer, nullptr, at(3), 0, 0, 7, 64);
        OTF2_EvtWriter_Leave(writer, nullptr, at(4), 1);
        OTF2_Archive_CloseEvtWriter(archive, writer);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    for (const OTF2_LocationRef rank : {0, 1}) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, rank);
        const std::uint64_t regions[] = {1, 0};
        OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(2, regions, false);
        OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map);
        OTF2_IdMap_Free(map);
        // Its clock is 1 s behind.
        OTF2_DefWriter_WriteClockOffset(writer, 0, second, 0);
        OTF2_DefWriter_WriteClockOffset(writer, 100 * second, second, 0);
        OTF2_Archive_CloseDefWriter(archive, writer);
    }
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, second, 5 * second, 10 * second,
                                              OTF2_UNDEFINED_TIMESTAMP);
    const char *const names[] = {"", "MPI_Exchange", "main"};
    for (OTF2_StringRef i = 0; i < std::size(names); ++i)
        OTF2_GlobalDefWriter_WriteString(writer, i, names[i]);
    OTF2_GlobalDefWriter_WriteRegion(writer, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_MPI, 0, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteRegion(writer, 1, 2, 2, 0, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_USER, 0, 0, 0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (const std::uint32_t rank : {0, 1}) {
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                0, OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, rank, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 4, rank);
    }
    const std::uint64_t members[] = {0, 1};
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    0, 2, members);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0,
                                    2, members);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM, 0);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
    OTF2_Archive_Close(archive);

    const Trace trace = read_archive(folder.path() / "other/run.otf2");
    EXPECT_EQ(trace.ranks, 2u);
    ASSERT_EQ(trace.threads.size(), 2u);
    ASSERT_EQ(trace.calls.size(), 2u) << joined(trace.problems);
    EXPECT_EQ(trace.kinds[trace.calls[0].function].label, "MPI_Exchange");
    EXPECT_EQ(trace.calls[0].begin,
              2'000'000'000); // since the origin, with the clock's offset
    EXPECT_EQ(trace.calls[0].end, 5'000'000'000);
    ASSERT_EQ(trace.messages.size(), 1u);
    EXPECT_EQ(trace.flight(trace.messages[0]).length(), 1'000'000'000);
}

} // namespace
} // namespace loomp::analysis
