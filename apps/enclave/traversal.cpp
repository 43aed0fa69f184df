#include "enclave/traversal.h"

#include "common/omp_decls.h"

namespace enclave {

Traversal::Traversal(const Tasking &tasking, const Partition &partition, Field &field, Halos &halos)
    : tasking_(tasking), partition_(partition), field_(field), halos_(halos),
      storage_(tasking.storing, tasking.kernels, field, partition.own()),
      sends_early_(tasking.mode != Mode::bsp && apps::ranks::waiting_frees_threads()),
      speeds_(static_cast<std::size_t>(partition.own().size())),
      awaited_(new std::atomic<int>[halos.peers()]),
      peers_of_(static_cast<std::size_t>(partition.own().size())) {
    for (int peer = 0; peer < halos.peers(); ++peer)
        for (const int cell : halos.cells_sent(peer))
            peers_of_[cell - partition.own().first].push_back(peer);
}

void Traversal::run(const Step &step) {
    step_ = step;
    const double start = omp_get_wtime();
    last_skeleton_.store(start, std::memory_order_relaxed);
    for (int peer = 0; peer < halos_.peers(); ++peer)
        awaited_[peer].store(static_cast<int>(halos_.cells_sent(peer).size()),
                             std::memory_order_relaxed);
    switch (tasking_.mode) {
    case Mode::bsp:
        run_bsp(*this);
        break;
    case Mode::tasks:
        run_tasks(*this);
        break;
    case Mode::hold_back:
        run_held_back(*this);
        break;
    case Mode::backfill:
        run_backfill(*this);
        break;
    case Mode::fused:
        run_fused(*this, tasking_.batch);
        break;
    case Mode::queues:
        run_queues(*this, tasking_.batch);
        break;
    case Mode::joined:
        run_joined(*this, tasking_.batch, Join::at_once, tasking_.forks);
        break;
    case Mode::joined_late:
        run_joined(*this, tasking_.batch, Join::late, tasking_.forks);
        break;
    }
    urgent_seconds_ += last_skeleton_.load(std::memory_order_relaxed) - start;
    if (!sends_early_)
        halos_.exchange(1 - step.set);
}

void Traversal::skeletons_done() {
    const double now = omp_get_wtime();
    double last = last_skeleton_.load(std::memory_order_relaxed);
    while (last < now &&
           !last_skeleton_.compare_exchange_weak(last, now, std::memory_order_relaxed)) {
    }
}

void Traversal::advance(int cell) {
    speeds_[cell - partition_.own().first] = storage_.advance(cell, step_);
}

void Traversal::begin_messages() {
    if (!sends_early_)
        return;
    Halos *halos = &halos_;
    const int set = 1 - step_.set;
#pragma omp single nowait
    for (int peer = 0; peer < halos->peers(); ++peer) {
#pragma omp task firstprivate(halos, peer, set)
        halos->receive(peer, set);
        count_tasks(1);
    }
}

void Traversal::advance_skeleton(int cell) {
    advance(cell);
    if (!sends_early_)
        return;
    Halos *halos = &halos_;
    const int set = 1 - step_.set;
    for (const int peer : peers_of_[cell - partition_.own().first]) {
        // acq_rel: the last thread sees the layers of all.
        if (awaited_[peer].fetch_sub(1, std::memory_order_acq_rel) != 1)
            continue;
#pragma omp task firstprivate(halos, peer, set)
        halos->send(peer, set);
        count_tasks(1);
    }
}

} // namespace enclave
