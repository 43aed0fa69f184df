// explore: | holds
// explore: BROKEN | fails: assert at_rest
// explore: BROKEN2 | fails: assert ends
// explore: JOIN | holds
// explore: JOIN BROKEN7 | fails: assert exists
// explore: REPLAY | holds
// explore: REPLAY BROKEN | fails: assert ends
// explore: REPLAY BROKEN2 | fails: assert ends
// explore: REPLAY BROKEN6 | fails: assert exists
// explore: REPLAY CHAIN | holds
// explore: REPLAY CHAIN BROKEN3 | fails: assert exists
// explore: REPLAY JOIN | holds
// explore: DEVIATE | holds
// explore: DEVIATE BROKEN4 | fails: assert in_order
// explore: DEVIATE BROKEN5 | fails: assert in_order
/* Kept tasks without barriers between iterations, in runtime/core/persistent/:
 * persistent_task.cpp: complete_kept(), release_kept_parent(), KeptTasks::idle(), retire();
 * persistent.h: next_kept(), refill(), launch(); persistent.cpp: replay(), come_to_rest();
 * persistent_creation.cpp: wait_until_reusable(), enter_accesses_of(), link_and_launch(), leave();
 * and runtime/core/dependences/: linking.cpp: push_edge(), publish_edges(); successors.h: release_successors().
 * An iteration is a writer and two readers of one variable. Any worker may complete any running task, a step at
 * a time. At last the producer waits for its children, and a thread that finds the kept tasks idle frees them.
 *
 * Without REPLAY: the producer waits until a task's last use has ended, fills it and drops the guard of its
 * counter.
 * -DREPLAY: the producer does that for tasks without predecessors in their iteration only (W). The completion of
 * a use restores the payload. A use of R1 may have a child that outlives it.
 * -DCHAIN: the readers depend on each other, too. So R1 has a successor in its iteration and one in the next.
 * -DJOIN: the edges from the readers to the next iteration meet in an empty node.
 * -DDEVIATE: the program leaves the graph in the second iteration, at the beginning or between the readers. Either
 * it creates another writer, which is made like any task. Or the kept task there is a writer now, and gets edges
 * besides those of the plan. The kept tasks that are left are never launched.
 *
 * Shown: each task runs once an iteration, after its predecessors; it is not filled while it runs; when nothing
 * runs, the counters are those of the start; the kept tasks are freed, and nobody touches them afterwards.
 *
 * -DBROKEN: a task sets its counter after it has released its successors.
 * -DBROKEN2: the producer does not wait for a task's last use.
 * -DBROKEN3: successors of the same iteration are released first.
 * -DBROKEN4: the counter is not raised while a kept task is linked.
 * -DBROKEN5: the table of addresses lacks the tasks of the iteration before.
 * -DBROKEN6: a replayed task whose children are not released does not count as outstanding.
 * -DBROKEN7: an empty node that is ready does not count as outstanding. */

#define W 0     /* writes v */
#define R1 1    /* reads v; with CHAIN it writes w */
#define R2 2    /* reads v; with CHAIN it reads w */
#define EMPTY 3 /* the join of R1 and R2 */
#define X 4     /* another task: writes v */
#define NODES 5
#define NOWHERE 9

#if defined(DEVIATE) || defined(JOIN) || (defined(REPLAY) && !defined(CHAIN))
#define ITERATIONS 2
#else
#define ITERATIONS 3
#endif

/* Edges inside an iteration: W -> R1, W -> R2, with CHAIN R1 -> R2. To the next iteration: R1 -> W, R2 -> W, or
 * with JOIN R1 -> EMPTY, R2 -> EMPTY, EMPTY -> W; with CHAIN R2 -> R1. */
#ifdef JOIN
#define AFTER_READERS EMPTY
#define CROSSING(t) (t == W -> 1 : (t == EMPTY -> 2 : CHAINED * (t == R1)))
#else
#define AFTER_READERS W
#define CROSSING(t) (t == W -> 2 : CHAINED * (t == R1))
#endif
#ifdef CHAIN
#define CHAINED 1
#else
#define CHAINED 0
#endif
#define INSIDE(t) (t == W || t == EMPTY -> 0 : 1 + CHAINED * (t == R2))
#ifdef REPLAY
#define GUARD(t) (t == W)
#define LASTS (ITERATIONS * (2 - CHAINED)) /* tasks without successors in their iteration */
#else
#define GUARD(t) (t != EMPTY)
#define LASTS 0
#endif
#ifdef JOIN
#define LAST_NODE EMPTY
#else
#define LAST_NODE R2
#endif
#define ARMED(t) (INSIDE(t) + CROSSING(t) + GUARD(t))
/* When nothing runs; the empty node between iterations has been passed already. */
#define RESTING(t) (t == EMPTY -> ARMED(t) : INSIDE(t) + GUARD(t))

short count[NODES]; /* `predecessors` */
bool closed[NODES]; /* the list of successors made besides the plan */
byte list[NODES];   /* its edges, a bit for each successor */
byte uses[NODES];   /* `serial` */
bool filled[NODES], running[NODES];
byte done[NODES];
byte unfinished;    /* children of the producer that have not completed */
bool outlived;      /* R1 has a child that is not released */
byte outlivers = 1; /* how many such children may still be created */
byte lasts_done, outstanding;
bool retired, freed;
bool in_order, is_filled, at_rest, exists, is_alone, ends;
byte at = NOWHERE;  /* the task with which the program leaves the graph */
bool left_graph;

/* What is kept is read or written. */
inline touch() {
    exists = !freed;
    assert(exists)
}

/* One edge: the last predecessor makes the successor ready. */
inline subtract(s) {
    atomic {
        if :: s != X -> touch() :: else fi;
        count[s]--;
        if
        :: count[s] == 0 -> if :: s != EMPTY -> run use(s) :: else -> joins = true fi
        :: else
        fi
    };
#ifdef JOIN
    if
    :: joins ->
           atomic {
#ifndef BROKEN7
               touch();
               outstanding++;
#endif
               joins = false;
               run use(EMPTY)
           }
    :: else
    fi
#endif
}

/* release_kept_parent() */
proctype outliving_child() {
    bool last;
    outlived = false; /* the children word */
    atomic { touch(); count[R1]--; last = count[R1] == 0 };
#ifndef BROKEN6
    atomic { touch(); outstanding-- };
#endif
    if :: last -> run use(R1) :: else fi
}

proctype use(byte t) {
    bool joins, leaf = true;
    byte s, edges;
    atomic {
        is_alone = !running[t];
        assert(is_alone);
        running[t] = true;
        if
        :: t == W -> in_order = done[R1] == done[W] && done[R2] == done[W]
        :: t == R1 -> in_order = done[W] == done[R1] + 1 && (!CHAINED || done[R2] == done[R1])
        :: t == R2 ->
               in_order = done[W] == done[R2] + 1 &&
                          (!(CHAINED || (at == R2 && done[R2] == 1)) || done[R1] == done[R2] + 1)
        :: t == EMPTY -> in_order = done[R1] > done[EMPTY] && done[R2] > done[EMPTY]
        :: t == X -> in_order = (at == W -> done[R1] == 1 && done[R2] == 1 : done[R1] == 2)
        fi;
        assert(in_order);
        is_filled = filled[t];
        assert(is_filled)
    };
    atomic {
        running[t] = false;
        done[t]++;
        filled[t] = (t == EMPTY);
#ifdef REPLAY
        if
        :: t == R1 && outlivers > 0 -> outlivers--; outlived = true; leaf = false
        :: true
        fi
#endif
    };
    /* complete_kept() */
    atomic {
        if
        :: t != X ->
               touch();
#ifndef BROKEN
               count[t] = ARMED(t) + !leaf;
#endif
#ifdef REPLAY
               filled[t] = true /* restore_payload() */
#endif
        :: else
        fi
    };
#ifdef REPLAY
    if
    :: !leaf -> /* complete_parent() */
           atomic {
#ifndef BROKEN6
               outstanding++;
#endif
               unfinished--;
               run outliving_child()
           }
    :: else
    fi;
#endif
    if
    :: t == W -> subtract(R1); subtract(R2)
#ifndef CHAIN
    :: t == R1 || t == R2 -> subtract(AFTER_READERS)
#else
#ifdef BROKEN3
    :: t == R1 -> subtract(R2); subtract(AFTER_READERS)
#else
    :: t == R1 -> subtract(AFTER_READERS); subtract(R2)
#endif
    :: t == R2 -> subtract(AFTER_READERS); subtract(R1)
#endif
    :: t == EMPTY -> subtract(W)
    :: t == X
    fi;
    if
    :: t == EMPTY ->
#ifndef BROKEN7
           atomic { touch(); outstanding-- }
#else
           skip
#endif
    :: else ->
#ifdef REPLAY
           if
           :: t == W -> atomic { touch(); closed[t] = true }
           :: t == R2 || (t == R1 && !CHAINED) -> atomic { touch(); lasts_done++ }
           :: else
           fi;
#else
           /* release_successors() */
           atomic { if :: t != X -> touch() :: else fi; closed[t] = true; edges = list[t]; list[t] = 0 };
#ifdef DEVIATE
           do
           :: edges == 0 -> break
           :: else ->
                  atomic { s = 0; do :: (edges >> s) & 1 -> break :: else -> s++ od; edges = edges - (1 << s) };
                  subtract(s);
                  s = 0
           od;
#endif
#endif
           if :: leaf -> unfinished-- :: else fi
    fi
#ifdef BROKEN
    ; count[t] = ARMED(t)
#endif
}

/* Whoever retires a graph frees those that are idle: KeptTasks::idle(), and what it looks at in turn. */
active proctype sweeper() {
    byte t;
end:
    retired;
    lasts_done == LASTS;
    for (t : W .. R2) { closed[t] };
    !outlived;
    outstanding == 0;
    freed = true;
    for (t : W .. LAST_NODE) {
        at_rest = left_graph || count[t] == RESTING(t);
        assert(at_rest)
    }
}

#ifndef REPLAY
/* wait_until_reusable() and refill() */
inline fill(t) {
#ifndef BROKEN2
    closed[t];
#endif
    atomic {
        is_alone = !running[t];
        assert(is_alone);
        uses[t]++;
        closed[t] = false;
        filled[t] = true
    }
}

inline launch(t) {
    unfinished++;
    subtract(t)
}
#endif

#ifdef DEVIATE
#ifdef BROKEN4
#define LINKING 0
#else
#define LINKING 50
#endif

/* Found in the table of addresses, as it was entered there with its use. */
inline push_edge(p, its_use, s) {
    atomic {
        if
        :: !closed[p] && uses[p] == its_use -> list[p] = list[p] | (1 << s); made++
        :: else
        fi
    }
}

/* An edge from a task of the iteration before, which enter_accesses_of() has entered. */
#ifdef BROKEN5
#define PUSH_EARLIER(p, s)
#else
#define PUSH_EARLIER(p, s) push_edge(p, earlier[p], s)
#endif

/* The edges that the table asks for. */
inline edges_of_writer(t) {
    if
    :: at == W -> PUSH_EARLIER(R1, t); PUSH_EARLIER(R2, t)
    :: else -> push_edge(R1, uses[R1], t)
    fi
}

inline link_and_launch(t) {
    made = 0;
    count[t] = count[t] + LINKING;
    edges_of_writer(t); /* link_dependences() */
    count[t] = count[t] + made; /* publish_edges() */
    unfinished++;
    atomic { count[t] = count[t] - LINKING - 1; last = count[t] == 0 };
    if :: last -> run use(t) :: else fi
}

inline create_other() {
    made = 0;
    closed[X] = false;
    edges_of_writer(X);
    unfinished++;
    filled[X] = true;
    atomic { count[X] = count[X] + made; last = count[X] == 0 };
    if :: last -> run use(X) :: else fi
}
#endif

active proctype claims() {
    timeout; /* nothing happens any more */
    ends = freed && unfinished == 0 && (left_graph || done[R2] == ITERATIONS);
    assert(ends)
}

init {
    byte i, t, made, earlier[NODES];
    bool last, joins;
    for (t : W .. EMPTY) {
        count[t] = RESTING(t);
        closed[t] = true;
#ifdef REPLAY
        filled[t] = true
#else
        filled[t] = t == EMPTY
#endif
    };
    closed[X] = true;
    for (i : 1 .. ITERATIONS) {
#ifdef REPLAY
        unfinished = unfinished + 3;
#ifndef BROKEN2
        closed[W];
#endif
        closed[W] = false;
        subtract(W)
#else
#ifdef DEVIATE
        if
        :: i == 2 -> if :: at = W :: at = R2 fi
        :: else
        fi;
#endif
        for (t : W .. R2) {
#ifdef DEVIATE
            if
            :: at == t ->
                   d_step { earlier[R1] = uses[R1]; earlier[R2] = uses[R2]; left_graph = true };
                   if :: create_other() :: fill(t); link_and_launch(t) fi;
                   break
            :: else
            fi;
#endif
            fill(t);
            launch(t)
        }
#endif
    };
    if :: left_graph :: !left_graph -> unfinished == 0 fi; /* come_to_rest() */
    retired = true
}
