#include "runtime/core/process/runtime.h"

#include <algorithm>

#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/task/task.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/worker/oversubscription.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

bool may_be_divided(int parts) {
    const Settings &s = settings();
    const bool bound = !s.proc_bind.empty() || !s.place_list.empty() || s.resets_affinity;
    const int least = static_cast<int>(available_processors()) / parts;
    const int wanted = *std::max_element(s.num_threads.begin(), s.num_threads.end());
    return s.spread_ranks && !bound && least > 0 && thread_count() == 0 &&
           !(is_given("OMP_NUM_THREADS") && wanted > least);
}

} // namespace

std::string take_processor_share(int part, int parts) {
    initialize();
    if (part < 0 || part >= parts || !may_be_divided(parts))
        return {};
    const std::vector<int> &taken = take_share(part, parts);
    bind_current_thread(taken);
    note_processors();
    if (!is_given("OMP_NUM_THREADS")) {
        const int threads = static_cast<int>(usable_processors());
        mutable_settings().num_threads = {threads};
        note_initial_icvs();
        if (const Worker *worker = Worker::current_or_null(); worker != nullptr)
            change_icvs(*worker->task, [&](IcvValues &own) { own.num_threads = threads; });
    }
    return format_ranges(taken);
}

} // namespace loomp::core
