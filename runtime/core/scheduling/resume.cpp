#include "runtime/core/scheduling/resume.h"

#include "runtime/core/scheduling/enclosing.h"
#include "runtime/core/suspension/suspension.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

void make_resumable(Suspension &suspension) {
    LOOMP_ASSERT(suspension.task == nullptr || is_in(*suspension.task, TaskPhase::suspended));
    Team &team = *suspension.team;
    if (Member *member = suspension.resumes_at) {
        const std::uint32_t bit = member_bit(*member);
        member->resumable.push(suspension);
        // Members share wake bits modulo 32: all that match must look.
        team.event.notify(0x7fffffff, bit);
        notify_nested(*member);
    } else {
        Member &left = *suspension.left_member;
        team.resumable.push(suspension);
        // The region may have queued no task, and its lookers then expect no light fence.
        atomic_fence(std::memory_order_seq_cst);
        team.event.notify_one();
        notify_nested(left);
    }
}

} // namespace loomp::core
