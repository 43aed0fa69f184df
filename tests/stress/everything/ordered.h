// Tasks with dependences at random. The oracle (tests/order) knows which of them may overlap; and
// each finds in memory what the program, run in the order of its creations, would have left there.
#pragma once

#include <array>
#include <vector>

#include "../../order/dependence_order.h"
#include "../outside.h"
#include "extensions.h"
#include "program.h"

#if defined(__clang__) || __GNUC__ >= 13
#define HAS_INOUTSET 1
#define AT_ONCE inoutset
#else
#define HAS_INOUTSET 0
#define AT_ONCE mutexinoutset
#endif
#if defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 13
#define HAS_ALL_MEMORY 1
#else
#define HAS_ALL_MEMORY 0
#endif

namespace spread {

namespace order = loomp::order;

/// The locations that the tasks of one creator share, and these tasks.
class Ordered {
  public:
    static constexpr std::size_t kLocations = 6;

    Ordered(Node node, Scope scope, std::size_t tasks)
        : node_(node), scope_(scope), tasks_(tasks) {}

    struct Location {
        int value = 0;                ///< inout writes it, mutexinoutset counts it up
        int inside = 0;               ///< tasks with mutexinoutset
        std::atomic<int> together{0}; ///< inoutset counts it up
    };
    Location at[kLocations];
    Values values; ///< of the node's children

    /// Draws the clause of the next task, and notes what it is to find.
    std::size_t plan(Random &random) {
        const std::size_t t = planned_++;
        tasks_[t].clause = order::draw(choices(), [&random](std::size_t n) {
            return static_cast<std::size_t>(random.below(static_cast<int>(n)));
        });
        note(t);
        return t;
    }
    /// A task that only reads one location.
    std::size_t plan_reading(std::size_t location) {
        const std::size_t t = planned_++;
        tasks_[t].clause.add({location, order::Kind::in});
        note(t);
        return t;
    }
    const order::Clause &clause(std::size_t t) const { return tasks_[t].clause; }

    /// The code of a task. The first tasks have the node's children.
    void run_task(std::size_t t) {
        Task &task = tasks_[t];
        task.run.begin(clock_);
        enter(t);
        if (t < static_cast<std::size_t>(node_.children()))
            values[t] = run(node_.child(static_cast<int>(t)), scope_);
        else
            yield_or_work(t);
        leave(t);
        task.run.end(clock_);
    }

    /// All tasks have completed.
    void check() const {
        for (std::size_t location = 0; location < kLocations; ++location) {
            CHECK_EQ(at[location].value, model_[location].value);
            CHECK_EQ(at[location].together.load(), model_[location].together);
        }
        const order::Violation wrong = order::find_violation(
            planned_, [this](std::size_t i) -> const order::Clause & { return tasks_[i].clause; },
            [this](std::size_t i) -> const order::Run & { return tasks_[i].run; });
        if (wrong.found)
            fail("of %zu tasks with dependences, numbers %zu and %zu run in the wrong order",
                 planned_, wrong.first, wrong.second);
    }

  private:
    struct Content {
        int value = 0, together = 0;
    };
    struct Task {
        order::Clause clause;
        order::Run run;
        std::array<Content, kLocations> found; ///< before it
    };

    static const order::Choices &choices() {
        using order::Kind;
        static constexpr Kind kinds[] = {Kind::in,
                                         Kind::in,
                                         Kind::inout,
                                         Kind::inout,
                                         Kind::mutexinoutset,
                                         HAS_INOUTSET ? Kind::inoutset : Kind::mutexinoutset};
        static constexpr order::Choices made{
            .locations = kLocations, .kinds = kinds, .one_in_all_memory = HAS_ALL_MEMORY ? 30 : 0};
        return made;
    }

    void note(std::size_t t) {
        Task &task = tasks_[t];
        task.found = model_;
        for (std::size_t location = 0; location < kLocations; ++location)
            switch (task.clause.of(location)) {
            case order::Kind::inout:
                model_[location].value = static_cast<int>(t) + 1;
                break;
            case order::Kind::mutexinoutset:
                ++model_[location].value;
                break;
            case order::Kind::inoutset:
                ++model_[location].together;
                break;
            default:
                break;
            }
    }

    void enter(std::size_t t) {
        for (std::size_t location = 0; location < kLocations; ++location) {
            const order::Kind kind = tasks_[t].clause.of(location);
            const Content &found = tasks_[t].found[location];
            if (kind == order::Kind::none)
                continue;
            if (kind != order::Kind::mutexinoutset)
                CHECK_EQ(at[location].value, found.value);
            if (kind != order::Kind::inoutset)
                CHECK_EQ(at[location].together.load(std::memory_order_relaxed), found.together);
            if (kind == order::Kind::mutexinoutset)
                CHECK_EQ(at[location].inside++, 0);
        }
    }

    void leave(std::size_t t) {
        for (std::size_t location = 0; location < kLocations; ++location)
            switch (tasks_[t].clause.of(location)) {
            case order::Kind::in:
                CHECK_EQ(at[location].value, tasks_[t].found[location].value);
                break;
            case order::Kind::inout:
                at[location].value = static_cast<int>(t) + 1;
                break;
            case order::Kind::mutexinoutset:
                ++at[location].value;
                CHECK_EQ(--at[location].inside, 0);
                break;
            case order::Kind::inoutset:
                at[location].together.fetch_add(1, std::memory_order_relaxed);
                break;
            case order::Kind::none:
                break;
            }
    }

    void yield_or_work(std::size_t t) {
        Random random{mix(node_.seed + 31 * t)};
        work(random);
        if (random.chance(20)) {
#pragma omp taskyield
        }
        work(random);
    }

    Node node_;
    Scope scope_;
    std::array<Content, kLocations> model_{}; ///< after all that are planned
    std::vector<Task> tasks_;
    std::size_t planned_ = 0;
    order::Run::Clock clock_{1};
};

// A task with these clauses on its dependences: plain, with whatever can be said by a value, or
// completed by an event.
#define LOOMP_PRAGMA(text) _Pragma(#text)
#define CREATE_TASK(dependences)                                                                   \
    switch (way) {                                                                                 \
    case 0:                                                                                        \
        LOOMP_PRAGMA(omp task dependences firstprivate(all, t))                                    \
        all->run_task(t);                                                                          \
        break;                                                                                     \
    case 1:                                                                                        \
        LOOMP_PRAGMA(omp task untied if (deferred) priority(priority)                              \
                         dependences firstprivate(all, t))                                         \
        all->run_task(t);                                                                          \
        break;                                                                                     \
    case 2:                                                                                        \
        LOOMP_PRAGMA(omp task final(!deferred) mergeable dependences firstprivate(all, t))         \
        all->run_task(t);                                                                          \
        break;                                                                                     \
    default: {                                                                                     \
        omp_event_handle_t event{};                                                                \
        LOOMP_PRAGMA(omp task dependences detach(event) firstprivate(all, t, deferred)) {          \
            all->run_task(t);                                                                      \
            if (deferred)                                                                          \
                outside::fulfill(event);                                                           \
            else                                                                                   \
                omp_fulfill_event(event);                                                          \
        }                                                                                          \
    }                                                                                              \
    }

/// Dependences that are known while the program runs.
class DependenceObjects {
  public:
    explicit DependenceObjects(Ordered &all, const order::Clause &clause) {
        for (const order::Item &item : clause.items()) {
            omp_depend_t &object = objects_[count_++];
            Ordered::Location *location = &all.at[item.location];
            switch (item.kind) {
            case order::Kind::in: {
#pragma omp depobj(object) depend(in : *location)
            } break;
            case order::Kind::inoutset: {
#pragma omp depobj(object) depend(AT_ONCE : *location)
            } break;
            case order::Kind::mutexinoutset: {
#pragma omp depobj(object) depend(mutexinoutset : *location)
            } break;
            default: {
#pragma omp depobj(object) depend(inout : *location)
            }
            }
        }
    }
    ~DependenceObjects() {
        for (int i = 0; i < count_; ++i) {
            omp_depend_t &object = objects_[i];
#pragma omp depobj(object) destroy
        }
    }
    DependenceObjects(const DependenceObjects &) = delete;
    DependenceObjects &operator=(const DependenceObjects &) = delete;

    omp_depend_t &operator[](int i) { return objects_[i]; }

  private:
    omp_depend_t objects_[3];
    int count_ = 0;
};

/// The next task; its clause is written out if one of these says it, and else by objects.
inline void create_ordered(Ordered *all, Random &random) {
    using order::Kind;
    const std::size_t t = all->plan(random);
    const order::Clause &clause = all->clause(t);
    const int way = random.below(5) % 4;
    const bool deferred = random.chance(70) || !may_wait_for_dependences();
    const int priority = random.below(14);
#if HAS_ALL_MEMORY
    if (clause.all_memory()) {
        CREATE_TASK(depend(inout : omp_all_memory))
        return;
    }
#endif
    const std::vector<order::Item> &items = clause.items();
    Ordered::Location *a = &all->at[items.front().location];
    Ordered::Location *b = &all->at[items.back().location];
    const bool written_out = random.chance(80);
    if (written_out && items.size() == 1) {
        switch (items[0].kind) {
        case Kind::in:
            CREATE_TASK(depend(in : *a))
            break;
        case Kind::inout:
            CREATE_TASK(depend(inout : *a))
            break;
        case Kind::mutexinoutset:
            CREATE_TASK(depend(mutexinoutset : *a))
            break;
        default:
            CREATE_TASK(depend(AT_ONCE : *a))
        }
        return;
    }
    if (written_out && items.size() == 2) {
        const auto are = [&items](Kind first, Kind second) {
            return items[0].kind == first && items[1].kind == second;
        };
        if (are(Kind::in, Kind::in)) {
            CREATE_TASK(depend(in : *a, *b))
            return;
        }
        if (are(Kind::inout, Kind::inout)) {
            CREATE_TASK(depend(inout : *a, *b))
            return;
        }
        if (are(Kind::inout, Kind::in)) {
            CREATE_TASK(depend(out : *a) depend(in : *b))
            return;
        }
        if (are(Kind::mutexinoutset, Kind::in)) {
            CREATE_TASK(depend(mutexinoutset : *a) depend(in : *b))
            return;
        }
    }
    DependenceObjects objects(*all, clause);
    // gcc 12 does not see their use in clauses.
    [[maybe_unused]] omp_depend_t &first = objects[0];
    [[maybe_unused]] omp_depend_t &second = objects[1];
    [[maybe_unused]] omp_depend_t &third = objects[2];
    if (items.size() == 1) {
        CREATE_TASK(depend(depobj : first))
    } else if (items.size() == 2) {
        CREATE_TASK(depend(depobj : first, second))
    } else {
        CREATE_TASK(depend(depobj : first, second, third))
    }
}

inline std::uint64_t ordered(Node node, Scope scope) {
    WITHIN("ordered");
    Random random = node.random();
    const int tasks = node.children() + random.below(25);
    Ordered everything(node, scope, static_cast<std::size_t>(tasks));
    Ordered *all = &everything;
    for (int i = 0; i < tasks; ++i) {
        // The children come first.
        if (i >= node.children() && random.chance(5) && may_wait_for_dependences()) {
            const auto location = static_cast<std::size_t>(random.below(Ordered::kLocations));
            Ordered::Location *at = &all->at[location];
            const std::size_t t = all->plan_reading(location);
#pragma omp taskwait depend(in : *at)
            all->run_task(t);
        } else {
            create_ordered(all, random);
        }
    }
    if (random.chance(50) || !may_wait_for_dependences()) {
#pragma omp taskwait
    } else {
        static_assert(Ordered::kLocations == 6);
#pragma omp taskwait depend(inout : all->at[0], all->at[1], all->at[2], all->at[3], all->at[4],    \
                                all->at[5])
    }
    all->check();
#pragma omp taskwait
    return value_of(node, all->values);
}

} // namespace spread
