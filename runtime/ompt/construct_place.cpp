// Places of constructs in the program.
#include <cstdint>
#include <cstring>
#include <link.h>

#include "platform/linked_object.h"
#include "runtime/core/task/task_code.h"
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

/// The addresses of the library, or of the program that the runtime is a part of.
struct Own {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool contains(const void *address) const {
        const auto value = reinterpret_cast<std::uintptr_t>(address);
        return begin <= value && value < end;
    }
};

int look(dl_phdr_info *object, std::size_t /*size*/, void *result) {
    const LinkedObject linked(*object);
    const Own own{linked.begin(), linked.end()};
    if (!own.contains(reinterpret_cast<const void *>(&look)))
        return 0;
    *static_cast<Own *>(result) = own;
    return 1;
}

bool is_own(const void *address) {
    static const Own own = [] {
        Own found;
        dl_iterate_phdr(look, &found);
        return found;
    }();
    return own.contains(address);
}

/// The outlined function of a region. Its data exists until the region ends.
const void *code_of(const Team &team) {
    const void *code = nullptr;
    if (team.data != nullptr)
        std::memcpy(&code, team.data, sizeof code);
    return code;
}

/// `code()` is only called if the address is the runtime's: a task that is in no entry point may be
/// one of a region that has ended.
template <class Code> const void *in_program(const void *codeptr, Code code) {
    if (codeptr == nullptr || !is_own(codeptr))
        return codeptr;
    const void *const outlined = code();
    if (outlined == nullptr || is_own(outlined))
        return codeptr;
    // A return address lies behind what it stands for.
    return static_cast<const char *>(outlined) + 1;
}

} // namespace

const void *place_of(const void *codeptr, const Task &task) {
    return in_program(codeptr, [&] {
        return task.has(core::kImplicit) ? code_of(*task.team) : core::code_of(task);
    });
}

const void *codeptr_of(const Team &team) {
    return in_program(team.codeptr, [&] { return code_of(team); });
}

} // namespace loomp::ompt
