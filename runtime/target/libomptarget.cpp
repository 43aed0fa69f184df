#include "runtime/target/libomptarget.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

#include "platform/atomic.h"

namespace loomp::target {

namespace {

Library functions;
Atomic<const Library *> found{nullptr};
Atomic<void *> handle{nullptr};

/// Opens the library by its path. If a library opened by the program has loaded it, its symbols are
/// in that library's scope only. The next symbol in the program's scope may be one of this library
/// (compat/).
void *open_by_path() {
    void *opened = nullptr;
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *result) {
            const char *name = std::strrchr(object->dlpi_name, '/');
            if (name == nullptr || std::strncmp(name, "/libomptarget.so", 16) != 0)
                return 0;
            *static_cast<void **>(result) = dlopen(object->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
            return 1;
        },
        &opened);
    return opened;
}

void *find_there(const char *name) {
    return dlvsym(handle.load(std::memory_order_relaxed), name, "VERS1.0");
}

template <class F> bool find(F &function, const char *name) {
    function = reinterpret_cast<F>(find_there(name));
    return function != nullptr;
}

/// Each thread that queries counts queries without a result, and soon waits in the driver instead.
/// That suits threads without other work; pollers here must not block.
void never_wait_in_queries() {
    setenv("OMPTARGET_QUERY_COUNT_MAX", "1", 1);
    setenv("OMPTARGET_QUERY_COUNT_THRESHOLD", "1000000000", 1);
}

} // namespace

const Library *library() { return found.load(std::memory_order_acquire); }

const Library *find_library() {
    if (const Library *known = library())
        return known;
    void *opened = open_by_path();
    if (opened == nullptr)
        return nullptr;
    handle.store(opened, std::memory_order_relaxed);
    Library &f = functions;
    const bool whole =
        find(f.kernel, "__tgt_target_kernel") &&
        find(f.data[0], "__tgt_target_data_begin_mapper") &&
        find(f.data[1], "__tgt_target_data_end_mapper") &&
        find(f.data[2], "__tgt_target_data_update_mapper") &&
        find(f.data_nowait[0], "__tgt_target_data_begin_nowait_mapper") &&
        find(f.data_nowait[1], "__tgt_target_data_end_nowait_mapper") &&
        find(f.data_nowait[2], "__tgt_target_data_update_nowait_mapper") &&
        find(f.query, "__tgt_target_nowait_query") &&
        find(f.register_image, "__tgt_register_lib") &&
        find(f.unregister_image, "__tgt_unregister_lib") &&
        find(f.get_num_devices, "omp_get_num_devices") &&
        find(f.get_initial_device, "omp_get_initial_device") &&
        find(f.allocate, "omp_target_alloc") && find(f.free, "omp_target_free") &&
        find(f.is_present, "omp_target_is_present") && find(f.get_mapped, "omp_get_mapped_ptr") &&
        find(f.copy, "omp_target_memcpy") && find(f.copy_box, "omp_target_memcpy_rect") &&
        find(f.associate, "omp_target_associate_ptr") &&
        find(f.disassociate, "omp_target_disassociate_ptr");
    if (!whole)
        return nullptr;
    never_wait_in_queries();
    found.store(&f, std::memory_order_release);
    return &f;
}

void *find_function(const char *name) { return library() != nullptr ? find_there(name) : nullptr; }

} // namespace loomp::target
