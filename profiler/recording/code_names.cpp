#include "profiler/recording/code_names.h"

#include <algorithm>
#include <cstdio>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <iterator>

#include "platform/code_place.h"
#include "profiler/recording/readable_name.h"

namespace loomp::analysis {

struct CodeNames::Modules {
    Dwfl_Callbacks callbacks{};
    char *debug_path = nullptr;
    Dwfl *dwfl = nullptr;

    Modules() {
        callbacks.find_elf = dwfl_linux_proc_find_elf;
        callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
        callbacks.debuginfo_path = &debug_path;
        dwfl = dwfl_begin(&callbacks);
    }
    Modules(const Modules &) = delete;
    Modules &operator=(const Modules &) = delete;
    ~Modules() { dwfl_end(dwfl); }
};

CodeNames::CodeNames(const std::filesystem::path &maps) : modules_(std::make_unique<Modules>()) {
    std::FILE *file = std::fopen(maps.c_str(), "re");
    if (file == nullptr)
        return;
    dwfl_report_begin(modules_->dwfl);
    dwfl_linux_proc_maps_report(modules_->dwfl, file);
    dwfl_report_end(modules_->dwfl, nullptr, nullptr);
    std::fclose(file);
}

CodeNames::~CodeNames() = default;

namespace {

struct Dw {
#define LOOMP_NAME(function) static constexpr auto function = &::function;
    LOOMP_CODE_PLACE_FUNCTIONS(LOOMP_NAME)
#undef LOOMP_NAME
};

/// The line where a function begins. If its first statement comes from an inlined function, several
/// lines have this address, and the first one is the function's own.
text::CodePlace first_line(Dwfl_Module *module, Dwarf_Addr begin) {
    Dwarf_Addr bias = 0;
    Dwarf_Lines *lines = nullptr;
    std::size_t count = 0;
    Dwarf_Die *const unit = dwfl_module_addrdie(module, begin, &bias);
    if (unit != nullptr && dwarf_getsrclines(unit, &lines, &count) == 0)
        for (std::size_t i = 0; i < count; ++i) {
            Dwarf_Line *const line = dwarf_onesrcline(lines, i);
            Dwarf_Addr address = 0;
            if (dwarf_lineaddr(line, &address) != 0 || address + bias != begin)
                continue;
            text::CodePlace place{dwarf_linesrc(line, nullptr, nullptr), 0};
            dwarf_lineno(line, &place.line);
            return place;
        }
    return text::code_place(Dw{}, module, begin);
}

bool is_openmp_runtime(const std::string &file) {
    constexpr const char *kRuntimes[] = {"libloomp.so", "libgomp.so", "libomp.so", "libiomp5.so"};
    return std::any_of(std::begin(kRuntimes), std::end(kRuntimes),
                       [&](const char *runtime) { return file.starts_with(runtime); });
}

} // namespace

CodeName CodeNames::caller(std::uint64_t address) const {
    CodeName name;
    char number[32];
    const auto hexadecimal = [&](std::uint64_t value) {
        std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(value));
        return std::string(number);
    };
    name.label = hexadecimal(address);
    Dwfl_Module *module = address == 0 ? nullptr : dwfl_addrmodule(modules_->dwfl, address - 1);
    if (module == nullptr)
        return name;
    Dwarf_Addr begin = 0;
    if (const char *file = dwfl_module_info(module, nullptr, &begin, nullptr, nullptr, nullptr,
                                            nullptr, nullptr)) {
        const std::string filename = std::filesystem::path(file).filename().string();
        if (is_openmp_runtime(filename)) {
            name.label = "(tail call)";
            return name;
        }
        // A file's address in memory differs between runs.
        name.label = filename + '+' + hexadecimal(address - begin);
    }
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *function =
        dwfl_module_addrinfo(module, address - 1, &offset, &symbol, nullptr, nullptr, nullptr);
    // In a stripped file, one symbol may precede all code that has none.
    const bool in_function = function != nullptr && offset < symbol.st_size;
    if (in_function) {
        name.function = readable_name(function);
        name.label = name.function + '+' + hexadecimal(offset + 1);
    }
    // The recorder gives the begin of an outlined function, and else what follows a call.
    const text::CodePlace place = in_function && offset == 0
                                      ? first_line(module, address - 1)
                                      : text::code_place(Dw{}, module, address - 1);
    if (place.file == nullptr)
        return name;
    name.file = place.file;
    name.line = static_cast<unsigned>(place.line);
    name.is_shared = place.is_shared;
    name.label =
        std::filesystem::path(name.file).filename().string() + ":" + std::to_string(name.line);
    return name;
}

std::string CodeNames::variable(std::uint64_t address) const {
    Dwfl_Module *module = dwfl_addrmodule(modules_->dwfl, address);
    if (module == nullptr)
        return {};
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr || offset >= symbol.st_size)
        return {};
    // In C, a variable's name may be the code of a type.
    const std::string text = std::string_view(name).starts_with("_Z") ? readable_name(name) : name;
    return offset == 0 ? text : text + '+' + std::to_string(offset);
}

} // namespace loomp::analysis
