#include "core/settings.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

#include "core/message.h"
#include "core/topology.h"

namespace loomp::core {

namespace {

Settings the_settings;

std::string trimmed(const char *text) {
    std::string s(text);
    const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
    s.erase(s.begin(), std::find_if_not(s.begin(), s.end(), is_space));
    s.erase(std::find_if_not(s.rbegin(), s.rend(), is_space).base(), s.end());
    return s;
}

bool same_word(const std::string &a, const char *b) { return strcasecmp(a.c_str(), b) == 0; }

std::vector<std::string> split(const std::string &s, char separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (;;) {
        const std::size_t to = s.find(separator, from);
        parts.push_back(trimmed(s.substr(from, to - from).c_str()));
        if (to == std::string::npos)
            return parts;
        from = to + 1;
    }
}

bool parse_long(const std::string &s, long &value) {
    if (s.empty())
        return false;
    char *end = nullptr;
    errno = 0;
    value = std::strtol(s.c_str(), &end, 10);
    return errno == 0 && *end == '\0';
}

bool parse_int_in(const std::string &s, long low, long high, int &value) {
    long number = 0;
    if (!parse_long(s, number) || number < low || number > high)
        return false;
    value = static_cast<int>(number);
    return true;
}

bool parse_bool(const std::string &s, bool &value) {
    const bool yes = same_word(s, "true") || s == "1" || same_word(s, "yes") || same_word(s, "on");
    const bool no = same_word(s, "false") || s == "0" || same_word(s, "no") || same_word(s, "off");
    value = yes;
    return yes || no;
}

/// A size with an optional unit; `unit` applies when none is given.
bool parse_size(const std::string &s, std::size_t unit, std::size_t &value) {
    char *end = nullptr;
    errno = 0;
    if (s.empty() || s[0] == '-')
        return false;
    const unsigned long long number = std::strtoull(s.c_str(), &end, 10);
    if (errno != 0 || end == s.c_str())
        return false;
    const std::string suffix = trimmed(end);
    if (same_word(suffix, "b"))
        unit = 1;
    else if (same_word(suffix, "k"))
        unit = std::size_t{1} << 10;
    else if (same_word(suffix, "m"))
        unit = std::size_t{1} << 20;
    else if (same_word(suffix, "g"))
        unit = std::size_t{1} << 30;
    else if (!suffix.empty())
        return false;
    return number != 0 && !__builtin_mul_overflow(static_cast<std::size_t>(number), unit, &value);
}

// --- Parsers of single settings: false leaves the default in place ---------------------------

using Parse = bool (*)(Settings &, const std::string &);
using Show = std::string (*)(const Settings &);

std::string show_bool(bool value) { return value ? "TRUE" : "FALSE"; }

bool parse_num_threads(Settings &s, const std::string &text) {
    std::vector<int> list;
    for (const std::string &part : split(text, ',')) {
        int n = 0;
        if (!parse_int_in(part, 1, INT_MAX, n))
            return false;
        list.push_back(n);
    }
    s.num_threads = list;
    return true;
}

bool parse_proc_bind(Settings &s, const std::string &text) {
    static constexpr struct {
        const char *name;
        ProcBind value;
    } names[] = {{"primary", ProcBind::primary}, {"master", ProcBind::primary},
                 {"close", ProcBind::close},     {"spread", ProcBind::spread}};
    bool on = false;
    if (parse_bool(text, on)) {
        s.proc_bind = {on ? ProcBind::true_ : ProcBind::false_};
        return true;
    }
    std::vector<ProcBind> list;
    for (const std::string &part : split(text, ',')) {
        const auto *found = std::find_if(std::begin(names), std::end(names),
                                         [&](const auto &n) { return same_word(part, n.name); });
        if (found == std::end(names))
            return false;
        list.push_back(found->value);
    }
    s.proc_bind = list;
    return true;
}

const char *bind_name(ProcBind bind) {
    static constexpr const char *names[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
    return names[static_cast<int>(bind)];
}

bool parse_schedule(Settings &s, const std::string &text) {
    std::string rest = text;
    bool monotonic = false;
    bool nonmonotonic = false;
    if (const std::size_t colon = rest.find(':'); colon != std::string::npos) {
        const std::string modifier = trimmed(rest.substr(0, colon).c_str());
        monotonic = same_word(modifier, "monotonic");
        nonmonotonic = same_word(modifier, "nonmonotonic");
        if (!monotonic && !nonmonotonic)
            return false;
        rest = trimmed(rest.substr(colon + 1).c_str());
    }
    const std::vector<std::string> parts = split(rest, ',');
    static constexpr struct {
        const char *name;
        ScheduleKind kind;
    } names[] = {{"static", ScheduleKind::static_},
                 {"dynamic", ScheduleKind::dynamic},
                 {"guided", ScheduleKind::guided},
                 {"auto", ScheduleKind::auto_}};
    const auto *found = std::find_if(std::begin(names), std::end(names),
                                     [&](const auto &n) { return same_word(parts[0], n.name); });
    if (found == std::end(names) || parts.size() > 2)
        return false;
    int chunk = found->kind == ScheduleKind::dynamic || found->kind == ScheduleKind::guided;
    if (parts.size() == 2 && !parse_int_in(parts[1], 1, INT_MAX, chunk))
        return false;
    s.schedule = found->kind;
    s.schedule_chunk = found->kind == ScheduleKind::auto_ ? 0 : chunk;
    // static is monotonic unless it says otherwise (OpenMP 5.2, 11.5.3).
    s.schedule_monotonic = monotonic || (found->kind == ScheduleKind::static_ && !nonmonotonic);
    return true;
}

std::string show_schedule(const Settings &s) {
    static constexpr const char *names[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
    std::string text;
    if (s.schedule_monotonic && s.schedule != ScheduleKind::static_)
        text = "MONOTONIC:";
    text += names[static_cast<int>(s.schedule)];
    const bool implied = s.schedule_chunk == 0 ||
                         (s.schedule_chunk == 1 && s.schedule != ScheduleKind::static_);
    if (!implied)
        text += "," + std::to_string(s.schedule_chunk);
    return text;
}

bool parse_stack_size(Settings &s, const std::string &text) {
    std::size_t size = 0;
    if (!parse_size(text, std::size_t{1} << 10, size))
        return false;
    // Beyond this a handful of stacks exhausts the address space.
    if (size > (std::size_t{1} << 38))
        return false;
    s.stack_size = std::max(size, std::size_t{16} << 10);
    return true;
}

bool parse_wait_policy(Settings &s, const std::string &text) {
    if (same_word(text, "active"))
        s.wait_policy = WaitPolicy::active;
    else if (same_word(text, "passive"))
        s.wait_policy = WaitPolicy::passive;
    else
        return false;
    return true;
}

bool parse_target_offload(Settings &s, const std::string &text) {
    if (same_word(text, "default"))
        s.target_offload = TargetOffload::default_;
    else if (same_word(text, "disabled"))
        s.target_offload = TargetOffload::disabled;
    else if (same_word(text, "mandatory"))
        s.target_offload = TargetOffload::mandatory;
    else
        return false;
    return true;
}

constexpr const char *kAllocators[] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc",   "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc",   "omp_thread_mem_alloc"};
constexpr const char *kMemorySpaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space",
                                         "omp_const_mem_space", "omp_high_bw_mem_space",
                                         "omp_low_lat_mem_space"};

bool parse_allocator(Settings &s, const std::string &text) {
    for (std::size_t i = 0; i < std::size(kAllocators); ++i)
        if (same_word(text, kAllocators[i])) {
            s.default_allocator = i + 1;
            s.allocator = text;
            return true;
        }
    // A memory space, with traits: memory is all of one kind here, so the space's own allocator
    // serves it.
    const std::string space = split(text, ':')[0];
    for (std::size_t i = 0; i < std::size(kMemorySpaces); ++i)
        if (same_word(space, kMemorySpaces[i])) {
            s.default_allocator = i + 1;
            s.allocator = text;
            return true;
        }
    return false;
}

bool parse_display_env(Settings &s, const std::string &text) {
    bool on = false;
    if (same_word(text, "verbose"))
        s.display_env = DisplayEnv::verbose;
    else if (parse_bool(text, on))
        s.display_env = on ? DisplayEnv::yes : DisplayEnv::no;
    else
        return false;
    return true;
}

bool parse_tool(Settings &s, const std::string &text) {
    if (!same_word(text, "enabled") && !same_word(text, "disabled"))
        return false;
    s.tool_enabled = same_word(text, "enabled");
    return true;
}

bool parse_debug(Settings &s, const std::string &text) {
    if (!same_word(text, "enabled") && !same_word(text, "disabled"))
        return false;
    s.debug = same_word(text, "enabled");
    return true;
}

bool parse_spin(Settings &s, const std::string &text) {
    if (same_word(text, "infinite") || same_word(text, "infinity")) {
        s.spin_count = s.spin_count_crowded = ~std::uint64_t{0};
        return true;
    }
    long n = 0;
    if (!parse_long(text, n) || n < 0)
        return false;
    s.spin_count = static_cast<std::uint64_t>(n);
    s.spin_count_crowded = std::min<std::uint64_t>(s.spin_count, 100);
    return true;
}

template <class T> std::string show_number(const T &value) { return std::to_string(value); }

// --- The table -------------------------------------------------------------------------------

struct Setting {
    const char *name;
    Parse parse;
    Show show;
    const char *expected; ///< what a right value is
    const char *doc;
    bool is_openmp;
    bool from_environment = false;
};

bool int_setting(const std::string &text, long low, int &value) {
    return parse_int_in(text, low, INT_MAX, value);
}

Setting table[] = {
    {"OMP_DYNAMIC", [](Settings &s, const std::string &t) { return parse_bool(t, s.dynamic); },
     [](const Settings &s) { return show_bool(s.dynamic); }, "true or false",
     "regions may get fewer threads than they ask for", true},
    {"OMP_NESTED",
     [](Settings &s, const std::string &t) {
         bool on = false;
         if (!parse_bool(t, on))
             return false;
         s.max_active_levels = on ? 0x7fffffff : 1;
         return true;
     },
     [](const Settings &s) { return show_bool(s.max_active_levels > 1); }, "true or false",
     "deprecated: use OMP_MAX_ACTIVE_LEVELS", true},
    {"OMP_NUM_THREADS", parse_num_threads,
     [](const Settings &s) {
         std::string list;
         for (int n : s.num_threads)
             list += (list.empty() ? "" : ",") + std::to_string(n);
         return list;
     },
     "a positive integer or a list of them", "threads of a parallel region, one number a level",
     true},
    {"OMP_SCHEDULE", parse_schedule, show_schedule,
     "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]",
     "what schedule(runtime) means", true},
    {"OMP_PROC_BIND", parse_proc_bind,
     [](const Settings &s) {
         std::string list;
         for (ProcBind b : s.proc_bind)
             list += (list.empty() ? "" : ",") + std::string(bind_name(b));
         return list.empty() ? std::string("FALSE") : list;
     },
     "true, false, or a list of primary, close, spread", "where threads are bound", true},
    {"OMP_PLACES",
     [](Settings &s, const std::string &t) {
         s.places = t;
         return places_are_valid(t);
     },
     [](const Settings &) { return describe_places(); },
     "threads, cores, ll_caches, numa_domains, sockets, optionally (count), or {cpu,...} sets of "
     "existing processors",
     "the places that threads are bound to", true},
    {"OMP_STACKSIZE", parse_stack_size, [](const Settings &s) { return show_number(s.stack_size); },
     "a size such as 512K, 16M or 1G, at most 256G", "stack of each thread and suspended task",
     true},
    {"OMP_WAIT_POLICY", parse_wait_policy,
     [](const Settings &s) {
         return std::string(s.wait_policy == WaitPolicy::active ? "ACTIVE" : "PASSIVE");
     },
     "active or passive", "whether idle threads spin or sleep", true},
    {"OMP_THREAD_LIMIT",
     [](Settings &s, const std::string &t) { return int_setting(t, 1, s.thread_limit); },
     [](const Settings &s) { return show_number(s.thread_limit); }, "a positive integer",
     "threads of the program in OpenMP regions at once", true},
    {"OMP_MAX_ACTIVE_LEVELS",
     [](Settings &s, const std::string &t) { return int_setting(t, 0, s.max_active_levels); },
     [](const Settings &s) { return show_number(s.max_active_levels); },
     "an integer that is not negative", "nested regions with more than one thread", true},
    {"OMP_NUM_TEAMS",
     [](Settings &s, const std::string &t) {
         int n = 0;
         const bool ok = int_setting(t, 1, n);
         if (ok)
             s.num_teams = n;
         return ok;
     },
     [](const Settings &s) { return show_number(s.num_teams.load()); }, "a positive integer",
     "teams of a teams region without num_teams", true},
    {"OMP_TEAMS_THREAD_LIMIT",
     [](Settings &s, const std::string &t) {
         int n = 0;
         const bool ok = int_setting(t, 1, n);
         if (ok)
             s.teams_thread_limit = n;
         return ok;
     },
     [](const Settings &s) { return show_number(s.teams_thread_limit.load()); },
     "a positive integer", "threads of each team without thread_limit", true},
    {"OMP_CANCELLATION",
     [](Settings &s, const std::string &t) { return parse_bool(t, s.cancellation); },
     [](const Settings &s) { return show_bool(s.cancellation); }, "true or false",
     "whether cancel constructs have an effect", true},
    {"OMP_DEFAULT_DEVICE",
     [](Settings &s, const std::string &t) { return int_setting(t, 0, s.default_device); },
     [](const Settings &s) { return show_number(s.default_device); },
     "an integer that is not negative", "device of target constructs without device", true},
    {"OMP_MAX_TASK_PRIORITY",
     [](Settings &s, const std::string &t) { return int_setting(t, 0, s.max_task_priority); },
     [](const Settings &s) { return show_number(s.max_task_priority); },
     "an integer that is not negative", "priorities above it count as it", true},
    {"OMP_ALLOCATOR", parse_allocator,
     [](const Settings &s) {
         return s.allocator.empty() ? std::string("omp_default_mem_alloc") : s.allocator;
     },
     "a predefined allocator or memory space", "allocator of omp_alloc without one", true},
    {"OMP_DISPLAY_AFFINITY",
     [](Settings &s, const std::string &t) { return parse_bool(t, s.display_affinity); },
     [](const Settings &s) { return show_bool(s.display_affinity); }, "true or false",
     "threads print where they are bound", true},
    {"OMP_AFFINITY_FORMAT",
     [](Settings &s, const std::string &t) {
         s.affinity_format = t;
         return true;
     },
     [](const Settings &s) { return s.affinity_format; }, "a format", "of those lines", true},
    {"OMP_TARGET_OFFLOAD", parse_target_offload,
     [](const Settings &s) {
         static constexpr const char *names[] = {"MANDATORY", "DISABLED", "DEFAULT"};
         return std::string(names[static_cast<int>(s.target_offload)]);
     },
     "default, disabled or mandatory", "whether target regions may run on the host", true},
    {"OMP_TOOL", parse_tool,
     [](const Settings &s) { return std::string(s.tool_enabled ? "ENABLED" : "DISABLED"); },
     "enabled or disabled", "whether an OMPT tool is looked for", true},
    {"OMP_TOOL_LIBRARIES",
     [](Settings &s, const std::string &t) {
         s.tool_libraries = t;
         return true;
     },
     [](const Settings &s) { return s.tool_libraries; }, "a list of libraries",
     "where an OMPT tool is looked for", true},
    {"OMP_TOOL_VERBOSE_INIT",
     [](Settings &s, const std::string &t) {
         s.tool_verbose_init = t;
         return true;
     },
     [](const Settings &s) {
         return s.tool_verbose_init.empty() ? std::string("DISABLED") : s.tool_verbose_init;
     },
     "disabled, stdout, stderr or a file", "where looking for a tool is logged", true},
    {"OMP_DEBUG", parse_debug,
     [](const Settings &s) { return std::string(s.debug ? "ENABLED" : "DISABLED"); },
     "enabled or disabled", "debugger support", true},
    {"OMP_DISPLAY_ENV", parse_display_env,
     [](const Settings &s) {
         static constexpr const char *names[] = {"FALSE", "TRUE", "VERBOSE"};
         return std::string(names[static_cast<int>(s.display_env)]);
     },
     "true, false or verbose", "prints all this at start", false},
    {"LOOMP_SPIN", parse_spin,
     [](const Settings &s) { return show_number(s.spin_count); },
     "a number of looks for work, or infinite", "how long an idle thread looks before it sleeps",
     false},
    {"LOOMP_STATS", [](Settings &s, const std::string &t) { return parse_bool(t, s.stats); },
     [](const Settings &s) { return show_bool(s.stats); }, "true or false",
     "prints counts of tasks and edges at exit", false},
};

/// Names that mean the same; the first found counts.
constexpr struct {
    const char *alias;
    const char *name;
} aliases[] = {{"GOMP_STACKSIZE", "OMP_STACKSIZE"},
               {"KMP_STACKSIZE", "OMP_STACKSIZE"},
               {"GOMP_SPINCOUNT", "LOOMP_SPIN"}};

/// The value that the environment gives: the name itself, its variant for all devices (OpenMP 5.2,
/// 21: host included), or an alias.
const char *lookup(const char *name, std::string &found) {
    found = name;
    if (const char *value = std::getenv(name))
        return value;
    found = std::string(name) + "_ALL";
    if (const char *value = std::getenv(found.c_str()))
        return value;
    for (const auto &a : aliases)
        if (std::strcmp(a.name, name) == 0) {
            found = a.alias;
            if (const char *value = std::getenv(a.alias))
                return value;
        }
    return nullptr;
}

std::size_t default_stack_size() {
    struct rlimit limit = {};
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur >= (rlim_t{256} << 10) && limit.rlim_cur <= (rlim_t{1} << 30))
        return limit.rlim_cur;
    return std::size_t{8} << 20;
}

void set_defaults(Settings &s) {
    s.num_threads = {static_cast<int>(available_processors())};
    s.stack_size = default_stack_size();
    s.affinity_format = "level %L thread %i affinity %A";
}

/// What depends on other settings.
void derive(Settings &s, bool levels_given, bool spin_given) {
    // A list asks for nesting (OpenMP 5.2, 21.1.2).
    if (!levels_given && (s.num_threads.size() > 1 || s.proc_bind.size() > 1))
        s.max_active_levels = 0x7fffffff;
    // Places without a policy mean: bind.
    if (s.proc_bind.empty() && !s.places.empty())
        s.proc_bind = {ProcBind::true_};
    if (spin_given)
        return;
    switch (s.wait_policy) {
    case WaitPolicy::active:
        s.spin_count = 1'000'000'000;
        s.spin_count_crowded = 1000;
        break;
    case WaitPolicy::passive:
        s.spin_count = s.spin_count_crowded = 0;
        break;
    case WaitPolicy::unset:
        s.spin_count = 100'000;
        s.spin_count_crowded = 100;
        break;
    }
}

} // namespace

const Settings &settings() { return the_settings; }
Settings &mutable_settings() { return the_settings; }

void load_settings() {
    Settings &s = the_settings;
    set_defaults(s);
    bool levels_given = false;
    bool spin_given = false;
    for (Setting &setting : table) {
        std::string found;
        const char *raw = lookup(setting.name, found);
        if (raw == nullptr)
            continue;
        const std::string text = trimmed(raw);
        const std::string before = setting.show(s);
        if (std::strcmp(setting.name, "OMP_PLACES") == 0 && text.empty())
            continue;
        if (setting.parse(s, text)) {
            setting.from_environment = true;
            levels_given |= std::strcmp(setting.name, "OMP_MAX_ACTIVE_LEVELS") == 0 ||
                            std::strcmp(setting.name, "OMP_NESTED") == 0;
            spin_given |= std::strcmp(setting.name, "LOOMP_SPIN") == 0;
        } else {
            if (std::strcmp(setting.name, "OMP_PLACES") == 0)
                s.places.clear();
            warn("%s=%s: not %s; using %s", found.c_str(), raw, setting.expected,
                 before.empty() ? "none" : before.c_str());
        }
    }
    derive(s, levels_given, spin_given);
}

std::vector<SettingView> describe_settings() {
    std::vector<SettingView> views;
    for (const Setting &setting : table)
        views.push_back({setting.name, setting.show(the_settings),
                         setting.from_environment ? "environment" : "default", setting.doc,
                         setting.is_openmp});
    return views;
}

} // namespace loomp::core
