// explore: | holds
// explore: BROKEN | fails: assert goes_on
// explore: BROKEN2 | fails: assert in_place
// explore: BROKEN3 | fails: assert !resumed[w]
// explore: BROKEN4 | fails: assert in_place
// explore: NESTED | holds
// explore: NESTED BROKEN | fails: assert goes_on
// explore: NESTED BROKEN5 | fails: assert goes_on
/* Throttling creators: runtime/core/scheduling/throttle.cpp: wait_for_fewer(); throttled_creators.cpp there: take_flag(),
 * few_enough(), fewer_children(), let_creator_go_on(); runtime/core/scheduling/completion.cpp: leaves_completed(), child_released(),
 * release_finished(), complete_parent(); runtime/core/scheduling/stack_shortage.cpp: take_waiter_for().
 * A creator is throttled until half of its unfinished children are left. Its thread arms the suspension on
 * another stack. Children complete at any moment, also two told together. Two workers that have no
 * stack for a child let its creator go on (let_creator_go_on()) before they run the child.
 * The flag and the number of the children share a word. What a completing child saw in the word may be old when
 * it reads the limit and takes the flag: by then the creator may be throttled again, or have ended, and its
 * block of memory may be another creator's.
 * Shown: each suspension is resumed by one party, while it is in place; no creator is left behind.
 *
 * Without NESTED: a creator is throttled twice, ends, and a second one takes its block.
 * -DNESTED: a creator's child is a creator, too, and both are throttled at a time. The child completes while
 * children of its own are left, or after them.
 *
 * -DBROKEN: nobody looks at the children left when the flag is set.
 * -DBROKEN2: they are looked at after the flag is set, and then the flag is taken back.
 * -DBROKEN3: let_creator_go_on() looks at the flag and does not take it.
 * -DBROKEN4: who takes the flag resumes the suspension that it saw before.
 * -DBROKEN5: child_released() does not look whether the parent is throttled. */

#define BLOCKS 2
#define MOST_SUSPENSIONS 4

/* A block's children word: */
byte live[BLOCKS], zombies[BLOCKS];
bool flag[BLOCKS], finished[BLOCKS];
/* and what else is in the block: */
byte few[BLOCKS];    /* in `predecessors` */
byte waiter[BLOCKS]; /* a suspension's number; not cleared */

bool released[BLOCKS];
bool waits[MOST_SUSPENSIONS], resumed[MOST_SUSPENSIONS]; /* by the suspension's number, from 1 */
bool in_place, goes_on;

#define PARENT 0 /* block of the only creator that has a child which is a creator */
#define CHILD 1

inline resume(b) {
#ifndef BROKEN4
    w = waiter[b];
#endif
    atomic {
        in_place = waits[w];
        assert(in_place);
        assert(!resumed[w]);
        resumed[w] = true;
        w = 0
    }
}

/* take_flag(), and what follows if the flag was set */
inline take_flag_and_resume(b) {
#ifdef BROKEN4
    w = waiter[b];
#endif
    atomic { won = flag[b]; flag[b] = false };
    if
    :: won -> won = false; resume(b)
    :: else
    fi
}

inline fewer_children(b, left) {
    if
    :: left <= few[b] -> take_flag_and_resume(b)
    :: else
    fi
}

inline let_creator_go_on(b) {
    if
    :: flag[b] ->
#ifdef BROKEN3
           resume(b)
#else
           take_flag_and_resume(b)
#endif
    :: else
    fi
}

/* leaves_completed() for `n` children; with what follows if the parent has completed before */
inline leaves_completed(b, n) {
    atomic { live[b] = live[b] - n; left = live[b]; seen = flag[b]; last = left == 0 && finished[b] };
    if
    :: seen -> fewer_children(b, left)
    :: !seen && last -> release_finished(b)
    :: else
    fi;
    atomic { left = 0; seen = false; last = false }
}

/* The block was released, or child_released() of the parent */
inline release_finished(b) {
    if
    :: b == CHILD ->
           atomic {
               live[PARENT]--; zombies[PARENT]--;
               left = live[PARENT]; seen = flag[PARENT]; last = left == 0 && finished[PARENT]
           };
#ifndef BROKEN5
           if :: seen -> fewer_children(PARENT, left) :: else fi;
#endif
           if :: last -> released[PARENT] = true :: else fi
    :: else -> released[b] = true
    fi
}

/* `n` children without children, told together */
proctype children(byte b, n) {
    byte left, w;
    bool seen, last, won;
    leaves_completed(b, n)
}

/* A child for which there is no stack: hand_over() */
proctype in_shortage(byte b) {
    byte left, w;
    bool seen, last, won;
    if
    :: let_creator_go_on(b)
    :: true
    fi;
    leaves_completed(b, 1)
}

/* suspend_until() in wait_for_fewer(): by the creator's thread, on the stack that it went on to */
proctype arm(byte b, number) {
    bool won;
    byte w;
    waiter[b] = number;
#ifdef BROKEN2
    atomic { flag[b] = true; won = live[b] <= few[b] };
    if
    :: won ->
           atomic { won = flag[b]; flag[b] = false };
           if
           :: won -> in_place = waits[number]; assert(in_place); resumed[number] = true
           :: else
           fi
    :: else
    fi
#else
    atomic { /* the loop of compare_exchange */
        if
#ifndef BROKEN
        :: live[b] <= few[b] -> resumed[number] = true /* it goes on at once */
#endif
        :: else -> flag[b] = true
        fi
    }
#endif
}

inline throttle(b, number) {
    few[b] = live[b] / 2;
    waits[number] = true;
    run arm(b, number);
    resumed[number];
    waits[number] = false;
    few[b] = 0
}

inline create(b, n) {
    atomic { live[b] = live[b] + n; run children(b, n) } /* fold_created() */
}

/* complete_parent(), and complete() of a task that has no children left */
inline complete_creator(b) {
    if
    :: b == CHILD ->
           if
           :: live[b] == 0 -> leaves_completed(PARENT, 1)
           :: live[b] != 0 ->
                  zombies[PARENT]++; /* count_zombie(): no wait for completions here */
                  atomic { finished[b] = true; last = live[b] == 0 };
                  if :: last -> release_finished(b) :: else fi
           fi
    :: else ->
           atomic { finished[b] = true; last = live[b] == 0 };
           if :: last -> released[b] = true :: else fi
    fi
}

proctype creator(byte b, first) {
    byte left, w;
    bool seen, last, won;
#ifdef NESTED
    if
    :: b == PARENT ->
           atomic { live[b] = 3; run children(b, 2); run creator(CHILD, first + 1) };
           throttle(b, first)
    :: else ->
           atomic { live[b] = 2; run children(b, 1); run in_shortage(b) };
           throttle(b, first)
    fi;
#else
    if
    :: first == 1 ->
           atomic { live[b] = 3; run children(b, 1); run in_shortage(b); run in_shortage(b) };
           throttle(b, first);
           create(b, 2);
           throttle(b, first + 1)
    :: else ->
           atomic { live[b] = 2; run children(b, 1); run children(b, 1) };
           throttle(b, first)
    fi;
#endif
    complete_creator(b);
#ifndef NESTED
    if
    :: first == 1 ->
           atomic {
               released[b] -> /* the block is as a fresh one */
               assert(live[b] == 0 && !flag[b] && few[b] == 0);
               released[b] = false;
               finished[b] = false;
               run creator(b, 3)
           }
    :: else
    fi
#endif
}

active proctype claims() {
    timeout;
    goes_on = released[PARENT];
    assert(goes_on);
    assert(live[0] == 0 && live[1] == 0 && zombies[0] == 0 && !flag[0] && !flag[1])
}

init {
    run creator(PARENT, 1)
}
