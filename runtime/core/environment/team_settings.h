// The settings of regions: their threads, teams, places and loops (settings.h).
#pragma once

#include <string>
#include <vector>

#include "platform/atomic.h"
#include "runtime/core/environment/places.h"
#include "runtime/core/environment/schedule_kind.h"

namespace loomp::core {

struct TeamSettings {
    std::vector<int> num_threads; ///< never empty after loading
    bool dynamic = false;
    int thread_limit = 0x7fffffff;
    int max_active_levels = 1;
    bool max_active_levels_given = false; ///< by its own variable or OMP_NESTED
    ScheduleKind schedule = ScheduleKind::dynamic;
    int schedule_chunk = 1; ///< 0: none
    bool schedule_monotonic = false;
    DynamicLoops dynamic_loops = DynamicLoops::compatible;
    std::vector<ProcBind> proc_bind;
    std::string places;            ///< as given; empty: none
    std::vector<Place> place_list; ///< what it stands for; empty: none
    ProcBind teams_bind =
        ProcBind::spread; ///< where the teams of a league go, if threads are bound
    /// Whether threads of the program are given back all their processors after a region.
    bool resets_affinity = false;
    bool cancellation = false;
    bool serial = false;               ///< libomp's serial library: regions have one thread
    Atomic<int> num_teams{0};          ///< nteams-var; omp_set_num_teams() changes it
    Atomic<int> teams_thread_limit{0}; ///< teams-thread-limit-var; likewise
};

const TeamSettings &team_settings();

} // namespace loomp::core
