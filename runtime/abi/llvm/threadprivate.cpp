// LLVM ABI: threadprivate variables of programs without thread-local storage for them. Each
// variable has a table of copies by worker; the program caches that table's address.
#include <cstdlib>
#include <cstring>
#include <new>

#include "platform/diagnostics.h"
#include "platform/export.h"
#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/abi/llvm/kmp.h"

namespace loomp::abi::llvm {
namespace {

using Constructor = void *(*)(void *);
using CopyConstructor = void *(*)(void *, void *);
using VectorConstructor = void *(*)(void *, std::size_t);
using VectorCopyConstructor = void *(*)(void *, void *, std::size_t);

struct Variable {
    void *original;
    Variable *next;
    Constructor construct = nullptr;
    CopyConstructor copy = nullptr;
    VectorConstructor construct_vector = nullptr;
    VectorCopyConstructor copy_vector = nullptr;
    std::size_t length = 0;
    void *initial = nullptr; ///< the original's bytes at its first use
    void **copies = nullptr; ///< indexed by worker
};

core::SpinLock lock; ///< guards the list and the variables' tables
const core::LocksAtFork at_fork([](core::LocksAtFork::Each each) { each(lock); });
Variable *variables = nullptr;

void *checked(void *memory) {
    return core::or_fatal(memory, "out of memory: threadprivate variables");
}

Variable &find(void *original) {
    for (Variable *v = variables; v != nullptr; v = v->next)
        if (v->original == original)
            return *v;
    variables = new (checked(std::malloc(sizeof(Variable)))) Variable{original, variables};
    return *variables;
}

void *make_copy(const Variable &variable, std::size_t size) {
    void *copy = checked(std::calloc(1, size));
    if (variable.construct != nullptr)
        variable.construct(copy);
    else if (variable.copy != nullptr)
        variable.copy(copy, variable.original);
    else if (variable.construct_vector != nullptr)
        variable.construct_vector(copy, variable.length);
    else if (variable.copy_vector != nullptr)
        variable.copy_vector(copy, variable.original, variable.length);
    else
        std::memcpy(copy, variable.initial, size);
    return copy;
}

void *copy_for(void *original, std::size_t size, void ***cache) {
    Variable *variable = nullptr;
    {
        const core::SpinGuard guard(lock);
        variable = &find(original);
        if (variable->copies == nullptr) {
            variable->copies =
                static_cast<void **>(checked(std::calloc(core::kMaxWorkers, sizeof(void *))));
            variable->initial = checked(std::malloc(size));
            std::memcpy(variable->initial, original, size);
        }
        if (cache != nullptr)
            *cache = variable->copies;
    }
    // Reads the calling worker's entry anew, because a constructor that waits may move the caller
    // to another worker. The thread's next task may also have made the copy meanwhile.
    const auto entry = [variable]() -> void *& { return variable->copies[self().index]; };
    if (entry() == nullptr) {
        const bool first = self().is_foreign && self().index == 0;
        void *fresh = first ? original : make_copy(*variable, size);
        if (entry() == nullptr)
            entry() = fresh;
        else
            std::free(fresh);
    }
    return entry();
}

} // namespace
} // namespace loomp::abi::llvm

using namespace loomp;
using namespace loomp::abi::llvm;

LOOMP_EXPORT void __kmpc_threadprivate_register(Ident *, void *original, Constructor construct,
                                                CopyConstructor copy, void *) {
    const core::SpinGuard guard(lock);
    Variable &variable = find(original);
    variable.construct = construct;
    variable.copy = copy;
}
LOOMP_EXPORT void __kmpc_threadprivate_register_vec(Ident *, void *original,
                                                    VectorConstructor construct,
                                                    VectorCopyConstructor copy, void *,
                                                    std::size_t length) {
    const core::SpinGuard guard(lock);
    Variable &variable = find(original);
    variable.construct_vector = construct;
    variable.copy_vector = copy;
    variable.length = length;
}
LOOMP_EXPORT void *__kmpc_threadprivate(Ident *, std::int32_t, void *original, std::size_t size) {
    return copy_for(original, size, nullptr);
}
LOOMP_EXPORT void *__kmpc_threadprivate_cached(Ident *, std::int32_t, void *original,
                                               std::size_t size, void ***cache) {
    const core::Worker &worker = self();
    if (*cache != nullptr && (*cache)[worker.index] != nullptr)
        return (*cache)[worker.index];
    return copy_for(original, size, cache);
}
