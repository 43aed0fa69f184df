// The ranks that communicators of an archive name.
#pragma once

#include <map>
#include <vector>

#include "profiler/archive/archive_definitions.h"

namespace loomp::analysis::archive {

class Peers {
  public:
    explicit Peers(const Definitions &definitions);

    /// The rank that has `number` for an event of rank `own`; kNone if it is unknown.
    Index rank(OTF2_CommRef communicator, std::uint32_t number, Index own) const;
    /// Names the communicator in the trace. One definition may stand for the communicator that each
    /// rank has with itself, so these get a name for each rank.
    Index name(OTF2_CommRef communicator, Index own) const;

  private:
    bool is_self(OTF2_CommRef communicator) const;
    /// The ranks in a group of MPI; null if it is none.
    const std::vector<Index> *members(OTF2_GroupRef group) const;

    const Definitions &definitions_;
    std::vector<Index> all_;                              ///< the ranks of MPI's locations
    std::map<OTF2_GroupRef, std::vector<Index>> members_; ///< ranks, for groups that list them
};

} // namespace loomp::analysis::archive
