#include "runtime/core/task/task_code.h"

#include <cstring>

namespace loomp::core {

CodePlace code_places[kMostCodePlaces];
std::size_t code_places_used = 0;

namespace {

const CodePlace *place_in(const Task &task) {
    for (std::size_t i = 0; i < code_places_used; ++i)
        if (code_places[i].invoke == task.invoke)
            return &code_places[i];
    return nullptr;
}

} // namespace

void code_lies_at(InvokeFn invoke, std::uint32_t offset, bool has_line) {
    LOOMP_ASSERT(code_places_used < kMostCodePlaces);
    code_places[code_places_used++] = {invoke, offset, has_line};
}

const void *code_of(const Task &task) {
    const void *code = nullptr;
    if (const CodePlace *place = place_in(task))
        std::memcpy(&code, reinterpret_cast<const char *>(&task + 1) + place->offset, sizeof code);
    return code;
}

const void *code_with_line(const Task &task) {
    const CodePlace *place = place_in(task);
    return place != nullptr && place->has_line ? code_of(task) : nullptr;
}

} // namespace loomp::core
