// The dynamic section of a program or a library: what it needs and what it imports.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <link.h>
#include <string_view>

namespace loomp {

class LinkedObject {
  public:
    explicit LinkedObject(const dl_phdr_info &object) : object_(object), base_(object.dlpi_addr) {
        for (int i = 0; i < object.dlpi_phnum; ++i)
            if (object.dlpi_phdr[i].p_type == PT_DYNAMIC)
                entries_ = reinterpret_cast<const ElfW(Dyn) *>(base_ + object.dlpi_phdr[i].p_vaddr);
        if (entries_ == nullptr)
            return;
        names_ = address_of(DT_STRTAB);
        symbols_ = reinterpret_cast<const ElfW(Sym) *>(address_of(DT_SYMTAB));
    }

    /// Returns whether it is the program, and not a library.
    bool is_program() const { return object_.dlpi_name == nullptr || *object_.dlpi_name == 0; }
    /// Calls `visit(std::string_view)` with each library that the object needs, until it returns
    /// true. Returns whether it did.
    template <class Visit> bool any_needed(Visit visit) const {
        for (const ElfW(Dyn) *entry = entries_; entry != nullptr && entry->d_tag != DT_NULL;
             ++entry)
            if (entry->d_tag == DT_NEEDED && visit(name(entry->d_un.d_val)))
                return true;
        return false;
    }

    /// Calls `visit(std::string_view, std::uintptr_t slot)` with each name that the object imports,
    /// in the same way: the linker has stored a relocation for each. `slot`: the address of the
    /// word for which the name is looked up.
    template <class Visit> bool any_imported(Visit visit) const {
        return any_called(visit) ||
               any_relocated(DT_RELA, value_of(DT_RELASZ), value_of(DT_RELACOUNT), visit);
    }
    /// Visits those only that stand in the table of functions which the object calls.
    template <class Visit> bool any_called(Visit visit) const {
        return any_relocated(DT_JMPREL, value_of(DT_PLTRELSZ), 0, visit);
    }

    /// The addresses between its first and its last part in memory.
    std::uintptr_t begin() const {
        std::uintptr_t first = UINTPTR_MAX;
        for (int i = 0; i < object_.dlpi_phnum; ++i)
            if (object_.dlpi_phdr[i].p_type == PT_LOAD)
                first = std::min<std::uintptr_t>(first, base_ + object_.dlpi_phdr[i].p_vaddr);
        return first;
    }
    std::uintptr_t end() const {
        std::uintptr_t last = 0;
        for (int i = 0; i < object_.dlpi_phnum; ++i)
            if (object_.dlpi_phdr[i].p_type == PT_LOAD)
                last = std::max<std::uintptr_t>(last, base_ + object_.dlpi_phdr[i].p_vaddr +
                                                          object_.dlpi_phdr[i].p_memsz);
        return last;
    }

  private:
    /// `first`: the number of those before it, which have no names.
    template <class Visit>
    bool any_relocated(ElfW(Sxword) table, std::size_t bytes, std::size_t first,
                       Visit visit) const {
        const auto *entries = reinterpret_cast<const ElfW(Rela) *>(address_of(table));
        for (std::size_t i = first; entries != nullptr && i < bytes / sizeof(*entries); ++i) {
            const ElfW(Sym) &symbol = symbols_[ELF64_R_SYM(entries[i].r_info)];
            if (symbol.st_shndx == SHN_UNDEF &&
                visit(name(symbol.st_name), base_ + entries[i].r_offset))
                return true;
        }
        return false;
    }
    std::string_view name(std::size_t offset) const {
        return reinterpret_cast<const char *>(names_ + offset);
    }
    std::uintptr_t value_of(ElfW(Sxword) tag) const {
        for (const ElfW(Dyn) *entry = entries_; entry != nullptr && entry->d_tag != DT_NULL;
             ++entry)
            if (entry->d_tag == tag)
                return entry->d_un.d_val;
        return 0;
    }
    /// The loader has made the address absolute, except for objects that the kernel maps.
    std::uintptr_t address_of(ElfW(Sxword) tag) const {
        const std::uintptr_t address = value_of(tag);
        return address + (address != 0 && address < base_ ? base_ : 0);
    }

    const dl_phdr_info &object_;
    std::uintptr_t base_;
    const ElfW(Dyn) *entries_ = nullptr;
    std::uintptr_t names_ = 0;
    const ElfW(Sym) *symbols_ = nullptr;
};

} // namespace loomp
