// What an archive's definitions say, in its own numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <otf2/otf2.h>

#include "analysis/trace.h"

namespace loomp::analysis::archive {

struct Definitions {
    struct Location {
        OTF2_LocationRef ref;
        OTF2_LocationGroupRef group;
    };
    struct Region {
        OTF2_StringRef name;
        OTF2_StringRef file;
        std::uint32_t line;
        bool mpi;
        OTF2_RegionRole role;
    };
    struct Group {
        bool mpi;
        bool locations; ///< members are locations, else numbers in the group that has them
        std::vector<std::uint64_t> members;
    };
    std::unordered_map<OTF2_StringRef, std::string> strings;
    std::vector<Location> locations;
    std::map<OTF2_LocationGroupRef, Index> ranks;
    std::vector<OTF2_SystemTreeNodeRef> nodes; ///< by rank
    std::map<OTF2_RegionRef, Region> regions;
    std::map<OTF2_AttributeRef, OTF2_StringRef> attributes;
    std::map<OTF2_ParameterRef, OTF2_StringRef> parameters;
    std::map<OTF2_GroupRef, Group> groups;
    std::map<OTF2_CommRef, OTF2_GroupRef> communicators;
    std::uint64_t ticks_per_second = 1'000'000'000;
    std::uint64_t origin = 0;

    std::string text(OTF2_StringRef ref) const;
    /// The ranks in each communicator of MPI, kNone where it is not known.
    std::map<OTF2_CommRef, std::vector<Index>> members_of_communicators() const;
};

/// Throws std::runtime_error.
Definitions read_definitions(OTF2_Reader *reader);

} // namespace loomp::analysis::archive
