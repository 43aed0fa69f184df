#include "runtime/core/scheduling/enclosing.h"

namespace loomp::core {

namespace {

/// The member's place in the next enclosing team, if its thread has one.
Member *enclosing_member(const Member &member) {
    return member.num == 0 ? member.team->parent : nullptr;
}

/// Beyond its own team. The root team encloses everything, and nothing waits there.
template <class T, class F> void for_each_nested(T *team, F f) {
    for (; team->parent != nullptr; team = team->parent->team)
        f(*team);
}

} // namespace

LockWait::LockWait() : team_(Worker::current()->member->team) {
    for_each_nested(team_,
                    [](Team &team) { team.lock_waiters.fetch_add(1, std::memory_order_relaxed); });
    // seq_cst: with the one in EventCount::prepare_to_look().
    atomic_fence(std::memory_order_seq_cst);
    for_each_nested(team_, [](Team &team) {
        for (int i = 0; i < team.size; ++i) {
            Member &member = *team.members[i];
            if (member.worker->suspended_here.load(std::memory_order_relaxed) > 0)
                notify_nested(member);
        }
        if (team.primary->suspended_here.load(std::memory_order_relaxed) > 0)
            team.event.notify_all(member_bit(*team.members[0]));
    });
}

LockWait::~LockWait() {
    for_each_nested(team_,
                    [](Team &team) { team.lock_waiters.fetch_sub(1, std::memory_order_relaxed); });
}

namespace enclosing {

bool lock_awaited(const Team &team) {
    bool awaited = false;
    for_each_nested(&team, [&awaited](const Team &one) {
        awaited = awaited || one.lock_waiters.load(std::memory_order_relaxed) != 0;
    });
    return awaited;
}

Member *holder_may_go_on(const Member &member) {
    for (Member *outer = enclosing_member(member); outer != nullptr;
         outer = enclosing_member(*outer))
        if (outer->throttled != nullptr || outer->resumable.holds_work() ||
            outer->team->resumable.holds_work())
            return outer;
    return nullptr;
}

void notify_nested(Team &team) {
    Team *innermost = &team;
    while (Team *next = innermost->members[0]->nested)
        innermost = next;
    innermost->event.notify_all(member_bit(*innermost->members[0]));
}

} // namespace enclosing

} // namespace loomp::core
