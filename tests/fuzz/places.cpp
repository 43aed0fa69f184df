// Fuzzes what names processors: OMP_PLACES, GOMP_CPU_AFFINITY, KMP_AFFINITY and LOOMP_HW_SUBSET. No
// text makes the reading crash, or take long, and places have processors of the machine. Input: the
// text.
#include "runtime/core/environment/places.h"

#include <algorithm>
#include <functional>

#include "fuzz/environment.h"
#include "runtime/core/environment/hardware_subset.h"
#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/environment/settings_table.h"
#include "runtime/core/environment/topology.h"

namespace {

using namespace loomp;
using namespace loomp::core;
using fuzz::require;

/// Teams of several sizes get places of a partition, and parts of it that have them.
void check_assignment(int places, std::size_t choice) {
    const int first = static_cast<int>(choice % static_cast<std::size_t>(places));
    const PlacePartition parent = {first, places - first};
    const int threads = static_cast<int>(choice / 7 % 40) + 1;
    const int at = static_cast<int>(choice / 281 % static_cast<std::size_t>(places + 1)) - 1;
    for (const ProcBind policy :
         {ProcBind::false_, ProcBind::true_, ProcBind::primary, ProcBind::close, ProcBind::spread})
        for (int number = 0; number < threads; ++number) {
            const PlaceAssignment got = assign_place(policy, number, threads, at, parent);
            const PlacePartition &part = got.partition;
            require(part.first >= parent.first && part.count > 0 &&
                        part.first + part.count <= parent.first + parent.count,
                    "a partition is a part of the parent's");
            require(policy == ProcBind::false_ ||
                        (got.place >= part.first && got.place < part.first + part.count),
                    "a place is in its partition");
        }
}

/// A list that was read: before it is restricted, and on several machines. False: it is so long
/// that all checks would take long, too.
bool check_list(const std::vector<Place> &list, std::size_t choice) {
    constexpr std::size_t most = std::size_t{1} << 20;
    static const std::vector<int> all = [] {
        std::vector<int> ids;
        for (int id = 0; id < static_cast<int>(most); ++id)
            ids.push_back(id);
        return ids;
    }();
    static const std::vector<int> kMachines[] = {{0}, {0, 1, 2, 3}, {3, 1023, 1024, 9999}};
    require(!list.empty(), "a list that is read has places");
    std::size_t processors = 0;
    for (const Place &place : list)
        processors += place.size();
    require(processors <= most, "a list is bounded");
    if (processors > 4096)
        return false;
    fuzz::require_places(list, all);
    PlacesSpec again;
    std::string why;
    require(parse_places(format_places(list), again, why) && again.list == list,
            "places are read as they are written", format_places(list));
    for (const std::vector<int> &machine : kMachines) {
        std::vector<Place> kept = list;
        const Place left_out = restrict_places(kept, machine);
        fuzz::require_places(kept, machine);
        for (const int processor : left_out)
            require(!std::binary_search(machine.begin(), machine.end(), processor),
                    "usable processors are kept");
    }
    check_assignment(static_cast<int>(list.size()), choice);
    return true;
}

/// False: as check_list().
bool check_grammars(const std::string &text, std::size_t choice) {
    bool short_lists = true;
    for (const auto parse : {parse_places, parse_cpu_affinity}) {
        PlacesSpec spec;
        std::string why;
        if (!parse(text, spec, why))
            require(!why.empty() && spec.list.empty() && !spec.is_abstract,
                    "a refusal has a reason, and changes nothing", text);
        else if (!spec.is_abstract)
            short_lists = check_list(spec.list, choice) && short_lists;
    }
    HardwareSubset subset;
    std::string why;
    if (!parse_hardware_subset(text, subset, why)) {
        require(!why.empty() && subset.empty(), "a refusal has a reason, and changes nothing",
                text);
        return short_lists;
    }
    // The whole machine, and a machine about which nothing is known.
    const std::vector<int> &ids = fuzz::machine();
    std::vector<Location> known;
    for (const int id : ids)
        known.push_back(location_of(id));
    for (const std::vector<Location> &locations : {known, std::vector<Location>(ids.size())}) {
        const std::vector<int> chosen = choose_processors(subset, ids, locations, why);
        if (chosen.empty())
            require(!why.empty(), "a refusal has a reason", text);
        else
            fuzz::require_places({chosen}, ids);
    }
    return short_lists;
}

/// Reads the text as the value of each setting of places. `subset_first`: the text has chosen a
/// part of the machine before.
void check_settings(const std::string &text, ProgramInterface interface, bool subset_first) {
    const fuzz::KeepsMachine machine;
    std::string why;
    Settings scratch;
    if (subset_first && !parse_hw_subset(scratch, text, why))
        return;
    for (const auto parse : {parse_places_setting, parse_gomp_cpu_affinity, parse_kmp_affinity}) {
        Settings settings;
        settings.interface = interface;
        set_defaults(settings);
        if (!parse(settings, text, why))
            require(settings.place_list.empty() && settings.proc_bind.empty(),
                    "a refusal changes nothing", text);
        fuzz::require_bounds(settings);
    }
}

/// Shares of the machine are all of it, and divide it.
void check_shares(std::size_t choice) {
    const std::vector<int> &ids = fuzz::machine();
    std::vector<Location> locations;
    for (const int id : ids)
        locations.push_back(location_of(id));
    const int parts = static_cast<int>(choice % ids.size()) + 1;
    std::vector<int> together;
    for (int part = 0; part < parts; ++part) {
        const std::vector<int> share = share_of(part, parts, ids, locations);
        fuzz::require_places({share}, ids);
        together.insert(together.end(), share.begin(), share.end());
    }
    std::sort(together.begin(), together.end());
    require(together == ids, "shares divide the machine");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    // Texts of the environment end at a zero byte.
    const std::string_view whole(reinterpret_cast<const char *>(data), size);
    const std::string text(whole.substr(0, whole.find('\0')));
    const std::size_t choice = std::hash<std::string_view>()(whole);
    // Long lists take tenths of a second, so that few are kept as a start for other inputs.
    if ((!check_grammars(text, choice) || fuzz::has_long_number(text)) && choice % 16 != 0)
        return -1;
    for (const ProgramInterface interface : fuzz::kInterfaces)
        for (const bool subset_first : {false, true})
            check_settings(text, interface, subset_first);
    check_shares(choice);
    return 0;
}
