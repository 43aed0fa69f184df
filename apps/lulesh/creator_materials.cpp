// The tasks on materials. A task on a material tile uses the elements of that tile, and reads the
// velocity differences beside them.
//
// Eos::tile: a material tile is an element tile; all its evaluations are one task.
// Eos::loop: a task a loop of an evaluation and a material tile. The region's state lies by places,
// so such a tile's tasks depend on one another alone, but for three: take_state() reads volumes of
// element tiles (`bounded`); the next step's stresses and hourglass forces read what put_state()
// and find_sound_speed() left (`state`); and the constraints read expansions and lengths, which the
// next step finds after its time step.
#include "common/omp_decls.h"
#include "loomp/record.h"
#include "lulesh/creator.h"
#include "lulesh/elements.h"

#include <algorithm>
#include <iterator>

namespace lulesh {

namespace {

void evaluate(Domain &domain, const MaterialTile &tile) {
    for (const auto &[region, places] : tile.parts) {
        for (int repeat = 0; repeat < domain.region_repeats[std::size_t(region)]; ++repeat)
            for (const MaterialLoop &loop : kEvaluation)
                loop.body(domain, places);
        put_state(domain, places);
        find_sound_speed(domain, places);
    }
}

double least_over_parts(const Domain &domain, const MaterialTile &tile,
                        double (*least)(const Domain &, Range)) {
    double found = kUnconstrained;
    for (const MaterialTile::Part &part : tile.parts)
        found = std::min(found, least(domain, part.places));
    return found;
}

} // namespace

void Creator::find_viscosities() {
    Domain *domain = domain_;
    [[maybe_unused]] double *material = materials().data();
    [[maybe_unused]] double *difference = differences_read_.marks();
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const MaterialTile *tile = &tiles_.materials[t];
        [[maybe_unused]] const int *reads = differences_read_.list(t);
        const int count_reads = differences_read_.name(t);
        loomp_task_label("viscosities");
#pragma omp task depend(iterator(int j = 0 : count_reads), in : difference[reads[j]])              \
    depend(inout : material[t]) firstprivate(domain, tile)
        for (const MaterialTile::Part &part : tile->parts)
            find_viscosity_terms(*domain, part.places);
        count(differences_read_.size(t) + 1);
    }
}

void Creator::update_materials() {
    if (tiles_.eos == Eos::loop) {
        evaluate_by_loops();
        return;
    }
    Domain *domain = domain_;
    [[maybe_unused]] double *material = materials().data();
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const MaterialTile *tile = &tiles_.materials[t];
        loomp_task_label("material");
#pragma omp task depend(inout : material[t]) firstprivate(domain, tile)
        evaluate(*domain, *tile);
        count(1);
    }
}

// A function for each loop, so that a trace tells the loops of a replayed graph apart.
template <void (*loop)(Domain &, Range)>
void Creator::material_loop(const char *label, Range tiles) {
    Domain *domain = domain_;
    [[maybe_unused]] double *material = material_.data();
    for (int t = tiles.first; t < tiles.last; ++t) {
        const Range *places = &tiles_.materials[std::size_t(t)].parts.front().places;
        loomp_task_label(label);
#pragma omp task depend(inout : material[t]) firstprivate(domain, places)
        loop(*domain, *places);
        count(1);
    }
}

template <std::size_t... i>
void Creator::evaluate_rest(Range tiles, std::index_sequence<i...> /*loops*/) {
    (material_loop<kEvaluation[i + 1].body>(kEvaluation[i + 1].label, tiles), ...);
}

void Creator::evaluate_by_loops() {
    Domain *domain = domain_;
    [[maybe_unused]] double *material = material_.data();
    [[maybe_unused]] double *bounded = volumes_read_.marks();
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const Range *places = &tiles_.materials[t].parts.front().places;
        [[maybe_unused]] const int *reads = volumes_read_.list(t);
        const int count_reads = volumes_read_.name(t);
        loomp_task_label(kEvaluation[0].label);
#pragma omp task depend(iterator(int j = 0 : count_reads), in : bounded[reads[j]])                 \
    depend(inout : material[t]) firstprivate(domain, places)
        kEvaluation[0].body(*domain, *places);
        count(volumes_read_.size(t) + 1);
    }
    for (std::size_t r = 0; r < tiles_.of_region.size(); ++r)
        for (int repeat = 0; repeat < domain->region_repeats[r]; ++repeat) {
            if (repeat > 0)
                material_loop<kEvaluation[0].body>(kEvaluation[0].label, tiles_.of_region[r]);
            evaluate_rest(tiles_.of_region[r],
                          std::make_index_sequence<std::size(kEvaluation) - 1>());
        }
    material_loop<put_state>("put state", {0, int(tiles_.materials.size())});
    [[maybe_unused]] double *state = state_.data();
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const Range *places = &tiles_.materials[t].parts.front().places;
        loomp_task_label("sound speed");
        states_written_.name(t);
#pragma omp task depend(inout : material[t]) depend(out : state[t]) firstprivate(domain, places)
        find_sound_speed(*domain, *places);
        count(2 + states_written_.size());
    }
}

void Creator::find_constraints() {
    const Domain *domain = domain_;
    [[maybe_unused]] double *material = materials().data();
    [[maybe_unused]] double *limit = limit_.data();
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const MaterialTile *tile = &tiles_.materials[t];
        double *least = &courant_[t];
        loomp_task_label("courant");
#pragma omp task depend(inout : material[t]) firstprivate(domain, tile, least)
        *least = least_over_parts(*domain, *tile, courant_time);
        count(1);
    }
    for (std::size_t t = 0; t < tiles_.materials.size(); ++t) {
        const MaterialTile *tile = &tiles_.materials[t];
        double *least = &expansion_[t];
        loomp_task_label("expansion limit");
#pragma omp task depend(inout : material[t]) depend(out : limit[t])                                \
    firstprivate(domain, tile, least)
        *least = least_over_parts(*domain, *tile, expansion_time);
        count(2);
    }
}

} // namespace lulesh
