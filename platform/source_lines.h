// Finds the source lines of the process's own code, and the callers of code that waits, with libdw.
//
// libdw is opened at the first use, and everything works without it: a place is then an argument
// for addr2line. All of it is slow.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

#if __has_include(<elfutils/libdwfl.h>)
#include "platform/code_place.h"
#define LOOMP_HAS_LIBDW 1
#else
#define LOOMP_HAS_LIBDW 0
#endif

#include "platform/loader.h"

namespace loomp::text {

inline const char *without_folder(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

/// A function's name as its program writes it.
inline std::string readable_name(const char *symbol) {
    int status = 0;
    char *readable = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string name = readable != nullptr ? readable : symbol;
    std::free(readable);
    return name;
}

#if LOOMP_HAS_LIBDW

#define LOOMP_DW_FUNCTIONS(F)                                                                      \
    F(dwfl_begin)                                                                                  \
    F(dwfl_end)                                                                                    \
    F(dwfl_linux_proc_find_elf)                                                                    \
    F(dwfl_linux_proc_report)                                                                      \
    F(dwfl_report_end)                                                                             \
    F(dwfl_addrmodule)                                                                             \
    F(dwfl_module_addrname)                                                                        \
    F(dwfl_attach_state)                                                                           \
    F(dwfl_getthread_frames)                                                                       \
    F(dwfl_frame_pc)                                                                               \
    F(dwfl_thread_state_registers)                                                                 \
    F(dwfl_thread_state_register_pc)                                                               \
    LOOMP_CODE_PLACE_FUNCTIONS(F)

/// libdw's functions and its data about this process.
struct OwnCode {
#define LOOMP_DECLARE(function) decltype(&::function) function = nullptr;
    LOOMP_DW_FUNCTIONS(LOOMP_DECLARE)
#undef LOOMP_DECLARE
    Dwfl_Callbacks callbacks = {};
    Dwfl *dwfl = nullptr;

    OwnCode() {
        void *const library = core::open_library("libdw.so.1");
        if (library == nullptr)
            return;
        bool all = true;
#define LOOMP_RESOLVE(function)                                                                    \
    function = reinterpret_cast<decltype(function)>(dlsym(library, #function));                    \
    all = all && function != nullptr;
        LOOMP_DW_FUNCTIONS(LOOMP_RESOLVE)
#undef LOOMP_RESOLVE
        if (!all)
            return;
        callbacks.find_elf = dwfl_linux_proc_find_elf;
        // Uses only debug information in the file itself, because a server would be slow.
        callbacks.find_debuginfo = [](Dwfl_Module *, void **, const char *, Dwarf_Addr,
                                      const char *, const char *, GElf_Word,
                                      char **) { return -1; };
        dwfl = dwfl_begin(&callbacks);
        if (dwfl != nullptr && (dwfl_linux_proc_report(dwfl, getpid()) != 0 ||
                                dwfl_report_end(dwfl, nullptr, nullptr) != 0)) {
            dwfl_end(dwfl);
            dwfl = nullptr;
        }
    }
    ~OwnCode() {
        if (dwfl != nullptr)
            dwfl_end(dwfl);
    }
    OwnCode(const OwnCode &) = delete;
    OwnCode &operator=(const OwnCode &) = delete;
};

#undef LOOMP_DW_FUNCTIONS

#else

struct OwnCode {};

#endif

/// The place of the code at `address`: ", at FILE:LINE, in FUNCTION"; empty if nothing is known.
inline std::string place_of([[maybe_unused]] const OwnCode &code, const char *address) {
#if LOOMP_HAS_LIBDW
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (Dwfl_Module *module =
            code.dwfl == nullptr ? nullptr : code.dwfl_addrmodule(code.dwfl, number)) {
        const CodePlace place = code_place(code, module, number);
        if (place.file != nullptr) {
            std::string text = ", at " + std::string(without_folder(place.file)) + ":" +
                               std::to_string(place.line);
            if (const char *name = code.dwfl_module_addrname(module, number))
                text += ", in " + readable_name(name);
            return text;
        }
    }
#endif
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
        return {};
    std::string text;
    if (info.dli_sname != nullptr)
        text = ", in " + readable_name(info.dli_sname);
    char offset[24];
    std::snprintf(offset, sizeof offset, "(+0x%tx)",
                  address - static_cast<const char *>(info.dli_fbase));
    return text + ", at " + without_folder(info.dli_fname) + offset;
}

} // namespace loomp::text
