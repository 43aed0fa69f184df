/* Throttling creators: src/core/scheduling/throttle.cpp (wait_for_fewer(), fewer_children()),
 * src/core/scheduling/completion.cpp: leaves_completed(), child_released().
 * A creator with children is throttled until at most FEW are left, twice; between the two times it
 * creates another child. Children complete at any moment; the flag and their number share a word.
 * What a completing child saw in the word may be old when it reads the number and takes the flag.
 * Shown: each time, exactly one party lets the creator go on; it is never left behind; whoever
 * resumes it does so while it is suspended, with its suspension in place. Its thread sets the flag
 * on another stack, when others may have it go on at once.
 * -DBROKEN: nobody looks at the children left when the flag is set.
 * -DBROKEN2: they are looked at after the flag is set, and then the flag is taken back. */

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

/* The arming: by the creator's thread, on the stack that it went on to. */
proctype arm(byte number) {
    byte left;
    bool won;
    waiter = number;
#ifdef BROKEN2
    atomic { flag = true; left = live };
    if
    :: left <= few ->
           take_flag(won);
           if :: won -> resumed[number]++ :: else fi
    :: else
    fi
#else
    atomic { /* compare_exchange() */
        if
#ifndef BROKEN
        :: live <= few -> resumed[number]++
#endif
        :: else -> flag = true
        fi
    }
#endif
}

inline throttle(number, limit) {
    few = limit;
    run arm(number);
    resumed[number] == 1;
    few = 0
}

init {
    run child();
    run child();
    run child();
    throttle(1, 1);
    atomic { live++ };
    run child();
    throttle(2, 1);
    _nr_pr == 1;
    assert(!flag && live == 0 && resumed[1] <= 1 && resumed[2] <= 1)
}
