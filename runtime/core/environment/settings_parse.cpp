#include "runtime/core/environment/settings_parse.h"

#include <algorithm>
#include <climits>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/back_off.h"
#include "platform/pages.h"
#include "runtime/core/environment/hardware_subset.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_text.h"
#include "runtime/core/environment/topology.h"

namespace loomp::core {

namespace {

constexpr Word<ProcBind> kBindings[] = {
    {"false", ProcBind::false_},   {"true", ProcBind::true_},  {"primary", ProcBind::primary},
    {"master", ProcBind::primary}, {"close", ProcBind::close}, {"spread", ProcBind::spread}};

constexpr Word<ScheduleKind> kSchedules[] = {
    {"static", ScheduleKind::static_},
    {"dynamic", ScheduleKind::dynamic},
    {"guided", ScheduleKind::guided},
    {"auto", ScheduleKind::auto_},
    // libomp's own kinds: the first means dynamic here, the second is guided in steps.
    {"static_steal", ScheduleKind::dynamic},
    {"trapezoidal", ScheduleKind::trapezoidal}};

std::string upper(std::string text) {
    for (char &c : text)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return text;
}

bool hands_out_one_by_default(ScheduleKind kind) {
    return kind == ScheduleKind::dynamic || kind == ScheduleKind::guided ||
           kind == ScheduleKind::trapezoidal;
}

/// Returns whether omp_get_schedule() marks a static schedule without a modifier as monotonic. It
/// is monotonic (OpenMP 5.2, 11.5.3); libgomp sets the bit, libomp does not.
bool says_static_is_monotonic(const Settings &s) { return s.interface == ProgramInterface::gnu; }

} // namespace

bool parse_num_threads(Settings &s, const std::string &text, std::string &) {
    std::vector<int> list;
    for (const std::string &part : split(text, ',')) {
        int n = 0;
        if (!parse_int_in(part, 1, INT_MAX, n))
            return false;
        list.push_back(n);
    }
    s.num_threads = std::move(list);
    return true;
}

std::string show_num_threads(const Settings &s) {
    std::string list;
    for (const int n : s.num_threads)
        list += (list.empty() ? "" : ",") + std::to_string(n);
    return list;
}

bool parse_proc_bind(Settings &s, const std::string &text, std::string &) {
    bool on = false;
    if (parse_bool(text, on)) {
        s.proc_bind = {on ? ProcBind::true_ : ProcBind::false_};
        return true;
    }
    std::vector<ProcBind> list;
    for (const std::string &part : split(text, ',')) {
        ProcBind bind = ProcBind::false_;
        // true and false must be the only word.
        if (!parse_word(part, kBindings, bind) || bind < ProcBind::primary)
            return false;
        list.push_back(bind);
    }
    s.proc_bind = std::move(list);
    return true;
}

std::string show_proc_bind(const Settings &s) {
    std::string list;
    for (const ProcBind bind : s.proc_bind)
        list += (list.empty() ? "" : ",") + upper(format_word(kBindings, bind));
    return list.empty() ? "FALSE" : list;
}

bool parse_teams_bind(Settings &s, const std::string &text, std::string &) {
    ProcBind bind = ProcBind::false_;
    if (!parse_word(text, kBindings, bind) || bind < ProcBind::primary)
        return false;
    s.teams_bind = bind;
    return true;
}

std::string show_teams_bind(const Settings &s) {
    return upper(format_word(kBindings, s.teams_bind));
}

bool parse_schedule(Settings &s, const std::string &text, std::string &why) {
    static constexpr Word<bool> kModifiers[] = {{"monotonic", true}, {"nonmonotonic", false}};
    std::string rest = text;
    bool monotonic = false;
    const std::size_t colon = rest.find(':');
    if (colon != std::string::npos) {
        const std::string modifier = trimmed(rest.substr(0, colon));
        if (!parse_word(modifier, kModifiers, monotonic)) {
            why = "\"" + modifier + "\" is neither monotonic nor nonmonotonic";
            return false;
        }
        rest = rest.substr(colon + 1);
    }
    const std::vector<std::string> parts = split(rest, ',');
    ScheduleKind kind = ScheduleKind::static_;
    if (!parse_word(parts[0], kSchedules, kind)) {
        why = "\"" + parts[0] + "\" is none of static, dynamic, guided, auto";
        return false;
    }
    int chunk = hands_out_one_by_default(kind) ? 1 : 0;
    const int usual = chunk;
    // libgomp takes 0 for none.
    const int least = s.interface == ProgramInterface::gnu ? 0 : 1;
    if (parts.size() > 2 || (parts.size() == 2 && !parse_int_in(parts[1], least, INT_MAX, chunk))) {
        why = "the chunk is not a positive integer";
        return false;
    }
    s.schedule = kind;
    chunk = std::max(chunk, usual);
    s.schedule_chunk = kind != ScheduleKind::auto_             ? chunk
                       : s.interface == ProgramInterface::llvm ? 1
                                                               : 0;
    s.schedule_monotonic = monotonic || (kind == ScheduleKind::static_ &&
                                         colon == std::string::npos && says_static_is_monotonic(s));
    return true;
}

std::string show_schedule(const Settings &s) {
    const bool by_default = s.schedule == ScheduleKind::static_ && says_static_is_monotonic(s);
    std::string text;
    if (s.schedule_monotonic != by_default)
        text = s.schedule_monotonic ? "MONOTONIC:" : "NONMONOTONIC:";
    text += upper(format_word(kSchedules, s.schedule));
    if (s.schedule_chunk > (hands_out_one_by_default(s.schedule) ? 1 : 0) &&
        s.schedule != ScheduleKind::auto_)
        text += "," + std::to_string(s.schedule_chunk);
    return text;
}

// --- Places ------------------------------------------------------------------------------------

namespace {

bool adopt_places(Settings &s, const std::string &text, const PlacesSpec &spec, std::string &why) {
    std::vector<Place> list = resolve_places(spec, why);
    if (list.empty())
        return false;
    s.places = text;
    s.place_list = std::move(list);
    return true;
}

/// Parses the processors of proclist=[...], which separates with commas and groups with braces.
bool parse_proclist(const std::string &text, PlacesSpec &spec, std::string &why) {
    return text.find('{') != std::string::npos ? parse_places(text, spec, why)
                                               : parse_cpu_affinity(text, spec, why);
}

} // namespace

bool parse_places_setting(Settings &s, const std::string &text, std::string &why) {
    PlacesSpec spec;
    if (parse_places(text, spec, why))
        return adopt_places(s, text, spec, why);
    if (s.interface != ProgramInterface::llvm)
        return false;
    // Like libomp, it uses a valid part of the text, else cores.
    std::string part = trimmed(text.substr(0, text.find('(')));
    std::string unused;
    if (!parse_places(part, spec, unused) && parse_places("cores", spec, unused))
        part = "cores";
    return adopt_places(s, part, spec, unused);
}

bool parse_hw_subset(Settings &, const std::string &text, std::string &why) {
    HardwareSubset subset;
    if (!parse_hardware_subset(text, subset, why))
        return false;
    std::vector<Location> locations;
    for (const int processor : first_processor_ids())
        locations.push_back(location_of(processor));
    const std::vector<int> chosen =
        choose_processors(subset, first_processor_ids(), locations, why);
    if (chosen.empty())
        return false;
    keep_processors(chosen);
    hardware_subset_in_force() = text;
    return true;
}

bool parse_gomp_cpu_affinity(Settings &s, const std::string &text, std::string &why) {
    PlacesSpec spec;
    if (!parse_cpu_affinity(text, spec, why) ||
        !adopt_places(s, format_places(spec.list), spec, why))
        return false;
    return true;
}

bool parse_kmp_affinity(Settings &s, const std::string &text, std::string &why) {
    std::string rest = text;
    std::string proclist;
    const std::size_t open = rest.find('[');
    const std::size_t close = rest.find(']');
    if (open != std::string::npos && close != std::string::npos && close > open) {
        proclist = rest.substr(open + 1, close - open - 1);
        rest.erase(open, close - open + 1);
    }
    enum class Type { unset, none, compact, scatter, listed };
    static constexpr Word<Type> kTypes[] = {
        {"none", Type::none},       {"disabled", Type::none},    {"compact", Type::compact},
        {"scatter", Type::scatter}, {"balanced", Type::scatter}, {"explicit", Type::listed}};
    static constexpr Word<const char *> kGrains[] = {
        {"fine", "threads"},      {"thread", "threads"},  {"core", "cores"},
        {"tile", "ll_caches"},    {"die", "ll_caches"},   {"node", "numa_domains"},
        {"numa", "numa_domains"}, {"package", "sockets"}, {"socket", "sockets"}};
    Type type = Type::unset;
    const char *grain = "cores";
    bool resets = false;
    for (const std::string &part : split(rest, ',')) {
        if (part.rfind("granularity=", 0) == 0) {
            if (!parse_word(part.substr(12), kGrains, grain)) {
                why = "\"" + part.substr(12) + "\" is no granularity";
                return false;
            }
        } else if (same_word(part, "reset")) {
            resets = true;
        } else {
            parse_word(part, kTypes, type); // verbose, warnings, permute... have no meaning here
        }
    }
    if (type == Type::unset)
        return false;
    if (type == Type::none) {
        s.proc_bind = {ProcBind::false_};
        s.resets_affinity |= resets;
        return true;
    }
    if (s.place_list.empty()) { // no variable of higher rank has set places
        PlacesSpec spec;
        const bool ok = type == Type::listed ? parse_proclist(proclist, spec, why)
                                             : parse_places(grain, spec, why);
        if (!ok ||
            !adopt_places(s, type == Type::listed ? format_places(spec.list) : grain, spec, why))
            return false;
    }
    s.proc_bind = {type == Type::scatter ? ProcBind::spread : ProcBind::close};
    s.resets_affinity |= resets;
    return true;
}

// --- Stacks ------------------------------------------------------------------------------------

std::size_t largest_stack() {
    // Above this size, some hundred stacks exhaust the address space.
    std::size_t largest = std::size_t{64} << 30;
    // The system refuses a mapping larger than the machine's memory, even if little of it is used.
    const long pages = sysconf(_SC_PHYS_PAGES);
    if (pages > 0)
        largest = std::min(largest, static_cast<std::size_t>(pages) / 2 * page_size());
    struct rlimit limit = {};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        largest = std::min<std::size_t>(largest, limit.rlim_cur / 8);
    return largest >> 20 << 20;
}

namespace {
constexpr std::size_t kSmallestStack = std::size_t{16} << 10;
}

std::size_t possible_stack_size(std::size_t wanted) {
    return std::clamp(wanted, kSmallestStack, std::max(largest_stack(), kSmallestStack));
}

namespace {

bool adopt_stack_size(Settings &s, const std::string &text, std::size_t unit, std::string &why) {
    std::size_t size = 0;
    if (!parse_size(text, unit, size))
        return false;
    if (size < kSmallestStack)
        why = "less than a task can run on";
    else if (size > largest_stack())
        why = "more than this machine or its limits (ulimit -v) have room for";
    s.stack_size = possible_stack_size(size);
    return true;
}

} // namespace

bool parse_stack_size(Settings &s, const std::string &text, std::string &why) {
    return adopt_stack_size(s, text, std::size_t{1} << 10, why);
}

bool parse_kmp_stack_size(Settings &s, const std::string &text, std::string &why) {
    return adopt_stack_size(s, text, 1, why);
}

// --- Waiting -----------------------------------------------------------------------------------

namespace {

void adopt_spin(Settings &s, std::uint64_t looks) {
    s.spin_count = looks;
    s.spin_count_oversubscribed =
        looks == kSpinForever ? looks : std::min(looks, kMostLooksWithoutRoom);
}

bool adopt_spin_time(Settings &s, const std::string &text, std::uint64_t count_unit) {
    std::uint64_t time = 0;
    bool is_count = false;
    if (!parse_duration(text, count_unit, time, is_count))
        return false;
    adopt_spin(s, is_count || time == kSpinForever ? time : time / kNanosecondsPerLook);
    return true;
}

} // namespace

bool parse_spin(Settings &s, const std::string &text, std::string &) {
    return adopt_spin_time(s, text, 0);
}

bool parse_gomp_spin_count(Settings &s, const std::string &text, std::string &) {
    static constexpr Word<std::uint64_t> kUnits[] = {
        {"", 1}, {"k", 1'000}, {"m", 1'000'000}, {"g", 1'000'000'000}, {"t", 1'000'000'000'000}};
    if (same_word(text, "infinite") || same_word(text, "infinity")) {
        adopt_spin(s, kSpinForever);
        return true;
    }
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    int count = 0;
    std::uint64_t unit = 1;
    if (!parse_int_in(text.substr(0, digits), 0, INT_MAX, count) ||
        !parse_word(trimmed(text.substr(digits)), kUnits, unit))
        return false;
    std::uint64_t looks = 0;
    adopt_spin(s, __builtin_mul_overflow(static_cast<std::uint64_t>(count), unit, &looks)
                      ? kSpinForever
                      : looks);
    return true;
}

bool parse_kmp_blocktime(Settings &s, const std::string &text, std::string &) {
    return adopt_spin_time(s, text, 1'000'000);
}

} // namespace loomp::core
