// The dynamic section of a program or a library: what it needs and what it imports.
#pragma once

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
        symbols_ = address_of(DT_SYMTAB);
        for (const ElfW(Dyn) *entry = entries_; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == DT_STRSZ)
                names_size_ = entry->d_un.d_val;
    }

    /// Whether it is the program, and not a library.
    bool is_program() const { return object_.dlpi_name == nullptr || *object_.dlpi_name == 0; }
    bool contains(const void *code_or_data) const {
        const auto address = reinterpret_cast<std::uintptr_t>(code_or_data);
        for (int i = 0; i < object_.dlpi_phnum; ++i) {
            const ElfW(Phdr) &part = object_.dlpi_phdr[i];
            if (part.p_type == PT_LOAD && address - base_ - part.p_vaddr < part.p_memsz)
                return true;
        }
        return false;
    }

    /// Calls `visit(std::string_view)` with each library that the object needs, until it returns
    /// true. Returns whether it did.
    template <class Visit> bool any_needed(Visit visit) const {
        for (const ElfW(Dyn) *entry = entries_; entry != nullptr && entry->d_tag != DT_NULL;
             ++entry)
            if (entry->d_tag == DT_NEEDED && visit(name(entry->d_un.d_val)))
                return true;
        return false;
    }

    /// Calls `visit` with each name that the object imports, in the same way. The number of symbols
    /// is stored nowhere; linkers put the names behind the symbols, and at most tables without
    /// names between.
    template <class Visit> bool any_imported(Visit visit) const {
        const auto *symbol = reinterpret_cast<const ElfW(Sym) *>(symbols_);
        for (; reinterpret_cast<std::uintptr_t>(symbol + 1) <= names_; ++symbol)
            if (symbol->st_shndx == SHN_UNDEF && symbol->st_name < names_size_ &&
                visit(name(symbol->st_name)))
                return true;
        return false;
    }

  private:
    std::string_view name(std::size_t offset) const {
        return reinterpret_cast<const char *>(names_ + offset);
    }
    /// The loader has made the address absolute, except for objects that the kernel maps.
    std::uintptr_t address_of(ElfW(Sxword) tag) const {
        for (const ElfW(Dyn) *entry = entries_; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == tag)
                return entry->d_un.d_ptr + (entry->d_un.d_ptr < base_ ? base_ : 0);
        return 0;
    }

    const dl_phdr_info &object_;
    std::uintptr_t base_;
    const ElfW(Dyn) *entries_ = nullptr;
    std::uintptr_t names_ = 0;
    std::uintptr_t symbols_ = 0;
    std::size_t names_size_ = 0;
};

} // namespace loomp
