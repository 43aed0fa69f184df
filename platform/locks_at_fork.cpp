#include "platform/locks_at_fork.h"

namespace loomp::core {

constinit const LocksAtFork *LocksAtFork::first_ = nullptr;

LocksAtFork::LocksAtFork(Visit visit, void (*in_child)())
    : visit_(visit), in_child_(in_child), next_(first_) {
    first_ = this;
}

void LocksAtFork::visit_all(Each each) {
    for (const LocksAtFork *locks = first_; locks != nullptr; locks = locks->next_)
        locks->visit_(each);
}

void LocksAtFork::make_anew() {
    for (const LocksAtFork *locks = first_; locks != nullptr; locks = locks->next_)
        if (locks->in_child_ != nullptr)
            locks->in_child_();
}

} // namespace loomp::core
