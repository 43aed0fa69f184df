// libloomp-audit: OpenMP runtimes under names that nobody can foresee.
//
// Python's wheels bring a libgomp of their own, such as
// scikit_learn.libs/libgomp-e985bcbb.so.1.0.0, and each another one; other packages have an RPATH
// to theirs. Neither LD_LIBRARY_PATH nor a preload keeps those out of a process. This library asks
// the dynamic linker to be told of every library that it looks for (rtld-audit(7)), and gives it
// the one of that kind in compat/, which leads to libloomp.so.
//
// A library that is not there yet is named at once, by its path in compat/, so that the linker
// keeps the right name and the right $ORIGIN. When it is there under another name, the linker would
// not keep the name asked for, and then fail at the versions that the wheel wants from it; so it
// goes on with the name it has, and gets our file for the first one that it tries to open.
//
// The dynamic linker calls with its lock held, in a namespace of this library's own.
#include <cctype>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

namespace {

/// A kind of runtime: how its file is called in compat/, and how many of its letters others share.
struct Kind {
    const char *name;
    std::size_t stem;
    bool loaded = false; ///< the program has the one in compat/
    char path[PATH_MAX] = {};
};
Kind kinds[] = {{"libgomp.so.1", 7}, {"libomp.so.5", 6}, {"libiomp5.so", 8}};

const char *file_of(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

/// Whether `file` is a runtime's name, or one with the hash that is put into it for a wheel:
/// not libgomp-plugin-nvptx.so.1, nor libompd.so.
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

/// compat/ lies beside this library. Returns whether it has all kinds.
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

/// 0, which is to be left alone, where this library lies without its others.
LOOMP_AUDIT unsigned la_version(unsigned version) { return find_compat() ? version : 0; }

LOOMP_AUDIT unsigned la_objopen(link_map *map, Lmid_t, uintptr_t *cookie) {
    *cookie = reinterpret_cast<uintptr_t>(map);
    note(map->l_name, true);
    return 0; // no symbol's binding is of interest
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
