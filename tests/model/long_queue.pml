// explore: | holds
// explore: BROKEN | fails: stuck at queued > 0 || woken
/* A creator that is throttled behind a long queue: runtime/core/scheduling/throttle.cpp, throttle_by_queue(),
 * runtime/core/scheduling/taking.cpp, take_creator(), and runtime/core/scheduling/scheduler.h,
 * idle_until(), as called by schedule_until() and by schedule_until_resumable().
 * The worker has left the creator's stack and looks for work: the creator comes first if few tasks
 * are left, then its own queue. In between thieves take tasks; they wake nobody for that. One task
 * ends only after something that the creator does when it goes on.
 * Shown: the worker does not sleep for ever while its creator waits (an invalid end state
 * otherwise).
 * -DBROKEN: the worker goes idle without another look whether a creator waits. */

#define FEW 1
#define TASKS 3

byte queued = TASKS;
bool throttled = true; /* the worker's own */
bool created, woken;

proctype thief() {
    byte taken;
    do
    :: atomic { queued > 0 -> queued-- };
       taken++;
       /* one of them waits for the creator */
       if :: taken == 1 -> created :: else fi
    :: created && queued == 0 -> break
    od
}

active proctype worker() {
    run thief();
    run thief();
    do
    :: atomic {
           if
           :: throttled && queued <= FEW -> throttled = false; created = true
           :: else
           fi
       };
       if :: created -> break :: else fi;
       if
       :: atomic { queued > 0 -> queued-- } /* run it; none of these waits */
       :: queued == 0 ->
              /* idle_until() */
              if
#ifndef BROKEN
              :: throttled
#endif
              :: else ->
                     queued > 0 || woken
              fi
       fi
    od
}
