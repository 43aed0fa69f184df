#include "core/team/affinity.h"

#include "core/environment/settings.h"
#include "core/environment/topology.h"
#include "core/team/affinity_format.h"
#include "core/team/victims.h"
#include "core/worker/worker.h"

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
    if (partition.count == 0) // no places: members are as they were made, not bound
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
        measure_places();
}

void bind_to_place(Worker &worker, int place) {
    bind(worker, place);
    display_affinity_if_changed(worker);
}

void place_initial_thread(Member &member) {
    const int count = static_cast<int>(places().size());
    member.place_first = 0;
    member.place_count = count;
    member.place = -1;
    const Settings &s = settings();
    const bool bound = !s.proc_bind.empty() && s.proc_bind[0] != ProcBind::false_;
    if (count > 0 && bound) {
        member.place = 0;
        bind(*member.worker, 0);
    }
}

} // namespace loomp::core
