#include "runtime/core/environment/program_interface.h"

#include <string_view>

#include "platform/linked_object.h"

namespace loomp::core {

namespace {

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// Returns 1, which ends the search, if the object needs a runtime.
int look(dl_phdr_info *object, std::size_t, void *result) {
    return LinkedObject(*object).any_needed([result](std::string_view name) {
        const bool is_llvm = starts_with(name, "libomp.so") || starts_with(name, "libiomp5.so");
        if (!is_llvm && !starts_with(name, "libgomp.so"))
            return false;
        *static_cast<ProgramInterface *>(result) =
            is_llvm ? ProgramInterface::llvm : ProgramInterface::gnu;
        return true;
    });
}

} // namespace

ProgramInterface program_interface() {
    static const ProgramInterface known = [] {
        ProgramInterface found = ProgramInterface::gnu;
        dl_iterate_phdr(look, &found);
        return found;
    }();
    return known;
}

} // namespace loomp::core
