#include "runtime/core/environment/topology.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "platform/made_once.h"
#include "platform/threads.h"
#include "runtime/core/environment/control_groups.h"
#include "runtime/core/environment/settings.h"

namespace loomp::core {

namespace {

MadeOnce<std::vector<int>> first_ids;
MadeOnce<std::vector<Location>> first_locations; ///< those of `first_ids`
MadeOnce<std::vector<Place>> place_list;

/// The process's share of `first_ids`; null: all.
Atomic<const std::vector<int> *> share{nullptr};

/// Returns the locations of the available processors, in their order.
std::vector<Location> locations() {
    std::vector<Location> list;
    for (const int processor : available_processor_ids())
        list.push_back(location_of(processor));
    return list;
}

bool binds_threads() {
    const TeamSettings &s = team_settings();
    return !s.proc_bind.empty() && s.proc_bind[0] != ProcBind::false_;
}

const std::vector<Place> no_places;

std::vector<Place> make_places() {
    const TeamSettings &s = team_settings();
    if (!s.place_list.empty())
        return s.place_list;
    return group_processors(MachineLevel::core, available_processor_ids(), locations());
}

cpu_set_t *allocate_set(std::size_t count) {
    return static_cast<cpu_set_t *>(
        or_fatal(CPU_ALLOC(count), "out of memory: a set of %zu processors", count));
}

} // namespace

const std::vector<int> &first_processor_ids() { return first_ids.get(current_processor_ids); }

Location location_of(int processor) {
    const std::vector<int> &ids = first_processor_ids();
    const std::vector<Location> &all = first_locations.get([&ids] { return read_locations(ids); });
    const auto found = std::lower_bound(ids.begin(), ids.end(), processor);
    if (found == ids.end() || *found != processor)
        return {};
    return all[static_cast<std::size_t>(found - ids.begin())];
}

std::vector<int> current_processor_ids() {
    // The kernel's masks may be larger than cpu_set_t, so this grows the buffer until the mask
    // fits.
    std::vector<int> ids;
    for (std::size_t count = CPU_SETSIZE; count <= (std::size_t{1} << 20); count *= 4) {
        cpu_set_t *set = allocate_set(count);
        const std::size_t size = CPU_ALLOC_SIZE(count);
        CPU_ZERO_S(size, set);
        const bool ok = get_processors(set, size);
        for (std::size_t i = 0; ok && i < count; ++i)
            if (CPU_ISSET_S(i, size, set))
                ids.push_back(static_cast<int>(i));
        CPU_FREE(set);
        if (ok)
            break;
    }
    if (ids.empty())
        ids.push_back(0);
    return ids;
}

const std::vector<int> &available_processor_ids() {
    const std::vector<int> *const own = share.load(std::memory_order_acquire);
    return own == nullptr ? first_processor_ids() : *own;
}

const std::vector<int> &take_share(int part, int parts) {
    share.store(
        new const std::vector<int>(share_of(part, parts, available_processor_ids(), locations())),
        std::memory_order_release);
    return available_processor_ids();
}

void keep_processors(const std::vector<int> &chosen) {
    // Settings are parsed twice: once for this one, and once with the others.
    if (available_processor_ids() != chosen)
        share.store(new const std::vector<int>(chosen), std::memory_order_release);
    bind_current_thread(chosen);
}

unsigned available_processors() { return static_cast<unsigned>(available_processor_ids().size()); }

unsigned processors_now() {
    if (settings_are_known() && binds_threads())
        return available_processors();
    constexpr std::size_t most = std::size_t{1}
                                 << 14; // 2 KiB; the kernel refuses what is too small
    cpu_set_t sets[most / CPU_SETSIZE] = {};
    if (!get_processors(sets, sizeof sets))
        return available_processors();
    const std::vector<int> *const own = share.load(std::memory_order_acquire);
    if (own == nullptr)
        return static_cast<unsigned>(CPU_COUNT_S(sizeof sets, sets));
    const auto usable = std::count_if(own->begin(), own->end(), [&sets](int processor) {
        return CPU_ISSET_S(static_cast<std::size_t>(processor), sizeof sets, sets);
    });
    return usable == 0 ? available_processors() : static_cast<unsigned>(usable);
}

unsigned usable_processors() {
    const unsigned quota = processors_of_quota();
    return quota == 0 ? available_processors() : std::min(quota, available_processors());
}

int object_at(const Location &location, MachineLevel level) {
    static constexpr int Location::*kFields[] = {&Location::core, &Location::ll_cache,
                                                 &Location::numa_domain, &Location::socket};
    return location.*kFields[static_cast<int>(level) - 1];
}

MachineLevel distance(const Location &a, const Location &b) {
    using enum MachineLevel;
    for (const MachineLevel level : {core, ll_cache, numa_domain, socket})
        if (const int object = object_at(a, level); object >= 0 && object == object_at(b, level))
            return level;
    return machine;
}

std::vector<Place> group_processors(MachineLevel level, const std::vector<int> &usable,
                                    const std::vector<Location> &locations) {
    std::vector<Place> groups;
    std::vector<int> objects; // the number of the object that each group shares
    for (std::size_t i = 0; i < usable.size(); ++i) {
        const int object =
            level == MachineLevel::thread ? usable[i] : object_at(locations[i], level);
        const auto found = std::find(objects.begin(), objects.end(), object);
        const auto group = static_cast<std::size_t>(found - objects.begin());
        if (found == objects.end()) {
            objects.push_back(object);
            groups.emplace_back();
        }
        groups[group].push_back(usable[i]);
    }
    return groups;
}

std::vector<int> share_of(int part, int parts, const std::vector<int> &usable,
                          const std::vector<Location> &locations) {
    std::vector<std::size_t> order(usable.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&locations](std::size_t a, std::size_t b) {
        const auto way = [&locations](std::size_t i) {
            const Location &l = locations[i];
            return std::tuple(l.socket, l.numa_domain, l.ll_cache, l.core);
        };
        return way(a) < way(b);
    });
    std::vector<int> sorted;
    std::vector<Location> where;
    for (const std::size_t i : order) {
        sorted.push_back(usable[i]);
        where.push_back(locations[i]);
    }
    std::vector<Place> units = group_processors(MachineLevel::core, sorted, where);
    if (units.size() < static_cast<std::size_t>(parts))
        units = group_processors(MachineLevel::thread, sorted, where);
    const auto begin_of = [&](int number) {
        return units.size() * static_cast<std::size_t>(number) / static_cast<std::size_t>(parts);
    };
    std::vector<int> taken;
    for (std::size_t i = begin_of(part); i < begin_of(part + 1); ++i)
        taken.insert(taken.end(), units[i].begin(), units[i].end());
    std::sort(taken.begin(), taken.end());
    return taken;
}

std::vector<Place> resolve_places(const PlacesSpec &spec, std::string &why) {
    const std::vector<int> &ids = available_processor_ids();
    if (spec.is_abstract) {
        // One place per processor needs no map of the machine.
        std::vector<Place> list =
            spec.kind == MachineLevel::thread
                ? group_processors(spec.kind, ids, std::vector<Location>(ids.size()))
                : group_processors(spec.kind, ids, locations());
        if (spec.count != 0 && static_cast<std::size_t>(spec.count) < list.size())
            list.resize(static_cast<std::size_t>(spec.count));
        return list;
    }
    std::vector<Place> list = spec.list;
    const Place left_out = restrict_places(list, ids);
    if (!left_out.empty())
        why = "this process may not use processor" +
              std::string(left_out.size() == 1 ? " " : "s ") + format_ranges(left_out) + ", only " +
              format_ranges(ids);
    return list;
}

const std::vector<Place> &places() {
    if (!settings_are_known() || (!binds_threads() && team_settings().place_list.empty()))
        return no_places;
    return place_list.get(make_places);
}

bool bind_current_thread(const Place &place) {
    if (place.empty())
        return false;
    const auto count =
        std::max<std::size_t>(CPU_SETSIZE, static_cast<std::size_t>(place.back()) + 1);
    cpu_set_t *set = allocate_set(count);
    const std::size_t size = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(size, set);
    for (const int processor : place)
        CPU_SET_S(static_cast<std::size_t>(processor), size, set);
    const bool ok = set_processors(set, size);
    CPU_FREE(set);
    return ok;
}

std::string describe_machine() {
    static constexpr struct {
        MachineLevel kind;
        const char *one;
        const char *many;
    } kinds[] = {{MachineLevel::thread, "processor", "processors"},
                 {MachineLevel::core, "core", "cores"},
                 {MachineLevel::ll_cache, "last-level cache", "last-level caches"},
                 {MachineLevel::numa_domain, "NUMA domain", "NUMA domains"},
                 {MachineLevel::socket, "socket", "sockets"}};
    const std::vector<int> &ids = available_processor_ids();
    std::string text;
    for (const auto &k : kinds) {
        const std::size_t count = group_processors(k.kind, ids, locations()).size();
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
                (count == 1 ? k.one : k.many);
    }
    if (const unsigned quota = processors_of_quota(); quota != 0)
        text += ", time of " + std::to_string(quota) + " by the control group's quota";
    return text;
}

} // namespace loomp::core
