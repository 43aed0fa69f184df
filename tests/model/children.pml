// explore: | holds
// explore: BROKEN | fails: assert zombies[0] > 0
// explore: BROKEN2 | fails: assert zombies[0] > 0
/* The children word: runtime/core/task/task.h (namespace children), runtime/core/scheduling/waiting.cpp: taskwait(),
 * complete(), leaves_completed(), child_released(), tree_emptied(); runtime/core/team/barrier.cpp:
 * arrive_when_quiet().
 * A root creates two children, waits for them (taskwait), creates a third, and comes to a barrier.
 * A child may create a child of its own and complete before it; the root counts one such child as a
 * zombie, two if it meets them at once, and those beyond when their children are released.
 * Completions of leaves may be told two at a time (flush_completions()).
 * Shown: each wait ends, by exactly one signal, when and only when its condition holds; each task is
 * released exactly once, after its children.
 * -DBROKEN: a completing parent sets kFinished before its own parent counts it as a zombie.
 * -DBROKEN2: a parent that was not counted as a zombie is taken off their number. */

#define ROOT 0
#define MOST 1

/* Tasks 1, 2, 3: children of the root; 4, 5: children of 1 and 2. The word of task t: */
byte live[6];    /* children folded in and not released; modulo 256 as modulo 2^32 there */
byte zombies[6];
bool wait_completed[6], wait_released[6], finished[6], uncounted[6];
byte made[6]; /* `created`: not folded in; the runner's */
bool released[6], completed[6];
byte woken, arrived;

/* parent of t */
#define PARENT(t) (t <= 3 -> ROOT : t - 3)

inline release(t) {
    assert(!released[t]);
    released[t] = true
}

/* leaves_completed(ROOT, 1) by one that was not counted; the root is nobody's child */
inline leaves_completed_of_root() {
    atomic {
        live[ROOT] = live[ROOT] - 1;
        signal = wait_completed[ROOT] && live[ROOT] == zombies[ROOT];
        empty_root = live[ROOT] == 0 && wait_released[ROOT]
    };
    if :: signal -> woken++ :: else fi;
    if :: empty_root -> arrived++ :: else fi
}

/* `n` children of p without children of their own have completed */
inline leaves_completed(p, n) {
    atomic {
        live[p] = live[p] - n;
        signal = wait_completed[p] && live[p] == zombies[p];
        empty_tree = live[p] == 0 && (wait_released[p] || finished[p])
    };
    if :: signal -> woken++ :: else fi;
    if :: empty_tree -> tree_emptied(p) :: else fi
}

inline tree_emptied(p) {
    if
    :: p == ROOT -> arrived++
    :: else ->
           release_finished(p)
    fi
}

inline release_finished(t) {
    release(t);
    if
#ifndef BROKEN2
    :: uncounted[t] -> leaves_completed_of_root()
#endif
    :: else ->
           atomic { /* child_released(ROOT) */
               live[ROOT] = live[ROOT] - 1;
               assert(zombies[ROOT] > 0); /* in the packed word it would borrow from the flags */
               zombies[ROOT] = zombies[ROOT] - 1;
               empty_root = live[ROOT] == 0 && wait_released[ROOT]
           };
           if :: empty_root -> arrived++ :: else fi
    fi
}

/* complete(t) of a child of the root that may have children */
inline complete(t) {
    completed[t] = true;
    if
    :: made[t] == 0 && live[t] == 0 && zombies[t] == 0 ->
           release(t);
           leaves_completed(ROOT, 1)
    :: else ->
           atomic { live[t] = live[t] + made[t]; made[t] = 0; empty_own = live[t] == 0 };
           if
           :: empty_own ->
                  release(t);
                  leaves_completed(ROOT, 1)
           :: else ->
#ifdef BROKEN
                  atomic { finished[t] = true; empty_own = live[t] == 0 };
#endif
                  uncounted[t] = zombies[ROOT] >= MOST;
                  if
                  :: uncounted[t]
                  :: else ->
                         atomic {
                             zombies[ROOT] = zombies[ROOT] + 1;
                             signal = wait_completed[ROOT] && live[ROOT] == zombies[ROOT]
                         };
                         if :: signal -> woken++ :: else fi
                  fi;
#ifndef BROKEN
                  atomic { finished[t] = true; empty_own = live[t] == 0 };
#endif
                  if
                  :: empty_own -> tree_emptied(t)
                  :: else
                  fi
           fi
    fi
}

proctype child(byte t) {
    bool signal, empty_tree, empty_root, empty_own;
    if
    :: t <= 2 -> made[t] = 1; run grandchild(t + 3)
    :: true
    fi;
    complete(t)
}

proctype grandchild(byte t) {
    bool signal, empty_tree, empty_root;
    byte p = PARENT(t);
    completed[t] = true;
    release(t);
    leaves_completed(p, 1)
}

/* One worker that ran two leaves and tells of them together. */
proctype two_leaves() {
    bool signal, empty_tree, empty_root;
    completed[1] = true;
    release(1);
    completed[2] = true;
    release(2);
    leaves_completed(ROOT, 2)
}

init {
    bool holds;
    byte signals;
    made[ROOT] = 2;
    if
    :: run child(1); run child(2)
    :: run two_leaves()
    fi;
    /* taskwait */
    if
    :: atomic { live[ROOT] = live[ROOT] + made[ROOT]; made[ROOT] = 0;
                holds = live[ROOT] == zombies[ROOT] };
       if
       :: holds
       :: else ->
              atomic { wait_completed[ROOT] = true; holds = live[ROOT] == zombies[ROOT] };
              if
              :: holds
              :: else -> woken > 0
              fi;
              wait_completed[ROOT] = false
       fi
    fi;
    assert(completed[1] && completed[2]);
    made[ROOT] = 1;
    run child(3);
    /* the barrier */
    atomic {
        live[ROOT] = live[ROOT] + made[ROOT];
        made[ROOT] = 0;
        wait_released[ROOT] = true;
        holds = live[ROOT] == 0
    };
    if :: holds -> arrived++ :: else fi;
    arrived > 0;
    assert(live[ROOT] == 0 && released[1] && released[2] && released[3]);
    assert(completed[4] == released[4] && completed[5] == released[5]);
    _nr_pr == 1;
    assert(arrived == 1 && woken <= 1)
}
