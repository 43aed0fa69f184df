// A random program as a tree: bodies of operations, with what each task must find at each location.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/simulated/program.h"

namespace loomp::simulated {

inline constexpr int kLocations = 8;

enum class Kind : std::uint8_t {
    work,
    task,
    taskwait,
    taskwait_depend,
    taskgroup,
    taskyield,
    taskloop,
    parallel,
    loop,
    single,
    barrier,
    critical,
    lock,
    sections,
    cancelled_group,
    cancelled_region,
    suspend,
    reduction,
    ordered,
    doacross,
    kept,
    foreign,
    left_to_others,
    flood,
    queues,
    put,
    speculation,
    callback,
    league,
    messages, ///< only in programs with MPI
    fork,     ///< only in programs that fork
    count
};

/// `set`: inoutset, which only a dependence set names, because gcc 12 does not know it.
enum class Access : std::uint8_t { in, out, mutex, set };

struct Dependence {
    int location;
    Access access;
    int least;          ///< the version that the task finds; in a set, at least this one
    bool twice = false; ///< named as `in`, too
};

struct Body;

struct Operation {
    Kind kind = Kind::work;
    int number = 0;
    // task
    bool untied = false, mergeable = false, deferred = true, final_ = false;
    bool detached = false; ///< completes by an event
    bool held = false;     ///< completes when what it began has ended
    bool by_set = false;   ///< a dependence set names its locations
    bool by_depobj = false;
    /// Its children access the locations that it names, and it does not. `weak`: it does not wait
    /// for them.
    bool transparent = false, weak = false;
    bool outer = false; ///< its locations are those of the transparent task that creates it
    int task_kind = 0;  ///< for fusion; 0: none
    int queue = 0;      ///< with a name; 0: none
    int priority = 0;
    int repeats = 0; ///< how often its code runs again
    std::vector<Dependence> dependences;
    std::unique_ptr<Body> body;
    // others
    int amount = 0; ///< steps of work, threads, iterations
    int variant = 0;
    bool nowait = false;
    int versions[kLocations] = {}; ///< at a wait; kAny: tasks that it does not await may write it
};
inline constexpr int kAny = -1;

struct Body {
    std::vector<Operation> operations;
    bool in_region = false; ///< several threads run it as an implicit task
    bool in_final = false;
};

const char *name_of(Kind kind);
/// Makes the program of a shape.
std::unique_ptr<Body> make_tree(const Shape &shape);
/// Prints it.
void print_tree(const Body &body, int depth = 0);

} // namespace loomp::simulated
