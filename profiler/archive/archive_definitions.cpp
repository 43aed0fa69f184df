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
    kInterCommunicator = 43,
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
            const OTF2_StringRef name = record.number32();
            definitions_.attributes[ref] = {name, record.byte()};
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
            definitions_.communicators[ref] = {record.number32(), OTF2_UNDEFINED_GROUP};
            break;
        }
        case kInterCommunicator: {
            const std::uint32_t ref = record.number32();
            record.number32(); // its name
            const OTF2_GroupRef group = record.number32();
            definitions_.communicators[ref] = {group, record.number32()};
            break;
        }
        default:
            break;
        }
        return !record.failed();
    }

    /// A location belongs to a rank if its group is defined. A second location with one number is
    /// dropped. Groups without threads are no ranks. MPI's list of locations orders the ranks.
    void finish() {
        std::set<OTF2_LocationRef> known;
        const auto is_wrong = [&](const Definitions::Location &location) {
            return !nodes_.contains(location.group) || !known.insert(location.ref).second;
        };
        std::erase_if(definitions_.locations, is_wrong);
        std::erase_if(definitions_.streams, is_wrong);
        std::unordered_map<OTF2_LocationRef, OTF2_LocationGroupRef> group_of;
        std::set<OTF2_LocationGroupRef> groups;
        for (const Definitions::Location &location : definitions_.locations) {
            group_of.emplace(location.ref, location.group);
            groups.insert(location.group);
        }
        const auto add_rank = [&](OTF2_LocationGroupRef group) {
            const auto rank = static_cast<Index>(definitions_.nodes.size());
            if (definitions_.ranks.try_emplace(group, rank).second)
                definitions_.nodes.push_back(nodes_.at(group));
        };
        for (const OTF2_LocationRef location : definitions_.mpi_locations())
            if (const auto found = group_of.find(location); found != group_of.end())
                add_rank(found->second);
        for (const OTF2_LocationGroupRef group : groups)
            add_rank(group);
        std::stable_sort(definitions_.locations.begin(), definitions_.locations.end(),
                         [&](const Definitions::Location &a, const Definitions::Location &b) {
                             return definitions_.ranks.at(a.group) < definitions_.ranks.at(b.group);
                         });
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
        group.type = record.byte();
        group.mpi = record.byte() == OTF2_PARADIGM_MPI;
        group.all = (record.number32() & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0;
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

std::vector<OTF2_LocationRef> Definitions::mpi_locations() const {
    std::vector<OTF2_LocationRef> found;
    for (const auto &[ref, group] : groups)
        if (group.mpi && group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            found.insert(found.end(), group.members.begin(), group.members.end());
    return found;
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
