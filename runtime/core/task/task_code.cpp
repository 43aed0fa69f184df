#include "runtime/core/task/task_code.h"

#include <cstring>

namespace loomp::core {

CodePlace code_places[kMostCodePlaces];
std::size_t code_places_used = 0;

void code_lies_at(InvokeFn invoke, std::uint32_t offset) {
    LOOMP_ASSERT(code_places_used < kMostCodePlaces);
    code_places[code_places_used++] = {invoke, offset};
}

const void *code_of(const Task &task) {
    const void *code = nullptr;
    for (std::size_t i = 0; i < code_places_used; ++i)
        if (code_places[i].invoke == task.invoke)
            std::memcpy(&code, reinterpret_cast<const char *>(&task + 1) + code_places[i].offset,
                        sizeof code);
    return code;
}

} // namespace loomp::core
