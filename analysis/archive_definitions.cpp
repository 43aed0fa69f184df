#include "analysis/archive_definitions.h"

#include <stdexcept>

#include "analysis/archive_format.h"

namespace loomp::analysis::archive {

std::string Definitions::text(OTF2_StringRef ref) const {
    const auto found = strings.find(ref);
    return found == strings.end() ? "" : found->second;
}

std::map<OTF2_CommRef, std::vector<Index>> Definitions::members_of_communicators() const {
    std::map<OTF2_LocationRef, Index> rank_of;
    for (const Location &location : locations)
        rank_of.emplace(location.ref, ranks.at(location.group));
    std::vector<Index> mpi; ///< the ranks of the locations that are MPI's
    for (const auto &[ref, group] : groups)
        for (std::size_t i = 0; group.mpi && group.locations && i < group.members.size(); ++i) {
            const auto found = rank_of.find(group.members[i]);
            mpi.push_back(found == rank_of.end() ? kNone : found->second);
        }
    std::map<OTF2_CommRef, std::vector<Index>> members;
    for (const auto &[communicator, ref] : communicators) {
        const auto group = groups.find(ref);
        if (group == groups.end() || !group->second.mpi || group->second.locations)
            continue;
        for (const std::uint64_t member : group->second.members)
            members[communicator].push_back(member < mpi.size() ? mpi[member] : kNone);
    }
    return members;
}

Definitions read_definitions(OTF2_Reader *reader) {
    Definitions definitions;
    OTF2_GlobalDefReader *global = OTF2_Reader_GetGlobalDefReader(reader);
    if (global == nullptr)
        throw std::runtime_error("its definitions cannot be read");
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
        callbacks,
        [](void *data, std::uint64_t resolution, std::uint64_t offset, std::uint64_t,
           std::uint64_t) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->ticks_per_second = resolution;
            static_cast<Definitions *>(data)->origin = offset;
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(
        callbacks, [](void *data, OTF2_StringRef self, const char *text) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->strings[self] = text;
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
        callbacks,
        [](void *data, OTF2_LocationGroupRef self, OTF2_StringRef, OTF2_LocationGroupType,
           OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef) -> OTF2_CallbackCode {
            auto &definitions = *static_cast<Definitions *>(data);
            if (definitions.ranks.try_emplace(self, static_cast<Index>(definitions.ranks.size()))
                    .second)
                definitions.nodes.push_back(node);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
        callbacks,
        [](void *data, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type, std::uint64_t,
           OTF2_LocationGroupRef group) -> OTF2_CallbackCode {
            if (type == OTF2_LOCATION_TYPE_CPU_THREAD)
                static_cast<Definitions *>(data)->locations.push_back({self, group});
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
        callbacks,
        [](void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
           OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef file,
           std::uint32_t line, std::uint32_t) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->regions[self] = {name, file, line,
                                                               paradigm == OTF2_PARADIGM_MPI, role};
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(
        callbacks,
        [](void *data, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef,
           OTF2_Type) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->attributes[self] = name;
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(
        callbacks,
        [](void *data, OTF2_ParameterRef self, OTF2_StringRef name,
           OTF2_ParameterType) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->parameters[self] = name;
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
        callbacks,
        [](void *data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
           OTF2_Paradigm paradigm, OTF2_GroupFlag, std::uint32_t count,
           const std::uint64_t *members) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->groups[self] = {
                paradigm == OTF2_PARADIGM_MPI, type == OTF2_GROUP_TYPE_COMM_LOCATIONS,
                std::vector(members, members + count)};
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(
        callbacks,
        [](void *data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group, OTF2_CommRef,
           OTF2_CommFlag) -> OTF2_CallbackCode {
            static_cast<Definitions *>(data)->communicators[self] = group;
            return OTF2_CALLBACK_SUCCESS;
        });
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, global, callbacks, &definitions),
          "definitions");
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    std::uint64_t count = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader, global, &count), "definitions");
    OTF2_Reader_CloseGlobalDefReader(reader, global);
    // A location whose group is not defined has no rank.
    std::erase_if(definitions.locations, [&](const Definitions::Location &location) {
        return !definitions.ranks.contains(location.group);
    });
    return definitions;
}

} // namespace loomp::analysis::archive
