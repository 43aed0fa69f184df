// explore: | holds
// explore: BROKEN | fails: stuck at found[me]
/* Nobody sleeps for ever while something is pending: runtime/core/progress/poller.cpp, runtime/core/progress/progress_helper.cpp
 * and idle_until() in runtime/core/scheduling/scheduler.h.
 * Two tasks each announce one thing, which happens at some time, and wait for the poll that finds it.
 * Workers may be busy for ever or asleep for ever: none of them ever polls here, so all rests on the
 * helper, which sleeps only by sleep_until_pending().
 * Shown: every task goes on (an invalid end state otherwise).
 * -DBROKEN: the helper looks at what is pending before it says that it sleeps. */

#define NOT_STARTED 0
#define AWAKE 1
#define ASLEEP 2

byte state = NOT_STARTED;
byte pending;
bool announced[2], found[2];
bool in_futex, helper_exists;
byte done;

inline wake_helper() {
    seen = state;
    if
    :: seen == AWAKE
    :: seen != AWAKE ->
           atomic { won = state == seen; if :: won -> state = AWAKE :: else fi };
           if
           :: won && seen == NOT_STARTED ->
                  assert(!helper_exists);
                  helper_exists = true;
                  run helper()
           :: won && seen == ASLEEP -> in_futex = false /* futex_wake */
           :: !won
           fi
    fi
}

proctype waiting(byte me) {
    byte seen, before;
    bool won;
    atomic { before = pending; pending++ };
    if :: before == 0 -> wake_helper() :: else fi;
    announced[me] = true;
    found[me];
    done++
}

proctype helper() {
    byte me;
end:
    do
    :: pending > 0 -> /* it is awake, and polls sooner or later */
           for (me : 0 .. 1) {
               if
               :: announced[me] && !found[me] -> found[me] = true; pending--
               :: else
               fi
           }
    :: pending == 0 ->
#ifdef BROKEN
           if
           :: pending == 0 ->
                  state = ASLEEP;
#else
           state = ASLEEP;
           if
           :: pending == 0 && state == ASLEEP ->
#endif
                  if /* futex_wait(state, ASLEEP) */
                  :: atomic { state == ASLEEP -> in_futex = true };
endsleep:            !in_futex
                  :: state != ASLEEP
                  fi
           :: else
           fi;
           state = AWAKE
    od
}

init {
    atomic { run waiting(0); run waiting(1) }
    done == 2
}
