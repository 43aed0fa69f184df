// LLVM ABI: kmp_*_affinity*, with which a program binds its threads itself. A mask is a set of OS
// processor numbers; the program holds a pointer to it.
#include <cstdlib>

#include "platform/export.h"
#include "platform/threads.h"

namespace {

constexpr int kProcessors = CPU_SETSIZE;
using Mask = void *;

cpu_set_t *set_of(const Mask *mask) { return static_cast<cpu_set_t *>(*mask); }
bool is_processor(int number) { return number >= 0 && number < kProcessors; }

} // namespace

LOOMP_EXPORT int kmp_get_affinity_max_proc() { return kProcessors; }

LOOMP_EXPORT void kmp_create_affinity_mask(Mask *mask) {
    *mask = std::calloc(1, sizeof(cpu_set_t));
}
LOOMP_EXPORT void kmp_destroy_affinity_mask(Mask *mask) {
    std::free(*mask);
    *mask = nullptr;
}

// Returns 0 on success, a negative value without such a mask, a positive one if the system refuses.
LOOMP_EXPORT int kmp_set_affinity(Mask *mask) {
    return set_of(mask) == nullptr ? -1 : !loomp::set_processors(set_of(mask), sizeof(cpu_set_t));
}
LOOMP_EXPORT int kmp_get_affinity(Mask *mask) {
    return set_of(mask) == nullptr ? -1 : !loomp::get_processors(set_of(mask), sizeof(cpu_set_t));
}

// Returns a negative value if there is no such mask or processor.
LOOMP_EXPORT int kmp_set_affinity_mask_proc(int processor, Mask *mask) {
    if (set_of(mask) == nullptr || !is_processor(processor))
        return -1;
    CPU_SET(static_cast<std::size_t>(processor), set_of(mask));
    return 0;
}
LOOMP_EXPORT int kmp_unset_affinity_mask_proc(int processor, Mask *mask) {
    if (set_of(mask) == nullptr || !is_processor(processor))
        return -1;
    CPU_CLR(static_cast<std::size_t>(processor), set_of(mask));
    return 0;
}
LOOMP_EXPORT int kmp_get_affinity_mask_proc(int processor, Mask *mask) {
    if (set_of(mask) == nullptr || !is_processor(processor))
        return -1;
    return CPU_ISSET(static_cast<std::size_t>(processor), set_of(mask));
}

LOOMP_EXPORT int kmp_get_affinity_max_proc_() { return kmp_get_affinity_max_proc(); }
LOOMP_EXPORT void kmp_create_affinity_mask_(Mask *mask) { kmp_create_affinity_mask(mask); }
LOOMP_EXPORT void kmp_destroy_affinity_mask_(Mask *mask) { kmp_destroy_affinity_mask(mask); }
LOOMP_EXPORT int kmp_set_affinity_(Mask *mask) { return kmp_set_affinity(mask); }
LOOMP_EXPORT int kmp_get_affinity_(Mask *mask) { return kmp_get_affinity(mask); }
/// loomp keeps the initial thread's binding, so there is nothing to restore.
LOOMP_EXPORT int kmp_set_thread_affinity_mask_initial() { return 0; }

#define LOOMP_KMP_MASK(NAME)                                                                       \
    LOOMP_EXPORT int kmp_##NAME##_(const int *processor, Mask *mask) {                             \
        return kmp_##NAME(*processor, mask);                                                       \
    }                                                                                              \
    LOOMP_EXPORT int kmpc_##NAME(int processor, Mask *mask) { return kmp_##NAME(processor, mask); }
LOOMP_KMP_MASK(set_affinity_mask_proc)
LOOMP_KMP_MASK(unset_affinity_mask_proc)
LOOMP_KMP_MASK(get_affinity_mask_proc)
#undef LOOMP_KMP_MASK
