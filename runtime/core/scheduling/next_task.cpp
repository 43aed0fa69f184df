#include "runtime/core/scheduling/next_task.h"

#include <utility>

#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence_set.h"
#include "runtime/core/persistent/persistent.h"
#include "runtime/core/scheduling/placing.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

void warn_once(const char *what) { LOOMP_WARN_ONCE("loomp_next_task: %s", what); }

} // namespace

NextTaskRequest &ask_of_next_task() {
    Worker &worker = *Worker::current();
    Task &creator = *worker.task;
    if (!creator.has(kHasNextRequest) || worker.asked.creator != &creator)
        worker.asked = {};
    creator.flags |= kHasNextRequest;
    worker.asked.creator = &creator;
    return worker.asked;
}

NextTaskRequest take_next_task(Worker &worker) {
    Task &creator = *worker.task;
    if (!creator.has(kHasNextRequest))
        return {};
    creator.flags &= ~TaskFlags{kHasNextRequest};
    const NextTaskRequest asked = std::exchange(worker.asked, {});
    if (asked.creator != &creator) {
        warn_once("the task waited before it created the next one, so what was asked is lost; call "
                  "it right before the task construct");
        return {};
    }
    if (creator.has(kPersistent) && (asked.flags & kTransparent) != 0 &&
        ((asked.flags & kWeak) == 0 || !takes_weak_in(creator)))
        leave_for_transparent(creator);
    return asked;
}

void apply_words(const NextTaskRequest &asked, Task &task) {
    if ((asked.flags & kFusible) != 0) {
        task.route.set_kind(asked.kind);
        task.batch_data = asked.data;
    }
    if ((asked.flags & kPlaced) != 0)
        place_in_named(task, asked.queue);
    if ((asked.flags & kNamesSet) == 0)
        return;
    if (task.has(kKept)) // the front end alone does not see that its dependences are others
        node_of(task).kind |= NodeKind::watched;
    AttachedBlock *block = attach_block(*Worker::current(), task, sizeof(const DependenceSet *), 0);
    *static_cast<const DependenceSet **>(block->contents()) = asked.set;
}

const DependenceSet &take_named_set(Task &task) {
    task.flags &= ~TaskFlags{kNamesSet};
    // Nothing has been attached since: the task is not submitted.
    const DependenceSet *set = *static_cast<const DependenceSet **>(task.attached->contents());
    free_first_block(*Worker::current(), task);
    return *set;
}

} // namespace loomp::core
