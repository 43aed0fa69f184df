/* Sleeping and waking: src/core/base/futex.h, EventCount, as used by src/core/scheduling/scheduler.h, idle_until().
 * Each notifier publishes one unit of work by a buffered store, then reads sleepers_ with no fence
 * but the compiler's (light_fence()); a sleeper's heavy_fence() empties every store buffer
 * (membarrier). Each consumer leaves with one unit.
 * One wake-up is under way at a time; who has slept passes it on while there is work.
 * Shown: no consumer sleeps for ever while work is left (an invalid end state otherwise).
 * A notifier may find the wake-up under way too old, and wake another consumer.
 * -DLATE: the first consumer does not get up if it is woken, and the second notifier comes after
 * that, or after it has left. Then the second consumer takes all that the first one does not.
 * -DBROKEN: the sleeper's fence does not reach the notifiers' buffers.
 * -DBROKEN2: the notifier wakes without advancing the epoch.
 * -DBROKEN3: a wake-up is not passed on.
 * -DLATE -DBROKEN4: nobody finds it late.
 * -DMANY: meanwhile somebody comes to expect many sleepers; from then on both sides empty their own
 * buffers only.
 * -DMANY -DBROKEN5: sleepers are told of it before the notifiers' buffers are empty. */

#define NOTIFIERS 2
#define CONSUMERS 2

byte epoch, sleepers;
byte waking;              /* 0: idle, 1: a sleeper is being woken, 2: and others rely on it */
bool work[NOTIFIERS];     /* in memory */
bool buffered[NOTIFIERS]; /* stored by the notifier, not yet in memory */
bool asleep[CONSUMERS];
bool marked;              /* in sleepers_: many are expected */
bool both_full;           /* fences: sleepers know, too */
bool late;                /* the first consumer has been woken, and does not get up */
bool gone;                /* it has left with its unit */
bool second_came;
byte taken;

inline wake_another() {
#ifndef BROKEN2
    epoch++;
#endif
    atomic { /* futex_wake(1) */
        if
        :: asleep[0] -> asleep[0] = false; woke = true
        :: asleep[1] -> asleep[1] = false; woke = true
        :: !asleep[0] && !asleep[1] -> woke = false
        fi
    };
    if
    :: woke -> break
    :: !woke ->
           atomic { woke = (waking == 2); waking = 0 };
           if :: woke -> skip :: else -> break fi
    fi
}

/* notify_one_slow(), after sleepers > 0 was read; its fence has emptied the caller's buffer */
inline wake_one() {
    do
    :: atomic { waking == 0 -> waking = 1 };
       wake_another()
    :: atomic { waking != 0 -> waking = 2 };
       if
       :: !late -> break
#ifdef BROKEN4
       :: late -> break
#else
       :: atomic { waking == 2 -> waking = 1 }; /* it is too old, and nobody else was first */
              wake_another()
       :: waking != 2 -> break
#endif
       fi
    od
}

proctype notifier(byte me) {
    bool woke;
#ifdef LATE
    if
    :: me == 1 ->
end_early:  late || gone; /* it may never come */
           second_came = true
    :: else
    fi;
#endif
    buffered[me] = true;
    if
    :: atomic { marked -> skip };
       atomic { if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi };
       if :: sleepers > 0 -> wake_one() :: sleepers == 0 fi
    :: atomic { !marked && sleepers > 0 -> skip };
       atomic { if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi };
       wake_one()
    :: atomic { !marked && sleepers == 0 -> skip }
    fi;
    /* sooner or later the buffer drains by itself */
    atomic { if :: buffered[me] -> buffered[me] = false; work[me] = true :: else fi }
}

inline look() {
    atomic {
        if
        :: work[0] -> work[0] = false; found = true; taken++
        :: work[1] -> work[1] = false; found = true; taken++
        :: !work[0] && !work[1]
        fi
    }
}

inline heavy_fence() {
    atomic {
        if :: buffered[0] -> buffered[0] = false; work[0] = true :: else fi;
        if :: buffered[1] -> buffered[1] = false; work[1] = true :: else fi
    }
}

#ifdef MANY
/* expect_many_sleepers() */
proctype expectant() {
    marked = true;
#ifdef BROKEN5
    both_full = true;
    heavy_fence()
#else
    heavy_fence();
    both_full = true
#endif
}
#endif

proctype consumer(byte me) {
    bool found, woke;
    byte ticket;
    do
    :: look();
#ifdef LATE
       if
       :: found && me == 0 -> gone = true; break
       :: taken == 2 && me == 1 -> break
       :: found && me == 1 && taken < 2 -> found = false
       :: else
       fi;
#else
       if :: found -> break :: else fi;
#endif
       atomic { sleepers++ };
#ifndef BROKEN
       if
       :: both_full -> skip
       :: else -> heavy_fence()
       fi;
#endif
       ticket = epoch;
       if
       :: work[0] || work[1] -> /* work_visible() */
              atomic { sleepers-- }
       :: !work[0] && !work[1] ->
              if /* futex_wait(epoch, ticket) */
              :: atomic { epoch == ticket -> asleep[me] = true };
                 if
                 :: !asleep[me]
#ifdef LATE
                 :: atomic { me == 1 && (taken == 2 || !second_came) -> asleep[me] = false }
#endif
                 fi;
#ifdef LATE
                 if
                 :: me == 0 -> late = true;
end_late:              false
                 :: else
                 fi
#endif
              :: epoch != ticket
              fi;
              atomic { sleepers-- };
              waking = 0;
#ifndef BROKEN3
              if
              :: (work[0] || work[1]) && sleepers > 0 -> wake_one()
              :: else
              fi
#endif
       fi
    od
}

init {
    atomic {
        run notifier(0); run notifier(1); run consumer(0); run consumer(1);
#ifdef MANY
        run expectant()
#endif
    }
}
