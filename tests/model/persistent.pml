/* Kept tasks without barriers: src/core/persistent/persistent_task.cpp, complete_kept(); src/core/persistent/persistent.h,
 * next_kept() and launch().
 * An iteration is a writer (0) and two readers (1, 2) of one variable: edges 0 -> 1, 0 -> 2, and to
 * the next iteration 1 -> 0, 2 -> 0. The producer waits until a task's last use has ended, fills it
 * and drops the guard of its counter; any worker may complete any running task, a step at a time.
 * Shown: each task runs once an iteration, after its predecessors; it is not filled while it runs;
 * when nothing runs the counters are what the plan says for the start.
 * -DBROKEN: a task sets its counter after it has released its successors. */

#define TASKS 3
#define ITERATIONS 3

byte inside[TASKS];  /* edges within the iteration */
byte armed[TASKS];   /* those, the ones from the iteration before, the guard */
short count[TASKS];
bool ended[TASKS], running[TASKS];
byte filled[TASKS], done[TASKS];

proctype use(byte t) {
    byte s = 0;
    assert(!running[t] && !ended[t] && filled[t] == done[t] + 1);
    running[t] = true;
    if
    :: t == 0 -> assert(done[1] == done[0] && done[2] == done[0])
    :: else -> assert(done[0] == done[t] + 1)
    fi;
    running[t] = false;
    done[t]++;
#ifndef BROKEN
    count[t] = armed[t];
#endif
    do
    :: s < TASKS ->
           if
           :: (t == 0 && s != 0) || (t != 0 && s == 0) ->
                  atomic {
                      count[s]--;
                      if :: count[s] == 0 -> run use(s) :: else fi
                  }
           :: else
           fi;
           s++
    :: else -> break
    od;
#ifdef BROKEN
    count[t] = armed[t];
#endif
    ended[t] = true
}

init {
    byte i, t;
    inside[0] = 0; inside[1] = 1; inside[2] = 1;
    armed[0] = 3; armed[1] = 2; armed[2] = 2;
    for (t : 0 .. 2) {
        count[t] = inside[t] + 1;
        ended[t] = true
    }
    for (i : 1 .. ITERATIONS) {
        for (t : 0 .. 2) {
            ended[t]; /* else the producer suspends */
            assert(!running[t]);
            ended[t] = false;
            filled[t]++;
            atomic {
                count[t]--;
                if :: count[t] == 0 -> run use(t) :: else fi
            }
        }
    }
    (_nr_pr == 1);
    for (t : 0 .. 2) {
        assert(done[t] == ITERATIONS && ended[t] && count[t] == inside[t] + 1)
    }
}
