// What those need who write the events of a process' threads.
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

/// The rank in its process' team of the thread that created a task; `positions`: of threads there,
/// by their numbers.
std::uint32_t creator_of(std::uint64_t task, const std::vector<std::uint32_t> &positions);

/// What the threads of a process share.
struct ProcessContext {
    std::size_t process; ///< its position
    OTF2_CommRef team;
    OTF2_CommRef first_communicator;             ///< the reference of Communicators::all()'s first
    const std::vector<std::uint32_t> &positions; ///< of threads in the team, by their numbers
    const Clock &clock;
    const Kinds &kinds;
    const CodeNames &names;
    const std::vector<std::string> &labels;
    const Requests &requests;
    const OpenRegions &open_regions;
    const Communicators &communicators;
    std::size_t counters; ///< how many; they are the metric of the process' number
    Regions &regions;

    std::uint32_t creator(std::uint64_t task) const { return creator_of(task, positions); }
};

} // namespace loomp::analysis::archive
