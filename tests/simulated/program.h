// Random OpenMP programs that check themselves while they run.
//
// A program is a tree of bodies. Each body is a list of operations: tasks with dependences, waits,
// taskgroups, taskloops, regions, loops, critical sections. Each running body has eight locations
// for the dependences of its own tasks. The serial elaboration fixes the version that each task
// must find at each location and the one that it leaves, so every order of execution is judged at
// once:
//
//   in             finds the version of the last writer, and no writer beside it
//   out, inout     finds it, no other accessor beside it, and leaves the next version
//   mutexinoutset  finds a version of its set, no accessor beside it, and leaves the next version
//   inoutset       the same, beside the others of its set
//
// A wait ends after the tasks that it is for; each task runs exactly once.
#pragma once

#include <cstdint>

namespace loomp::simulated {

inline constexpr unsigned kKinds = 29; ///< of operations, without messages

/// Numbers that say how large and of which kind a program is.
struct Shape {
    std::uint64_t seed = 1;
    int threads = 2;                         ///< of the outermost region
    int regions = 3;                         ///< one after the other
    int operations = 30;                     ///< of the whole program, about
    int depth = 3;                           ///< of bodies within bodies
    std::uint64_t kinds = ~std::uint64_t{0}; ///< a bit for each kind of operation that may occur
    bool forks = false;                      ///< some operations are forks in their place
};

/// Makes the program; nothing of OpenMP runs yet.
void make_program(const Shape &shape);
/// Prints it as a tree.
void print_program();
/// Runs it; ends the process with kWrong where a check fails.
void run_program();

/// Prints the operations whose tasks are not complete.
void print_unfinished();

} // namespace loomp::simulated
