// fork(): the child has only the calling thread. This file states on what it can rely.
//
// fork() takes the spin locks that the whole process shares, and those of the lists of the calling
// thread's own teams. It releases them in both processes after the copy. So no lock is held in the
// child, and the data they guard is complete. A holder waits for no other lock and runs none of the
// program's code. So the locks may be taken in any order, and the program may fork wherever its own
// code runs.
//
// fork() does not wait for a lock under which the program's code may run (a poller's, a mutex): the
// child recreates it and its data. Everything else that other threads did is lost: their teams and
// tasks, and the completions for which the calling thread's tasks wait. That memory stays
// allocated, except for their stacks, which the C library reuses, and for their signal stacks. So
// nothing in the child may refer to a record that may lie on such a stack.
#pragma once

#include "platform/spinlock.h"

namespace loomp::core {

/// Stands in the file whose locks fork() is to hold.
class LocksAtFork {
  public:
    using Each = void (*)(SpinLock &lock);
    using Visit = void (*)(Each each);

    /// `visit` passes all of them to `each`. `in_child` recreates other locks and forgets lost
    /// state; it may run before or after those of other files.
    explicit LocksAtFork(Visit visit, void (*in_child)() = nullptr);
    explicit LocksAtFork(void (*in_child)()) : LocksAtFork([](Each) {}, in_child) {}
    static void visit_all(Each each);
    static void make_anew();

  private:
    Visit visit_;
    void (*in_child_)();
    const LocksAtFork *next_;
    static constinit const LocksAtFork *first_;
};

} // namespace loomp::core
