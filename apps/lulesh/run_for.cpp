#include "common/omp_decls.h"
#include "common/ranks.h"
#include "lulesh/elements.h"
#include "lulesh/material.h"
#include "lulesh/nodes.h"
#include "lulesh/run.h"
#include "lulesh/time_step.h"

#include <algorithm>
#include <iterator>

namespace lulesh {

namespace {

// A parallel loop over a range, with a static schedule: each thread gets its part at once.
template <typename F> void in_parallel(Range all, F loop) {
    const int threads = omp_get_max_threads();
    const auto bound = [&](int part) {
        return all.first + int(std::int64_t{all.size()} * part / threads);
    };
#pragma omp parallel for schedule(static)
    for (int part = 0; part < threads; ++part)
        loop(Range{bound(part), bound(part + 1)});
}

template <typename F> double least_in_parallel(Range all, F loop) {
    const int threads = omp_get_max_threads();
    const auto bound = [&](int part) {
        return all.first + int(std::int64_t{all.size()} * part / threads);
    };
    double least = kUnconstrained;
#pragma omp parallel for schedule(static) reduction(min : least)
    for (int part = 0; part < threads; ++part)
        least = std::min(least, loop(Range{bound(part), bound(part + 1)}));
    return least;
}

class Leapfrog {
  public:
    Leapfrog(Domain &domain, Frontier &frontier)
        : domain_(domain), frontier_(frontier), nodes_{0, domain.nodes},
          elements_{0, domain.elements}, regions_(domain.setup.regions) {}

    void choose_step();
    void move_nodes();
    void update_elements();
    void find_constraints();

  private:
    using Loop = void (*)(Domain &, Range);
    void over_nodes(Loop loop) {
        in_parallel(nodes_, [=](Range range) { loop(domain_, range); });
    }
    void over_elements(Loop loop) {
        in_parallel(elements_, [=](Range range) { loop(domain_, range); });
    }
    void check_elements(void (*check)(const Domain &, Range)) {
        in_parallel(elements_, [=](Range range) { check(domain_, range); });
    }
    Range region(int r) const {
        return {domain_.region_start[std::size_t(r)], domain_.region_start[std::size_t(r) + 1]};
    }
    void evaluate_material(Range all);
    void update_material(int region);

    Domain &domain_;
    Frontier &frontier_;
    Range nodes_;
    Range elements_;
    int regions_;
    double courant_ = kUnconstrained;
    double expansion_ = kUnconstrained;
};

void Leapfrog::choose_step() {
    domain_.step = next_step(domain_.step, apps::ranks::least(constraint(courant_, expansion_)));
}

void Leapfrog::move_nodes() {
    over_nodes(clear_forces);
    over_elements(set_stresses);
    over_elements(integrate_stresses);
    over_nodes(gather_stress_forces);
    check_elements(check_determinants);
    over_elements(prepare_hourglass_control);
    over_elements(resist_hourglass_modes);
    over_nodes(gather_hourglass_forces);
    carry_out(frontier_.forces);
    add_all(frontier_.forces);
    over_nodes(accelerate);
    for (int axis = 0; axis < 3; ++axis)
        in_parallel({0, int(domain_.symmetry_nodes[axis].size())},
                    [=](Range places) { hold_on_symmetry_plane(domain_, axis, places); });
    over_nodes(move_velocities);
    over_nodes(move_positions);
    carry_out(frontier_.motion);
    put_all(frontier_.motion);
}

void Leapfrog::update_elements() {
    over_elements(find_kinematics);
    over_elements(find_expansion);
    over_elements(find_velocity_differences);
    carry_out(frontier_.differences);
    put_all(frontier_.differences);
    for (int r = 0; r < regions_; ++r)
        in_parallel(region(r), [=](Range places) { find_viscosity_terms(domain_, places); });
    check_elements(check_viscosities);
    over_elements(bound_volumes);
    check_elements(check_volumes);
    for (int r = 0; r < regions_; ++r)
        update_material(r);
    over_elements(update_volumes);
}

void Leapfrog::evaluate_material(Range all) {
    for (const MaterialLoop *first = std::begin(kEvaluation); first != std::end(kEvaluation);) {
        const MaterialLoop *last = std::find_if_not(first + 1, std::end(kEvaluation),
                                                    [](const auto &loop) { return loop.joined; });
        in_parallel(all, [=](Range places) {
            std::for_each(first, last, [&](const auto &loop) { loop.body(domain_, places); });
        });
        first = last;
    }
}

void Leapfrog::update_material(int r) {
    const Range all = region(r);
    for (int repeat = 0; repeat < domain_.region_repeats[std::size_t(r)]; ++repeat)
        evaluate_material(all);
    in_parallel(all, [=](Range places) { put_state(domain_, places); });
    in_parallel(all, [=](Range places) { find_sound_speed(domain_, places); });
}

void Leapfrog::find_constraints() {
    courant_ = kUnconstrained;
    expansion_ = kUnconstrained;
    for (int r = 0; r < regions_; ++r) {
        courant_ = std::min(courant_, least_in_parallel(region(r), [=](Range places) {
                                return courant_time(domain_, places);
                            }));
        expansion_ = std::min(expansion_, least_in_parallel(region(r), [=](Range places) {
                                  return expansion_time(domain_, places);
                              }));
    }
}

} // namespace

apps::Cost run_for(Domain &domain, Frontier &frontier, int iterations) {
    Leapfrog leapfrog(domain, frontier);
    apps::ranks::barrier();
    const double start = omp_get_wtime();
    while (!ended(domain.step) && (iterations == 0 || domain.step.cycle < iterations)) {
        leapfrog.choose_step();
        leapfrog.move_nodes();
        leapfrog.update_elements();
        leapfrog.find_constraints();
    }
    apps::ranks::barrier();
    apps::Cost cost;
    cost.seconds = omp_get_wtime() - start;
    return cost;
}

} // namespace lulesh
