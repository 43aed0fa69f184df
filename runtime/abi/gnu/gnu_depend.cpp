#include "runtime/abi/gnu/gnu_depend.h"

#include "runtime/core/scheduling/waiting.h"

namespace loomp::abi::gnu {

namespace {
std::size_t number(void *word) { return reinterpret_cast<std::uintptr_t>(word); }
} // namespace

void DependClause::decode(void **depend) {
    const bool is_new = number(depend[0]) == 0;
    const std::size_t total = number(depend[is_new ? 1 : 0]);
    if (total == 0) // no more words follow
        return;
    reserve(total);
    const std::size_t out = number(depend[is_new ? 2 : 1]);
    const std::size_t exclusive = is_new ? number(depend[3]) : 0;
    const std::size_t in = is_new ? number(depend[4]) : total - out;
    void **address = depend + (is_new ? 5 : 2);
    for (std::size_t i = 0; i < out; ++i)
        add(inout(*address++));
    for (std::size_t i = 0; i < exclusive; ++i)
        add({*address++, core::Access::mutexinoutset, false});
    for (std::size_t i = 0; i < in; ++i)
        add({*address++, core::Access::in, false});
    while (size_ < total)
        add_object(*address++);
}

/// omp_depend_t: an address and a kind.
void DependClause::add_object(void *object) {
    void **words = static_cast<void **>(object);
    switch (number(words[1])) {
    case 1:
        return add({words[0], core::Access::in, false});
    case 2:
    case 3:
        return add(inout(words[0]));
    case 4:
        return add({words[0], core::Access::mutexinoutset, false});
    case 5:
        return add({words[0], core::Access::inoutset, false});
    default:
        core::fatal("depend object at %p: unknown dependence type %zu; was it initialised by a "
                    "depobj construct?",
                    object, number(words[1]));
    }
}

void wait_for_clause(void **depend) {
    if (depend == nullptr)
        return;
    const DependClause clause(depend);
    core::wait_dependences(clause.data(), clause.size());
}

} // namespace loomp::abi::gnu
