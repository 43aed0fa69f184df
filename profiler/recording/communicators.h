// One number for each communicator of a recording, for all its members.
//
// Each process has numbered its communicators in order of creation. Creation is collective, so the
// n-th communicator with certain members is the n-th such communicator in each member. An
// intercommunicator counts as one of the members of both groups.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

class Communicators {
  public:
    explicit Communicators(const Recording &recording);

    struct Peer {
        Index communicator;   ///< index in all(); kNone: unknown
        std::uint32_t number; ///< rank in it
    };
    /// The place of `peer` in the communicator that the process at this position gave that number.
    Peer find(std::size_t process, std::uint32_t communicator, std::uint32_t peer) const;

    /// Each one's members, as positions of processes; kNone for one that left no recording.
    const std::vector<std::vector<Index>> &all() const { return all_; }

  private:
    struct Local {
        Index communicator;
        std::vector<std::uint32_t> peers; ///< their numbers among all; empty: identical
    };

    std::vector<std::vector<Index>> all_;
    std::map<std::pair<std::size_t, std::uint32_t>, Local> locals_;
};

} // namespace loomp::analysis
