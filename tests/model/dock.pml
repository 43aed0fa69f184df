// explore: | holds
// explore: BROKEN | fails: stuck at !asleep
// explore: BROKEN2 | fails: stuck at !asleep
// explore: BROKEN3 | fails: assert fork == seen && region[me] != seen
/* A team's forks: runtime/core/regions/teams.cpp, announce_fork() and disband(), and runtime/core/regions/thread.cpp, serve().
 * The primary writes the fork word, the number of the fork and the region's size as one, by a buffered
 * store. Members of the last region wait in its join, all at one event count; the others are docked,
 * each at one of its own, and wait for a word that includes them. So a fork wakes those in the join,
 * and of the docked ones those from the last region's size on that it includes. To disband is to
 * include all.
 * Shown: each member takes part in each region that it is in, once, and in no other; nobody sleeps for
 * ever (an invalid end state otherwise).
 * -DBROKEN: who was in an earlier region is taken for not docked.
 * -DBROKEN2: the sleeper's fence does not reach the primary's buffer.
 * -DBROKEN3: number and size are read one after the other. */

#define MEMBERS 2 /* besides the primary, which is number 0 */
#define FORKS 3
#define ALL 9

byte fork, size;                  /* the word in memory */
byte next_fork, next_size;        /* in the primary's buffer */
bool buffered;
byte pending;                     /* members that have not arrived at the join */
byte left;                        /* members that have left the disbanded team */
byte region[4];                   /* of each member: the last fork whose region it was in */

byte sleepers[4];                 /* 0: of the join; others: of each member's dock */
bool fresh_in_join[4], fresh_in_dock[4]; /* the event count's epoch is that of the member's ticket */
bool asleep_in_join[4], asleep_in_dock[4];

inline drain() {
    atomic {
        if
        :: buffered -> fork = next_fork; size = next_size; buffered = false
        :: else
        fi
    }
}

/* schedule_until() in the join, sleep_until() in the dock: prepare(), look, sleep, look again */
inline wait_at(place, fresh, asleep, found) {
    do
    :: found -> break
    :: else ->
           sleepers[place]++;
#ifndef BROKEN2
           drain(); /* heavy_fence() */
#endif
           fresh = true; /* its ticket */
           if
           :: found -> skip
           :: else ->
                  if
                  :: atomic { fresh -> asleep = true };
                     !asleep
                  :: !fresh
                  fi
           fi;
           sleepers[place]--
    od
}

proctype member(byte me) {
    byte seen, extent;
    bool in_region;
    do
    :: if
       :: in_region -> wait_at(0, fresh_in_join[me], asleep_in_join[me], (fork != seen))
       :: else -> wait_at(me, fresh_in_dock[me], asleep_in_dock[me], (fork != seen && me < size))
       fi;
#ifdef BROKEN3
       seen = fork;
       extent = size;
#else
       atomic { seen = fork; extent = size };
#endif
       in_region = false;
       if
       :: extent == ALL -> break
       :: extent != ALL && me >= extent -> skip
       :: extent != ALL && me < extent ->
              in_region = true;
              assert(fork == seen && region[me] != seen);
              region[me] = seen;
              pending--
       fi
    od;
    left++
}

inline announce() {
    /* EventCount::notify_all(): what it does after it has seen a sleeper empties the buffer */
    if
    :: sleepers[0] > 0 ->
           drain();
           d_step { fresh_in_join[1] = false; fresh_in_join[2] = false };
           atomic { asleep_in_join[1] = false; asleep_in_join[2] = false }
    :: else
    fi;
    do
    :: from >= until || from > MEMBERS -> break
    :: else ->
           if
           :: sleepers[from] > 0 ->
                  drain();
                  fresh_in_dock[from] = false;
                  asleep_in_dock[from] = false
           :: else
           fi;
           from++
    od;
    drain() /* sooner or later, by itself */
}

proctype primary() {
    byte number, from, until, last = 1;
    do
    :: number == FORKS -> break
    :: else ->
           number++;
           if :: until = 1 :: until = 2 :: until = 3 fi;
           pending = until - 1;
           atomic { next_fork = number; next_size = until; buffered = true };
           from = last;
#ifdef BROKEN
           if :: until > last -> last = until :: else fi;
#else
           last = until;
#endif
           announce();
           pending == 0;
           assert(until <= 1 || region[1] == number);
           assert(until <= 2 || region[2] == number)
    od;
    atomic { next_fork = number + 1; next_size = ALL; buffered = true };
    from = 1;
    until = ALL;
    announce();
    left == MEMBERS
}

init {
    atomic { run primary(); run member(1); run member(2) }
}
