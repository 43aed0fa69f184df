// loomp's own interface (include/loomp/dependences.h): sets of dependences.
#include "runtime/core/dependences/dependence_set.h"

#include "platform/atomic.h"

#include "loomp/loomp.h"
#include "platform/diagnostics.h"
#include "platform/export.h"
#include "runtime/core/scheduling/next_task.h"

using namespace loomp::core;

namespace {

/// Warns of a kind of misuse only once, because a program has many tasks.
class Misuse {
  public:
    constexpr explicit Misuse(const char *text) : text_(text) {}
    void tell(const char *function) {
        if (!told_.exchange(true, std::memory_order_relaxed))
            warn("%s: %s", function, text_);
    }

  private:
    const char *text_;
    loomp::Atomic<bool> told_{false};
};

Misuse null_set("the set is null; ignored: loomp_dependences_create() makes one");
Misuse freed_set("the set was freed; ignored: free a set after the last construct that uses it");
Misuse changing_set("another thread is changing the set; ignored: one thread fills a set, and then "
                    "others use it");
Misuse unknown_kind("unknown kind of dependence; ignored: known are LOOMP_DEPEND_IN, OUT, INOUT, "
                    "MUTEXINOUTSET and INOUTSET");
Misuse null_location("a location is null; ignored: a location is an address");
Misuse null_indices("the list of indices is null; ignored");
Misuse bad_tile("a tile has 0 elements or more than memory; ignored: at least 1 is needed");
Misuse second_set("the next task has a set already; ignored: fill one set with all it depends on");

DependenceSet *core_of(loomp_dependences_t *set) { return reinterpret_cast<DependenceSet *>(set); }
const DependenceSet *core_of(const loomp_dependences_t *set) {
    return reinterpret_cast<const DependenceSet *>(set);
}

void tell_unusable(const DependenceSet &set, const char *function) {
    (set.state() == DependenceSet::State::freed ? freed_set : changing_set).tell(function);
}

Access access_of(int kind) {
    switch (kind) {
    case LOOMP_DEPEND_IN:
        return Access::in;
    case LOOMP_DEPEND_OUT:
    case LOOMP_DEPEND_INOUT:
        return Access::inout;
    case LOOMP_DEPEND_MUTEXINOUTSET:
        return Access::mutexinoutset;
    case LOOMP_DEPEND_INOUTSET:
        return Access::inoutset;
    default:
        return Access::none;
    }
}

/// Applies `change` to the set, if the set and the location are valid. Returns 0, or 1 after an
/// error.
template <class F>
int change_set(loomp_dependences_t *handle, int kind, const void *location, const char *function,
               F change) {
    const Access access = access_of(kind);
    if (handle == nullptr)
        null_set.tell(function);
    else if (access == Access::none)
        unknown_kind.tell(function);
    else if (location == nullptr)
        null_location.tell(function);
    else if (DependenceSet &set = *core_of(handle); !set.try_change())
        tell_unusable(set, function);
    else {
        change(set, access);
        set.end_change();
        return 0;
    }
    return 1;
}

template <class Index>
int add_tiles(loomp_dependences_t *handle, int kind, const void *base, std::size_t element_size,
              std::size_t tile, const Index *indices, std::size_t count, const char *function) {
    if (tile == 0 || tile > DependenceSet::kLargestTile) {
        bad_tile.tell(function);
        return 1;
    }
    if (indices == nullptr && count != 0) {
        null_indices.tell(function);
        return 1;
    }
    return change_set(handle, kind, base, function, [&](DependenceSet &set, Access access) {
        set.add_tiles(base, element_size, tile, indices, count, access);
    });
}

} // namespace

LOOMP_EXPORT loomp_dependences_t *loomp_dependences_create(void) {
    return reinterpret_cast<loomp_dependences_t *>(&DependenceSet::make());
}

LOOMP_EXPORT void loomp_dependences_free(loomp_dependences_t *set) {
    if (set == nullptr)
        return;
    if (core_of(set)->try_change())
        core_of(set)->release();
    else
        tell_unusable(*core_of(set), "loomp_dependences_free");
}

LOOMP_EXPORT int loomp_dependences_add(loomp_dependences_t *set, int kind, const void *location) {
    return change_set(set, kind, location, "loomp_dependences_add",
                      [=](DependenceSet &core, Access access) { core.add(location, access); });
}

LOOMP_EXPORT int loomp_dependences_add_array(loomp_dependences_t *set, int kind, const void *base,
                                             std::size_t count, std::size_t stride) {
    return change_set(
        set, kind, base, "loomp_dependences_add_array",
        [=](DependenceSet &core, Access access) { core.add_array(base, count, stride, access); });
}

LOOMP_EXPORT int loomp_dependences_add_tiles(loomp_dependences_t *set, int kind, const void *base,
                                             std::size_t element_size, std::size_t tile,
                                             const std::int64_t *indices, std::size_t count) {
    return add_tiles(set, kind, base, element_size, tile, indices, count,
                     "loomp_dependences_add_tiles");
}

LOOMP_EXPORT int loomp_dependences_add_tiles32(loomp_dependences_t *set, int kind, const void *base,
                                               std::size_t element_size, std::size_t tile,
                                               const std::int32_t *indices, std::size_t count) {
    return add_tiles(set, kind, base, element_size, tile, indices, count,
                     "loomp_dependences_add_tiles32");
}

LOOMP_EXPORT std::size_t loomp_dependences_count(const loomp_dependences_t *set) {
    if (set == nullptr)
        null_set.tell("loomp_dependences_count");
    else if (core_of(set)->state() != DependenceSet::State::filled)
        tell_unusable(*core_of(set), "loomp_dependences_count");
    else
        return core_of(set)->size();
    return 0;
}

LOOMP_EXPORT void loomp_next_task_depends(const loomp_dependences_t *set) {
    if (set == nullptr)
        return null_set.tell("loomp_next_task_depends");
    const DependenceSet &core = *core_of(set);
    if (core.state() != DependenceSet::State::filled)
        return tell_unusable(core, "loomp_next_task_depends");
    NextTaskRequest &asked = ask_of_next_task();
    if ((asked.flags & kNamesSet) != 0)
        return second_set.tell("loomp_next_task_depends");
    asked.flags |= kNamesSet;
    asked.set = &core;
}
