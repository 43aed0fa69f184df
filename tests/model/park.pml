// explore: | holds
// explore: BROKEN | fails: assert nobody_sleeps_beside_work
// explore: BROKEN2 | fails: assert nobody_sleeps_beside_work
// explore: BROKEN3 | fails: assert nobody_sleeps_beside_work
// explore: MANY | holds
// explore: MANY BROKEN5 | fails: assert nobody_sleeps_beside_work
// explore: LATE | holds
// explore: LATE FEWER | fails: assert woken_in_time
// explore: LATE BROKEN4 | fails: assert woken_in_time
// explore: LATE BROKEN6 | fails: assert woken_in_time
/* Sleeping and waking: platform/futex.h and event_count.cpp, EventCount: prepare(), cancel(), wait(), end_wait(),
 * notify_one(), somebody_sleeps(), may_wake(), notify_one_slow(), expect_many_sleepers(); as used by
 * runtime/core/scheduling/scheduler.h, idle_until().
 * A notifier publishes one unit of work by a buffered store, then reads sleepers_ with no fence but the
 * compiler's (light_fence()). A sleeper's heavy_fence() empties every store buffer (membarrier). A buffer
 * drains by itself at any time.
 * One wake-up is under way at a time, and relying_ counts the calls that have it in common. A thread that has
 * slept passes the wake-up on while there is work.
 *
 * Without LATE: two notifiers publish a unit each, and two consumers leave with one each. A call that relies
 * on the wake-up under way may find it too old at any time, and wakes another consumer.
 * Shown: no consumer sleeps for ever while work is left.
 *
 * -DLATE: the first consumer does not get up when it is woken. From then on two notifiers make CALLS calls
 * together, each for one unit. Of the calls that rely on the wake-up, each sixteenth looks at the clock.
 * Shown: the second consumer gets all units, since the sixteenth call at the latest wakes it.
 * -DFEWER: fifteen calls are not enough, so the bound is exact.
 *
 * -DMANY: meanwhile many sleepers come to be expected; from then on both sides empty their own buffers only.
 *
 * -DBROKEN: the sleeper's fence does not reach the notifiers' buffers.
 * -DBROKEN2: the notifier wakes without advancing the epoch.
 * -DBROKEN3: a wake-up is not passed on.
 * -DBROKEN4: no call looks at the clock.
 * -DBROKEN5: sleepers learn that many are expected before the notifiers' buffers are empty.
 * -DBROKEN6: the call that finds the wake-up too old gives up if another call has come to rely on it
 * meanwhile. */

#define NOTIFIERS 2
#define CONSUMERS 2
#define BETWEEN_LOOKS 16
#ifdef FEWER
#define ENOUGH (BETWEEN_LOOKS - 1)
#else
#define ENOUGH BETWEEN_LOOKS
#endif
#define CALLS (BETWEEN_LOOKS + 1) /* one more may come between the steps of the sixteenth */

bool fresh[CONSUMERS];     /* the epoch is that of the consumer's ticket */
byte sleepers;
byte relying;             /* calls that have the wake-up under way in common; 0: none is under way */
byte work;                /* units in memory */
byte buffered[NOTIFIERS]; /* units published by the notifier, not yet in memory */
bool asleep[CONSUMERS];
bool marked;              /* in sleepers_: many are expected */
bool both_full;           /* fences: sleepers know, too */
bool late;                /* the first consumer was woken some time ago, and is not up */
byte calls;               /* made since then */
bool nobody_sleeps_beside_work, woken_in_time;

inline drain(n) {
    d_step { work = work + buffered[n]; buffered[n] = 0 }
}

#ifdef LATE
#define LOOKS(others) ((others) % BETWEEN_LOOKS == 0)
#else
#define LOOKS(others) true
#endif

/* notify_one_slow() and may_wake(), after sleepers > 0 was read and the caller's buffer was emptied */
inline wake_one() {
    do
    :: atomic { others = relying; relying++ };
       if
       :: others == 0
       :: others != 0 && !LOOKS(others) -> break
#ifdef BROKEN4
       :: others != 0 && LOOKS(others) -> break
#else
       :: others != 0 && LOOKS(others) ->
              if
#ifdef LATE
              :: !late -> break
              :: late
#else
              :: break
              :: true
#endif
              fi;
              atomic { /* the loop of compare_exchange */
                  if
#ifdef BROKEN6
                  :: relying == others + 1 -> relying = 1
#else
                  :: relying > others -> relying = 1
#endif
                  :: else -> break /* it has ended, or another call was first */
                  fi
              }
#endif
       fi;
#ifndef BROKEN2
       d_step { fresh[0] = false; fresh[1] = false }; /* the epoch advances */
#endif
       atomic { /* futex_wake(1) */
           if
           :: asleep[0] -> asleep[0] = false; woke = true
           :: asleep[1] -> asleep[1] = false; woke = true
           :: !asleep[0] && !asleep[1] -> woke = false
           fi
       };
       if :: woke -> break :: else fi;
       atomic { others = relying; relying = 0 };
       if :: others > 1 :: else -> break fi
    od;
    atomic { others = 0; woke = false }
}

inline notify_one(me) {
    if
    :: atomic { marked -> drain(me) }; /* somebody_sleeps(): its own fence */
       if :: sleepers > 0 -> wake_one() :: sleepers == 0 fi
    :: atomic { !marked && sleepers > 0 -> skip };
       drain(me);
       wake_one()
    :: atomic { !marked && sleepers == 0 -> skip }
    fi
}

proctype notifier(byte me) {
    bool woke;
    byte others;
#ifdef LATE
    if
    :: me == 0 -> buffered[me]++; notify_one(me) /* the call that wakes the first consumer */
    :: else
    fi;
end:
    late;
    do
    :: atomic { calls < CALLS -> calls++; buffered[me]++ };
       notify_one(me)
    :: calls >= ENOUGH -> break
    od
#else
    buffered[me]++;
    notify_one(me)
#endif
}

#ifndef LATE /* there publish() is all that matters of a buffer: somebody sleeps, so the caller empties it */
active proctype buffers() {
end:
    do
    :: buffered[0] > 0 -> drain(0)
    :: buffered[1] > 0 -> drain(1)
    od
}
#endif

inline heavy_fence() {
    d_step { work = work + buffered[0] + buffered[1]; buffered[0] = 0; buffered[1] = 0 }
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
    bool woke;
    byte others;
    do
    :: atomic { work > 0 -> work--;
#ifdef LATE
                if :: me == 0 -> break :: else fi
#else
                break
#endif
       }
    :: work == 0 ->
       sleepers++;
#ifndef BROKEN
       if
       :: both_full
       :: else -> heavy_fence()
       fi;
#endif
       fresh[me] = true; /* its ticket */
       if
       :: work > 0 -> sleepers-- /* cancel() */
       :: work == 0 ->
              if /* futex_wait(epoch, ticket) */
              :: atomic { fresh[me] -> asleep[me] = true };
end_asleep:      !asleep[me]
              :: !fresh[me]
              fi;
#ifdef LATE
              if
              :: me == 0 ->
                     late = true;
end_late:            false
              :: else
              fi;
#endif
              /* end_wait() */
              sleepers--;
              relying = 0;
#ifndef BROKEN3
              if
              :: work > 0 && sleepers > 0 -> wake_one()
              :: else
              fi
#endif
       fi
    od
}

active proctype claims() {
    timeout; /* nothing happens any more */
    nobody_sleeps_beside_work = work == 0 || late;
    woken_in_time = work == 0 || calls < ENOUGH;
    assert(nobody_sleeps_beside_work);
    assert(woken_in_time)
}

init {
    atomic {
        run notifier(0); run notifier(1); run consumer(0); run consumer(1);
#ifdef MANY
        run expectant()
#endif
    }
}
