// Functions that break the rules of LOOMP_MAY_SWITCH, and some that keep them: tests/codegen/check
// is to name the lines that say so.
#include <cerrno>

#include "platform/common.h"

namespace loomp::core {

class Worker {
  public:
    static Worker *current();
    int depth;
};
struct Task;
using InvokeFn LOOMP_MAY_SWITCH = void (*)(Task &);
struct Task {
    InvokeFn invoke;
};

LOOMP_MAY_SWITCH void wait();
LOOMP_MAY_SWITCH_IF_TRUE bool yields();
extern thread_local int variable;

void unmarked() {
    wait(); // reported
}

LOOMP_MAY_SWITCH int keeps(Worker &worker) {
    wait();
    return worker.depth; // reported
}

LOOMP_MAY_SWITCH void keeps_in_a_loop() {
    Worker *worker = Worker::current();
    for (;;) {
        if (worker->depth == 0) // reported
            return;
        wait();
    }
}

LOOMP_MAY_SWITCH int keeps_on_a_path(Worker *worker, bool waits) {
    if (waits)
        wait();
    else
        worker = Worker::current();
    return worker->depth; // reported
}

LOOMP_MAY_SWITCH int keeps_a_part(Task &task) {
    int &depth = Worker::current()->depth;
    task.invoke(task);
    return depth; // reported
}

LOOMP_MAY_SWITCH int captures() {
    Worker &worker = *Worker::current();
    const auto depth = [&] { return worker.depth; };
    wait();
    return depth(); // reported
}

template <class Wait> void calls(Wait waits) { waits(); }
LOOMP_MAY_SWITCH int waits_in_a_lambda(Worker &worker) {
    calls([] { wait(); });
    return worker.depth; // reported
}

struct Waits {
    LOOMP_MAY_SWITCH ~Waits() { wait(); }
};
LOOMP_MAY_SWITCH int waits_at_the_end(Worker &worker) {
    {
        const Waits waits;
    }
    return worker.depth; // reported
}

LOOMP_MAY_SWITCH int uses_the_threads() {
    wait();
    return variable + // reported
           errno;     // reported
}

LOOMP_MAY_SWITCH int looks_again(Worker *worker) {
    wait();
    if (worker != Worker::current())
        worker = Worker::current();
    else
        return 0;
    return worker->depth;
}

LOOMP_MAY_SWITCH int looks_again_if_true(Worker *worker) {
    if (LOOMP_UNLIKELY(!yields()))
        return worker->depth;
    worker = Worker::current();
    return worker->depth;
}

LOOMP_STAYS int stays(Worker &worker) {
    wait();
    return worker.depth;
}

int calls_one_that_stays(Worker &worker) { return stays(worker) + worker.depth; }

} // namespace loomp::core
