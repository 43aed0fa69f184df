#include "daxpy/vectors.h"

#include <cstdio>
#include <cstdlib>

extern "C" {
int omp_get_num_devices(void);
int omp_get_default_device(void);
// libomptarget's, if the program is compiled for a device.
void *llvm_omp_target_alloc_host(std::size_t bytes, int device) __attribute__((weak));
void llvm_omp_target_free_host(void *block, int device) __attribute__((weak));
}

namespace daxpy {

int device_count() { return omp_get_num_devices(); }

bool can_pin() {
    return llvm_omp_target_alloc_host != nullptr && llvm_omp_target_free_host != nullptr &&
           device_count() > 0;
}

Vector::Vector(std::size_t size, Memory memory) : memory_(memory) {
    const std::size_t bytes = size * sizeof(double);
    values_ = static_cast<double *>(
        memory == Memory::pinned ? llvm_omp_target_alloc_host(bytes, omp_get_default_device())
                                 : std::malloc(bytes));
    if (values_ == nullptr) {
        std::fprintf(stderr, "daxpy: no memory for %zu elements: lower --n or --triplets\n", size);
        std::exit(1);
    }
}

Vector::~Vector() {
    if (memory_ == Memory::pinned)
        llvm_omp_target_free_host(values_, omp_get_default_device());
    else
        std::free(values_);
}

} // namespace daxpy
