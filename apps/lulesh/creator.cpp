#include "lulesh/creator.h"

#include "common/omp_decls.h"
#include "loomp/record.h"
#include "lulesh/elements.h"
#include "lulesh/material.h"
#include "lulesh/nodes.h"

#include <algorithm>

namespace lulesh {

namespace {

double constraint_of_all(const std::vector<double> &courant, const std::vector<double> &expansion) {
    return constraint(*std::min_element(courant.begin(), courant.end()),
                      *std::min_element(expansion.begin(), expansion.end()));
}

// One of the lists that all tiles have, by tile.
template <class Tile>
std::vector<const std::vector<int> *> lists_of(const std::vector<Tile> &tiles,
                                               std::vector<int> Tile::*list) {
    std::vector<const std::vector<int> *> lists;
    lists.reserve(tiles.size());
    for (const Tile &tile : tiles)
        lists.push_back(&(tile.*list));
    return lists;
}

} // namespace

Creator::Creator(Domain &domain, Frontier &frontier, const Tiles &tiles, const Tasking &how)
    : domain_(&domain), tiles_(tiles), known_(domain.step), frontier_(frontier), how_(how),
      forces_(meet(frontier.forces, tiles.nodes)), motion_(meet(frontier.motion, tiles.nodes)),
      differences_sent_(meet(domain, frontier.differences, tiles_)),
      element_(tiles.elements.size()), stress_(how.arrays * tiles.elements.size()),
      hourglass_(how.arrays * tiles.elements.size()), limit_(tiles.materials.size()),
      node_(how.arrays * tiles.nodes.size()),
      difference_(how.arrays * (tiles.elements.size() + frontier.differences.incoming.size())),
      material_(tiles.materials.size()), state_(how.arrays * tiles.materials.size()),
      bounded_(tiles.elements.size()), forces_arrived_(frontier.forces.incoming.size()),
      motion_arrived_(frontier.motion.incoming.size()),
      sent_(std::max(frontier.forces.outgoing.size(), std::size_t{1})),
      stress_read_(stress_, lists_of(tiles_.nodes, &NodeTile::elements), how.sets, how.arrays),
      hourglass_read_(hourglass_, lists_of(tiles_.nodes, &NodeTile::elements), how.sets,
                      how.arrays),
      nodes_read_(node_, lists_of(tiles_.elements, &ElementTile::nodes), how.sets, how.arrays),
      states_read_(state_, lists_of(tiles_.elements, &ElementTile::materials), how.sets,
                   how.arrays),
      differences_read_(difference_, lists_of(tiles_.materials, &MaterialTile::neighbours),
                        how.sets, how.arrays),
      volumes_read_(bounded_, lists_of(tiles_.materials, &MaterialTile::elements), how.sets, 1),
      stress_written_(stress_, tiles.elements.size(), how.arrays),
      hourglass_written_(hourglass_, tiles.elements.size(), how.arrays),
      difference_written_(difference_, tiles.elements.size(), how.arrays),
      states_written_(state_, tiles.materials.size(), how.arrays),
      positions_written_(node_, tiles.nodes.size(), how.arrays),
      courant_(tiles.materials.size(), kUnconstrained),
      expansion_(tiles.materials.size(), kUnconstrained) {
    if (how.offload > 0)
        offload_.emplace(domain, tiles_, how.offload);
}

template <void (*loop)(Domain &, Range)> void Creator::element_loop(const char *label) {
    Domain *domain = domain_;
    [[maybe_unused]] double *element = element_.data();
    for (std::size_t t = 0; t < tiles_.elements.size(); ++t) {
        const Range *range = &tiles_.elements[t].elements;
        loomp_task_label(label);
#pragma omp task depend(inout : element[t]) firstprivate(domain, range)
        loop(*domain, *range);
        count(1);
    }
}

template <void (*loop)(const Domain &, Range)> void Creator::element_check(const char *label) {
    const Domain *domain = domain_;
    [[maybe_unused]] double *element = element_.data();
    for (std::size_t t = 0; t < tiles_.elements.size(); ++t) {
        const Range *range = &tiles_.elements[t].elements;
        loomp_task_label(label);
#pragma omp task depend(inout : element[t]) firstprivate(domain, range)
        loop(*domain, *range);
        count(1);
    }
}

// The tasks also name the marks of other arrays that they write.
template <void (*loop)(Domain &, Range)>
void Creator::node_loop(const char *label, const Written *written) {
    Domain *domain = domain_;
    [[maybe_unused]] double *node = node_.data();
    for (std::size_t t = 0; t < tiles_.nodes.size(); ++t) {
        const Range *range = &tiles_.nodes[t].nodes;
        loomp_task_label(label);
        if (written != nullptr)
            written->name(t);
#pragma omp task depend(inout : node[t]) firstprivate(domain, range)
        loop(*domain, *range);
        count(1 + (written != nullptr ? written->size() : 0));
    }
}

// Each task also has a mark for those of other tiles.
template <void (*loop)(Domain &, Range)>
void Creator::element_loop_out(const char *label, Marks &marks, const Written &written) {
    Domain *domain = domain_;
    [[maybe_unused]] double *element = element_.data();
    [[maybe_unused]] double *out = marks.data();
    for (std::size_t t = 0; t < tiles_.elements.size(); ++t) {
        const Range *range = &tiles_.elements[t].elements;
        loomp_task_label(label);
        written.name(t);
#pragma omp task depend(inout : element[t]) depend(out : out[t]) firstprivate(domain, range)
        loop(*domain, *range);
        count(2 + written.size());
    }
}

// Over the tiles' own `part`, marked by `own`, with what each reads of tiles of the other kind.
template <void (*loop)(Domain &, Range), class Tile>
void Creator::gather_loop(const char *label, const std::vector<Tile> &tiles, Range Tile::*part,
                          Marks &own, const Reads &read) {
    Domain *domain = domain_;
    [[maybe_unused]] double *mark = own.data();
    [[maybe_unused]] double *from = read.marks();
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        const Range *range = &(tiles[t].*part);
        [[maybe_unused]] const int *reads = read.list(t);
        const int count_reads = read.name(t);
        loomp_task_label(label);
#pragma omp task depend(iterator(int j = 0 : count_reads), in : from[reads[j]])                    \
    depend(inout : mark[t]) firstprivate(domain, range)
        loop(*domain, *range);
        count(read.size(t) + 1);
    }
}

void Creator::choose_step() {
    Domain *domain = domain_;
    KnownStep *known = &known_;
    [[maybe_unused]] double *limit = limit_.data();
    TimeStep *step = &domain->step;
    const std::vector<double> *courant = &courant_;
    const std::vector<double> *expansion = &expansion_;
    [[maybe_unused]] double *order = step_in_order_ ? &order_ : &step_order_;
    const int count_limits = int(limit_.size());
    const bool stops = how_.ahead;
    Offload *offload = offload_ ? &*offload_ : nullptr;
    loomp_task_label("time step");
#pragma omp task depend(iterator(int j = 0 : count_limits), in : limit[j])                         \
    depend(inout : *step, *order) firstprivate(step, known, courant, expansion, stops, offload)
    {
        *step = next_step(*step, apps::ranks::least(constraint_of_all(*courant, *expansion)));
        if (offload != nullptr)
            offload->note_step(*step);
        known->set(*step);
        if (stops && ended(*step))
            apps::ranks::stop_after_this_iteration();
    }
    count(std::size_t(count_limits) + 2);
}

// The creator itself runs this.
void Creator::choose_step_between() {
#pragma omp taskwait
    TimeStep &step = domain_->step;
    step = next_step(step, apps::ranks::least(constraint_of_all(courant_, expansion_)));
    if (offload_)
        offload_->note_step(step);
    known_.set(step);
}

void Creator::find_forces() {
    if (offload_) {
        integrate_stresses_on(*offload_);
    } else {
        if (tiles_.eos == Eos::loop)
            gather_loop<set_stresses>("stresses", tiles_.elements, &ElementTile::elements, element_,
                                      states_read_);
        else
            element_loop<set_stresses>("stresses");
        element_loop_out<integrate_stresses>("integrate stresses", stress_, stress_written_);
        element_check<check_determinants>("check determinants");
    }
    element_loop<prepare_hourglass_control>("hourglass control");
    element_loop_out<resist_hourglass_modes>("hourglass forces", hourglass_, hourglass_written_);
}

// Hourglass control goes on meanwhile.
void Creator::integrate_stresses_on(Offload &device) {
    Domain *domain = domain_;
    [[maybe_unused]] double *element = element_.data();
    [[maybe_unused]] double *stressed = device.stressed().data();
    [[maybe_unused]] double *from = states_read_.marks();
    for (std::size_t t = 0; t < tiles_.elements.size(); ++t) {
        const Range *range = &tiles_.elements[t].elements;
        [[maybe_unused]] const int *reads = states_read_.list(t);
        const int count_reads = states_read_.name(t);
        loomp_task_label("stresses");
#pragma omp task depend(iterator(int j = 0 : count_reads), in : from[reads[j]])                    \
    depend(inout : element[t]) depend(out : stressed[t]) firstprivate(domain, range)
        set_stresses(*domain, *range);
        count(states_read_.size(t) + 2);
    }
    count(device.integrate_stresses(stress_.data()));
    const double *determinants = device.determinants();
    [[maybe_unused]] const double *stress = stress_.data();
    for (std::size_t t = 0; t < tiles_.elements.size(); ++t) {
        const Range *range = &tiles_.elements[t].elements;
        loomp_task_label("check determinants");
#pragma omp task depend(in : stress[t]) firstprivate(determinants, range)
        check_determinants(determinants, *range);
        count(1);
    }
}

void Creator::gather_forces() {
    node_loop<clear_forces>("clear forces");
    gather_loop<gather_stress_forces>("gather stress", tiles_.nodes, &NodeTile::nodes, node_,
                                      stress_read_);
    gather_loop<gather_hourglass_forces>("gather hourglass", tiles_.nodes, &NodeTile::nodes, node_,
                                         hourglass_read_);
}

void Creator::move_nodes() {
    Domain *domain = domain_;
    [[maybe_unused]] double *node = node_.data();
    TimeStep *step = &domain->step;
    node_loop<accelerate>("accelerate");
    for (std::size_t t = 0; t < tiles_.nodes.size(); ++t) {
        for (int axis = 0; axis < 3; ++axis) {
            const Range *held = &tiles_.nodes[t].held[axis];
            if (held->size() == 0)
                continue;
            loomp_task_label("symmetry planes");
#pragma omp task depend(inout : node[t]) firstprivate(domain, axis, held)
            hold_on_symmetry_plane(*domain, axis, *held);
            count(1);
        }
    }
    for (std::size_t t = 0; t < tiles_.nodes.size(); ++t) {
        const Range *range = &tiles_.nodes[t].nodes;
        loomp_task_label("velocities");
#pragma omp task depend(in : *step) depend(inout : node[t]) firstprivate(domain, range)
        move_velocities(*domain, *range);
        count(2);
    }
    node_loop<move_positions>("positions", &positions_written_);
}

void Creator::update_elements() {
    if (offload_)
        count(offload_->find_kinematics(element_.data()));
    else
        gather_loop<find_kinematics>("kinematics", tiles_.elements, &ElementTile::elements,
                                     element_, nodes_read_);
    element_loop<find_expansion>("expansion");
    element_loop_out<find_velocity_differences>("velocity differences", difference_,
                                                difference_written_);
    exchange_differences();
    find_viscosities();
    element_check<check_viscosities>("check viscosities");
    if (tiles_.eos == Eos::loop)
        element_loop_out<bound_volumes>("bound volumes", bounded_, Written(bounded_, 0, 1));
    else
        element_loop<bound_volumes>("bound volumes");
    element_check<check_volumes>("check volumes");
    update_materials();
    element_loop<update_volumes>("volumes");
}

void Creator::create_step() {
    tasks_ = dependences_ = 0;
    if (how_.messages_between)
        choose_step_between();
    else if (!step_in_order_)
        choose_step();
    find_forces();
    gather_forces();
    exchange_forces();
    if (step_in_order_ && !how_.messages_between)
        choose_step();
    move_nodes();
    exchange_motion();
    if (offload_) {
        count(offload_->copy_step(&domain_->step));
        count(offload_->copy_nodes(node_.data()));
    }
    update_elements();
    find_constraints();
}

} // namespace lulesh
