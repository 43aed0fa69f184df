// explore: | holds
// explore: NODE | holds
// explore: NODE BROKEN | fails: assert in_place && !resumed
/* Dependences met while a task is linked: runtime/core/dependences/linking.cpp, link_dependences() and
 * publish_edges(); runtime/core/dependences/successors.h, release_successors(); runtime/core/scheduling/waiting.cpp,
 * wait_dependences().
 * Three predecessors complete at any moment; the creator makes an edge to each that has not, then
 * adds the number of edges made. It is a task to be run.
 * -DNODE: it is a node whose waiter suspends.
 * Shown: the task is made ready exactly once, after all predecessors; the waiter is resumed only
 * when it is in place, once, or does not suspend.
 * -DBROKEN: the waiter's guard is 1, as it was. */

#ifdef NODE
#define MODE 1
#else
#define MODE 0
#endif
#define PREDECESSORS 3
#ifdef BROKEN
#define GUARD 1
#else
#define GUARD 50
#endif

short count; /* `predecessors` */
bool edge[PREDECESSORS], closed[PREDECESSORS], done[PREDECESSORS];
byte ready;
bool in_place, resumed;

inline make_ready() {
    if
    :: MODE == 0 -> ready++; assert(ready == 1 && done[0] && done[1] && done[2])
    :: else -> assert(in_place && !resumed); resumed = true
    fi
}

proctype predecessor(byte me) {
    bool linked, last;
    done[me] = true;
    atomic { linked = edge[me]; closed[me] = true };
    if
    :: linked ->
           atomic { last = count == 1; count-- };
           if :: last -> make_ready() :: else fi
    :: else
    fi
}

init {
    byte i, made;
    bool last;
    atomic { run predecessor(0); run predecessor(1); run predecessor(2) };
    count = (MODE == 0 -> 0 : GUARD);
    do
    :: i < PREDECESSORS ->
           atomic { if :: !closed[i] -> edge[i] = true; made++ :: else fi };
           i++
    :: else -> break
    od;
    atomic { last = count + made == 0; count = count + made };
    if
    :: MODE == 0 ->
           if :: last || made == 0 -> make_ready() :: else fi
    :: else ->
           assert(!last);
           if
           :: count != GUARD ->
                  in_place = true; /* suspended: then the guard is taken away */
                  atomic { last = count == GUARD; count = count - GUARD };
                  if
                  :: last -> assert(!resumed)
                  :: else -> resumed
                  fi
           :: else
           fi;
           assert(done[0] && done[1] && done[2])
    fi;
    (_nr_pr == 1);
    assert(MODE == 1 || ready == 1)
}
