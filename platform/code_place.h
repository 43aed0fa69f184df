// Finds the source line of a code address, with libdw.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace loomp::text {

struct CodePlace {
    const char *file = nullptr;
    int line = 0;
    bool is_shared = false; ///< by several lines; `line` is that of the code before it
};

/// The functions of libdw that code_place() calls, for X-macros of callers that open the library
/// themselves.
#define LOOMP_CODE_PLACE_FUNCTIONS(F)                                                              \
    F(dwfl_module_getsrc)                                                                          \
    F(dwfl_lineinfo)                                                                               \
    F(dwfl_module_nextcu)                                                                          \
    F(dwarf_haspc)                                                                                 \
    F(dwarf_getsrc_die)                                                                            \
    F(dwarf_lineaddr)                                                                              \
    F(dwarf_linesrc)                                                                               \
    F(dwarf_lineno)

/// A row of the line table.
struct CodeRow {
    CodePlace place;
    Dwarf_Addr begin = 0;
};

template <class Dw> CodeRow code_row(const Dw &dw, Dwfl_Module *module, Dwarf_Addr address) {
    CodeRow row;
    CodePlace &place = row.place;
    if (Dwfl_Line *line = dw.dwfl_module_getsrc(module, address)) {
        place.file = dw.dwfl_lineinfo(line, &row.begin, &place.line, nullptr, nullptr, nullptr);
        return row;
    }
    // clang writes no table of the addresses in each unit, so this searches every unit.
    Dwarf_Addr bias = 0;
    for (Dwarf_Die *unit = nullptr;
         (unit = dw.dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
        if (dw.dwarf_haspc(unit, address - bias) <= 0)
            continue;
        Dwarf_Line *line = dw.dwarf_getsrc_die(unit, address - bias);
        if (line == nullptr)
            continue;
        place.file = dw.dwarf_linesrc(line, nullptr, nullptr);
        dw.dwarf_lineno(line, &place.line);
        dw.dwarf_lineaddr(line, &row.begin);
        row.begin += bias;
        return row;
    }
    return row;
}

/// `dw` has libdw's functions as members of their names. Code that a compiler made of several lines
/// has line 0.
template <class Dw> CodePlace code_place(const Dw &dw, Dwfl_Module *module, Dwarf_Addr address) {
    constexpr int kMostRows = 16;
    for (int rows = 0; rows < kMostRows; ++rows) {
        CodeRow row = code_row(dw, module, address);
        row.place.is_shared = rows > 0;
        if (row.place.file == nullptr || row.place.line != 0)
            return row.place;
        address = row.begin - 1;
    }
    return {};
}

} // namespace loomp::text
