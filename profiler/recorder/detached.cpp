#include "mpi/interface/detached.h"

#include <cstdlib>
#include <cstring>

#include "profiler/recorder/control.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/region_events.h"

namespace loomp::record {

namespace {

struct Detached {
    std::uint64_t began; ///< handles get a new meaning only later
    std::uint64_t task;  ///< the task that they complete for
    int count;
    std::uint64_t handles[];
};

} // namespace

} // namespace loomp::record

using namespace loomp::record;

extern "C" LOOMP_SHARED void *loomp_record_detach(int count, const std::uint64_t *handles,
                                                  bool /*holds_task*/) {
    if (!wanted(kMessages) || count <= 0)
        return nullptr;
    const std::size_t size = static_cast<std::size_t>(count) * sizeof *handles;
    auto *state = static_cast<Detached *>(std::malloc(sizeof(Detached) + size));
    if (state == nullptr)
        return nullptr;
    state->began = now();
    state->task = current_task();
    state->count = count;
    std::memcpy(state->handles, handles, size);
    return state;
}

extern "C" LOOMP_SHARED void *loomp_record_detached(void *what, const DetachedResult *results) {
    auto *state = static_cast<Detached *>(what);
    if (state != nullptr && results != nullptr && wanted(kMessages)) {
        buffer().add(Event::completions, now(), state->task, state->began, 0);
        for (int i = 0; i < state->count; ++i)
            if (state->handles[i] != 0)
                buffer().add(Event::finish, now(), state->handles[i], results[i].source,
                             results[i].cancelled ? kCancelled : 0);
    }
    std::free(state);
    return nullptr;
}
