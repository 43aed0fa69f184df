#include "analysis/code_names.h"

#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <string_view>

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

struct Place {
    const char *file = nullptr;
    int line = 0;
};

/// As people write it, without its parameters: "solver::step" of _ZN6solver4stepEi.omp_outlined.
std::string readable(const char *symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
    if (text == nullptr)
        return symbol;
    std::string name = text.get();
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    for (std::size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;)
        name.erase(at, kUnnamed.size());
    return name.substr(0, name.find('('));
}

/// The line that an address belongs to.
Place place_of(Dwfl_Module *module, Dwarf_Addr address) {
    Place place;
    if (Dwfl_Line *line = dwfl_module_getsrc(module, address)) {
        place.file = dwfl_lineinfo(line, nullptr, &place.line, nullptr, nullptr, nullptr);
        return place;
    }
    // clang writes no table of which addresses are in which unit: ask them all.
    Dwarf_Addr bias = 0;
    for (Dwarf_Die *unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
        if (dwarf_haspc(unit, address - bias) <= 0)
            continue;
        Dwarf_Line *line = dwarf_getsrc_die(unit, address - bias);
        if (line == nullptr)
            continue;
        place.file = dwarf_linesrc(line, nullptr, nullptr);
        dwarf_lineno(line, &place.line);
        return place;
    }
    return place;
}

} // namespace

CodeName CodeNames::caller(std::uint64_t address) const {
    CodeName name;
    char number[32];
    std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(address));
    name.label = number;
    Dwfl_Module *module = address == 0 ? nullptr : dwfl_addrmodule(modules_->dwfl, address - 1);
    if (module == nullptr)
        return name;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    if (const char *function = dwfl_module_addrinfo(module, address - 1, &offset, &symbol, nullptr,
                                                    nullptr, nullptr)) {
        name.function = readable(function);
        std::snprintf(number, sizeof number, "+0x%llx",
                      static_cast<unsigned long long>(offset + 1));
        name.label = name.function + number;
    }
    const Place place = place_of(module, address - 1);
    if (place.file == nullptr)
        return name;
    name.file = place.file;
    name.line = static_cast<unsigned>(place.line);
    name.label =
        std::filesystem::path(name.file).filename().string() + ":" + std::to_string(name.line);
    return name;
}

} // namespace loomp::analysis
