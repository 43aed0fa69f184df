// explore: | holds
// explore: BROKEN | fails: assert saved && !resumable
/* One task, one signal: runtime/core/scheduling/task_signal.cpp over runtime/core/scheduling/suspend.h. The task waits twice on the
 * same object; each signal is given by another thread, at any time after the previous wait ended.
 * Shown: each wait ends, and only after its signal; a suspension is resumed exactly once, and never
 * before its context is saved; the signaller does not touch the object when its owner may be gone.
 * -DBROKEN: the address is put in before the context is saved. */

#define EMPTY 0
#define SIGNALLED 1
#define WAITER 2

byte word = EMPTY;
bool saved, resumable;
byte signals, waits;
bool alive = true;

proctype signaller() {
    byte before;
    do
    :: signals < 2 ->
           signals == waits; /* the previous wait has ended */
           signals++;
           atomic { assert(alive); before = word; word = SIGNALLED };
           assert(before != SIGNALLED);
           if
           :: before == WAITER ->
                  assert(saved && !resumable);
                  resumable = true
           :: else
           fi
    :: else -> break
    od
}

proctype task() {
    bool armed;
    do
    :: waits < 2 ->
           if
           :: word == EMPTY ->
#ifdef BROKEN
                  atomic { armed = word == EMPTY; if :: armed -> word = WAITER :: else fi };
                  saved = true;
#else
                  saved = true; /* switched away; the worker arms from the new stack */
                  atomic { armed = word == EMPTY; if :: armed -> word = WAITER :: else fi };
#endif
                  if :: armed -> resumable :: else fi;
                  saved = false;
                  resumable = false
           :: word != EMPTY
           fi;
           assert(word == SIGNALLED);
           word = EMPTY;
           atomic { waits++; assert(signals == waits) }
    :: else -> break
    od;
    alive = false
}

init { atomic { run signaller(); run task() } }
