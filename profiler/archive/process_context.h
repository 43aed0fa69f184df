// Data for all writers of the events of a process' threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/kinds.h"
#include "profiler/archive/regions.h"
#include "profiler/recording/code_names.h"
#include "profiler/recording/communicators.h"
#include "profiler/recording/open_regions.h"
#include "profiler/recording/requests.h"
#include "profiler/recording/shared_clock.h"

namespace loomp::analysis::archive {

/// The rank of a task's creator in its process' team. `positions` maps thread numbers to ranks.
std::uint32_t creator_of(std::uint64_t task, const std::vector<std::uint32_t> &positions);

/// Data that the threads of a process share.
struct ProcessContext {
    std::size_t process; ///< its position
    OTF2_CommRef team;
    OTF2_CommRef first_communicator;             ///< the reference of the first communicator in
                                                 ///< Communicators::all()
    const std::vector<std::uint32_t> &positions; ///< the team's threads' positions, by number
    const Clock &clock;
    const Kinds &kinds;
    const CodeNames &names;
    const std::vector<std::string> &labels;
    const Requests &requests;
    const OpenRegions &open_regions;
    const Communicators &communicators;
    std::size_t counters; ///< count of counters; they are the metric with the process' number
    Regions &regions;

    std::uint32_t creator(std::uint64_t task) const { return creator_of(task, positions); }
};

} // namespace loomp::analysis::archive
