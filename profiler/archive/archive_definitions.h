// An archive's definitions, in the archive's own numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/archive_file.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis::archive {

struct Definitions {
    struct Location {
        OTF2_LocationRef ref;
        OTF2_LocationGroupRef group;
        std::uint64_t events; ///< as many as it is said to have
        OTF2_StringRef name;
    };
    struct Region {
        OTF2_StringRef name;
        OTF2_StringRef file;
        std::uint32_t line;
        bool mpi;
        bool user; ///< the program has named it
        OTF2_RegionRole role;
    };
    struct Group {
        bool mpi;
        OTF2_GroupType type; ///< COMM_LOCATIONS has locations, others have their numbers in it
        bool all;            ///< peers are numbers in COMM_LOCATIONS, not in this group
        std::vector<std::uint64_t> members;
    };
    struct Attribute {
        OTF2_StringRef name;
        OTF2_Type type;
    };
    struct Communicator {
        OTF2_GroupRef group;
        OTF2_GroupRef remote; ///< of an inter-communicator; otherwise undefined
    };
    std::unordered_map<OTF2_StringRef, std::string> strings;
    std::vector<Location> locations; ///< threads, by rank
    std::vector<Location> streams;   ///< device streams
    /// Groups that have threads. MPI's order comes first, if the archive has it.
    std::map<OTF2_LocationGroupRef, Index> ranks;
    std::vector<OTF2_SystemTreeNodeRef> nodes; ///< by rank
    std::map<OTF2_RegionRef, Region> regions;
    std::map<OTF2_AttributeRef, Attribute> attributes;
    std::map<OTF2_ParameterRef, OTF2_StringRef> parameters;
    std::map<OTF2_GroupRef, Group> groups;
    std::map<OTF2_MetricMemberRef, OTF2_StringRef> metric_members; ///< that accumulate
    std::map<OTF2_MetricRef, std::vector<OTF2_MetricMemberRef>> metrics;
    std::map<OTF2_CommRef, Communicator> communicators;
    std::uint64_t ticks_per_second = 1'000'000'000;
    std::uint64_t origin = 0;

    std::string text(OTF2_StringRef ref) const;
    /// The locations of MPI's ranks, by their numbers in groups.
    std::vector<OTF2_LocationRef> mpi_locations() const;
};

/// Reads the definitions before the first damage. Damage adds a line to `problems` that begins with
/// `name`.
Definitions read_definitions(std::span<const std::byte> file, std::uint64_t chunk_size,
                             const std::string &name, std::vector<std::string> &problems);

/// A location's own definitions: they map its numbers to the archive's, and its clock to the common
/// one.
struct LocalDefinitions {
    struct Offset {
        std::uint64_t at; ///< in the location's clock
        std::int64_t offset;
    };
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, OTF2_MAPPING_MAX> numbers;
    std::vector<Offset> offsets; ///< ascending in time

    std::uint32_t number(OTF2_MappingType type, std::uint32_t own) const {
        const auto &known = numbers[type];
        if (known.empty())
            return own;
        const auto found = known.find(own);
        return found == known.end() ? own : static_cast<std::uint32_t>(found->second);
    }
    std::uint64_t time(std::uint64_t own) const;
};

LocalDefinitions read_local_definitions(std::span<const std::byte> file, std::uint64_t chunk_size);

} // namespace loomp::analysis::archive
