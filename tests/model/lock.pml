// explore: | holds
// explore: BROKEN | fails: stuck at may_go_on[me]
// explore: BROKEN2 | fails: stuck at may_go_on[me]
// explore: BROKEN3 | fails: stuck at may_go_on[me]
/* Waiting for a lock: runtime/core/regions/lock.cpp and runtime/core/regions/lock_waiters.cpp.
 * Three tasks and a thread want the lock once each. Tasks suspend when it is held: FIRST and SECOND
 * belong to one member, OTHER to another. The thread sleeps. A fifth party takes the lock whenever
 * it is free, twice, and never waits. The first member's worker is busy until OTHER and the thread
 * have had the lock.
 * Shown: one holds the lock at a time, and everybody gets it (an invalid end state otherwise).
 * -DBROKEN: a task tries the lock before it comes to the bucket, and enters without another try.
 * -DBROKEN2: a release lets only one of all suspended tasks go on.
 * -DBROKEN3: who goes on and takes the lock does not mark it as contended. */

#define FREE 0
#define HELD 1
#define CONTENDED 2

#define FIRST 0
#define SECOND 1
#define OTHER 2

byte word;
byte holders;
bool bucket;         /* its lock */
byte waiting;        /* in the bucket, and about to enter it */
bool queued[3];      /* FIRST stands before SECOND, if both are there and it came first */
bool second_leads;
bool may_go_on[3];
bool asleep;
bool other_done, thread_done;

inline critical_section() {
    holders++;
    assert(holders == 1);
    holders--
}

inline let_go_on(t) {
    queued[t] = false;
    waiting--;
    may_go_on[t] = true
}

inline unlock() {
    atomic { before = word; word = FREE };
    if
    :: before == CONTENDED ->
           asleep = false; /* futex_wake(1) */
           if
           :: waiting == 0
           :: waiting != 0 ->
                  atomic { !bucket -> bucket = true };
                  if
                  :: queued[FIRST] && !(queued[SECOND] && second_leads) -> let_go_on(FIRST)
                  :: queued[SECOND] && !(queued[FIRST] && !second_leads) -> let_go_on(SECOND)
                  :: !queued[FIRST] && !queued[SECOND]
                  fi;
#ifdef BROKEN2
                  if
                  :: queued[OTHER] && !may_go_on[FIRST] && !may_go_on[SECOND] -> let_go_on(OTHER)
                  :: else
                  fi;
#else
                  if :: queued[OTHER] -> let_go_on(OTHER) :: else fi;
#endif
                  bucket = false
           fi
    :: else
    fi
}

proctype task(byte me) {
    byte before;
    bool mine;
    /* lock(), or lock_slow() */
    atomic { mine = (word == FREE); if :: mine -> word = HELD :: else fi };
    do
    :: mine -> break
    :: !mine ->
           /* suspend_until_released(), arm() */
#ifdef BROKEN
           atomic { mine = (word == FREE); word = CONTENDED };
           if :: mine -> break :: else fi;
#endif
           atomic { !bucket -> bucket = true };
           waiting++;
#ifndef BROKEN
#ifdef BROKEN3
           atomic {
               mine = (word == FREE);
               if :: mine -> word = HELD :: else -> word = CONTENDED fi
           };
#else
           atomic { mine = (word == FREE); word = CONTENDED };
#endif
#endif
           if
           :: mine -> waiting--; bucket = false
           :: else ->
                  atomic {
                      if
                      :: me == SECOND && !queued[FIRST] -> second_leads = true
                      :: me == FIRST && !queued[SECOND] -> second_leads = false
                      :: else
                      fi;
                      queued[me] = true
                  };
                  bucket = false;
                  may_go_on[me];
                  may_go_on[me] = false;
                  /* its member's worker is busy with something that waits for the others */
                  me == OTHER || (other_done && thread_done);
#ifndef BROKEN3
                  atomic { mine = (word == FREE); word = CONTENDED }
#else
                  atomic {
                      mine = (word == FREE);
                      if :: mine -> word = HELD :: else -> word = CONTENDED fi
                  }
#endif
           fi
    od;
    critical_section();
    unlock();
    if :: me == OTHER -> other_done = true :: else fi
}

proctype thread() {
    byte before;
    bool mine;
    atomic { mine = (word == FREE); if :: mine -> word = HELD :: else fi };
    do
    :: mine -> break
    :: !mine ->
           atomic { mine = (word == FREE); word = CONTENDED };
           if
           :: mine -> break
           :: else ->
                  if /* futex_wait(word, CONTENDED) */
                  :: atomic { word == CONTENDED -> asleep = true };
                     !asleep
                  :: word != CONTENDED
                  fi
           fi
    od;
    critical_section();
    unlock();
    thread_done = true
}

proctype barger() {
    byte before, turns;
    do
    :: turns == 2 -> break
    :: turns < 2 ->
           atomic { word == FREE -> word = HELD };
           critical_section();
           unlock();
           turns++
    :: true -> break
    od
}

init {
    atomic { run task(FIRST); run task(SECOND); run task(OTHER); run thread(); run barger() }
}
