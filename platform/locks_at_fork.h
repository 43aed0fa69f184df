// fork(): what the child, which has the calling thread and no other, can rely on.
//
// Spin locks that the whole process shares, and those of the lists of the calling thread's own
// teams, are taken before the process is copied, and released after it in both. So in the child
// nobody holds one, and what they guard is whole. Who holds one waits for no other and runs none of
// the program's code: they may be taken in any order, and the program may fork wherever its own
// code runs.
//
// A lock under which code of the program may run (a poller's, a mutex) is not waited for: the child
// makes it anew, with what it guards. What else the other threads were about is lost with them:
// their teams and tasks, what they waited for, and what they would have told the calling thread's
// tasks. The memory of that stays occupied, but for their stacks, which the C library uses again:
// so nothing in the child may refer to a record that may lie on one of them.
#pragma once

#include "platform/spinlock.h"

namespace loomp::core {

/// Stands beside locks that fork() is to hold, in their file.
class LocksAtFork {
  public:
    using Each = void (*)(SpinLock &lock);
    using Visit = void (*)(Each each);

    /// `visit` hands all of them to `each`. `in_child` makes others anew, and forgets what is lost;
    /// it may run before or after those of other files.
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
