#include "core/affinity.h"

#include <pthread.h>
#include <sched.h>

#include "core/affinity_format.h"
#include "core/settings.h"
#include "core/topology.h"
#include "core/worker.h"

namespace loomp::core {

namespace {

/// Size of part `i` when `total` is divided into `parts` contiguous parts as evenly as possible.
int part_size(int total, int parts, int i) { return total / parts + (i < total % parts ? 1 : 0); }

struct Partition {
    int first;
    int count;
};

} // namespace

void assign_places(Team &team) {
    const int place_total = static_cast<int>(places().size());
    const int threads = team.size;
    const Member &outer = *team.parent;
    if (place_total == 0) {
        for (int i = 0; i < threads; ++i)
            team.members[i]->place = -1;
        return;
    }
    const Partition all = {outer.place_first, outer.place_count};
    const int start = outer.place >= 0 ? outer.place : all.first;
    // Position of a place within the partition, which may wrap round the list.
    const auto nth = [&](int first, int offset) { return (first + offset) % place_total; };
    const int start_offset = (start - all.first + place_total) % place_total;

    switch (team.bind) {
    case ProcBind::false_:
        for (int i = 0; i < threads; ++i) {
            Member &member = *team.members[i];
            member.place = i == 0 ? outer.place : -1;
            member.place_first = all.first;
            member.place_count = all.count;
        }
        break;
    case ProcBind::primary:
        for (int i = 0; i < threads; ++i) {
            Member &member = *team.members[i];
            member.place = start;
            member.place_first = all.first;
            member.place_count = all.count;
        }
        break;
    case ProcBind::true_:
    case ProcBind::close: {
        // Threads fill consecutive places; with more threads than places, consecutive threads
        // share one (OpenMP 5.2, 10.1.3).
        int next = 0;
        const int groups = threads < all.count ? threads : all.count;
        for (int g = 0; g < groups; ++g) {
            const int members = part_size(threads, groups, g);
            for (int i = 0; i < members; ++i) {
                Member &member = *team.members[next++];
                member.place = nth(all.first, (start_offset + g) % all.count);
                member.place_first = all.first;
                member.place_count = all.count;
            }
        }
        break;
    }
    case ProcBind::spread: {
        const int groups = threads < all.count ? threads : all.count;
        if (threads <= all.count) {
            // One subpartition a thread; the primary's contains its place.
            int offset = 0;
            int primary_group = 0;
            for (int g = 0, at = 0; g < groups; at += part_size(all.count, groups, g), ++g)
                if (start_offset >= at && start_offset < at + part_size(all.count, groups, g))
                    primary_group = g;
            for (int g = 0; g < groups; ++g) {
                const int count = part_size(all.count, groups, g);
                Member &member =
                    *team.members[(g - primary_group + groups) % groups];
                member.place_first = nth(all.first, offset);
                member.place_count = count;
                member.place = g == primary_group ? start : member.place_first;
                offset += count;
            }
        } else {
            int next = 0;
            for (int g = 0; g < groups; ++g) {
                const int members = part_size(threads, groups, g);
                for (int i = 0; i < members; ++i) {
                    Member &member = *team.members[next++];
                    member.place = nth(all.first, (start_offset + g) % all.count);
                    member.place_first = member.place;
                    member.place_count = 1;
                }
            }
        }
        break;
    }
    }
}

void bind_to_place(Worker &worker, int place) {
    if (settings().display_affinity)
        display_affinity_if_changed(worker, place);
    if (place == worker.place)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (place >= 0)
        for (int cpu : places()[static_cast<std::size_t>(place)])
            CPU_SET(static_cast<std::size_t>(cpu), &set);
    else
        for (int cpu : available_processor_ids())
            CPU_SET(static_cast<std::size_t>(cpu), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    worker.place = place;
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
        bind_to_place(*member.worker, 0);
    }
}

} // namespace loomp::core
