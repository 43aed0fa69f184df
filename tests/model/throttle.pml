/* Holding creators back: src/core/throttle.cpp (wait_for_fewer(), fewer_children()),
 * src/core/completion.cpp: leaves_completed(), child_released().
 * A creator with children leaves off until at most FEW are left, twice; between the two times it
 * creates another child. Children complete at any moment; the flag and their number share a word.
 * What a completing child saw in the word may be old when it reads the number and takes the flag.
 * Shown: each time, exactly one party lets the creator go on; it is never left behind; whoever
 * resumes it does so while it is suspended, with its suspension in place.
 * -DBROKEN: the creator does not look at the children left after it has set the flag. */

#define CHILDREN 3

byte live = CHILDREN;  /* the children word: */
bool flag;
byte few;              /* in `predecessors` */
byte waiter;           /* which suspension is in place: 1, 2; 0 none */
byte resumed[3];       /* by number of the suspension */

inline take_flag(won) {
    atomic { won = flag; flag = false }
}

proctype child() {
    byte left;
    bool seen, won;
    atomic { live--; left = live; seen = flag };
    if
    :: seen ->
           if
           :: left <= few ->
                  take_flag(won);
                  if :: won -> assert(waiter != 0); resumed[waiter]++ :: else fi
           :: else
           fi
    :: else
    fi
}

inline hold_back(number, limit) {
    few = limit;
    /* switched away: the suspension can be resumed from here on */
    waiter = number;
    atomic { flag = true; left = live };
    won = false;
#ifndef BROKEN
    if :: left <= few -> take_flag(won) :: else fi;
#endif
    if
    :: won /* goes on at once */
    :: else -> resumed[number] == 1
    fi;
    assert(!won || resumed[number] == 0);
    waiter = 0;
    few = 0
}

init {
    byte left;
    bool won;
    run child();
    run child();
    run child();
    hold_back(1, 1);
    atomic { live++ };
    run child();
    hold_back(2, 1);
    _nr_pr == 1;
    assert(!flag && live == 0 && resumed[1] <= 1 && resumed[2] <= 1)
}
