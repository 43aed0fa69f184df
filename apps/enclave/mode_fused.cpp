// Batches by the runtime: of the tasks that each thread makes, or of what it puts into a queue for
// each subdomain, where the runtime makes a task of a batch and none of an enclave.
#include "common/omp_decls.h"
#include "enclave/walk.h"

#include <algorithm>
#include <string>

// Its functions are null on other runtimes.
#define LOOMP_WEAK
#include "loomp/experimental.h"

namespace enclave {

namespace {

// The data that a batch's call gets of each task.
struct Enclave {
    Traversal *traversal;
    int cell;
};

void advance_all(void *const *data, std::size_t count, void *) {
    for (std::size_t k = 0; k < count; ++k) {
        const Enclave &enclave = *static_cast<const Enclave *>(data[k]);
        enclave.traversal->advance(enclave.cell);
    }
}

int kind_of(int batch) {
    static const int kind =
        loomp_task_kind("enclaves", advance_all, nullptr, static_cast<unsigned>(batch));
    return kind;
}

// The enclaves for all of a rank's cells.
std::vector<Enclave> enclaves_of(Traversal &traversal) {
    const Piece &own = traversal.partition().own();
    std::vector<Enclave> enclaves;
    enclaves.reserve(static_cast<std::size_t>(own.size()));
    for (int cell = own.first; cell < own.last; ++cell)
        enclaves.push_back({&traversal, cell});
    return enclaves;
}

constexpr int kAnyPlace = -1;

struct SubdomainQueue {
    int number;
    int place; // where its subdomain's patches are, as far as they are pinned
};

// Several subdomains share one if they are more than loomp has queues for.
std::vector<SubdomainQueue> queues_of(const Traversal &traversal) {
    constexpr std::size_t most = 128;
    std::vector<int> places(static_cast<std::size_t>(omp_get_max_threads()), kAnyPlace);
    if (traversal.pins()) {
#pragma omp parallel
        places[static_cast<std::size_t>(omp_get_thread_num())] = omp_get_place_num();
    }
    std::vector<SubdomainQueue> queues;
    while (queues.size() < std::min(most, traversal.partition().subdomains().size())) {
        const int place = places[queues.size() % places.size()];
        std::string name = "subdomain " + std::to_string(queues.size());
        if (place != kAnyPlace)
            name += ", place " + std::to_string(place);
        queues.push_back({loomp_queue(name.c_str(), place), place});
    }
    return queues;
}

// Messages first, then the queues from the thread's own subdomain's on; of these the ones of its
// place before the others.
void set_order(const std::vector<SubdomainQueue> &queues, std::size_t thread) {
    const int here = queues[thread % queues.size()].place;
    std::vector<int> numbers;
    for (const bool near : {true, false}) {
        for (std::size_t k = 0; k < queues.size(); ++k) {
            const SubdomainQueue &queue = queues[(thread + k) % queues.size()];
            if ((queue.place == here) == near)
                numbers.push_back(queue.number);
        }
    }
    loomp_set_queue_order(numbers.data(), static_cast<int>(numbers.size()));
}

// Enclaves that a thread has met, which go to their queue when some batches are together: others
// may begin with them while it goes on.
class Met {
  public:
    Met(int kind, int batch) : kind_(kind), batch_(static_cast<std::size_t>(batch)) {}

    void add(int queue, Enclave *enclave) {
        if (queue != queue_ || enclaves_.size() == kBatches * batch_)
            put();
        queue_ = queue;
        enclaves_.push_back(enclave);
    }
    void put() {
        if (enclaves_.empty())
            return;
        loomp_queue_put(queue_, kind_, enclaves_.data(), enclaves_.size());
        tasks_ += static_cast<long>((enclaves_.size() + batch_ - 1) / batch_);
        enclaves_.clear();
    }
    long tasks() const { return tasks_; }

  private:
    static constexpr std::size_t kBatches = 4;
    int kind_;
    std::size_t batch_;
    int queue_ = 0;
    std::vector<void *> enclaves_;
    long tasks_ = 0;
};

} // namespace

bool can_queue() { return loomp_queue_put != nullptr; }

bool can_fuse() { return loomp_task_kind != nullptr; }

void run_fused(Traversal &traversal, int batch) {
    const Piece &own = traversal.partition().own();
    const int kind = kind_of(batch);
    std::vector<Enclave> enclaves = enclaves_of(traversal);
#pragma omp parallel
    {
        long made = 0;
        const auto make_task = [&](int cell, int) {
            Enclave *enclave = &enclaves[static_cast<std::size_t>(cell - own.first)];
            loomp_next_task_kind(kind, enclave);
#pragma omp task firstprivate(enclave)
            enclave->traversal->advance(enclave->cell);
            ++made;
        };
        walk(traversal, make_task, [&] { traversal.count_tasks(made); });
    }
}

void run_queues(Traversal &traversal, int batch) {
    const Piece &own = traversal.partition().own();
    const int kind = kind_of(batch);
    const std::vector<SubdomainQueue> queues = queues_of(traversal);
    std::vector<Enclave> enclaves = enclaves_of(traversal);
#pragma omp parallel
    {
        set_order(queues, static_cast<std::size_t>(omp_get_thread_num()));
        Met met(kind, batch);
        const auto meet = [&](int cell, int subdomain) {
            met.add(queues[static_cast<std::size_t>(subdomain) % queues.size()].number,
                    &enclaves[static_cast<std::size_t>(cell - own.first)]);
        };
        walk(traversal, meet, [&] {
            met.put();
            traversal.count_tasks(met.tasks());
        });
    }
}

} // namespace enclave
