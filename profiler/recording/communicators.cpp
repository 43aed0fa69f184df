#include "profiler/recording/communicators.h"

#include <algorithm>

namespace loomp::analysis {

Communicators::Communicators(const Recording &recording) {
    std::map<long, Index> processes; ///< by rank
    for (Index i = 0; i < recording.processes.size(); ++i)
        processes.emplace(recording.processes[i].rank, i);

    std::map<std::pair<std::vector<long>, std::size_t>, Index> known;
    for (std::size_t process = 0; process < recording.processes.size(); ++process) {
        std::map<std::vector<long>, std::size_t> made;
        for (const RecordedCommunicator &communicator :
             recording.processes[process].communicators) {
            std::vector<long> members = communicator.members;
            if (!communicator.remote.empty()) {
                members.insert(members.end(), communicator.remote.begin(),
                               communicator.remote.end());
                std::sort(members.begin(), members.end());
            }
            const auto [place, added] =
                known.try_emplace({members, made[members]++}, static_cast<Index>(all_.size()));
            if (added) {
                std::vector<Index> &ranks = all_.emplace_back();
                for (const long rank : members) {
                    const auto found = processes.find(rank);
                    ranks.push_back(found == processes.end() ? kNone : found->second);
                }
            }
            Local local{place->second, {}};
            for (const long rank : communicator.remote)
                local.peers.push_back(static_cast<std::uint32_t>(
                    std::lower_bound(members.begin(), members.end(), rank) - members.begin()));
            locals_.emplace(std::pair(process, communicator.number), std::move(local));
        }
    }
}

Communicators::Peer Communicators::find(std::size_t process, std::uint32_t communicator,
                                        std::uint32_t peer) const {
    const auto found = locals_.find({process, communicator});
    if (found == locals_.end())
        return {kNone, peer};
    const Local &local = found->second;
    return {local.communicator, peer < local.peers.size() ? local.peers[peer] : peer};
}

} // namespace loomp::analysis
