// explore: | holds
// explore: BROKEN | fails: assert nobody_sleeps_beside_work
// explore: BROKEN2 | fails: assert nobody_sleeps_beside_work
// explore: BROKEN3 | fails: assert nobody_sleeps_beside_work
// explore: BROKEN5 | fails: assert nobody_sleeps_beside_work
// explore: FIRST | holds
// explore: FIRST BROKEN7 | fails: assert nobody_sleeps_beside_work
// explore: LATE | holds
// explore: LATE FEWER | fails: assert woken_in_time
// explore: LATE BROKEN4 | fails: assert woken_in_time
// explore: LATE BROKEN6 | fails: assert woken_in_time
/* Sleeping and waking: platform/futex.h and event_count.cpp, EventCount: prepare_to_look(), cancel_look(),
 * wait_for_work(), notify_one(), may_wake(), notify_some_slow(); as used by runtime/core/scheduling/scheduler.h,
 * idle_until().
 * A notifier publishes one unit of work by a buffered store, then reads sleepers_ with no fence but the
 * compiler's (light_fence()). The first sleeper's heavy_fence() empties every store buffer (membarrier). A
 * buffer drains by itself at any time.
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
 * -DFIRST: the notifiers queue their region's first tasks (expect_tasks() and tells_of_tasks() of team.h): a
 * sleeper passes no heavy fence before that.
 *
 * -DBROKEN: the sleeper's fence does not reach the notifiers' buffers.
 * -DBROKEN2: the notifier wakes without advancing the epoch.
 * -DBROKEN3: a wake-up is not passed on.
 * -DBROKEN4: no call looks at the clock.
 * -DBROKEN5: the first sleeper leaves with a unit, and notifies nobody of the others that it saw.
 * -DBROKEN6: the call that finds the wake-up too old gives up if another call has come to rely on it
 * meanwhile.
 * -DBROKEN7: the sleeper asks whether there are tasks before it announces itself. */

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
bool has_tasks;           /* of the team */
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

/* notify_some_slow() and may_wake(), after sleepers > 0 was read and the caller's buffer was emptied */
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
    :: atomic { sleepers > 0 -> drain(me) };
       wake_one()
    :: sleepers == 0
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
    has_tasks = true; /* a read-modify-write, so it is in memory at once */
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

proctype consumer(byte me) {
    bool woke, first, expected;
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
#ifdef BROKEN7
       expected = has_tasks;
#endif
       d_step { first = sleepers == 0; sleepers++ };
#if defined(FIRST) && !defined(BROKEN7)
       expected = has_tasks;
#endif
#ifndef FIRST
       expected = true;
#endif
#ifndef BROKEN
       if
       :: first && expected -> heavy_fence()
       :: else
       fi;
#endif
       fresh[me] = true; /* its ticket */
       if
       :: work > 0 -> /* cancel_look() */
              d_step { first = first && sleepers > 1; sleepers-- };
#ifndef BROKEN5
              if
              :: first && work > 0 && sleepers > 0 -> wake_one()
              :: else
              fi
#endif
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
        run notifier(0); run notifier(1); run consumer(0); run consumer(1)
    }
}
