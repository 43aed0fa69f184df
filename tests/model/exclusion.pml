// explore: | holds
// explore: BROKEN | fails: stuck at ready[me]
// explore: BROKEN2 | fails: stuck at ready[me]
/* The locks of mutexinoutset: runtime/core/dependences/exclusion.h, exclusion.cpp: take_exclusions(),
 * free_exclusions().
 * Tasks with one lock or both; each tries once, when a worker is about to run it, is parked or runs,
 * and then frees its locks and serves those who wait for them. Who is served with success runs with
 * the locks that were taken for it. Task 1, while it runs, waits for what task 3 sends, which has no
 * lock in common with it.
 * Shown: a lock has one holder; every task runs, once; nobody is kept from running by a task that
 * is parked itself.
 * -DBROKEN: who serves a lock stops after one task, though that was parked with another lock and
 * this one is free.
 * -DBROKEN2: a task is parked after it has let go of the spin lock under which it saw the lock held.
 */

#define LOCKS 2
#define TASKS 4
#define NOBODY 9
#define WANTS(t, l) ((wants[t] >> (l)) & 1)

byte wants[TASKS]; /* which locks: bit 0, bit 1 */
bool spin[LOCKS];
byte holder[LOCKS];
chan parked[LOCKS] = [TASKS] of { byte };
bool ready[TASKS]; /* made ready by somebody, its locks taken */
byte runs[TASKS];

/* The spin lock of l is taken, and what it guards is read with it. */
inline look(t, l) {
    if
    :: WANTS(t, l) && got ->
           atomic {
               !spin[l] -> spin[l] = true;
               looked = l + 1;
               if
               :: holder[l] != NOBODY -> got = false
               :: else
               fi
           }
    :: else
    fi
}

inline let_go(t, l) {
    if
    :: WANTS(t, l) && looked > l -> spin[l] = false
    :: else
    fi
}

/* take_exclusions(): in order; what was locked is unlocked in order, the busy one last. */
inline take(t) {
    got = true;
    look(t, 0);
    look(t, 1);
    busy = looked - 1;
#ifdef BROKEN2
    if
    :: !got -> atomic { spin[busy] = false; looked = busy }
    :: else
    fi;
#endif
    d_step {
        if
        :: got ->
               if :: WANTS(t, 0) -> assert(holder[0] == NOBODY); holder[0] = t :: else fi;
               if :: WANTS(t, 1) -> assert(holder[1] == NOBODY); holder[1] = t :: else fi
        :: !got -> parked[busy] ! t
        fi
    };
    let_go(t, 0);
    let_go(t, 1);
    d_step { looked = 0; busy = 0 }
}

inline release(l) {
    if
    :: WANTS(me, l) ->
           atomic { !spin[l] -> spin[l] = true; holder[l] = NOBODY };
           spin[l] = false
    :: else
    fi
}

inline serve(l) {
    do
    :: !WANTS(me, l) -> break
    :: WANTS(me, l) ->
           atomic {
               !spin[l] -> spin[l] = true;
               if
               :: holder[l] == NOBODY && len(parked[l]) > 0 -> parked[l] ? other
               :: holder[l] != NOBODY || len(parked[l]) == 0 -> other = NOBODY
               fi
           };
           spin[l] = false;
           if
           :: other == NOBODY -> break
           :: else
           fi;
           take(other);
           if
           :: got -> ready[other] = true; break
           :: else
           fi;
#ifdef BROKEN
           break
#endif
    od
}

proctype task(byte me) {
    byte other, looked, busy;
    bool got;
    take(me);
    if
    :: got
    :: else -> ready[me]
    fi;
    runs[me]++;
    assert(runs[me] == 1);
    assert(!WANTS(me, 0) || holder[0] == me);
    assert(!WANTS(me, 1) || holder[1] == me);
    if
    :: me == 1 -> runs[3] == 1
    :: else
    fi;
    release(0);
    release(1);
    serve(0);
    serve(1)
}

init {
    d_step {
        holder[0] = NOBODY;
        holder[1] = NOBODY;
        wants[0] = 1;
        wants[1] = 2;
        wants[2] = 3;
        wants[3] = 1
    };
    atomic {
        run task(0);
        run task(1);
        run task(2);
        run task(3)
    }
}
