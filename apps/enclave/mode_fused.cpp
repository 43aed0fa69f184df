// Batches by the runtime: of what each thread has met, or from queues, one for each subdomain.
#include "common/omp_decls.h"
#include "enclave/walk.h"

#include <algorithm>
#include <string>

// loomp's (loomp/loomp.h), null on other runtimes.
extern "C" {
using loomp_batch_fn = void (*)(void *const *data, std::size_t count, void *context);
__attribute__((weak)) int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context,
                                          unsigned max);
__attribute__((weak)) void loomp_next_task_kind(int kind, void *data);
__attribute__((weak)) int loomp_queue(const char *name, int place);
__attribute__((weak)) void loomp_next_task_queue(int queue);
__attribute__((weak)) int loomp_set_queue_order(const int *queues, int count);
}

namespace enclave {

namespace {

// What a batch's call gets of each task.
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

} // namespace

bool can_queue() { return loomp_queue != nullptr; }

bool can_fuse() { return loomp_task_kind != nullptr; }

void run_fused(Traversal &traversal, int batch) {
    const Piece &own = traversal.partition().own();
    const int kind = kind_of(batch);
    std::vector<Enclave> enclaves;
    for (int cell = own.first; cell < own.last; ++cell)
        enclaves.push_back({&traversal, cell});
    const auto make_task = [&](int cell, int) {
        Enclave *enclave = &enclaves[static_cast<std::size_t>(cell - own.first)];
        loomp_next_task_kind(kind, enclave);
#pragma omp task firstprivate(enclave)
        enclave->traversal->advance(enclave->cell);
        traversal.count_tasks(1);
    };
#pragma omp parallel
    walk(traversal, make_task, [] {});
}

void run_queues(Traversal &traversal, int batch) {
    const Piece &own = traversal.partition().own();
    const int kind = kind_of(batch);
    // Several subdomains share one if they are more than loomp has queues for.
    constexpr std::size_t most_queues = 128;
    constexpr int any_place = -1;
    std::vector<int> queues;
    while (queues.size() < std::min(most_queues, traversal.partition().subdomains().size()))
        queues.push_back(
            loomp_queue(("subdomain " + std::to_string(queues.size())).c_str(), any_place));
    std::vector<Enclave> enclaves;
    for (int cell = own.first; cell < own.last; ++cell)
        enclaves.push_back({&traversal, cell});
    const auto make_task = [&](int cell, int subdomain) {
        Enclave *enclave = &enclaves[static_cast<std::size_t>(cell - own.first)];
        loomp_next_task_kind(kind, enclave);
        loomp_next_task_queue(queues[static_cast<std::size_t>(subdomain) % queues.size()]);
#pragma omp task firstprivate(enclave)
        enclave->traversal->advance(enclave->cell);
        traversal.count_tasks(1);
    };
#pragma omp parallel
    {
        // Messages first, then the queues from its own subdomain's on.
        std::vector<int> order;
        for (std::size_t k = 0; k < queues.size(); ++k)
            order.push_back(
                queues[(static_cast<std::size_t>(omp_get_thread_num()) + k) % queues.size()]);
        loomp_set_queue_order(order.data(), static_cast<int>(order.size()));
        walk(traversal, make_task, [] {});
    }
}

} // namespace enclave
