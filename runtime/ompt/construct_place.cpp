// Places of constructs in the program.
#include <cstdint>
#include <cstring>

#include "runtime/core/task/task_code.h"
#include "runtime/ompt/ompt.h"

/// The beginning and the end of the library, or of the program that the runtime is a part of. The
/// linker defines them.
extern "C" {
LOOMP_HIDDEN extern const char __ehdr_start[];
LOOMP_HIDDEN extern const char _end[];
}

namespace loomp::ompt {

namespace {

bool is_own(const void *address) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    return reinterpret_cast<std::uintptr_t>(__ehdr_start) <= value &&
           value < reinterpret_cast<std::uintptr_t>(_end);
}

/// The outlined function of a region. Its data exists until the region ends.
const void *code_of(const Team &team) {
    const void *code = nullptr;
    if (team.data != nullptr)
        std::memcpy(&code, team.data, sizeof code);
    return code;
}

/// A return address lies behind what it stands for.
const void *behind(const void *code) { return static_cast<const char *>(code) + 1; }

/// `code()` is only called if the address is the runtime's: a task that is in no entry point may be
/// one of a region that has ended.
template <class Code> const void *in_program(const void *codeptr, Code code) {
    if (codeptr == nullptr || !is_own(codeptr))
        return codeptr;
    const void *const outlined = code();
    if (outlined == nullptr || is_own(outlined))
        return codeptr;
    return behind(outlined);
}

} // namespace

constinit Atomic<bool> outlined_functions_preferred{false};

const void *place_of(const void *codeptr, const Task &task) {
    return in_program(codeptr, [&] {
        return task.has(core::kImplicit) ? code_of(*task.team) : core::code_of(task);
    });
}

const void *place_of_creation(const void *codeptr, const Task &task) {
    // The tool sets it before there are tasks.
    if (outlined_functions_preferred.load(std::memory_order_relaxed))
        if (const void *const outlined = core::code_with_line(task);
            outlined != nullptr && !is_own(outlined))
            return behind(outlined);
    return place_of(codeptr, task);
}

const void *codeptr_of(const Team &team) {
    return in_program(team.codeptr, [&] { return code_of(team); });
}

} // namespace loomp::ompt
