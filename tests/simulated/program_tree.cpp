#include "tests/simulated/program_tree.h"

#include <algorithm>
#include <cstdio>
#include <random>

#include "tests/simulated/mpi/program_messages.h"

namespace loomp::simulated {

namespace {

constexpr const char *kNames[] = {"work",
                                  "task",
                                  "taskwait",
                                  "taskwait depend",
                                  "taskgroup",
                                  "taskyield",
                                  "taskloop",
                                  "parallel",
                                  "loop",
                                  "single",
                                  "barrier",
                                  "critical",
                                  "lock",
                                  "sections",
                                  "cancelled group",
                                  "cancelled region",
                                  "suspend",
                                  "reduction",
                                  "ordered",
                                  "doacross",
                                  "kept graph",
                                  "foreign thread",
                                  "left to others",
                                  "flood",
                                  "queues",
                                  "put",
                                  "speculation",
                                  "callback",
                                  "league",
                                  "messages",
                                  "fork"};
static_assert(std::size(kNames) == static_cast<std::size_t>(Kind::count));
static_assert(kKinds == static_cast<unsigned>(Kind::messages));

/// The locations of a frame in the serial elaboration.
struct State {
    int version[kLocations] = {};
    int in_set[kLocations] = {};
    Access set_of[kLocations] = {}; ///< what the members of the open set name
    bool loose[kLocations] = {};    ///< written by tasks that no wait of the frame's task is for

    void close(int location) {
        version[location] += in_set[location];
        in_set[location] = 0;
    }
    void close_all() {
        for (int i = 0; i < kLocations; ++i)
            close(i);
    }
};

bool opens_set(Access access) { return access == Access::mutex || access == Access::set; }

class Maker {
  public:
    explicit Maker(const Shape &shape)
        : shape_(shape), random_(shape.seed), for_forks_(~shape.seed), left_(shape.operations),
          longest_(chance(3) ? 40 : 8), locations_(chance(3) ? 1 + below(2) : kLocations),
          exclusions_(chance(3) ? 2 : 8), plain_tasks_(chance(3)) {}

    std::unique_ptr<Body> make_root() {
        auto root = std::make_unique<Body>();
        // Several regions: their team exists after the first one, and its size changes.
        for (int i = 0; i < shape_.regions; ++i) {
            Operation region;
            region.kind = may(Kind::league) && chance(12) ? Kind::league : Kind::parallel;
            region.amount = i == 0 ? shape_.threads : team_size();
            region.variant = below(6);
            region.body = make(shape_.regions > 4 ? 1 : 0, true, false);
            region.number = made_++;
            root->operations.push_back(std::move(region));
        }
        return root;
    }

  private:
    /// `in_final`: tasks are included there, and their creator would wait for an event for ever.
    std::unique_ptr<Body> make(int depth, bool in_region, bool in_final) {
        auto body = std::make_unique<Body>();
        body->in_region = in_region;
        body->in_final = in_final;
        State state;
        const int length = 1 + below(depth == 0 ? shape_.operations + 1 : longest_);
        for (int i = 0; i < length && left_ > 0; ++i) {
            --left_;
            Operation operation = one(depth, *body, state);
            operation.number = made_++;
            body->operations.push_back(std::move(operation));
        }
        return body;
    }

    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    bool chance(int one_of) { return below(one_of) == 0; }
    bool may(Kind kind) const { return (shape_.kinds >> static_cast<int>(kind) & 1) != 0; }
    int team_size() { return chance(2) ? shape_.threads : 1 + below(shape_.threads + 1); }

    Access any_access(bool may_exclude, bool may_be_set) {
        if (may_exclude && chance(exclusions_))
            return Access::mutex;
        if (may_be_set && chance(4))
            return Access::set;
        return chance(2) ? Access::in : Access::out;
    }
    Dependence dependence(State &state, int location, Access access) {
        Dependence made{location, access, 0, access == Access::out && chance(6)};
        if (!opens_set(access) || state.in_set[location] == 0 || state.set_of[location] != access)
            state.close(location);
        made.least = state.version[location];
        if (access == Access::out)
            ++state.version[location];
        if (opens_set(access)) {
            ++state.in_set[location];
            state.set_of[location] = access;
        }
        return made;
    }
    /// Fills the operation's dependences: `most` different locations, at most.
    void name_locations(Operation &task, State &state, int most, int locations, bool may_exclude) {
        bool used[kLocations] = {};
        for (int i = 0; i < most; ++i) {
            const int location = below(locations);
            if (used[location])
                continue;
            used[location] = true;
            task.dependences.push_back(
                dependence(state, location, any_access(may_exclude, task.by_set)));
            state.loose[location] = false; // this task comes after those
        }
        task.by_depobj = !task.by_set && task.dependences.size() == 1 && chance(4);
    }

    /// Whether the kind may stand in the body.
    bool fits(Kind kind, int depth, const Body &body) {
        const bool deep = depth >= shape_.depth;
        switch (kind) {
        case Kind::barrier:
        case Kind::loop:
        case Kind::single:
        case Kind::sections:
        case Kind::ordered:
        case Kind::doacross:
            return body.in_region;
        case Kind::parallel:
        case Kind::taskgroup:
            return !deep;
        case Kind::foreign:
            return depth == 0 && chance(4);
        case Kind::left_to_others:
            return depth == 0 && body.in_region;
        case Kind::kept:
        case Kind::flood:
            return !body.in_final;
        case Kind::league:
            return false; // the root's only
        default:
            return true;
        }
    }

    /// Returns whether nothing else depends on such an operation.
    static bool may_be_left_out(Kind kind) {
        return kind == Kind::work || kind == Kind::taskyield || kind == Kind::critical ||
               kind == Kind::lock || kind == Kind::suspend || kind == Kind::callback;
    }

    Operation one(int depth, const Body &body, State &state) {
        Operation made;
        for (int tries = 0;; ++tries) {
            made.kind = static_cast<Kind>(below(kKinds));
            if (has_messages() && chance(2))
                made.kind = Kind::messages;
            if (below(3) != 0)
                made.kind = Kind::task;
            if (tries == 50)
                made.kind = Kind::work;
            else if (!may(made.kind) || !fits(made.kind, depth, body))
                continue;
            break;
        }
        made.amount = below(chance(4) ? 200 : 20);
        made.variant = below(6);
        made.nowait = chance(2);
        if (shape_.forks && may_be_left_out(made.kind) && for_forks_() % 3 == 0)
            made.kind = Kind::fork;
        switch (made.kind) {
        case Kind::task:
            make_task(made, depth, body, state);
            break;
        case Kind::taskwait:
            state.close_all();
            for (int i = 0; i < kLocations; ++i)
                made.versions[i] = state.loose[i] ? kAny : state.version[i];
            break;
        case Kind::taskwait_depend: {
            const int location = below(kLocations);
            state.close(location);
            // Nobody has the location after a wait for all of them.
            made.dependences.push_back(
                {location, made.nowait ? Access::in : Access::out, state.version[location]});
            break;
        }
        case Kind::taskgroup:
            ++groups_;
            made.body = make(depth + 1, false, body.in_final);
            --groups_;
            break;
        case Kind::parallel:
            made.amount = depth == 0 ? shape_.threads : 1 + below(3);
            made.body = make(depth + 1, true, false);
            break;
        case Kind::kept:
            make_kept(made, state);
            break;
        case Kind::taskloop:
        case Kind::cancelled_group:
        case Kind::cancelled_region:
        case Kind::doacross:
        case Kind::flood:
        case Kind::loop:
        case Kind::sections:
        case Kind::reduction:
        case Kind::ordered:
        case Kind::put:
        case Kind::speculation:
            made.amount = 1 + below(12);
            break;
        case Kind::messages:
            made.variant = below(kMessageVariants);
            break;
        case Kind::single:
            if (depth < shape_.depth)
                made.body = make(depth + 1, false, body.in_final);
            break;
        default:
            break;
        }
        return made;
    }

    void make_task(Operation &made, int depth, const Body &body, State &state) {
        made.untied = chance(3);
        made.mergeable = chance(6);
        made.deferred = !chance(8);
        made.final_ = chance(12);
        made.detached = chance(10) && made.deferred && !body.in_final && !made.final_;
        made.held = !made.detached && chance(10);
        made.priority = chance(3) ? below(4) : 0;
        made.queue = chance(8) ? 1 + below(2) : 0;
        made.by_set = chance(6);
        made.repeats = chance(10) ? 1 + below(3) : 0;
        const bool may_have_body = depth < shape_.depth && left_ > 0;
        // if(0) of clang's programs and final tasks have no such children.
        if (may_have_body && made.deferred && !made.final_ && !made.detached && chance(10)) {
            made.held = false;
            made.repeats = 0;
            return make_transparent(made, depth, body.in_final, state, nullptr);
        }
        name_locations(made, state, chance(3) ? 0 : 1 + below(3), locations_, true);
        if (may_have_body && !chance(plain_tasks_ ? 2 : 3))
            made.body = make(depth + 1, false, body.in_final || made.final_);
        // What a batch creates is in the taskgroup of its first task.
        if (made.body == nullptr || groups_ == 0)
            made.task_kind = chance(6) ? 1 + below(2) : 0;
    }

    /// A task whose children, on any level, access the locations that it names: those of the frame
    /// with this state. `permitted`: what its own creator may do with them, if that is transparent.
    void make_transparent(Operation &made, int depth, bool in_final, State &state,
                          const bool *permitted) {
        made.transparent = true;
        made.weak = chance(2);
        bool named[kLocations] = {}, may_write[kLocations] = {};
        for (int i = 0, count = 1 + below(3); i < count; ++i) {
            const int location = below(locations_);
            if (named[location] || (permitted != nullptr && !permitted[location]))
                continue;
            named[location] = true;
            may_write[location] = chance(3) ? false : true;
            state.close(location);
            made.dependences.push_back(
                {location, may_write[location] ? Access::out : Access::in, 0});
        }
        auto body = std::make_unique<Body>();
        body->in_final = in_final;
        State own;
        bool waits = false;
        for (int i = 0, length = 1 + below(5); i < length && left_ > 0; ++i) {
            --left_;
            Operation child;
            if (chance(4) || made.dependences.empty()) {
                child = one(depth + 1, *body, own);
            } else {
                child.kind = Kind::task;
                child.outer = true;
                child.amount = below(20);
                child.untied = chance(3);
                child.priority = chance(4) ? below(4) : 0;
                child.held = chance(10);
                if (depth + 1 < shape_.depth && chance(4)) {
                    child.held = false;
                    make_transparent(child, depth + 1, in_final, state, may_write);
                } else {
                    for (const Dependence &each : made.dependences) {
                        if (chance(3))
                            continue;
                        const bool writes = may_write[each.location] && chance(2);
                        child.dependences.push_back(
                            dependence(state, each.location, writes ? Access::out : Access::in));
                    }
                }
            }
            waits = child.kind == Kind::taskwait;
            child.number = made_++;
            body->operations.push_back(std::move(child));
        }
        for (const Dependence &each : made.dependences)
            state.loose[each.location] |= !waits && may_write[each.location];
        made.body = std::move(body);
    }

    /// A graph that is created `amount` times: tasks with dependences on the frame's locations.
    void make_kept(Operation &made, State &state) {
        made.amount = 2 + below(5);
        made.variant = below(4); // the flags, but for LOOMP_PERSISTENT_CHECK
        made.nowait = chance(3);
        made.body = std::make_unique<Body>();
        // A set that began before the graph would go on in its first iteration only.
        state.close_all();
        State one = state;
        const int tasks = 1 + below(10);
        for (int i = 0; i < tasks; ++i) {
            Operation task;
            task.kind = Kind::task;
            task.number = made_++;
            task.amount = below(30);
            task.variant = below(6);
            task.by_set = chance(8);
            // A graph with mutexinoutset is not kept.
            name_locations(task, one, below(4), chance(2) ? 2 : kLocations, chance(30));
            made.body->operations.push_back(std::move(task));
        }
        one.close_all();
        for (int i = 0; i < kLocations; ++i) {
            made.versions[i] = one.version[i] - state.version[i];
            state.version[i] += made.amount * made.versions[i];
            state.loose[i] = state.loose[i] && one.loose[i];
        }
    }

    const Shape &shape_;
    std::mt19937_64 random_;
    std::mt19937_64 for_forks_; ///< apart: the other operations of a seed are the same
    int left_;
    int made_ = 0;
    int groups_ = 0;   ///< taskgroups around the operation that is made
    int longest_;      ///< the number of operations of a body, at most
    int locations_;    ///< that tasks name
    int exclusions_;   ///< one of so many dependences is a mutexinoutset
    bool plain_tasks_; ///< more of them have no body
};

} // namespace

const char *name_of(Kind kind) { return kNames[static_cast<int>(kind)]; }

std::unique_ptr<Body> make_tree(const Shape &shape) { return Maker(shape).make_root(); }

void print_tree(const Body &body, int depth) {
    constexpr const char *accesses[] = {"in", "inout", "mutex", "set"};
    for (const Operation &each : body.operations) {
        std::printf("%*s%d %s", 2 * depth, "", each.number, name_of(each.kind));
        for (const Dependence &dependence : each.dependences)
            std::printf(" %s:%d@%d", accesses[static_cast<int>(dependence.access)],
                        dependence.location, dependence.least);
        const struct {
            bool holds;
            const char *name;
        } words[] = {{each.untied, "untied"},
                     {each.mergeable, "mergeable"},
                     {!each.deferred, "if(0)"},
                     {each.final_, "final"},
                     {each.detached, "detach"},
                     {each.held, "held"},
                     {each.by_set, "by set"},
                     {each.by_depobj, "by depobj"},
                     {each.transparent, "transparent"},
                     {each.weak, "weak"},
                     {each.outer, "outer"},
                     {each.task_kind != 0, "fusible"},
                     {each.queue != 0, "queued"},
                     {each.repeats != 0, "repeated"}};
        for (const auto &word : words)
            if (word.holds)
                std::printf(" %s", word.name);
        std::printf(" amount %d variant %d\n", each.amount, each.variant);
        if (each.body)
            print_tree(*each.body, depth + 1);
    }
}

} // namespace loomp::simulated
