/* Sleeping and waking: src/core/futex.h, EventCount, as used by src/core/scheduler.h, idle_until().
 * Each notifier publishes one unit of work by a buffered store, then reads sleepers_ with no fence
 * but the compiler's (light_fence()); a sleeper's heavy_fence() empties every store buffer
 * (membarrier). Each consumer leaves with one unit.
 * Shown: no consumer sleeps for ever while work is left (an invalid end state otherwise).
 * -DBROKEN: the sleeper's fence does not reach the notifiers' buffers.
 * -DBROKEN2: the notifier wakes without advancing the epoch. */

#define NOTIFIERS 2
#define CONSUMERS 2

byte epoch, sleepers;
bool work[NOTIFIERS];     /* in memory */
bool buffered[NOTIFIERS]; /* stored by the notifier, not yet in memory */
bool asleep[CONSUMERS];

proctype notifier(byte me) {
    buffered[me] = true;
    if
    :: atomic { sleepers > 0 ->
           /* the read; the locked addition that follows empties the notifier's own buffer */
           skip };
#ifdef BROKEN2
       atomic { if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi };
#else
       atomic {
           if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi;
           epoch++
       };
#endif
       atomic { /* futex_wake(1) */
           if
           :: asleep[0] -> asleep[0] = false
           :: asleep[1] -> asleep[1] = false
           :: !asleep[0] && !asleep[1]
           fi
       }
    :: sleepers == 0
    fi;
    /* sooner or later the buffer drains by itself */
    atomic { if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi }
}

inline look() {
    atomic {
        if
        :: work[0] -> work[0] = false; found = true
        :: work[1] -> work[1] = false; found = true
        :: !work[0] && !work[1]
        fi
    }
}

proctype consumer(byte me) {
    bool found;
    byte ticket;
    do
    :: look();
       if :: found -> break :: else fi;
       atomic { sleepers++ };
#ifndef BROKEN
       atomic { /* heavy_fence() */
           if :: buffered[0] -> buffered[0] = false; work[0] = true :: else fi;
           if :: buffered[1] -> buffered[1] = false; work[1] = true :: else fi
       };
#endif
       ticket = epoch;
       if
       :: work[0] || work[1] -> skip /* work_visible() */
       :: !work[0] && !work[1] ->
              if /* futex_wait(epoch, ticket) */
              :: atomic { epoch == ticket -> asleep[me] = true };
                 !asleep[me]
              :: epoch != ticket
              fi
       fi;
       atomic { sleepers-- }
    od
}

init {
    atomic { run notifier(0); run notifier(1); run consumer(0); run consumer(1) }
}
