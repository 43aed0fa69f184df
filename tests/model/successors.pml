// explore: | holds
// explore: BROKEN | fails: assert released[edge] == 1 && use == 1
/* The list of successors: runtime/core/dependences/successors.h, open_successors(), release_successors(), and
 * runtime/core/dependences/linking.cpp, push_edge().
 * One block of memory is used by task 1, then again by tasks 2 and 3; two producers hold references
 * to task 1 and push edges to it. The word is (tag, closed, head); serial is stored before the word
 * is opened (release), so seen no later than the word.
 * Shown: an edge is in the list of the very use that it was meant for, and is released once, unless
 * the producer found its predecessor completed.
 * -DBROKEN: the tag is left out of the compare-and-swap (as if it had wrapped around). */

#define USES 3
#define PRODUCERS 2
#define NONE 0

byte tag = 1, serial = 1, head = NONE; /* head: an edge's number, 1..PRODUCERS */
bool closed;
byte next[PRODUCERS + 1];
byte released[PRODUCERS + 1], pushed[PRODUCERS + 1];

proctype completer() {
    byte use = 1, edge;
    do
    :: use <= USES ->
           /* release_successors(): one exchange */
           atomic { edge = head; head = NONE; closed = true };
           do
           :: edge != NONE ->
                  released[edge]++;
                  assert(released[edge] == 1 && use == 1);
                  edge = next[edge]
           :: else -> break
           od;
           use++;
           if
           :: use <= USES ->
                  serial = use;
                  atomic { tag = use; closed = false; head = NONE }
           :: else
           fi
    :: else -> break
    od
}

proctype producer(byte me) {
    byte seen_tag, seen_head;
    bool seen_closed;
    atomic { seen_tag = tag; seen_head = head; seen_closed = closed };
    do
    :: seen_tag != 1 || serial != 1 || seen_closed -> break /* completed: no edge */
    :: else ->
           next[me] = seen_head;
           atomic {
               if
#ifdef BROKEN
               :: closed == seen_closed && head == seen_head ->
#else
               :: tag == seen_tag && closed == seen_closed && head == seen_head ->
#endif
                      head = me;
                      pushed[me] = 1;
                      break
               :: else -> seen_tag = tag; seen_head = head; seen_closed = closed
               fi
           }
    od
}

init {
    atomic { run completer(); run producer(1); run producer(2) };
    _nr_pr == 1;
    assert(pushed[1] == released[1] && pushed[2] == released[2])
}
