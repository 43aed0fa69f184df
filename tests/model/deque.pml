// explore: | holds
// explore: BROKEN | fails: assert my_slot[b] != 0 && got[my_slot[b]] == 1
/* The work-stealing deque: runtime/core/queues/deque.h, TaskDeque::push(), take(), steal().
 * Memory as on x86 (TSO): the owner's plain stores go through a store buffer; its exchange on
 * bottom_ and the thieves' compare-and-swap wait until their own buffer is empty.
 * Shown: no task is handed out twice, and none is lost.
 * -DBROKEN: take() stores bottom_ instead of exchanging it; then a task is handed out twice. */

#define SLOTS 3   /* the buffer never wraps here: make_room() sees to that */
#define PUSHES 3
#define TAKES 3
#define THIEVES 2
#define STEALS 2
#define BOTTOM 255

byte top, bottom;
byte slot[SLOTS];
byte got[PUSHES + 1];
byte thieves_done;
bool owner_done;
chan buffer = [4] of { byte, byte }; /* location, value */

inline hand_out(task) {
    got[task]++;
    assert(task != 0 && got[task] == 1)
}

active proctype store_buffer() {
    byte location, value;
end:
    do
    :: atomic {
           buffer ? location, value ->
           if
           :: location == BOTTOM -> bottom = value
           :: else -> slot[location] = value
           fi
       }
    od
}

active proctype owner() {
    byte my_bottom, my_slot[SLOTS], pushed, takes, b, t, n;
    bool last;
    do
    :: pushed < PUSHES && my_bottom < SLOTS ->
           pushed++;
           my_slot[my_bottom] = pushed;
           buffer ! my_bottom, pushed;
           my_bottom++;
           buffer ! BOTTOM, my_bottom
    :: takes < TAKES || pushed == PUSHES ->
           takes = (takes < TAKES -> takes + 1 : takes);
           if
           :: my_bottom == 0 || my_bottom - 1 < top -> /* empty */
                  if
                  :: pushed == PUSHES && thieves_done == THIEVES -> break
                  :: else
                  fi
           :: else ->
                  b = my_bottom - 1;
                  my_bottom = b;
#ifdef BROKEN
                  buffer ! BOTTOM, b;
#else
                  atomic { empty(buffer) -> bottom = b };
#endif
                  t = top;
                  if
                  :: t < b -> hand_out(my_slot[b])
                  :: else ->
                         if
                         :: t == b ->
                                atomic {
                                    empty(buffer);
                                    if
                                    :: top == t -> top = t + 1; hand_out(my_slot[b])
                                    :: else
                                    fi
                                }
                         :: else
                         fi;
                         my_bottom = b + 1;
                         buffer ! BOTTOM, my_bottom
                  fi
           fi
    od;
    n = 1;
    do
    :: n <= PUSHES -> assert(got[n] == 1); n++
    :: else -> break
    od
}

active [THIEVES] proctype thief() {
    byte t, b, task, steals;
    do
    :: steals < STEALS ->
           steals++;
           t = top;
           b = bottom;
           if
           :: t < b ->
                  task = slot[t];
                  atomic {
                      if
                      :: top == t -> top = t + 1; hand_out(task)
                      :: else
                      fi
                  }
           :: else
           fi
    :: else -> break
    od;
    atomic { thieves_done++ }
}
