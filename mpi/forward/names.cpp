// libloomp-mpi-names: hides each name of MPI's that libloomp-mpi defines and no library in the
// process has.
//
// libloomp-mpi has the names of all MPI libraries that loomp was built for, and precedes the one
// that the program loads. A program may ask whether that one has a function: by dlsym(), or by a
// weak reference, as Python's wheels do. The dynamic linker tells this library of each object that
// it opens or closes (rtld-audit(7)), before it binds the object's symbols. A name that no object
// has gets the value 0 in libloomp-mpi's table of symbols. The linker takes such a name for
// undefined: a weak reference is null, dlsym() fails and has a reason, and a call is an error of
// the linker's.
//
// The dynamic linker calls these functions with its lock held, except when the process exits:
// another thread may open a library then. So counts and values change atomically. The library is
// linked with nothing. Otherwise the linker would load another C library for it, into each process.
#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <link.h>

#include "platform/pages.h"

namespace {

/// The parts of an object's dynamic section by which its symbols are found.
struct Symbols {
    ElfW(Sym) *table = nullptr;
    const char *strings = nullptr;
    const std::uint32_t *gnu_hash = nullptr; ///< DT_GNU_HASH
    const std::uint32_t *hash = nullptr; ///< DT_HASH, which libraries of some systems have instead

    explicit Symbols(const link_map &object) {
        for (const ElfW(Dyn) *entry = object.l_ld; entry != nullptr && entry->d_tag != DT_NULL;
             ++entry) {
            // The linker has turned offsets into addresses, except where it cannot write (the
            // vDSO).
            const ElfW(Addr) value = entry->d_un.d_ptr;
            const ElfW(Addr) address = value < object.l_addr ? object.l_addr + value : value;
            switch (entry->d_tag) {
            case DT_SYMTAB:
                table = reinterpret_cast<ElfW(Sym) *>(address);
                break;
            case DT_STRTAB:
                strings = reinterpret_cast<const char *>(address);
                break;
            case DT_GNU_HASH:
                gnu_hash = reinterpret_cast<const std::uint32_t *>(address);
                break;
            case DT_HASH:
                hash = reinterpret_cast<const std::uint32_t *>(address);
                break;
            default:
                break;
            }
        }
    }
};

/// A name that libloomp-mpi defines, and that it has only if another library has it.
struct Name {
    ElfW(Sym) * symbol; ///< in libloomp-mpi
    ElfW(Addr) value;
    const char *text;
    std::uint32_t gnu_hash;
    std::uint32_t hash;
    int objects; ///< the count of other objects in the process that define it
};
constexpr std::size_t kMost = 4096;
Name names[kMost];
std::size_t count = 0;

bool starts_with(const char *text, const char *prefix) {
    while (*prefix != '\0')
        if (*text++ != *prefix++)
            return false;
    return true;
}

bool is_equal(const char *a, const char *b) {
    for (; *a == *b; ++a, ++b)
        if (*a == '\0')
            return true;
    return false;
}

std::uint32_t gnu_hash_of(const char *text) {
    std::uint32_t hash = 5381;
    for (; *text != '\0'; ++text)
        hash = hash * 33 + static_cast<unsigned char>(*text);
    return hash;
}

std::uint32_t hash_of(const char *text) {
    std::uint32_t hash = 0;
    for (; *text != '\0'; ++text) {
        hash = (hash << 4) + static_cast<unsigned char>(*text);
        hash ^= (hash & 0xf0000000) >> 24;
        hash &= 0x0fffffff;
    }
    return hash;
}

/// Returns whether the function is the MPI library's. loomp's own functions, and those of libraries
/// over MPI that loomp replaces, exist without it.
bool is_of_mpi(const char *text) {
    if (starts_with(text, "MPIX_Detach") || starts_with(text, "MPIX_Progress"))
        return false;
    return starts_with(text, "ompi_") || starts_with(text, "MPI_") || starts_with(text, "MPIX_") ||
           starts_with(text, "mpi_") || starts_with(text, "mpix_");
}

bool is_defined(const Symbols &object, std::uint32_t index, const Name &name) {
    const ElfW(Sym) &symbol = object.table[index];
    return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
           is_equal(object.strings + symbol.st_name, name.text);
}

/// Finds a name by the two tables of the System V ABI and of GNU.
bool defines(const Symbols &object, const Name &name) {
    if (object.gnu_hash != nullptr) {
        const std::uint32_t buckets = object.gnu_hash[0], first = object.gnu_hash[1],
                            words = object.gnu_hash[2];
        const auto *bloom = reinterpret_cast<const ElfW(Addr) *>(object.gnu_hash + 4);
        constexpr std::uint32_t bits = 8 * sizeof *bloom;
        if (buckets == 0 || words == 0)
            return false;
        const ElfW(Addr) word = bloom[name.gnu_hash / bits % words];
        if ((word >> (name.gnu_hash % bits) &
             word >> ((name.gnu_hash >> object.gnu_hash[3]) % bits) & 1) == 0)
            return false;
        const auto *bucket = reinterpret_cast<const std::uint32_t *>(bloom + words);
        const std::uint32_t *chain = bucket + buckets;
        std::uint32_t index = bucket[name.gnu_hash % buckets];
        if (index < first) // the bucket is empty
            return false;
        for (;; ++index) {
            const std::uint32_t found = chain[index - first];
            if ((found | 1) == (name.gnu_hash | 1) && is_defined(object, index, name))
                return true;
            if ((found & 1) != 0) // the bucket's last
                return false;
        }
    }
    if (object.hash == nullptr || object.hash[0] == 0)
        return false;
    const std::uint32_t buckets = object.hash[0];
    const std::uint32_t *bucket = object.hash + 2, *chain = bucket + buckets;
    for (std::uint32_t index = bucket[name.hash % buckets]; index != STN_UNDEF;
         index = chain[index])
        if (is_defined(object, index, name))
            return true;
    return false;
}

/// Adds `change` to the count of objects that have each of the object's names. The linker sees a
/// name while one has it.
void count_names(const Symbols &object, int change) {
    if (object.table == nullptr || object.strings == nullptr)
        return;
    for (Name *name = names; name != names + count; ++name) {
        if (!defines(object, *name))
            continue;
        // relaxed: the linker's lock orders all changes but those at the exit, where either order
        // is right.
        const int objects = __atomic_add_fetch(&name->objects, change, __ATOMIC_RELAXED);
        __atomic_store_n(&name->symbol->st_value, objects > 0 ? name->value : 0, __ATOMIC_RELAXED);
    }
}

/// Makes the part of the object's segment writable, and leaves it so. False if the kernel refuses.
bool make_writable(const link_map &object, ElfW(Addr) first, ElfW(Addr) end) {
    const auto *header = reinterpret_cast<const ElfW(Ehdr) *>(object.l_addr);
    const auto *segment = reinterpret_cast<const ElfW(Phdr) *>(object.l_addr + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i, ++segment) {
        const ElfW(Addr) begin = object.l_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || first < begin || end > begin + segment->p_memsz)
            continue;
        const ElfW(Addr) page = begin & ~ElfW(Addr){4095};
        const int execute = (segment->p_flags & PF_X) != 0 ? PROT_EXEC : 0;
        return loomp::core::protect_pages_without_libc(reinterpret_cast<char *>(page), end - page,
                                                       PROT_READ | PROT_WRITE | execute);
    }
    return false;
}

/// Takes the names of libloomp-mpi, and hides them until an object has them. All stay visible if
/// that cannot be done.
void take(const link_map &object) {
    const Symbols symbols(object);
    if (symbols.table == nullptr || symbols.hash == nullptr)
        return;
    const std::uint32_t total = symbols.hash[1];
    if (!make_writable(object, reinterpret_cast<ElfW(Addr)>(symbols.table),
                       reinterpret_cast<ElfW(Addr)>(symbols.table + total)))
        return;
    for (std::uint32_t i = 0; i < total && count < kMost; ++i) {
        ElfW(Sym) &symbol = symbols.table[i];
        const char *text = symbols.strings + symbol.st_name;
        if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
            !is_of_mpi(text))
            continue;
        names[count++] = {&symbol, symbol.st_value, text, gnu_hash_of(text), hash_of(text), 0};
        symbol.st_value = 0;
    }
}

const char *file_of(const char *path) {
    const char *file = path;
    for (; *path != '\0'; ++path)
        if (*path == '/')
            file = path + 1;
    return file;
}

} // namespace

#define LOOMP_AUDIT extern "C" __attribute__((visibility("default")))

LOOMP_AUDIT unsigned la_version(unsigned version) { return version; }

LOOMP_AUDIT unsigned la_objopen(link_map *map, Lmid_t space, uintptr_t *cookie) {
    const char *file = file_of(map->l_name);
    // loomp's layers define names that the library lacks, too.
    const bool is_counted = space == LM_ID_BASE && count != 0 && !starts_with(file, "libloomp-");
    *cookie = is_counted ? reinterpret_cast<uintptr_t>(map) : 0;
    if (is_counted)
        count_names(Symbols(*map), 1);
    else if (space == LM_ID_BASE && count == 0 && is_equal(file, "libloomp-mpi.so"))
        take(*map);
    return 0; // symbol bindings are of no interest
}

LOOMP_AUDIT unsigned la_objclose(uintptr_t *cookie) {
    if (*cookie != 0)
        count_names(Symbols(*reinterpret_cast<const link_map *>(*cookie)), -1);
    return 0;
}
