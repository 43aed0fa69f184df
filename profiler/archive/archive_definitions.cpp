#include "profiler/archive/archive_definitions.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace loomp::analysis::archive {

namespace {

// The types of the records that are read.
enum Global : std::uint8_t {
    kClockProperties = 5,
    kString = 10,
    kAttributeName = 11,
    kLocationGroup = 13,
    kLocation = 14,
    kRegionRecord = 15,
    kGroup = 18,
    kMetricMember = 19,
    kMetricClass = 20,
    kCommunicatorRecord = 22,
    kParameter = 23,
};
enum Local : std::uint8_t { kMappingTable = 5, kClockOffset = 6 };

/// One record; its fields are in OTF2's order.
class Reader {
  public:
    explicit Reader(Definitions &definitions) : definitions_(definitions) {}

    /// False if the record is malformed.
    bool read(std::uint8_t type, Bytes record) {
        switch (type) {
        case kClockProperties:
            definitions_.ticks_per_second = record.number64();
            definitions_.origin = record.number64();
            break;
        case kString: {
            const std::uint32_t ref = record.number32();
            definitions_.strings[ref] = record.text();
            break;
        }
        case kAttributeName: {
            const std::uint32_t ref = record.number32();
            definitions_.attributes[ref] = record.number32();
            break;
        }
        case kParameter: {
            const std::uint32_t ref = record.number32();
            definitions_.parameters[ref] = record.number32();
            break;
        }
        case kMetricMember: {
            const std::uint32_t ref = record.number32();
            const std::uint32_t name = record.number32();
            record.number32(); // its description
            record.byte();     // its owner
            if (record.byte() == OTF2_METRIC_ACCUMULATED_START)
                definitions_.metric_members[ref] = name;
            break;
        }
        case kMetricClass: {
            auto &members = definitions_.metrics[record.number32()];
            for (std::size_t left = record.byte(); left > 0; --left)
                members.push_back(record.number32());
            break;
        }
        case kLocationGroup: {
            const std::uint32_t ref = record.number32();
            record.number32(); // its name
            record.byte();     // what it is
            nodes_[ref] = record.number32();
            break;
        }
        case kLocation:
            read_location(record);
            break;
        case kRegionRecord:
            read_region(record);
            break;
        case kGroup:
            read_group(record);
            break;
        case kCommunicatorRecord: {
            const std::uint32_t ref = record.number32();
            record.number32(); // its name
            definitions_.communicators[ref] = record.number32();
            break;
        }
        default:
            break;
        }
        return !record.failed();
    }

    /// A location belongs to a rank if its group is defined. A second location with one number is
    /// dropped. Groups without threads are no ranks.
    void finish() {
        std::set<OTF2_LocationRef> known;
        const auto is_wrong = [&](const Definitions::Location &location) {
            return !nodes_.contains(location.group) || !known.insert(location.ref).second;
        };
        std::erase_if(definitions_.locations, is_wrong);
        std::erase_if(definitions_.streams, is_wrong);
        for (const Definitions::Location &location : definitions_.locations)
            definitions_.ranks.try_emplace(location.group, 0);
        for (auto &[group, rank] : definitions_.ranks) {
            rank = static_cast<Index>(definitions_.nodes.size());
            definitions_.nodes.push_back(nodes_.at(group));
        }
        // Other tools' archives may have streams in groups of their own.
        std::erase_if(definitions_.streams, [&](const Definitions::Location &stream) {
            return !definitions_.ranks.contains(stream.group);
        });
    }

  private:
    void read_location(Bytes &record) {
        Definitions::Location location{};
        location.ref = record.number64();
        location.name = record.number32();
        const std::uint8_t type = record.byte();
        location.events = record.number64();
        location.group = record.number32();
        if (!record.failed() && type == OTF2_LOCATION_TYPE_CPU_THREAD)
            definitions_.locations.push_back(location);
        if (!record.failed() && type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM)
            definitions_.streams.push_back(location);
    }
    void read_region(Bytes &record) {
        const std::uint32_t ref = record.number32();
        Definitions::Region region{};
        region.name = record.number32();
        record.number32(); // description
        record.byte();     // what its type was called first
        region.file = record.number32();
        region.line = record.number32();
        record.number32(); // its last line
        record.number32(); // canonical name
        region.role = record.byte();
        const std::uint8_t paradigm = record.byte();
        region.mpi = paradigm == OTF2_PARADIGM_MPI;
        region.user = paradigm == OTF2_PARADIGM_USER;
        definitions_.regions[ref] = region;
    }
    void read_group(Bytes &record) {
        const std::uint32_t ref = record.number32();
        record.number32(); // its name
        record.byte();     // what its type was called first
        const std::uint32_t count = record.number32();
        Definitions::Group group{};
        // Each element takes at least one byte.
        group.members.reserve(std::min<std::size_t>(count, record.left()));
        for (std::uint32_t i = 0; i < count && !record.failed(); ++i)
            group.members.push_back(record.number64());
        group.locations = record.byte() == OTF2_GROUP_TYPE_COMM_LOCATIONS;
        group.mpi = record.byte() == OTF2_PARADIGM_MPI;
        if (!record.failed())
            definitions_.groups[ref] = std::move(group);
    }

    Definitions &definitions_;
    std::map<OTF2_LocationGroupRef, OTF2_SystemTreeNodeRef> nodes_;
};

/// Maps a location's numbers to the archive's: a dense table, or pairs for the numbers that differ.
void read_table(Bytes &record, LocalDefinitions &definitions) {
    const std::uint8_t type = record.byte();
    const std::uint64_t count = record.number64();
    const bool pairs = record.byte() == OTF2_ID_MAP_SPARSE;
    if (type >= definitions.numbers.size())
        return;
    for (std::uint64_t i = 0; i < count && record.left() > 0; ++i) {
        const std::uint64_t own = pairs ? record.number64() : i;
        const std::uint64_t of_all = record.number64();
        if (!record.failed())
            definitions.numbers[type][own] = of_all;
    }
}

} // namespace

std::string Definitions::text(OTF2_StringRef ref) const {
    const auto found = strings.find(ref);
    return found == strings.end() ? "" : found->second;
}

std::map<OTF2_GroupRef, std::vector<Index>> Definitions::ranks_of_groups() const {
    std::map<OTF2_LocationRef, Index> rank_of;
    for (const Location &location : locations)
        rank_of.emplace(location.ref, ranks.at(location.group));
    std::vector<Index> mpi; ///< the ranks of the locations that are MPI's
    for (const auto &[ref, group] : groups)
        for (std::size_t i = 0; group.mpi && group.locations && i < group.members.size(); ++i) {
            const auto found = rank_of.find(group.members[i]);
            mpi.push_back(found == rank_of.end() ? kNone : found->second);
        }
    std::map<OTF2_GroupRef, std::vector<Index>> members;
    for (const auto &[ref, group] : groups) {
        if (!group.mpi || group.locations)
            continue;
        for (const std::uint64_t member : group.members)
            members[ref].push_back(member < mpi.size() ? mpi[member] : kNone);
    }
    return members;
}

Definitions read_definitions(std::span<const std::byte> file, std::uint64_t chunk_size,
                             const std::string &name, std::vector<std::string> &problems) {
    Definitions definitions;
    Reader reader(definitions);
    RecordFile records(file, chunk_size);
    while (const auto type = records.next())
        if (!reader.read(*type, records.bytes().record()))
            records.stop("what is there is no definition");
    if (records.damage() != nullptr)
        problems.push_back(name + ": damaged at byte " + std::to_string(records.position()) +
                           ", so definitions are missing: " + records.damage());
    reader.finish();
    return definitions;
}

std::uint64_t LocalDefinitions::time(std::uint64_t own) const {
    if (offsets.size() < 2)
        return own;
    // Interpolates between two measured offsets, or extrapolates from the nearest two.
    const auto after =
        std::lower_bound(offsets.begin() + 1, offsets.end() - 1, own,
                         [](const Offset &offset, std::uint64_t time) { return offset.at < time; });
    const Offset &from = *(after - 1);
    const double span = static_cast<double>(after->at - from.at);
    const double slope =
        (static_cast<double>(after->offset) - static_cast<double>(from.offset)) / span;
    const double passed =
        own >= from.at ? static_cast<double>(own - from.at) : -static_cast<double>(from.at - own);
    constexpr double kMost = 9e18;
    const auto more =
        static_cast<std::int64_t>(std::clamp(std::rint(slope * passed), -kMost, kMost));
    return own + static_cast<std::uint64_t>(from.offset) + static_cast<std::uint64_t>(more);
}

LocalDefinitions read_local_definitions(std::span<const std::byte> file, std::uint64_t chunk_size) {
    LocalDefinitions definitions;
    RecordFile records(file, chunk_size);
    while (const auto type = records.next()) {
        Bytes record = records.bytes().record();
        if (*type == kMappingTable)
            read_table(record, definitions);
        if (*type == kClockOffset) {
            LocalDefinitions::Offset offset{};
            offset.at = record.full64();
            offset.offset = static_cast<std::int64_t>(record.number64());
            const bool later =
                definitions.offsets.empty() || definitions.offsets.back().at < offset.at;
            if (!record.failed() && later)
                definitions.offsets.push_back(offset);
        }
        if (record.failed())
            records.stop("");
    }
    return definitions;
}

} // namespace loomp::analysis::archive
