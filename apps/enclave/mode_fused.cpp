#include "enclave/traversal.h"

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
    const Partition &partition = traversal.partition();
    const std::vector<Piece> &subdomains = partition.subdomains();
    const int count = static_cast<int>(subdomains.size());
    const int kind = kind_of(batch);
    std::vector<Enclave> enclaves;
    for (int cell = partition.own().first; cell < partition.own().last; ++cell)
        enclaves.push_back({&traversal, cell});
#pragma omp parallel
    {
        traversal.begin_messages();
#pragma omp for schedule(static, 1) nowait
        for (int s = 0; s < count; ++s) {
            for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell) {
                if (partition.is_skeleton(cell)) {
                    traversal.advance_skeleton(cell);
                    continue;
                }
                Enclave *enclave = &enclaves[cell - partition.own().first];
                loomp_next_task_kind(kind, enclave);
#pragma omp task firstprivate(enclave)
                enclave->traversal->advance(enclave->cell);
                traversal.count_tasks(1);
            }
        }
    }
}

} // namespace enclave
