#include "runtime/core/progress/outside_waits.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "platform/linked_object.h"
#include "platform/loader.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

Relaxed<bool> tasks_wait_outside = true;

namespace {

/// The functions in which a task may wait for more than its descendants.
constexpr std::string_view kWaits[] = {
    "GOMP_taskyield", "__kmpc_omp_taskyield",
    // an event that a creator fulfils after it has created the task that waits for it
    "omp_fulfill_event", "omp_fulfill_event_",
    // a lock whose holder waits for the creator
    "GOMP_critical_start", "GOMP_critical_name_start", "__kmpc_critical",
    "__kmpc_critical_with_hint", "omp_set_lock", "omp_set_lock_", "omp_set_nest_lock",
    "omp_set_nest_lock_", "__kmpc_set_lock", "__kmpc_set_nest_lock",
    // what libraries build on
    "loomp_suspend", "alpi_task_block", "alpi_task_waitfor_ns", "alpi_task_suspend"};

bool may_wait(const LinkedObject &object) {
    // A program that contains the runtime calls it without imports.
    const auto own = reinterpret_cast<std::uintptr_t>(&tasks_wait_outside);
    if (object.is_program() && own - object.begin() < object.end() - object.begin())
        return true;
    return object.any_imported([](std::string_view name, std::uintptr_t) {
        return std::find(std::begin(kWaits), std::end(kWaits), name) != std::end(kWaits);
    });
}

} // namespace

void look_for_outside_waits() {
    if (!can_list_libraries())
        return; // it stays true
    const auto look = [](dl_phdr_info *info, std::size_t, void *) {
        return may_wait(LinkedObject(*info)) ? 1 : 0;
    };
    tasks_wait_outside = dl_iterate_phdr(look, nullptr) != 0;
}

void search_object_of(Worker &worker, const void *code) {
    auto &known = worker.searched;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [code](const auto &object) { return object.contains(code); });
    if (found != known.end()) {
        std::rotate(known.begin(), found, found + 1);
        return;
    }
    std::rotate(known.begin(), known.end() - 1, known.end());
    if (!can_list_libraries()) {
        expect_outside_waits();
        known.front() = {0, UINTPTR_MAX}; // no object needs a search any more
        return;
    }
    struct Search {
        Worker::SearchedObject &into;
        std::uintptr_t address;
    } search{known.front(), reinterpret_cast<std::uintptr_t>(code)};
    // Code that is in no object, such as a just-in-time compiler's, is remembered by its page.
    constexpr std::uintptr_t kPage = 4096;
    search.into = {search.address & ~(kPage - 1), kPage};
    const auto look = [](dl_phdr_info *info, std::size_t, void *argument) {
        const Search &wanted = *static_cast<Search *>(argument);
        const LinkedObject object(*info);
        if (wanted.address - object.begin() >= object.end() - object.begin())
            return 0;
        wanted.into = {object.begin(), object.end() - object.begin()};
        if (may_wait(object))
            expect_outside_waits();
        return 1;
    };
    dl_iterate_phdr(look, &search);
}

} // namespace loomp::core
