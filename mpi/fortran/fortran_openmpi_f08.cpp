// Open MPI 6's bindings for `use mpi_f08` call C functions by the names that go past everybody who
// takes calls over (PMPI_Send), which nobody can define instead: the layer itself needs them. So
// when the layer is loaded, what the bindings' library has resolved these names to becomes what a C
// program finds under MPI_Send: the recorder's function, or the layer's. Bindings of earlier
// versions call Fortran functions (fortran_openmpi.cpp), and have no such names.
//
// This happens before any thread of the program runs: no call is under way.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string_view>

#include "platform/linked_object.h"
#include "platform/pages.h"

namespace {

struct Bytes {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

/// Returns the slots that the dynamic linker has made read-only once it had resolved all.
Bytes read_only_slots(const dl_phdr_info &library) {
    for (int i = 0; i < library.dlpi_phnum; ++i) {
        const ElfW(Phdr) &part = library.dlpi_phdr[i];
        if (part.p_type == PT_GNU_RELRO)
            return {library.dlpi_addr + part.p_vaddr,
                    library.dlpi_addr + part.p_vaddr + part.p_memsz};
    }
    return {};
}

void set_slot(void **slot, void *function, const Bytes &read_only) {
    const auto at = reinterpret_cast<std::uintptr_t>(slot);
    const std::size_t size = loomp::core::page_size();
    auto *page = reinterpret_cast<void *>(at & ~(size - 1));
    const bool locked = at >= read_only.begin && at < read_only.end;
    if (locked && !loomp::core::protect_pages(page, size, PROT_READ | PROT_WRITE))
        return;
    *slot = function;
    if (locked)
        loomp::core::protect_pages(page, size, PROT_READ);
}

void lead_calls(const dl_phdr_info &library) {
    const Bytes read_only = read_only_slots(library);
    loomp::LinkedObject(library).any_called([&](std::string_view name, std::uintptr_t slot) {
        if (name.substr(0, 5) != "PMPI_")
            return false;
        if (void *function = dlsym(RTLD_DEFAULT, name.data() + 1))
            set_slot(reinterpret_cast<void **>(slot), function, read_only);
        return false;
    });
}

int look_at(dl_phdr_info *library, std::size_t, void *) {
    const char *name = std::strrchr(library->dlpi_name, '/');
    if (name == nullptr || std::strncmp(name, "/libmpi_usempif08", 17) != 0)
        return 0;
    lead_calls(*library);
    return 0;
}

__attribute__((constructor)) void lead_calls_of_mpi_f08() { dl_iterate_phdr(look_at, nullptr); }

} // namespace
