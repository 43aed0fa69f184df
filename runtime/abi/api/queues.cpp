// experimental.h: named queues.
#include "runtime/core/scheduling/named_queues.h"

#include "loomp/experimental.h"
#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/core/creation/submission.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/next_task.h"

using namespace loomp::core;

namespace {

/// Returns whether the program's number is a queue's. Warns of the first wrong number.
bool is_queue(int queue, const char *function) {
    if (queue > 0 && static_cast<unsigned>(queue) < named_count())
        return true;
    LOOMP_WARN_ONCE("%s: %d is no queue that loomp_queue() returned; ignored", function, queue);
    return false;
}

SharedQueues *queues_of_team() {
    const Worker *worker = Worker::current_or_null();
    return worker == nullptr || worker->member == nullptr
               ? nullptr
               : worker->member->team->shared.load(std::memory_order_acquire);
}

} // namespace

LOOMP_EXPORT int loomp_queue(const char *name, int place) {
    if (name == nullptr || *name == '\0') {
        warn("loomp_queue: a queue needs a name; its tasks go where others do");
        return 0;
    }
    const auto count = static_cast<int>(places().size());
    if (place != LOOMP_ANY_PLACE && (place < 0 || place >= count)) {
        warn("loomp_queue: %s: there is no place %d, but %d of them (omp_get_num_places()); the "
             "queue has none",
             name, place, count);
        place = LOOMP_ANY_PLACE;
    }
    const unsigned queue = named_queue(name, place);
    if (queue == 0)
        warn("loomp_queue: %s: there are %u queues already; its tasks go where others do", name,
             kMostNamed - 1);
    return static_cast<int>(queue);
}

LOOMP_EXPORT void loomp_next_task_queue(int queue) {
    if (queue == LOOMP_OTHER_TASKS || !is_queue(queue, "loomp_next_task_queue"))
        return;
    NextTaskRequest &asked = ask_of_next_task();
    asked.flags |= kPlaced;
    asked.queue = static_cast<std::uint8_t>(queue);
}

LOOMP_EXPORT void loomp_queue_put(int queue, int kind, void *const *data, size_t count) {
    if (!is_task_kind(kind)) {
        warn(
            "loomp_queue_put: %d is no kind that loomp_task_kind() returned; what it was to run is "
            "not run",
            kind);
        return;
    }
    if (queue != LOOMP_OTHER_TASKS && !is_queue(queue, "loomp_queue_put"))
        queue = LOOMP_OTHER_TASKS;
    submit_batches(static_cast<unsigned>(kind), static_cast<unsigned>(queue), data, count);
}

LOOMP_EXPORT int loomp_set_queue_order(const int *queues, int count) {
    if (set_queue_order(*Worker::current(), queues, count))
        return 0;
    warn("loomp_set_queue_order: not all numbers are queues', or one comes twice; the order stays "
         "as it was");
    return 1;
}

LOOMP_EXPORT size_t loomp_queue_merge(int to, int from) {
    SharedQueues *queues = queues_of_team();
    if (!is_queue(to, "loomp_queue_merge") || !is_queue(from, "loomp_queue_merge") ||
        queues == nullptr || to == from)
        return 0;
    return merge_named(*queues, static_cast<unsigned>(to), static_cast<unsigned>(from));
}

LOOMP_EXPORT size_t loomp_queue_take(int queue, int kind, size_t most) {
    if (!is_queue(queue, "loomp_queue_take"))
        return 0;
    if (kind != 0 && !is_task_kind(kind)) {
        warn("loomp_queue_take: %d is no kind that loomp_task_kind() returned", kind);
        return 0;
    }
    constexpr size_t all = 0xffffffff;
    return take_from_named(*Worker::current(), static_cast<unsigned>(queue),
                           static_cast<unsigned>(kind),
                           static_cast<std::uint32_t>(most < all ? most : all));
}
