// A random program: a tree that grows from a seed. A node's value follows from its seed and its
// children's values, in order; how the children run (run.h) and what the task does around that
// (around.h) follow from the seed, too, and do not change the value.
#pragma once

#include <cstdlib>

#include "../support.h"

struct Node {
    std::uint64_t seed;
    int depth;

    int children() const {
        if (depth <= 0)
            return 0;
        const auto number = mix(seed ^ 0xc0) % 64;
        return number == 0 && depth <= 2 ? 40 : static_cast<int>(number % 5);
    }
    Node child(int i) const {
        return {mix(seed + 0x1000003 * static_cast<unsigned>(i + 1)), depth - 1};
    }
    /// Numbers for choices that do not affect the value.
    Random random() const { return {mix(seed ^ 0x5eed)}; }
};

/// If stacks are short, a task that waits for dependences may never continue: loomp reports it and
/// ends the program.
inline bool may_wait_for_dependences() {
    static const bool plenty = std::getenv("LOOMP_MAX_STACKS") == nullptr;
    return plenty;
}

constexpr int kMostChildren = 40;
using Values = std::uint64_t[kMostChildren];

inline std::uint64_t first_value(Node node) { return mix(node.seed ^ 0xf1); }
inline std::uint64_t with_child(std::uint64_t value, std::uint64_t of_child) {
    return mix(value * 31 + of_child);
}
inline std::uint64_t value_of(Node node, const Values &values) {
    std::uint64_t value = first_value(node);
    for (int i = 0; i < node.children(); ++i)
        value = with_child(value, values[i]);
    return value;
}
/// Computes the node's value without OpenMP.
inline std::uint64_t serially(Node node) {
    std::uint64_t value = first_value(node);
    for (int i = 0; i < node.children(); ++i)
        value = with_child(value, serially(node.child(i)));
    return value;
}

/// The actions that a node's surroundings permit. A task that holds a lock takes only locks of
/// higher levels, and so do the tasks that it waits for.
struct Scope {
    int lock = 0;          ///< locks below this level may be held
    int regions = 0;       ///< around it
    bool of_child = false; ///< of fork(): in the program that the child runs
};

constexpr int kLockLevels = 6;

/// Within a region. One that is nested in another takes no locks: a thread in it begins nothing of
/// the enclosing region, and the lock's holder may wait for that.
inline Scope in_region(Scope scope) {
    return {scope.regions > 0 ? kLockLevels : scope.lock, scope.regions + 1, scope.of_child};
}

inline bool in_child = false; ///< of fork()

/// The node's value, by tasks and the like.
std::uint64_t run(Node node, Scope scope);
/// The part that the node does itself: the children.
std::uint64_t run_children(Node node, Scope scope);
