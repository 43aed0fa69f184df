#include "mpi/adapters/tools.h"

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <string_view>

#include "platform/linked_object.h"
#include "platform/openmp_users.h"
#include "platform/system_mutex.h"

extern "C" {
/// The next function of each name; in gated_calls.S, which calls them.
extern void *loomp_mpi_next[] __attribute__((visibility("hidden")));
/// The tool's function of each name; null if no tool has it.
extern void *loomp_mpi_tools[] __attribute__((visibility("hidden")));
/// The functions that call those.
extern void *const loomp_mpi_enter[] __attribute__((visibility("hidden")));
}

namespace loomp::mpi {

Atomic<bool> tools::watch_completions{false};
LOOMP_THREAD_LOCAL int tools::depth = 0;

namespace {

#define LOOMP_GATED(LIBRARYS, PROGRAMS) #PROGRAMS,
#define LOOMP_ALSO(LIBRARYS, PROGRAMS)
constexpr const char *kNames[] = {
#include "mpi_gated.inc"
};
#undef LOOMP_GATED
#undef LOOMP_ALSO

tools::Next *next_of = [](const char *name) { return dlsym(RTLD_NEXT, name); };

/// A program or a library in memory.
struct File {
    std::string path; ///< empty: the program
    const void *begin;
    const void *end;
};

std::vector<File> files_in_memory() {
    std::vector<File> files;
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *list) {
            const LinkedObject linked(*object);
            static_cast<std::vector<File> *>(list)->push_back(
                {linked.is_program() ? "" : object->dlpi_name,
                 reinterpret_cast<const void *>(linked.begin()),
                 reinterpret_cast<const void *>(linked.end())});
            return 0;
        },
        &files);
    return files;
}

/// True if the file calls the function.
bool imports(const File &file, std::string_view name) {
    struct Search {
        const File &file;
        std::string_view name;
        bool found;
    } search{file, name, false};
    dl_iterate_phdr(
        [](dl_phdr_info *object, std::size_t, void *data) {
            auto &wanted = *static_cast<Search *>(data);
            const LinkedObject linked(*object);
            if (reinterpret_cast<const void *>(linked.begin()) != wanted.file.begin)
                return 0;
            wanted.found = linked.any_imported(
                [&](std::string_view other, std::uintptr_t) { return other == wanted.name; });
            return 1;
        },
        &search);
    return search.found;
}

const File *file_with(const void *address, const std::vector<File> &files) {
    for (const File &file : files)
        if (address >= file.begin && address < file.end)
            return &file;
    return nullptr;
}

/// The file's own function of this name; null if it has none.
void *own_function(const File &file, const char *name) {
    void *const opened =
        file.path.empty() ? nullptr : dlopen(file.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (opened == nullptr)
        return nullptr;
    void *const function = dlsym(opened, name); // or a library's that the file needs
    dlclose(opened);
    return function >= file.begin && function < file.end ? function : nullptr;
}

/// True if the file is an MPI library: it has the function under the library's own name, too.
bool is_mpi_library(const File &file, const char *name) {
    return own_function(file, ((name[0] == 'M' ? "P" : "p") + std::string(name)).c_str()) !=
           nullptr;
}

/// False if the program only uses the function: programs have an address of their own for functions
/// whose addresses they take.
bool is_defined(const void *address) {
    Dl_info info = {};
    void *entry = nullptr;
    return dladdr1(address, &info, &entry, RTLD_DL_SYMENT) != 0 && entry != nullptr &&
           static_cast<const ElfW(Sym) *>(entry)->st_shndx != SHN_UNDEF;
}

/// The function that follows all of loomp's of this name, and its file. Files are in the order in
/// which the dynamic linker searches them.
void *next_of_others(const char *name, const std::vector<File> &files, const File *&file) {
    void *function = next_of(name);
    file = function == nullptr ? nullptr : file_with(function, files);
    while (file != nullptr && is_loomps_library(file->path)) {
        function = nullptr;
        while (function == nullptr && ++file != files.data() + files.size())
            function = own_function(*file, name);
        if (function == nullptr)
            file = nullptr;
    }
    return function;
}

/// True for calls that the layer repeats until an operation is complete.
bool is_repeated(std::string_view name) {
    return (name.starts_with("MPI_Test") && name != "MPI_Test_cancelled") ||
           name.starts_with("MPI_Wait") || name == "MPI_Iprobe" || name == "MPI_Improbe";
}

void look_for_tools() {
    std::vector<File> files;
    bool watch = false;
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        if (loomp_mpi_next[i] == nullptr) // the library lacks it
            continue;
        // The library's functions mostly have one address for both names.
        if (const void *const next = next_of(kNames[i]);
            next == nullptr || next == loomp_mpi_next[i])
            continue;
        if (files.empty())
            files = files_in_memory();
        const File *file = nullptr;
        void *const function = next_of_others(kNames[i], files, file);
        if (file == nullptr || is_mpi_library(*file, kNames[i]))
            continue;
        loomp_mpi_tools[i] = function;
        loomp_mpi_next[i] = loomp_mpi_enter[i];
        watch = watch || is_repeated(kNames[i]);
    }
    tools::watch_completions.store(watch, std::memory_order_relaxed);
}

/// The tool's function; null if no tool behind the layer has it.
const void *function_of_tool(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kNames); ++i)
        if (name == kNames[i])
            return loomp_mpi_tools[i];
    return nullptr;
}

} // namespace

void find_tools() {
    static OnceFlag once;
    call_once(once, look_for_tools);
}

void find_tools_by(tools::Next *next) { next_of = next; }

void *next_function(const char *name) {
    const File *file = nullptr;
    void *const function = next_of_others(name, files_in_memory(), file);
    // If the library is not in the list of `next_of`, the layer still needs it.
    return function != nullptr ? function : dlsym(RTLD_NEXT, name);
}

bool tool_has(const char *name) {
    const std::vector<File> files = files_in_memory();
    const File *file = nullptr;
    next_of_others(name, files, file);
    return file != nullptr && !is_mpi_library(*file, name);
}

std::vector<Unseen> find_unseen(const std::vector<MadeBy> &pairs) {
    std::vector<Unseen> found;
    const std::vector<File> files = files_in_memory();
    for (const MadeBy &pair : pairs) {
        const void *const function = function_of_tool(pair.call);
        if (function == nullptr || function_of_tool(pair.by) != nullptr)
            continue;
        if (const File *const file = file_with(function, files); file != nullptr)
            found.push_back({pair, file->path});
    }
    return found;
}

std::vector<ToolFunction> find_in_front(const std::vector<const char *> &names) {
    const std::vector<File> files = files_in_memory();
    std::vector<ToolFunction> found;
    for (const char *name : names) {
        const void *const function = dlsym(RTLD_DEFAULT, name);
        const File *const file = function == nullptr ? nullptr : file_with(function, files);
        if (file == nullptr || is_loomps_library(file->path) || is_mpi_library(*file, name) ||
            (file->path.empty() && !is_defined(function)))
            continue;
        if (imports(*file, std::string("P") + name))
            found.push_back({name, file->path});
    }
    return found;
}

} // namespace loomp::mpi
