#include "runtime/core/team/affinity.h"

#include "runtime/core/environment/team_settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/team/affinity_format.h"
#include "runtime/core/team/victims.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

void bind(Worker &worker, int place) {
    if (place == worker.place)
        return;
    bind_current_thread(place >= 0 ? places()[static_cast<std::size_t>(place)]
                                   : available_processor_ids());
    worker.place = place;
}

} // namespace

void assign_places(Team &team) {
    const Member &outer = *team.parent;
    const PlacePartition partition = {outer.place_first, outer.place_count};
    if (partition.count == 0) // no places: members are not bound
        return;
    for (int i = 0; i < team.size; ++i) {
        const PlaceAssignment assigned =
            assign_place(team.bind, i, team.size, outer.place, partition);
        Member &member = *team.members[i];
        member.place = assigned.place;
        member.place_first = assigned.partition.first;
        member.place_count = assigned.partition.count;
    }
    if (team.size > 2)
        locate_places();
}

void bind_to_place(Worker &worker, int place) {
    bind(worker, place);
    if (LOOMP_UNLIKELY(displays_affinity))
        display_affinity_of_region(*worker.member);
}

void place_initial_thread(Member &member) {
    const int count = static_cast<int>(places().size());
    member.place_first = 0;
    member.place_count = count;
    const TeamSettings &s = team_settings();
    const bool bound = !s.proc_bind.empty() && s.proc_bind[0] != ProcBind::false_;
    member.place = count > 0 && bound ? 0 : -1;
}

void bind_initial_thread() {
    Worker &worker = *Worker::current();
    if (worker.is_foreign && worker.member->place >= 0)
        bind(worker, worker.member->place);
}

bool resets_affinity = false;

void unbind(Worker &worker) { bind(worker, -1); }

void place_league_team(Member &member, int number, int teams) {
    const Member &outer = *member.team->parent;
    const PlacePartition partition = {outer.place_first, outer.place_count};
    if (partition.count == 0 || outer.place < 0)
        return;
    const PlaceAssignment assigned =
        assign_place(team_settings().teams_bind, number, teams, outer.place, partition);
    member.place = assigned.place;
    member.place_first = assigned.partition.first;
    member.place_count = assigned.partition.count;
    bind(*member.worker, member.place);
}

} // namespace loomp::core
