#include "profiler/archive/archive_peers.h"

#include <algorithm>

namespace loomp::analysis::archive {

Peers::Peers(const Definitions &definitions) : definitions_(definitions) {
    std::map<OTF2_LocationRef, Index> rank_of;
    for (const Definitions::Location &location : definitions.locations)
        rank_of.emplace(location.ref, definitions.ranks.at(location.group));
    for (const OTF2_LocationRef location : definitions.mpi_locations()) {
        const auto found = rank_of.find(location);
        all_.push_back(found == rank_of.end() ? kNone : found->second);
    }
    for (const auto &[ref, group] : definitions.groups) {
        if (!group.mpi || group.all || group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            continue;
        std::vector<Index> &ranks = members_[ref];
        for (const std::uint64_t member : group.members)
            ranks.push_back(member < all_.size() ? all_[member] : kNone);
    }
}

const std::vector<Index> *Peers::members(OTF2_GroupRef group) const {
    const auto found = definitions_.groups.find(group);
    if (found != definitions_.groups.end() && found->second.mpi && found->second.all)
        return &all_;
    const auto members = members_.find(group);
    return members == members_.end() ? nullptr : &members->second;
}

bool Peers::is_self(OTF2_CommRef communicator) const {
    const auto found = definitions_.communicators.find(communicator);
    if (found == definitions_.communicators.end())
        return false;
    const auto group = definitions_.groups.find(found->second.group);
    return group != definitions_.groups.end() && group->second.type == OTF2_GROUP_TYPE_COMM_SELF;
}

Index Peers::rank(OTF2_CommRef communicator, std::uint32_t number, Index own) const {
    if (is_self(communicator))
        return number == 0 ? own : kNone;
    const auto found = definitions_.communicators.find(communicator);
    if (found == definitions_.communicators.end())
        return kNone;
    const std::vector<Index> *ranks = members(found->second.group);
    // A peer in an inter-communicator is a member of the group that the rank is not in.
    if (found->second.remote != OTF2_UNDEFINED_GROUP && ranks != nullptr &&
        std::find(ranks->begin(), ranks->end(), own) != ranks->end())
        ranks = members(found->second.remote);
    return ranks == nullptr || number >= ranks->size() ? kNone : (*ranks)[number];
}

Index Peers::name(OTF2_CommRef communicator, Index own) const {
    return is_self(communicator) ? kNone - 1 - own : communicator;
}

} // namespace loomp::analysis::archive
