// Numbers of the threads that run tasks, from 0 on and below a bound that is known from the start,
// for libraries that keep something for each (include/loomp/alpi.h). A thread gets its number when
// it first asks; one that has ended leaves it to the next.
//
// Thread safety: from any thread.
#pragma once

namespace loomp::core {

class Worker;

/// The bound: what OMP_NUM_THREADS asks for on all active levels, or the number of processors if
/// that is greater.
unsigned processor_numbers();
/// Of the calling worker. -1, with one line on stderr: more ask than there are numbers.
int processor_number(Worker &worker);

} // namespace loomp::core
