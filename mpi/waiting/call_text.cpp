#include "mpi/waiting/call_text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <unistd.h>

#include "platform/code_place.h"
#include "platform/loader.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

void Text::add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(text_ + length_, sizeof(text_) - length_, format, arguments);
    va_end(arguments);
    length_ = std::min(length_ + static_cast<std::size_t>(std::max(length, 0)), sizeof(text_) - 1);
}

void Text::write() const { std::fwrite(text_, 1, length_, stderr); }

namespace {

void add_number(Text &text, const char *what, int number, int any) {
    if (number == any)
        text.add(", any %s", what);
    else
        text.add(", %s %d", what, number);
}

void add_communicator(Text &text, MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    int size = 0;
    PMPI_Comm_get_name(comm, name, &length);
    PMPI_Comm_size(comm, &size);
    if (name[0] != '\0')
        text.add(", %s", name);
    else
        text.add(", a communicator of %d without a name", size);
}

#define LOOMP_DW_FUNCTIONS(F)                                                                      \
    F(dwfl_begin)                                                                                  \
    F(dwfl_end)                                                                                    \
    F(dwfl_linux_proc_find_elf)                                                                    \
    F(dwfl_linux_proc_report)                                                                      \
    F(dwfl_report_end)                                                                             \
    F(dwfl_addrmodule)                                                                             \
    F(dwfl_module_addrname)                                                                        \
    LOOMP_CODE_PLACE_FUNCTIONS(F)

/// libdw's functions and its data about this process.
struct Code {
#define LOOMP_DECLARE(function) decltype(&::function) function = nullptr;
    LOOMP_DW_FUNCTIONS(LOOMP_DECLARE)
#undef LOOMP_DECLARE
    Dwfl_Callbacks callbacks = {};
    Dwfl *dwfl = nullptr;

    Code() {
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
    ~Code() {
        if (dwfl != nullptr)
            dwfl_end(dwfl);
    }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;
};

const char *without_folder(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

void add_function(Text &text, const char *name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
    text.add(", in %s", readable ? readable.get() : name);
}

/// One thread at a time may use libdw's data.
SystemMutex one_at_a_time;

void add_place_of(Text &text, const char *address) {
    const std::lock_guard<SystemMutex> lock(one_at_a_time);
    static const Code code;
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (Dwfl_Module *module =
            code.dwfl == nullptr ? nullptr : code.dwfl_addrmodule(code.dwfl, number)) {
        const text::CodePlace place = text::code_place(code, module, number);
        if (place.file != nullptr) {
            text.add(", at %s:%d", without_folder(place.file), place.line);
            if (const char *name = code.dwfl_module_addrname(module, number))
                add_function(text, name);
            return;
        }
    }
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
        return;
    if (info.dli_sname != nullptr)
        add_function(text, info.dli_sname);
    text.add(", at %s(+0x%tx)", without_folder(info.dli_fname),
             address - static_cast<const char *>(info.dli_fbase));
}

} // namespace

void add_call(Text &text, const Call &call) {
    text.add("%s", call.name);
    if (call.peer != Call::kUnknown)
        add_number(text, "rank", call.peer, MPI_ANY_SOURCE);
    if (call.tag != Call::kUnknown)
        add_number(text, "tag", call.tag, MPI_ANY_TAG);
    if (call.comm != MPI_COMM_NULL)
        add_communicator(text, call.comm);
}

void add_place(Text &text, const Call &call) {
    // The address of the call itself, not of the next instruction.
    if (call.from != nullptr)
        add_place_of(text, static_cast<const char *>(call.from) - 1);
}

} // namespace loomp::mpi
