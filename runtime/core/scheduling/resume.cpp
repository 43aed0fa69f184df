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
        team.event.notify_all(bit);
        notify_nested(*member);
    } else {
        Member &left = *suspension.left_member;
        team.resumable.push(suspension);
        // seq_cst: lookers of a region that has queued no task pass no heavy fence, so a light one
        // does not suffice here.
        atomic_fence(std::memory_order_seq_cst);
        team.event.notify_one();
        notify_nested(left);
    }
}

} // namespace loomp::core
