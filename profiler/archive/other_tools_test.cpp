// Archives with what loomp's writer never writes, written by OTF2's library.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <otf2/otf2.h>

#include "profiler/archive/archive.h"
#include "tests/analysis/other_archive.h"

namespace loomp::analysis {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSecond = 1'000'000'000; // ticks

/// A temporary folder that the destructor removes.
class ArchiveFolder {
  public:
    ArchiveFolder()
        : path_(fs::temp_directory_path() / ("loomp-other-tools-" + std::to_string(getpid()))) {
        fs::remove_all(path_);
    }
    ArchiveFolder(const ArchiveFolder &) = delete;
    ArchiveFolder &operator=(const ArchiveFolder &) = delete;
    ~ArchiveFolder() {
        std::error_code error;
        fs::remove_all(path_, error);
    }
    const fs::path &path() const { return path_; }
    fs::path anchor() const { return path_ / "run.otf2"; }

  private:
    fs::path path_;
};

/// Strings and regions of every archive, by number.
enum String : OTF2_StringRef { kNothing, kSend, kReceive, kReduce, kWork, kStrings };
constexpr const char *kTexts[kStrings] = {"", "MPI_Send", "MPI_Recv", "MPI_Allreduce", "work"};

using WriteEvents = std::function<void(OTF2_LocationRef, OTF2_EvtWriter *)>;
using WriteDefinitions = std::function<void(OTF2_GlobalDefWriter *)>;

/// Location i is the only thread of location group i.
void write_run(const fs::path &folder, OTF2_LocationRef locations, std::uint64_t origin,
               const WriteEvents &events, const WriteDefinitions &definitions) {
    OTF2_Archive *archive = open_for_events(folder);
    ASSERT_NE(archive, nullptr);
    for (OTF2_LocationRef location = 0; location < locations; ++location) {
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, location);
        events(location, writer);
        OTF2_Archive_CloseEvtWriter(archive, writer);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(writer, kSecond, origin, kSecond,
                                              OTF2_UNDEFINED_TIMESTAMP);
    for (OTF2_StringRef i = 0; i < kStrings; ++i)
        OTF2_GlobalDefWriter_WriteString(writer, i, kTexts[i]);
    for (OTF2_RegionRef i = kSend; i < kStrings; ++i)
        OTF2_GlobalDefWriter_WriteRegion(writer, i, i, i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         i == kWork ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, 0, 0,
                                         0, 0);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t i = 0; i < locations; ++i) {
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 2, i);
    }
    definitions(writer);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
    OTF2_Archive_Close(archive);
}

void write_group(OTF2_GlobalDefWriter *writer, OTF2_GroupRef ref, OTF2_GroupType type,
                 const std::vector<std::uint64_t> &members,
                 OTF2_GroupFlag flags = OTF2_GROUP_FLAG_NONE) {
    OTF2_GlobalDefWriter_WriteGroup(writer, ref, 0, type, OTF2_PARADIGM_MPI, flags,
                                    static_cast<std::uint32_t>(members.size()), members.data());
}

// The clock has run for 120 days, more nanoseconds than a double tells apart. OTF2 wants an origin
// that is smaller than all times, such as 0.
TEST(OtherTools, TheOriginMayBeLongBeforeTheRun) {
    const ArchiveFolder folder;
    const std::uint64_t start = 120 * 86400 * kSecond;
    const auto events = [&](OTF2_LocationRef location, OTF2_EvtWriter *writer) {
        OTF2_AttributeList *list = OTF2_AttributeList_New();
        OTF2_AttributeList_AddStringRef(list, 0, kWork);
        OTF2_EvtWriter_Enter(writer, list, start + location * kSecond, kWork);
        OTF2_AttributeList_Delete(list);
        OTF2_EvtWriter_Leave(writer, nullptr, start + 3 * kSecond, kWork);
    };
    // The attribute has one of our names, and another meaning.
    write_run(folder.path(), 2, 0, events, [](OTF2_GlobalDefWriter *writer) {
        OTF2_GlobalDefWriter_WriteString(writer, kStrings, "suspended");
        OTF2_GlobalDefWriter_WriteAttribute(writer, 0, kStrings, 0, OTF2_TYPE_STRING);
    });
    const Trace trace = read_archive(folder.anchor());
    EXPECT_TRUE(trace.problems.empty());
    ASSERT_EQ(trace.user_regions.size(), 2u);
    std::vector<Interval> times;
    for (const UserRegion &region : trace.user_regions)
        times.push_back({region.begin, region.end});
    std::sort(times.begin(), times.end(),
              [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
    EXPECT_EQ(times[0].begin, 0);
    EXPECT_EQ(times[1].begin, 1'000'000'000);
    EXPECT_EQ(times[0].end, 3'000'000'000);
    EXPECT_EQ(times[1].end, 3'000'000'000);
}

/// MPI's rank 0 is location 2, rank 1 is location 0, and rank 2 is location 1.
constexpr std::uint64_t kLocationOf[] = {2, 0, 1};
enum Communicators : OTF2_CommRef { kWorld, kReversed, kSelf, kInter, kAsAll };

/// Rank 0 sends to ranks 1 and 2, in a communicator of the reverse order, in an inter-communicator,
/// and in one whose peers are ranks of all. Then each rank sends to itself, and all reduce.
void write_ranks(const fs::path &folder) {
    const auto events = [](OTF2_LocationRef location, OTF2_EvtWriter *writer) {
        const auto rank =
            std::find(std::begin(kLocationOf), std::end(kLocationOf), location) - kLocationOf;
        const auto at = [](int seconds) { return static_cast<unsigned>(100 + seconds) * kSecond; };
        const auto send = [&](int time, OTF2_CommRef comm, std::uint32_t to) {
            OTF2_EvtWriter_Enter(writer, nullptr, at(time), kSend);
            OTF2_EvtWriter_MpiSend(writer, nullptr, at(time), to, comm, 7, 8);
            OTF2_EvtWriter_Leave(writer, nullptr, at(time), kSend);
        };
        const auto receive = [&](int time, OTF2_CommRef comm, std::uint32_t from) {
            OTF2_EvtWriter_Enter(writer, nullptr, at(time), kReceive);
            OTF2_EvtWriter_MpiRecv(writer, nullptr, at(time + 1), from, comm, 7, 8);
            OTF2_EvtWriter_Leave(writer, nullptr, at(time + 1), kReceive);
        };
        if (rank == 0) {
            send(0, kWorld, 1);
            send(0, kReversed, 0); // rank 2
            send(0, kInter, 1);    // rank 2
            send(0, kAsAll, 2);
        } else if (rank == 1) {
            receive(0, kWorld, 0);
        } else {
            receive(0, kReversed, 2);
            receive(2, kInter, 0);
            receive(4, kAsAll, 0);
        }
        send(10, kSelf, 0);
        receive(11, kSelf, 0);
        OTF2_EvtWriter_Enter(writer, nullptr, at(20), kReduce);
        OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, at(20));
        OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, at(22), OTF2_COLLECTIVE_OP_ALLREDUCE,
                                        kWorld, OTF2_UNDEFINED_UINT32, 16, 32);
        OTF2_EvtWriter_Leave(writer, nullptr, at(22), kReduce);
    };
    write_run(folder, 3, 100 * kSecond, events, [](OTF2_GlobalDefWriter *writer) {
        const std::vector<std::uint64_t> locations(std::begin(kLocationOf), std::end(kLocationOf));
        write_group(writer, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, locations);
        write_group(writer, 1, OTF2_GROUP_TYPE_COMM_GROUP, {0, 1, 2});
        write_group(writer, 2, OTF2_GROUP_TYPE_COMM_GROUP, {2, 1, 0});
        write_group(writer, 3, OTF2_GROUP_TYPE_COMM_SELF, {});
        write_group(writer, 4, OTF2_GROUP_TYPE_COMM_GROUP, {0});
        write_group(writer, 5, OTF2_GROUP_TYPE_COMM_GROUP, {1, 2});
        write_group(writer, 6, OTF2_GROUP_TYPE_COMM_GROUP, {0, 2}, OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
        const auto communicator = [&](OTF2_CommRef ref, OTF2_GroupRef group) {
            OTF2_GlobalDefWriter_WriteComm(writer, ref, 0, group, OTF2_UNDEFINED_COMM, 0);
        };
        communicator(kWorld, 1);
        communicator(kReversed, 2);
        communicator(kSelf, 3);
        OTF2_GlobalDefWriter_WriteInterComm(writer, kInter, 0, 4, 5, OTF2_UNDEFINED_COMM, 0);
        communicator(kAsAll, 6);
    });
}

void check_ranks(const Trace &trace) {
    std::string problems;
    for (const std::string &problem : trace.problems)
        problems += problem + '\n';
    EXPECT_EQ(problems, "");
    ASSERT_EQ(trace.threads.size(), 3u);
    for (Index i = 0; i < 3; ++i)
        EXPECT_EQ(trace.threads[i].rank, i);
    std::map<std::pair<Index, Index>, int> messages;
    for (const Message &message : trace.messages)
        ++messages[{trace.requests[message.send].rank, trace.requests[message.receive].rank}];
    EXPECT_EQ(messages, (std::map<std::pair<Index, Index>, int>{
                            {{0, 0}, 1}, {{0, 1}, 1}, {{0, 2}, 3}, {{1, 1}, 1}, {{2, 2}, 1}}));
    ASSERT_EQ(trace.collectives.size(), 1u);
    ASSERT_EQ(trace.collectives[0].size(), 3u);
    for (const Index request : trace.collectives[0]) {
        EXPECT_EQ(trace.requests[request].started, 20'000'000'000);
        EXPECT_EQ(trace.requests[request].completed, 22'000'000'000);
        EXPECT_EQ(trace.requests[request].bytes, 32u);
    }
}

TEST(OtherTools, RanksAndPeersAreThoseOfMpi) {
    const ArchiveFolder folder;
    write_ranks(folder.path());
    check_ranks(read_archive(folder.anchor()));
}

/// Rewrites a file of OTF2's, written on a little-endian machine, as a big-endian one writes it.
class BigEndian {
  public:
    explicit BigEndian(const fs::path &file) {
        std::ifstream in(file, std::ios::binary);
        text_.assign(std::istreambuf_iterator<char>(in), {});
    }
    void write(const fs::path &file) const {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text_;
    }

    void anchor() {
        header();
        at_ += 10; // "OTF2" and versions
        swap(8);
        swap(8);
        at_ += 2; // substrate and compression
        swap(8);
        swap(8);
    }
    /// The fields of each type of record: a number, a byte, a text, or a list of numbers. `plain`
    /// types have no length.
    void records(const std::map<int, const char *> &fields, const std::string &plain) {
        header();
        swap(8);
        swap(8);
        for (int type = byte(); type != 2; type = byte()) {
            if (type == 5 && fields.at(type)[0] == 't') {
                swap(8);
                continue;
            }
            const bool has_length = plain.find(static_cast<char>(type)) == std::string::npos;
            ASSERT_FALSE(has_length && byte() == 255);
            ASSERT_TRUE(fields.contains(type)) << type;
            for (const char *field = fields.at(type); *field != 0; ++field)
                read(*field);
        }
    }

  private:
    void header() {
        at_ = 1;
        text_[at_++] = 0x23;
    }
    int byte() { return static_cast<unsigned char>(text_.at(at_++)); }
    void swap(std::size_t size) {
        std::reverse(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                     text_.begin() + static_cast<std::ptrdiff_t>(at_ + size));
        at_ += size;
    }
    std::uint64_t number() {
        const auto size = static_cast<std::size_t>(byte());
        std::uint64_t value = 0;
        if (size == 0 || size == 255)
            return value;
        for (std::size_t i = 0; i < size; ++i)
            value |= std::uint64_t{static_cast<unsigned char>(text_.at(at_ + i))} << 8 * i;
        swap(size);
        return value;
    }
    void read(char field) {
        if (field == 'b')
            byte();
        if (field == 's')
            while (byte() != 0) {
            }
        if (field == 'n')
            number();
        if (field == 'l')
            for (std::uint64_t left = number(); left > 0; --left)
                number();
    }

    std::string text_;
    std::size_t at_ = 0;
};

TEST(OtherTools, ABigEndianArchiveIsTheSameTrace) {
    const ArchiveFolder folder;
    write_ranks(folder.path());
    const auto rewrite = [](const fs::path &file, const std::function<void(BigEndian &)> &how) {
        BigEndian big(file);
        how(big);
        big.write(file);
    };
    rewrite(folder.anchor(), [](BigEndian &file) { file.anchor(); });
    rewrite(folder.path() / "run.def", [](BigEndian &file) {
        file.records({{5, "nnnn"},
                      {10, "ns"},
                      {12, "nnnn"},
                      {13, "nnbnn"},
                      {14, "nnbnn"},
                      {15, "nnnbnnnnbbn"},
                      {18, "nnblbbn"},
                      {22, "nnnnn"},
                      {43, "nnnnnn"}},
                     "");
    });
    for (const char *location : {"0", "1", "2"})
        rewrite(folder.path() / "run" / (std::string(location) + ".evt"), [](BigEndian &file) {
            file.records({{5, "t"},
                          {12, "n"},
                          {13, "n"},
                          {14, "nnnn"},
                          {18, "nnnn"},
                          {22, ""},
                          {23, "bnnnn"}},
                         "\x0c\x0d");
        });
    check_ranks(read_archive(folder.anchor()));
}

} // namespace
} // namespace loomp::analysis
