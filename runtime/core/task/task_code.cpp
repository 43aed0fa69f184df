#include "runtime/core/task/task_code.h"

#include <array>
#include <cstring>

namespace loomp::core {

namespace {

struct CodePlace {
    InvokeFn invoke;
    std::uint32_t offset;
};
std::array<CodePlace, 8> places;
std::size_t places_used = 0;

} // namespace

void code_lies_at(InvokeFn invoke, std::uint32_t offset) {
    LOOMP_ASSERT(places_used < places.size());
    places[places_used++] = {invoke, offset};
}

const void *code_of(const Task &task) {
    const void *code = nullptr;
    for (std::size_t i = 0; i < places_used; ++i)
        if (places[i].invoke == task.invoke)
            std::memcpy(&code, reinterpret_cast<const char *>(&task + 1) + places[i].offset,
                        sizeof code);
    return code;
}

} // namespace loomp::core
