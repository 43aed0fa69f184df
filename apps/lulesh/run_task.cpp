#include "common/omp_decls.h"
#include "common/ranks.h"
#include "lulesh/creator.h"
#include "lulesh/run.h"

namespace lulesh {

namespace {

using apps::kept_graph::Keep;

void create_step(Creator &creator, Keep keep) {
    if (apps::kept_graph::begin("lulesh", keep, false)) {
        creator.create_step();
        apps::kept_graph::end(keep);
    }
}

void create_certain(Creator &creator, Keep keep, int iterations) {
    for (int cycle = 1; iterations == 0 || cycle <= iterations; ++cycle) {
        if (!certain_to_come(creator.known(), cycle)) {
#pragma omp taskwait
            if (ended(creator.known()))
                break;
        }
        create_step(creator, keep);
    }
}

// Until the task that chooses the last time step stops it.
void create_ahead(Creator &creator, Keep keep, int iterations) {
    apps::ranks::begin_iterations();
    for (int cycle = 1; iterations == 0 || cycle <= iterations; ++cycle) {
        if (!apps::ranks::next_iteration())
            break;
        create_step(creator, keep);
    }
    apps::ranks::end_iterations();
}

} // namespace

apps::Cost run_task(Domain &domain, Frontier &frontier, const Tiles &tiles, const Tasking &how,
                    int iterations) {
    Creator creator(domain, frontier, tiles, how);
    double discovery = 0;
    apps::ranks::barrier();
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    {
        const double first = omp_get_wtime();
        if (how.ahead)
            create_ahead(creator, how.keep, iterations);
        else
            create_certain(creator, how.keep, iterations);
        discovery = omp_get_wtime() - first;
    }

    for (Exchange *exchange : {&frontier.forces, &frontier.motion, &frontier.differences})
        for (Piece &piece : exchange->outgoing)
            piece.request.complete();
    apps::ranks::barrier();
    apps::Cost cost;
    cost.seconds = omp_get_wtime() - start;
    cost.tasks = creator.tasks() * domain.step.cycle;
    cost.dependences = creator.dependences() * domain.step.cycle;
    cost.discovery_seconds = discovery;
    return cost;
}

} // namespace lulesh
