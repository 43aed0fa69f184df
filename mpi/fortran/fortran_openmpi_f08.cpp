// Open MPI 6's bindings for `use mpi_f08` call C functions by the names that go past everybody who
// takes calls over (PMPI_Send), which nobody can define instead: the layer itself needs them. So
// when the layer is loaded, what the bindings' library has resolved these names to becomes what a C
// program finds under MPI_Send: the recorder's function, or the layer's. Bindings of earlier
// versions call Fortran functions (fortran_openmpi.cpp), and have no such names.
//
// Before any thread of the program's: no call is under way.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

#include "platform/pages.h"

namespace {

/// A library's table of the functions that it calls: each entry names one, and has a slot with its
/// address.
struct CallTable {
    const ElfW(Rela) *entries = nullptr;
    std::size_t count = 0;
    const ElfW(Sym) *symbols = nullptr;
    const char *names = nullptr;

    explicit CallTable(const ElfW(Dyn) * entry) {
        std::size_t bytes = 0;
        bool has_addends = false;
        for (; entry->d_tag != DT_NULL; ++entry) {
            switch (entry->d_tag) {
            case DT_JMPREL: // addresses, once the library is loaded
                entries = reinterpret_cast<const ElfW(Rela) *>(entry->d_un.d_ptr);
                break;
            case DT_SYMTAB:
                symbols = reinterpret_cast<const ElfW(Sym) *>(entry->d_un.d_ptr);
                break;
            case DT_STRTAB:
                names = reinterpret_cast<const char *>(entry->d_un.d_ptr);
                break;
            case DT_PLTRELSZ:
                bytes = entry->d_un.d_val;
                break;
            case DT_PLTREL:
                has_addends = entry->d_un.d_val == DT_RELA;
                break;
            default:
                break;
            }
        }
        if (entries != nullptr && symbols != nullptr && names != nullptr && has_addends)
            count = bytes / sizeof(ElfW(Rela));
    }

    const char *name_of(const ElfW(Rela) & entry) const {
        return names + symbols[entry.r_info >> 32].st_name; // ELF64_R_SYM
    }
};

struct Bytes {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

/// What the dynamic linker has made read-only once it had resolved all.
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

void lead_calls(const dl_phdr_info &library, const CallTable &table) {
    const Bytes read_only = read_only_slots(library);
    for (std::size_t i = 0; i < table.count; ++i) {
        const ElfW(Rela) &entry = table.entries[i];
        const char *name = table.name_of(entry);
        if (std::strncmp(name, "PMPI_", 5) != 0)
            continue;
        if (void *function = dlsym(RTLD_DEFAULT, name + 1))
            set_slot(reinterpret_cast<void **>(library.dlpi_addr + entry.r_offset), function,
                     read_only);
    }
}

int look_at(dl_phdr_info *library, std::size_t, void *) {
    const char *name = std::strrchr(library->dlpi_name, '/');
    if (name == nullptr || std::strncmp(name, "/libmpi_usempif08", 17) != 0)
        return 0;
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const ElfW(Phdr) &part = library->dlpi_phdr[i];
        if (part.p_type == PT_DYNAMIC)
            lead_calls(*library, CallTable(reinterpret_cast<const ElfW(Dyn) *>(library->dlpi_addr +
                                                                               part.p_vaddr)));
    }
    return 0;
}

__attribute__((constructor)) void lead_calls_of_mpi_f08() { dl_iterate_phdr(look_at, nullptr); }

} // namespace
