#include "runtime/core/environment/program_interface.h"

#include <cstdint>
#include <link.h>
#include <string_view>

namespace loomp::core {

namespace {

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// Searches the libraries that one object needs. Returns 1, which ends the search, if one of them
/// is a runtime.
int look(dl_phdr_info *object, std::size_t, void *result) {
    const ElfW(Dyn) *entries = nullptr;
    for (int i = 0; i < object->dlpi_phnum; ++i)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entries = reinterpret_cast<const ElfW(Dyn) *>(object->dlpi_addr +
                                                          object->dlpi_phdr[i].p_vaddr);
    if (entries == nullptr)
        return 0;
    std::uintptr_t names = 0;
    for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_STRTAB)
            names = entry->d_un.d_ptr;
    // The loader has made the address absolute, except for objects that the kernel maps.
    if (names < object->dlpi_addr)
        names += object->dlpi_addr;
    for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag != DT_NEEDED)
            continue;
        const std::string_view name = reinterpret_cast<const char *>(names + entry->d_un.d_val);
        const bool is_llvm = starts_with(name, "libomp.so") || starts_with(name, "libiomp5.so");
        if (!is_llvm && !starts_with(name, "libgomp.so"))
            continue;
        *static_cast<ProgramInterface *>(result) =
            is_llvm ? ProgramInterface::llvm : ProgramInterface::gnu;
        return 1;
    }
    return 0;
}

} // namespace

ProgramInterface program_interface() {
    static const ProgramInterface known = [] {
        ProgramInterface found = ProgramInterface::gnu;
        dl_iterate_phdr(look, &found);
        return found;
    }();
    return known;
}

} // namespace loomp::core
