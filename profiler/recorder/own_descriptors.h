// Opens files although the program has used up its descriptors.
#pragma once

#include <cerrno>

namespace loomp::record {

/// Calls `function(argument)` with a table of descriptors of its own, in which two numbers are
/// free. No number of the program changes; memory that the function maps stays. The function may
/// only call the system. Does nothing if the system permits no more processes.
void with_own_descriptors(void (*function)(void *argument), void *argument);

/// Calls `attempt()`, which returns the number of the system's error, or 0. If the program has used
/// up its descriptors, the attempt is repeated with its own.
template <class Attempt> int with_descriptors(Attempt attempt) {
    struct Job {
        Attempt &attempt;
        int error;
    } job{attempt, attempt()};
    if (job.error == EMFILE)
        with_own_descriptors(
            [](void *argument) {
                auto *const again = static_cast<Job *>(argument);
                again->error = again->attempt();
            },
            &job);
    return job.error;
}

} // namespace loomp::record
