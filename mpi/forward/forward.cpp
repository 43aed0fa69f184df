// libloomp-mpi: intercepts MPI in processes whose MPI library is not known in advance.
//
// `loomp run` cannot know which MPI library a script, `env`, `mpirun` or an interpreter will load,
// if any. This library is preloaded into all of them, defines MPI's names (forward.S) and needs no
// MPI. The first call finds the MPI library in the process and loads the layer, the recorder or
// both before it (LOOMP_LAYERS, which the command sets). It does not matter whether the program or
// a module that it opens later brings MPI.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "platform/openmp_users.h"
#include "platform/system_mutex.h"

extern "C" {
/// The target of each function; in forward.S.
extern void *loomp_mpi_targets[] __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void *loomp_mpi_find(int number);
}

namespace {

#define LOOMP_LIBRARY(WHICH, SONAME)
#define LOOMP_FORWARD(NAME, NUMBER) #NAME,
constexpr const char *kNames[] = {
#include "mpi_names.inc"
};
#undef LOOMP_LIBRARY
#undef LOOMP_FORWARD

/// An MPI library that has a layer.
struct Known {
    const char *which;
    const char *soname; ///< the library that the layer is linked with
};
#define LOOMP_LIBRARY(WHICH, SONAME) {WHICH, SONAME},
#define LOOMP_FORWARD(NAME, NUMBER)
constexpr Known kKnown[] = {
#include "mpi_names.inc"
};

/// The libraries in the process.
struct Found {
    std::string mpi; ///< file of the MPI library; empty: none
    bool at_start = false;
    bool loomp = false; ///< the runtime is there
};

/// The count of files that the process had when its program started.
std::size_t files_at_start = 0;

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say(const char *format, ...) {
    char line[1024] = "loomp: ";
    constexpr std::size_t prefix = 7;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line + prefix, sizeof line - prefix - 1, format, arguments);
    va_end(arguments);
    std::strcat(line, "\n");
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, std::strlen(line));
}

std::vector<std::string> loaded_files() {
    std::vector<std::string> files;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *list) {
            static_cast<std::vector<std::string> *>(list)->emplace_back(info->dlpi_name);
            return 0;
        },
        &files);
    return files;
}

__attribute__((constructor)) void note_start() { files_at_start = loaded_files().size(); }

std::string file_of(void *address) {
    Dl_info info = {};
    return dladdr(address, &info) != 0 ? info.dli_fname : "";
}

Found look() {
    Found found;
    const std::vector<std::string> files = loaded_files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        void *handle =
            dlopen(files[i].empty() ? nullptr : files[i].c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr)
            continue;
        found.loomp |= dlsym(handle, "loomp_print_info") != nullptr;
        if (void *init = dlsym(handle, "PMPI_Init");
            init != nullptr && found.mpi.empty() &&
            !loomp::is_loomps_library(file_of(init))) { // a layer has it, too
            found.mpi = file_of(init);
            found.at_start = i < files_at_start;
        }
        dlclose(handle);
    }
    return found;
}

/// The linker's name for a loaded library, which may differ from its file's.
std::string soname_of(void *library) {
    link_map *map = nullptr;
    if (library == nullptr || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return "";
    const char *strings = nullptr;
    std::size_t name = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) // an address, once the library is loaded
            strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_SONAME)
            name = entry->d_un.d_val;
    }
    return strings != nullptr && name != 0 ? strings + name : "";
}

/// The kind of the MPI library with this name; null if there is no layer for it.
const char *kind_of(const std::string &soname) {
    for (const Known &known : kKnown) {
        if (soname == known.soname)
            return known.which;
        // The two libraries have one binary interface; the layer finds the loaded one if it is in
        // the global scope.
        const bool is_mpich = soname == "libmpi.so.12" || soname == "libmpich.so.12";
        if (is_mpich && std::strcmp(known.which, "mpich") == 0 &&
            dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr)
            return known.which;
    }
    return nullptr;
}

/// Tells a layer that the program may have tasks. The layer itself knows only what the program is
/// linked with.
void tell_of_tasks(void *layer) {
    if (void *tell = dlsym(layer, "loomp_mpi_may_have_tasks"); tell != nullptr)
        reinterpret_cast<void (*)()>(tell)();
}

/// The function after this library's. dlsym() finds out who calls it: not by a jump at the end.
void *next_function(const char *name) {
    void *const found = dlsym(RTLD_NEXT, name);
    __asm__ volatile("" : : "r"(found));
    return found;
}

/// A layer that is not in the list of libraries in which tools are cannot find them.
void tell_of_tools(void *layer) {
    using Next = void *(const char *name);
    if (void *tell = dlsym(layer, "loomp_mpi_find_tools_by"); tell != nullptr)
        reinterpret_cast<void (*)(Next *)>(tell)(next_function);
}

/// Loads the target of the calls: the layer or recorder, or else the library itself.
void *destination(const Found &found) {
    void *library = dlopen(found.mpi.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    const char *told = std::getenv("LOOMP_LAYERS");
    std::string layers = told == nullptr || *told == '\0' ? "mpi" : told;
    // A program that is linked with MPI but lacks the runtime has no tasks, and gets the layer for
    // its collectives only, like with `loomp run`.
    const bool may_have_tasks = !found.at_start || found.loomp;
    const bool is_silent = layers == "mpi" && !may_have_tasks;
    const char *kind = kind_of(soname_of(library));
    if (kind == nullptr) {
        if (is_silent)
            return library;
        say("there is no layer for %s: MPI calls in tasks hold their threads; build loomp where "
            "this MPI library's headers are installed",
            found.mpi.c_str());
        return library;
    }
    std::string file = file_of(reinterpret_cast<void *>(&loomp_mpi_find));
    file = file.substr(0, file.rfind('/') + 1) + "libloomp-" + layers + "-" + kind + ".so";
    if (void *opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); opened != nullptr) {
        if (may_have_tasks)
            tell_of_tasks(opened);
        tell_of_tools(opened);
        return opened;
    }
    if (!is_silent)
        say("MPI calls in tasks hold their threads: %s", dlerror());
    return library;
}

/// The target of each function; null if the target lacks it.
void *functions[std::size(kNames)];

/// Redirects all existing functions to their targets. False if there is no MPI yet.
bool connect() {
    const Found found = look();
    if (found.mpi.empty())
        return false;
    void *to = destination(found);
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
        functions[i] = dlsym(to, kNames[i]);
        // Open MPI's module mpi_f08 has its routines in a library that the layer does not need.
        if (functions[i] == nullptr)
            functions[i] = next_function(kNames[i]);
        if (functions[i] != nullptr)
            __atomic_store_n(&loomp_mpi_targets[i], functions[i], __ATOMIC_RELEASE);
    }
    return true;
}

constinit loomp::SystemMutex connecting;

} // namespace

/// Finds the target of a function at its first call.
void *loomp_mpi_find(int number) {
    static bool connected = false; // under the mutex
    {
        const std::lock_guard lock(connecting);
        connected = connected || connect();
    }
    if (functions[number] == nullptr) {
        say("%s is called, and %s", kNames[number],
            connected ? "the MPI library has no such function" : "no MPI library is loaded");
        std::abort();
    }
    return functions[number];
}
