// libloomp-audit: replaces OpenMP runtimes under names that cannot be foreseen.
//
// Each Python wheel brings its own libgomp, such as scikit_learn.libs/libgomp-e985bcbb.so.1.0.0;
// other packages have an RPATH to theirs. LD_LIBRARY_PATH and preloads cannot exclude those. This
// library lets the dynamic linker report every library for which it searches (rtld-audit(7)). For
// an OpenMP runtime it returns the file of that kind in compat/, which leads to libloomp.so.
//
// If that file is not loaded yet, this library names it at once by its path in compat/. The linker
// then records the right name and the right $ORIGIN. If it is already loaded under another name,
// the linker would not record the requested name. It would later fail at the versions that the
// wheel requires. Then the linker continues with the requested name, and gets our file for the
// first path that it tries to open.
//
// The dynamic linker calls these functions with its lock held, in this library's own namespace.
#include <cctype>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include "platform/valgrind.h"

namespace {

/// A kind of runtime: its file name in compat/, and the length of the prefix by which files of its
/// kind are recognised.
struct Kind {
    const char *name;
    std::size_t stem;
    bool loaded = false; ///< the program has loaded the one in compat/
    char path[PATH_MAX] = {};
};
Kind kinds[] = {{"libgomp.so.1", 7}, {"libomp.so.5", 6}, {"libiomp5.so", 8}};

const char *file_of(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

/// Returns whether `file` is a runtime's name, possibly with the hash that a wheel inserts.
/// libgomp-plugin-nvptx.so.1 and libompd.so are none.
bool is_of(const Kind &kind, const char *file) {
    if (std::strncmp(file, kind.name, kind.stem) != 0)
        return false;
    const char *rest = file + kind.stem;
    if (*rest == '-')
        do {
            ++rest;
        } while (std::isxdigit(static_cast<unsigned char>(*rest)) != 0);
    return std::strncmp(rest, ".so", 3) == 0;
}

bool is_our_file(const Kind &kind, const char *path) {
    struct stat ours = {};
    struct stat theirs = {};
    return stat(kind.path, &ours) == 0 && stat(path, &theirs) == 0 &&
           ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/// Finds compat/ next to this library. Returns whether it has all kinds.
bool find_compat() {
    Dl_info self = {};
    if (dladdr(reinterpret_cast<const void *>(&find_compat), &self) == 0)
        return false;
    const int folder = static_cast<int>(file_of(self.dli_fname) - self.dli_fname);
    for (Kind &kind : kinds) {
        const int length = std::snprintf(kind.path, sizeof kind.path, "%.*scompat/%s", folder,
                                         self.dli_fname, kind.name);
        struct stat status = {};
        if (length < 0 || length >= PATH_MAX || stat(kind.path, &status) != 0)
            return false;
    }
    return true;
}

/// Notes that the linker has opened or closed the object at `path`.
void note(const char *path, bool loaded) {
    for (Kind &kind : kinds)
        if (is_of(kind, file_of(path)) && is_our_file(kind, path))
            kind.loaded = loaded;
}

} // namespace

#define LOOMP_AUDIT extern "C" __attribute__((visibility("default")))

/// Returns 0, which disables the audit, if this library lies without compat/. Valgrind replaces
/// functions of the C library, but not those of the second one, which serves this library.
LOOMP_AUDIT unsigned la_version(unsigned version) {
    return !loomp::valgrind::is_running() && find_compat() ? version : 0;
}

LOOMP_AUDIT unsigned la_objopen(link_map *map, Lmid_t, uintptr_t *cookie) {
    *cookie = reinterpret_cast<uintptr_t>(map);
    note(map->l_name, true);
    return 0; // symbol bindings are of no interest
}

LOOMP_AUDIT unsigned la_objclose(uintptr_t *cookie) {
    note(reinterpret_cast<const link_map *>(*cookie)->l_name, false);
    return 0;
}

LOOMP_AUDIT char *la_objsearch(const char *name, uintptr_t *, unsigned flag) {
    for (Kind &kind : kinds) {
        if (!is_of(kind, file_of(name)))
            continue;
        const bool as_asked = flag == LA_SER_ORIG && std::strchr(name, '/') == nullptr;
        if (!as_asked || !kind.loaded)
            return kind.path;
    }
    return const_cast<char *>(name);
}
