// A step of all patches of a rank, in one of several modes, which differ in who advances which
// patch when. The values that come out are the same, bit for bit.
//
//   bsp        each thread advances the cells of a subdomain, one after another
//   tasks      it advances the skeleton cells, and makes each enclave a task
//   hold-back  it keeps the enclaves until it has come to its subdomain's end, and only then makes
//              tasks of them
//   backfill   it keeps them in a queue of the program's: a thread that has come to the end runs
//              those of its own subdomain, then the others'
//   fused      tasks, of which the runtime runs up to `batch` in one call (loomp's task kinds)
//   queues     likewise, in a queue for each subdomain (loomp_queue()): a thread that is done runs
//              those of its own first
//   joined     it makes a task of each `batch` enclaves, when it has met as many
//   joined-late   likewise, when it has come to its subdomain's end
//
// In all but bsp, on a runtime where a blocking call holds up a task and not its thread, messages
// are tasks: a layer leaves when the cells at the border to a rank are advanced, and enclaves are
// computed meanwhile. Elsewhere ranks exchange when all cells are.
#pragma once

#include "enclave/field.h"
#include "enclave/halos.h"
#include "enclave/storage.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace enclave {

enum class Mode { bsp, tasks, hold_back, backfill, fused, queues, joined, joined_late };

// The choices that a mode leaves open.
struct Tasking {
    Mode mode;
    int batch;
    bool forks; // the task of several enclaves makes a task of each of them: of the modes joined
    Storing storing;
    Kernels kernels;
    bool pinned; // enclaves are run near their patches first: of the mode queues
};

class Traversal {
  public:
    // The references live longer.
    Traversal(const Tasking &tasking, const Partition &partition, Field &field, Halos &halos);

    // Advances all patches, and exchanges their layers. Outside of parallel regions.
    void run(const Step &step);

    // A patch's speed before its first step.
    void look_at(int cell) { speeds_[cell - partition_.own().first] = field_.speed(cell); }
    // The largest speed in each of this rank's patches, or NaN.
    const std::vector<double> &speeds() const { return speeds_; }
    // Made in all steps so far.
    long tasks() const { return tasks_.load(std::memory_order_relaxed); }

    // From each step's begin until this rank's last skeleton cell was advanced, of all steps.
    double urgent_seconds() const { return urgent_seconds_; }

    // The modes are made of these.
    void advance(int cell);
    // Called for an enclave before others may advance it.
    void hand_over(int cell) { storage_.hand_over(cell); }
    const Partition &partition() const { return partition_; }
    bool pins() const { return tasking_.pinned; }
    // Called before the loop over the subdomains, by all threads of the region.
    void begin_messages();
    // Advances a skeleton cell, and sends layers that are complete by it.
    void advance_skeleton(int cell);
    // Called by each thread when it has advanced those of its subdomains.
    void skeletons_done();
    void count_tasks(long count) { tasks_.fetch_add(count, std::memory_order_relaxed); }

  private:
    Tasking tasking_;
    const Partition &partition_;
    Field &field_;
    Halos &halos_;
    Storage storage_;
    Step step_{};
    bool sends_early_;
    std::vector<double> speeds_;
    // For each peer, how many cells that it waits for have not been advanced.
    std::unique_ptr<std::atomic<int>[]> awaited_;
    std::vector<std::vector<int>> peers_of_; // for each cell
    std::atomic<long> tasks_{0};
    std::atomic<double> last_skeleton_{0}; // when it was done, in this step
    double urgent_seconds_ = 0;
};

// The modes, each a file.
void run_bsp(Traversal &traversal);
void run_tasks(Traversal &traversal);
void run_held_back(Traversal &traversal);
void run_backfill(Traversal &traversal);
void run_fused(Traversal &traversal, int batch);
void run_queues(Traversal &traversal, int batch);
enum class Join { at_once, late };
void run_joined(Traversal &traversal, int batch, Join join, bool forks);
// Whether the runtime under the program has task kinds.
bool can_fuse();
// Whether it has queues with names, too.
bool can_queue();

} // namespace enclave
