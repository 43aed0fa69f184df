// Converts a recording to an OTF2 archive.
#include <algorithm>
#include <cstdarg>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "profiler/archive/archive.h"
#include "profiler/archive/archive_format.h"
#include "profiler/archive/device_row_writer.h"
#include "profiler/archive/thread_writer.h"

namespace loomp::analysis {

namespace {

namespace fs = std::filesystem;
using namespace archive;

constexpr std::uint64_t kEventChunk = std::uint64_t{1} << 18;
constexpr std::uint64_t kDefinitionChunk = std::uint64_t{1} << 20;

/// OTF2 would print errors; the writer throws its return value instead.
OTF2_ErrorCode be_silent(void * /*data*/, const char * /*file*/, std::uint64_t /*line*/,
                         const char * /*function*/, OTF2_ErrorCode code, const char * /*format*/,
                         va_list /*arguments*/) {
    return code;
}

struct CloseArchive {
    void operator()(OTF2_Archive *archive) const { OTF2_Archive_Close(archive); }
};

/// Definitions of strings, each written once.
class Strings {
  public:
    explicit Strings(OTF2_GlobalDefWriter *writer) : writer_(writer) {}

    OTF2_StringRef operator()(const std::string &text) {
        const auto [place, added] = refs_.try_emplace(text, refs_.size());
        if (added)
            check(OTF2_GlobalDefWriter_WriteString(writer_, place->second, text.c_str()),
                  "writing definitions");
        return place->second;
    }

  private:
    OTF2_GlobalDefWriter *writer_;
    std::map<std::string, OTF2_StringRef> refs_;
};

class Writer {
  public:
    Writer(const Recording &recording, const fs::path &folder)
        : recording_(recording), communicators_(recording) {
        OTF2_Error_RegisterCallback(be_silent, nullptr);
        fs::remove_all(folder / "traces");
        fs::remove(folder / "traces.def");
        fs::remove(folder / kArchive);
        archive_.reset(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                         kDefinitionChunk, OTF2_SUBSTRATE_POSIX,
                                         OTF2_COMPRESSION_NONE));
        if (archive_ == nullptr)
            throw std::runtime_error(folder.string() + ": OTF2 cannot make an archive there");
    }

    void write() {
        static const OTF2_FlushCallbacks flush = {
            [](void *, OTF2_FileType, OTF2_LocationRef, void *, bool) {
                return static_cast<OTF2_FlushType>(OTF2_FLUSH);
            },
            nullptr};
        check(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flush, nullptr), "opening");
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()), "opening");
        check(OTF2_Archive_SetCreator(archive_.get(), "loomp"), "opening");
        check(OTF2_Archive_OpenEvtFiles(archive_.get()), "writing events");
        for (std::size_t i = 0; i < recording_.processes.size(); ++i)
            write_events(i);
        for (std::size_t i = 0; i < recording_.processes.size(); ++i)
            write_devices(i);
        check(OTF2_Archive_CloseEvtFiles(archive_.get()), "writing events");
        check(OTF2_Archive_OpenDefFiles(archive_.get()), "writing definitions");
        for (OTF2_LocationRef location = 0; location < counts_.size(); ++location)
            OTF2_Archive_CloseDefWriter(archive_.get(),
                                        OTF2_Archive_GetDefWriter(archive_.get(), location));
        check(OTF2_Archive_CloseDefFiles(archive_.get()), "writing definitions");
        write_definitions();
        check(OTF2_Archive_Close(archive_.release()), "closing");
    }

    std::vector<std::string> remarks() const {
        std::vector<std::string> lines;
        const auto times = [](std::size_t count) {
            return count == 1 ? std::string("once") : std::to_string(count) + " times";
        };
        if (without_begin_.count > 0)
            lines.push_back("loomp_region_end(\"" + without_begin_.first + "\") " +
                            (without_begin_.count > 1 ? "and others, " : "") +
                            times(without_begin_.count) +
                            ", in a task that has not begun such a region: left out");
        if (without_end_.count > 0)
            lines.push_back("loomp_region_begin(\"" + without_end_.first + "\") " +
                            (without_end_.count > 1 ? "and others, " : "") +
                            times(without_end_.count) +
                            ", without an end in the task that began it: it ends with the task");
        return lines;
    }

  private:
    static void add(OpenRegions::Misuse &sum, const OpenRegions::Misuse &more) {
        if (sum.count == 0)
            sum.first = more.first;
        sum.count += more.count;
    }

    // References of communicators: first each process' team, then MPI's communicators.
    OTF2_CommRef team(std::size_t process) const { return static_cast<OTF2_CommRef>(process); }
    OTF2_CommRef communicator(std::size_t index) const {
        return static_cast<OTF2_CommRef>(recording_.processes.size() + index);
    }

    void write_events(std::size_t index) {
        const RecordedProcess &process = recording_.processes[index];
        const Kinds kinds(process);
        const CodeNames names(process.folder / record::kMapsFile);
        const Requests requests(process);
        const OpenRegions open_regions(process);
        add(without_begin_, open_regions.without_begin());
        add(without_end_, open_regions.without_end());
        const std::vector<std::uint32_t> positions = positions_of(process);
        const ProcessContext context{index,        team(index),    communicator(0),
                                     positions,    process.clock,  kinds,
                                     names,        process.labels, requests,
                                     open_regions, communicators_, process.counters.size(),
                                     regions_};
        const auto shared = [&](const record::Record &record) {
            return static_cast<std::uint64_t>(process.clock.shared(static_cast<Time>(record.time)));
        };
        for (std::size_t i = 0; i < process.threads.size(); ++i) {
            const RecordedThread &thread = process.threads[i];
            OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive_.get(), counts_.size());
            const std::vector<Interval> gaps = process.gaps_of(thread);
            for (const Interval &gap : gaps) {
                first_ =
                    std::min(first_, static_cast<std::uint64_t>(process.clock.shared(gap.begin)));
                if (gap.end != kNever)
                    last_ =
                        std::max(last_, static_cast<std::uint64_t>(process.clock.shared(gap.end)));
            }
            const bool first = i == 0;
            if (first && process.loaded != kNever) {
                const auto begin = static_cast<std::uint64_t>(process.clock.shared(process.loaded));
                first_ = std::min(first_, begin);
                last_ = std::max(last_, begin);
                check(OTF2_EvtWriter_ProgramBegin(events, nullptr, begin, OTF2_UNDEFINED_STRING, 0,
                                                  nullptr),
                      "writing events");
            }
            ThreadWriter writer(events, context, thread.number, gaps);
            writer.write(thread.records, requests.of_thread(i));
            if (first && process.ended != kNever) {
                const auto end = std::max(
                    writer.time(), static_cast<std::uint64_t>(process.clock.shared(process.ended)));
                last_ = std::max(last_, end);
                check(OTF2_EvtWriter_ProgramEnd(events, nullptr, end, OTF2_UNDEFINED_INT64),
                      "writing events");
            }
            if (!thread.records.empty()) {
                first_ = std::min(first_, shared(thread.records.front()));
                last_ = std::max(last_, shared(thread.records.back()));
            }
            std::uint64_t count = 0;
            check(OTF2_EvtWriter_GetNumberOfEvents(events, &count), "writing events");
            counts_.push_back(count);
            check(OTF2_Archive_CloseEvtWriter(archive_.get(), events), "writing events");
        }
    }

    /// Each row of a device gets a location, after those of all threads.
    void write_devices(std::size_t index) {
        const RecordedProcess &process = recording_.processes[index];
        const std::vector<DeviceRecord> work = device_work(process);
        if (work.empty())
            return;
        const CodeNames names(process.folder / record::kMapsFile);
        const std::vector<std::uint32_t> positions = positions_of(process);
        for (auto next = work.begin(); next != work.end();) {
            rows_.push_back({index, next->device, next->row});
            OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive_.get(), counts_.size());
            DeviceRowWriter row(events, {index, process.clock, names, positions, regions_});
            for (const DeviceRecord &first = *next;
                 next != work.end() && next->device == first.device && next->row == first.row;
                 ++next) {
                row.write(*next);
                last_ = std::max(last_, row.time());
            }
            std::uint64_t count = 0;
            check(OTF2_EvtWriter_GetNumberOfEvents(events, &count), "writing events");
            counts_.push_back(count);
            check(OTF2_Archive_CloseEvtWriter(archive_.get(), events), "writing events");
        }
    }

    /// Positions in the team by thread number. Threads with locations come first.
    static std::vector<std::uint32_t> positions_of(const RecordedProcess &process) {
        // Few numbers belong to no thread. A large gap means that the folder was not made by the
        // recorder.
        const std::size_t most = 2 * process.threads.size() + 64;
        std::uint32_t last = 0;
        for (const RecordedThread &thread : process.threads)
            last = std::max(last, thread.number);
        std::vector<std::uint32_t> positions(std::min<std::size_t>(last, most) + 1, kNone);
        std::uint32_t next = 0;
        for (const RecordedThread &thread : process.threads) {
            if (thread.number < positions.size())
                positions[thread.number] = next;
            ++next;
        }
        for (std::uint32_t &position : positions)
            if (position == kNone)
                position = next++;
        return positions;
    }

    void write_definitions() {
        OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive_.get());
        Strings string(writer);
        string("");
        write_properties(writer, string);
        write_regions(writer, string);
        write_locations(writer, string);
        write_counters(writer, string);
        write_communicators(writer, string);
        check(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), writer), "writing definitions");
    }

    static void done(OTF2_ErrorCode code) { check(code, "writing definitions"); }

    void write_properties(OTF2_GlobalDefWriter *writer, Strings &string) {
        first_ = std::min(first_, last_);
        done(OTF2_GlobalDefWriter_WriteClockProperties(
            writer, 1'000'000'000, first_, last_ - first_ + 1, OTF2_UNDEFINED_TIMESTAMP));
        for (OTF2_AttributeRef i = 0; i < kAttributes; ++i)
            done(OTF2_GlobalDefWriter_WriteAttribute(writer, i, string(kAttributeNames[i]),
                                                     string(""), type_of(i)));
        for (OTF2_ParameterRef i = 0; i < kAccessNames.size(); ++i)
            done(OTF2_GlobalDefWriter_WriteParameter(writer, i, string(kAccessNames[i]),
                                                     OTF2_PARAMETER_TYPE_UINT64));
        for (const auto &[parameter, name] :
             {std::pair(kDeleted, kDeletedName), std::pair(kAcquired, kAcquiredName),
              std::pair(kReleased, kReleasedName), std::pair(kMade, kMadeName)})
            done(OTF2_GlobalDefWriter_WriteParameter(writer, parameter, string(name),
                                                     OTF2_PARAMETER_TYPE_UINT64));
    }

    static OTF2_Type type_of(OTF2_AttributeRef attribute) {
        if (attribute == kKind)
            return OTF2_TYPE_REGION;
        if (attribute == kRegion || attribute == kTask || attribute == kDevice ||
            attribute == kBytes || attribute == kHeld)
            return OTF2_TYPE_UINT64;
        if (attribute == kPeer || attribute == kTag)
            return OTF2_TYPE_UINT32;
        return attribute == kCommunicator ? OTF2_TYPE_COMM : OTF2_TYPE_UINT8;
    }

    void write_regions(OTF2_GlobalDefWriter *writer, Strings &string) {
        for (const Regions::Region &region : regions_.all()) {
            const CodeName &name = region.name;
            done(OTF2_GlobalDefWriter_WriteRegion(writer, region.ref, string(name.label),
                                                  string(name.function), string(""), region.role,
                                                  region.paradigm, OTF2_REGION_FLAG_NONE,
                                                  string(name.file), name.line, name.line));
        }
    }

    void write_locations(OTF2_GlobalDefWriter *writer, Strings &string) {
        std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
        OTF2_LocationRef location = 0;
        for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
            const RecordedProcess &process = recording_.processes[i];
            const auto [host, added] =
                hosts.try_emplace(process.host, static_cast<OTF2_SystemTreeNodeRef>(hosts.size()));
            if (added)
                done(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, host->second,
                                                              string(process.host), string("node"),
                                                              OTF2_UNDEFINED_SYSTEM_TREE_NODE));
            done(OTF2_GlobalDefWriter_WriteLocationGroup(
                writer, static_cast<OTF2_LocationGroupRef>(i), string("rank " + std::to_string(i)),
                OTF2_LOCATION_GROUP_TYPE_PROCESS, host->second, OTF2_UNDEFINED_LOCATION_GROUP));
            std::size_t threads = 0;
            std::size_t stand_ins = 0;
            for (const RecordedThread &thread : process.threads) {
                const std::string name = thread.stands_in ? kStandIn + std::to_string(stand_ins++)
                                                          : "thread " + std::to_string(threads++);
                done(OTF2_GlobalDefWriter_WriteLocation(
                    writer, location, string(name), OTF2_LOCATION_TYPE_CPU_THREAD,
                    counts_[location], static_cast<OTF2_LocationGroupRef>(i)));
                ++location;
            }
        }
        for (const DeviceRow &row : rows_) {
            done(OTF2_GlobalDefWriter_WriteLocation(
                writer, location,
                string("device " + std::to_string(row.device) + " row " + std::to_string(row.row)),
                OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, counts_[location],
                static_cast<OTF2_LocationGroupRef>(row.process)));
            ++location;
        }
    }

    /// Each process has one metric, which holds its counters.
    void write_counters(OTF2_GlobalDefWriter *writer, Strings &string) {
        OTF2_MetricMemberRef next = 0;
        for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
            std::vector<OTF2_MetricMemberRef> members;
            for (const std::string &name : recording_.processes[i].counters) {
                done(OTF2_GlobalDefWriter_WriteMetricMember(
                    writer, next, string(name), string("of each thread, by PAPI"),
                    OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                    OTF2_BASE_DECIMAL, 0, string("#")));
                members.push_back(next++);
            }
            if (!members.empty())
                done(OTF2_GlobalDefWriter_WriteMetricClass(
                    writer, static_cast<OTF2_MetricRef>(i),
                    static_cast<std::uint8_t>(members.size()), members.data(),
                    OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
        }
    }

    /// One group holds all locations. Each process' threads are also a group of their own, its
    /// team. The first location of a process is its location in MPI.
    void write_communicators(OTF2_GlobalDefWriter *writer, Strings &string) {
        OTF2_GroupRef groups = 0;
        const auto group = [&](const std::string &name, OTF2_GroupType type, OTF2_Paradigm paradigm,
                               const std::vector<std::uint64_t> &members) {
            done(OTF2_GlobalDefWriter_WriteGroup(
                writer, groups, string(name), type, paradigm, OTF2_GROUP_FLAG_NONE,
                static_cast<std::uint32_t>(members.size()), members.data()));
            return groups++;
        };
        const auto comm = [&](OTF2_CommRef ref, const std::string &name, OTF2_GroupRef members) {
            done(OTF2_GlobalDefWriter_WriteComm(writer, ref, string(name), members,
                                                OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
        };
        std::vector<std::uint64_t> locations(counts_.size() - rows_.size());
        std::iota(locations.begin(), locations.end(), 0);
        group("", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, locations);
        std::vector<std::uint64_t> ranks;
        std::uint64_t next = 0;
        for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
            std::vector<std::uint64_t> members(recording_.processes[i].threads.size());
            std::iota(members.begin(), members.end(), next);
            ranks.push_back(next);
            next += members.size();
            const std::string name = "team of rank " + std::to_string(i);
            comm(team(i), name,
                 group(name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, members));
        }
        if (communicators_.all().empty())
            return;
        group("", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, ranks);
        for (std::size_t i = 0; i < communicators_.all().size(); ++i) {
            std::vector<std::uint64_t> members;
            for (const Index process : communicators_.all()[i])
                members.push_back(process == kNone ? OTF2_UNDEFINED_UINT64 : process);
            const std::string name = "communicator " + std::to_string(i);
            comm(communicator(i), name,
                 group(name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, members));
        }
    }

    const Recording &recording_;
    const Communicators communicators_;
    std::unique_ptr<OTF2_Archive, CloseArchive> archive_;
    Regions regions_;
    OpenRegions::Misuse without_begin_;
    OpenRegions::Misuse without_end_;
    struct DeviceRow {
        std::size_t process;
        std::uint32_t device;
        std::uint32_t row;
    };
    std::vector<std::uint64_t> counts_; ///< events, by location
    std::vector<DeviceRow> rows_;       ///< the last locations
    std::uint64_t first_ = ~std::uint64_t{0};
    std::uint64_t last_ = 0;
};

} // namespace

std::vector<std::string> write_archive(const Recording &recording, const fs::path &folder) {
    Writer writer(recording, folder);
    writer.write();
    return writer.remarks();
}

} // namespace loomp::analysis
