#include "enclave/walk.h"

// loomp's (loomp/loomp.h), null on other runtimes.
extern "C" {
using loomp_batch_fn = void (*)(void *const *data, std::size_t count, void *context);
__attribute__((weak)) int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context,
                                          unsigned max);
__attribute__((weak)) void loomp_next_task_kind(int kind, void *data);
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

} // namespace enclave
