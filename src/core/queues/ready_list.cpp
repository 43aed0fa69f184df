#include "core/queues/ready_list.h"

namespace loomp::core {

void ReadyList::push_all(const Taken &tasks) {
    if (tasks.first == nullptr)
        return;
    Task *last = tasks.first;
    while (last->next != nullptr)
        last = last->next;
    const SpinGuard guard(lock_);
    append(*tasks.first, *last, tasks.count);
}

Task *ReadyList::pop() {
    return take(1, 1, [](const Task &) { return true; }).first;
}

} // namespace loomp::core
