#include "runtime/core/environment/settings_table.h"

#include <climits>
#include <sys/resource.h>

#include "runtime/core/environment/hardware_subset.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/environment/settings_text.h"
#include "runtime/core/environment/topology.h"

namespace loomp::core {

namespace {

// --- Fields that a word or a number fills --------------------------------------------------------

const char *show_bool(bool value) { return value ? "TRUE" : "FALSE"; }

template <auto Field> bool parse_flag(Settings &s, const std::string &text, std::string &) {
    return parse_bool(text, s.*Field);
}
template <auto Field> std::string show_flag(const Settings &s) { return show_bool(s.*Field); }

template <auto Field, int Low>
bool parse_count(Settings &s, const std::string &text, std::string &) {
    int value = 0;
    if (!parse_int_in(text, Low, INT_MAX, value))
        return false;
    s.*Field = value;
    return true;
}
template <auto Field> std::string show_count(const Settings &s) {
    return std::to_string(static_cast<int>(s.*Field));
}

/// A bare number counts `Unit` nanoseconds; 0: it must have a unit. The field is 0 if the time is
/// infinite, or too long to be added to the clock.
template <auto Field, std::uint64_t Unit, std::uint64_t Shortest>
bool parse_time(Settings &s, const std::string &text, std::string &) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 62; // 146 years
    std::uint64_t time = 0;
    bool is_count = false;
    if (!parse_duration(text, Unit, time, is_count) || is_count || time < Shortest)
        return false;
    s.*Field = time > longest ? 0 : static_cast<std::int64_t>(time);
    return true;
}
template <auto Field> std::string show_time(const Settings &s) {
    const std::int64_t microseconds = (s.*Field + 500) / 1'000;
    if (microseconds == 0)
        return "INFINITE";
    if (microseconds % 1'000'000 == 0)
        return std::to_string(microseconds / 1'000'000) + "s";
    return microseconds % 1'000 == 0 ? std::to_string(microseconds / 1'000) + "ms"
                                     : std::to_string(microseconds) + "us";
}

template <auto Field, const auto &Words>
bool parse_choice(Settings &s, const std::string &text, std::string &) {
    return parse_word(text, Words, s.*Field);
}
template <auto Field, const auto &Words> std::string show_choice(const Settings &s) {
    return format_word(Words, s.*Field);
}

template <auto Field> bool parse_text(Settings &s, const std::string &text, std::string &) {
    s.*Field = text;
    return true;
}
template <auto Field> std::string show_text(const Settings &s) { return s.*Field; }

constexpr Word<WaitPolicy> kWaitPolicies[] = {{"ACTIVE", WaitPolicy::active},
                                              {"PASSIVE", WaitPolicy::passive}};
/// The values of KMP_LIBRARY, apart from SERIAL.
constexpr Word<WaitPolicy> kLibraries[] = {{"TURNAROUND", WaitPolicy::active},
                                           {"THROUGHPUT", WaitPolicy::passive}};
constexpr Word<TargetOffload> kOffloads[] = {{"DEFAULT", TargetOffload::default_},
                                             {"DISABLED", TargetOffload::disabled},
                                             {"MANDATORY", TargetOffload::mandatory}};
constexpr Word<bool> kSwitch[] = {{"ENABLED", true}, {"DISABLED", false}};
constexpr Word<DisplayEnv> kDisplays[] = {
    {"FALSE", DisplayEnv::no}, {"TRUE", DisplayEnv::yes}, {"VERBOSE", DisplayEnv::verbose},
    {"0", DisplayEnv::no},     {"1", DisplayEnv::yes},    {"EFFECTIVE", DisplayEnv::effective}};
constexpr Word<bool> kPersistences[] = {{"OFF", false}, {"AUTO", true}};
constexpr Word<DynamicLoops> kDynamicLoops[] = {{"COMPATIBLE", DynamicLoops::compatible},
                                                {"MONOTONIC", DynamicLoops::monotonic},
                                                {"NONMONOTONIC", DynamicLoops::nonmonotonic}};
constexpr Word<TaskOrder> kOrders[] = {{"LIFO", TaskOrder::lifo}, {"FIFO", TaskOrder::fifo}};
constexpr Word<MachineLevel> kQueueLevels[] = {
    {"THREAD", MachineLevel::thread},     {"CORE", MachineLevel::core},
    {"LL_CACHE", MachineLevel::ll_cache}, {"NUMA_DOMAIN", MachineLevel::numa_domain},
    {"SOCKET", MachineLevel::socket},     {"MACHINE", MachineLevel::machine}};
constexpr Word<PriorityValue> kPriorityValues[] = {
    {"HINT", PriorityValue::hint}, {"MAX", PriorityValue::max}, {"OFF", PriorityValue::off}};
constexpr Word<MpiThreadLevel> kMpiThreadLevels[] = {{"SERIALIZED", MpiThreadLevel::serialized},
                                                     {"MULTIPLE", MpiThreadLevel::multiple}};
constexpr Word<MpiProvided> kMpiProvided[] = {{"HIGHEST", MpiProvided::highest},
                                              {"REQUIRED", MpiProvided::required}};
constexpr Word<MpiCollectives> kMpiCollectives[] = {{"NONBLOCKING", MpiCollectives::nonblocking},
                                                    {"BLOCKING", MpiCollectives::blocking}};
constexpr Word<PriorityPreset> kPriorityPresets[] = {{"NONE", PriorityPreset::none},
                                                     {"MA-1", PriorityPreset::ma1},
                                                     {"MA-2", PriorityPreset::ma2},
                                                     {"SA", PriorityPreset::sa},
                                                     {"FA", PriorityPreset::fa}};
constexpr Word<PriorityPropagation> kPropagations[] = {
    {"NONE", PriorityPropagation::none},
    {"EQUAL", PriorityPropagation::equal},
    {"DECREMENT", PriorityPropagation::decrement}};
constexpr Word<PriorityWhen> kWhens[] = {{"CREATION", PriorityWhen::creation},
                                         {"IDLE", PriorityWhen::idle}};

// --- Settings with a meaning of their own --------------------------------------------------------

bool parse_nested(Settings &s, const std::string &text, std::string &) {
    bool on = false;
    if (!parse_bool(text, on))
        return false;
    s.max_active_levels = on ? INT_MAX : 1;
    s.max_active_levels_given = true;
    return true;
}

bool parse_max_active_levels(Settings &s, const std::string &text, std::string &why) {
    const bool ok = parse_count<&Settings::max_active_levels, 0>(s, text, why);
    s.max_active_levels_given |= ok;
    return ok;
}

std::string show_verbose_init(const Settings &s) {
    return s.tool_verbose_init.empty() ? "DISABLED" : s.tool_verbose_init;
}

bool parse_verbose_init(Settings &s, const std::string &text, std::string &) {
    s.tool_verbose_init = same_word(text, "disabled") ? "" : text;
    return true;
}

std::string show_hw_subset(const Settings &) { return hardware_subset_in_force(); }
std::string show_spin(const Settings &s) {
    return s.spin_count == kSpinForever ? "INFINITE" : std::to_string(s.spin_count);
}

bool parse_kmp_settings(Settings &s, const std::string &text, std::string &) {
    bool on = false;
    if (!parse_bool(text, on))
        return false;
    s.display_env = !on                                     ? DisplayEnv::no
                    : s.interface == ProgramInterface::llvm ? DisplayEnv::effective
                                                            : DisplayEnv::verbose;
    return true;
}

bool parse_kmp_library(Settings &s, const std::string &text, std::string &) {
    s.serial = same_word(text, "serial");
    return s.serial || parse_word(text, kLibraries, s.wait_policy);
}

bool parse_kmp_force_monotonic(Settings &s, const std::string &text, std::string &) {
    bool on = false;
    if (!parse_bool(text, on))
        return false;
    s.dynamic_loops = on ? DynamicLoops::monotonic : DynamicLoops::compatible;
    return true;
}

/// libomp runs a task at once when its creator has queued that many; without throttling, it never
/// does.
bool parse_kmp_task_throttling(Settings &s, const std::string &text, std::string &) {
    constexpr int libomp_queue = 256;
    bool on = false;
    if (!parse_bool(text, on))
        return false;
    s.max_tasks = on ? libomp_queue : 0;
    s.producers_first = s.producers_first || !on;
    return true;
}

bool parse_task_memory(Settings &s, const std::string &text, std::string &) {
    if (!same_word(text, "adaptive"))
        return parse_size(text, std::size_t{1} << 10, s.task_memory);
    s.task_memory = 0;
    return true;
}

std::string show_task_memory(const Settings &s) {
    return s.task_memory == 0 ? "ADAPTIVE" : format_size(s.task_memory);
}

std::string show_allocator(const Settings &s) {
    return s.allocator.empty() ? "omp_default_mem_alloc" : s.allocator;
}

constexpr const char *kTrueOrFalse = "true or false";
constexpr const char *kPositive = "a positive integer";
constexpr const char *kNotNegative = "an integer of at least 0";
constexpr const char *kEnabledOrNot = "enabled or disabled";
constexpr const char *kSize = "a size such as 512K, 16M or 1G";
constexpr const char *kPlaces = "threads, cores, ll_caches, numa_domains, sockets, each with an "
                                "optional (count), or a list such as {0,1},{2,3} or {0:2}:2:2";

constexpr Setting kRows[] = {
    {"OMP_DYNAMIC", parse_flag<&Settings::dynamic>, show_flag<&Settings::dynamic>, kTrueOrFalse,
     "whether regions may get fewer threads than they ask for", true},
    // Precedes OMP_MAX_ACTIVE_LEVELS, which overrides it.
    {"OMP_NESTED", parse_nested,
     [](const Settings &s) -> std::string { return show_bool(s.max_active_levels > 1); },
     kTrueOrFalse, "whether regions nest; deprecated: use OMP_MAX_ACTIVE_LEVELS", true},
    {"OMP_NUM_THREADS", parse_num_threads, show_num_threads, "a positive integer or a list of them",
     "threads of a parallel region, one number for each nesting level", true,
     "number of processors, or what the control group's quota allows"},
    {"OMP_SCHEDULE", parse_schedule, show_schedule,
     "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]",
     "what schedule(runtime) means; STATIC by default in programs that ask for libomp", true},
    {"OMP_PROC_BIND", parse_proc_bind, show_proc_bind,
     "true, false, or a list of primary, close, spread",
     "where threads are bound, one policy for each nesting level", true},
    {"OMP_PLACES", parse_places_setting,
     [](const Settings &s) { return format_places(s.place_list); }, kPlaces,
     "the places that threads are bound to", true},
    {"OMP_STACKSIZE", parse_stack_size, [](const Settings &s) { return format_size(s.stack_size); },
     kSize, "stack of each thread and of each suspended task; a bare number counts K", true,
     "the shell's limit; 8M if that is unlimited"},
    {"OMP_WAIT_POLICY", parse_choice<&Settings::wait_policy, kWaitPolicies>,
     [](const Settings &s) -> std::string {
         return s.wait_policy == WaitPolicy::active ? "ACTIVE" : "PASSIVE";
     },
     "active or passive",
     "whether idle threads spin or sleep; unset: they spin briefly, then sleep", true},
    {"OMP_THREAD_LIMIT", parse_count<&Settings::thread_limit, 1>,
     show_count<&Settings::thread_limit>, kPositive, "threads at once in a contention group", true},
    {"OMP_MAX_ACTIVE_LEVELS", parse_max_active_levels, show_count<&Settings::max_active_levels>,
     kNotNegative, "how many nested regions may have more than one thread", true},
    {"OMP_NUM_TEAMS", parse_count<&Settings::num_teams, 1>, show_count<&Settings::num_teams>,
     kPositive, "teams of a teams construct without num_teams; 0: the runtime's choice", true},
    {"OMP_TEAMS_THREAD_LIMIT", parse_count<&Settings::teams_thread_limit, 1>,
     show_count<&Settings::teams_thread_limit>, kPositive,
     "threads of each team without thread_limit; 0: no limit of its own", true},
    {"OMP_CANCELLATION", parse_flag<&Settings::cancellation>, show_flag<&Settings::cancellation>,
     kTrueOrFalse, "whether cancel constructs have an effect", false},
    {"OMP_DEFAULT_DEVICE", parse_count<&Settings::default_device, 0>,
     show_count<&Settings::default_device>, kNotNegative,
     "device of target constructs without a device clause", true},
    {"OMP_MAX_TASK_PRIORITY", parse_count<&Settings::max_task_priority, 0>,
     show_count<&Settings::max_task_priority>, kNotNegative,
     "the highest priority a task can have; higher ones count as it", false},
    {"OMP_DISPLAY_AFFINITY", parse_flag<&Settings::display_affinity>,
     show_flag<&Settings::display_affinity>, kTrueOrFalse,
     "whether threads print where they run when that changes", false},
    {"OMP_AFFINITY_FORMAT", parse_text<&Settings::affinity_format>,
     show_text<&Settings::affinity_format>, "a format", "what they print", true, nullptr, true},
    {"OMP_ALLOCATOR", parse_allocator, show_allocator,
     "a predefined allocator such as omp_default_mem_alloc, or a memory space with traits such as "
     "omp_default_mem_space:alignment=64",
     "the default allocator", true},
    {"OMP_TARGET_OFFLOAD", parse_choice<&Settings::target_offload, kOffloads>,
     show_choice<&Settings::target_offload, kOffloads>, "default, disabled or mandatory",
     "whether target regions may, must not or must run on a device", false},
    {"OMP_TOOL", parse_choice<&Settings::tool_enabled, kSwitch>,
     show_choice<&Settings::tool_enabled, kSwitch>, kEnabledOrNot,
     "whether an OMPT tool is looked for", false},
    {"OMP_TOOL_LIBRARIES", parse_text<&Settings::tool_libraries>,
     show_text<&Settings::tool_libraries>, "a list of libraries separated by colons",
     "where it is looked for", false},
    {"OMP_TOOL_VERBOSE_INIT", parse_verbose_init, show_verbose_init,
     "disabled, stdout, stderr or a file", "where that search is logged", false},
    {"OMP_DEBUG", parse_choice<&Settings::debug, kSwitch>, show_choice<&Settings::debug, kSwitch>,
     kEnabledOrNot, "support for debuggers (OMPD): no effect; loomp gdb is there instead", false},
    {"OMP_DISPLAY_ENV", parse_choice<&Settings::display_env, kDisplays>,
     show_choice<&Settings::display_env, kDisplays>, "true, false or verbose",
     "prints these settings at start; verbose: loomp's own too", false},
    {"LOOMP_SPIN", parse_spin, show_spin,
     "a number of looks for work, a time such as 50us, or infinite",
     "how long an idle thread looks for work before it sleeps", false, "by OMP_WAIT_POLICY"},
    {"LOOMP_TEAMS_BIND", parse_teams_bind, show_teams_bind, "primary, close or spread",
     "where the teams of a teams construct go, if threads are bound", false},
    {"LOOMP_DYNAMIC_LOOPS", parse_choice<&Settings::dynamic_loops, kDynamicLoops>,
     show_choice<&Settings::dynamic_loops, kDynamicLoops>, "compatible, monotonic or nonmonotonic",
     "whether a thread gets its chunks of a dynamic loop in rising order: where the stock runtimes "
     "keep that order, always, or only where OpenMP requires it, which takes less time if chunks "
     "are short",
     false},
    {"LOOMP_TASK_ORDER", parse_choice<&Settings::task_order, kOrders>,
     show_choice<&Settings::task_order, kOrders>, "lifo or fifo",
     "which of its own ready tasks a thread runs next", false},
    {"LOOMP_NEW_TASKS_SHARED_BY", parse_choice<&Settings::new_tasks, kQueueLevels>,
     show_choice<&Settings::new_tasks, kQueueLevels>,
     "thread, core, ll_cache, numa_domain, socket or machine",
     "which threads share a queue of new tasks without dependences: none, or those bound to the "
     "same one of these",
     false},
    {"LOOMP_PRIORITY_PRESET", parse_choice<&Settings::priority_preset, kPriorityPresets>,
     show_choice<&Settings::priority_preset, kPriorityPresets>, "none, ma-1, ma-2, sa or fa",
     "early sends: those of the following settings that are not given as in one of four strategies",
     false},
    {"LOOMP_PRIORITY_VALUE", parse_choice<&Settings::priority_value, kPriorityValues>,
     show_choice<&Settings::priority_value, kPriorityValues>, "hint, max or off",
     "what a priority clause gives a task: its value up to OMP_MAX_TASK_PRIORITY, the highest of "
     "all if it is not 0, or nothing",
     false},
    {"LOOMP_PRIORITY_PROPAGATION", parse_choice<&Settings::priority_propagation, kPropagations>,
     show_choice<&Settings::priority_propagation, kPropagations>, "none, equal or decrement",
     "whether the tasks that it waits for get that priority, or one less for each step", false},
    {"LOOMP_PRIORITY_PROPAGATED_AT", parse_choice<&Settings::priority_when, kWhens>,
     show_choice<&Settings::priority_when, kWhens>, "creation or idle",
     "who gives it to them: the creator, or threads that have nothing else to do", false},
    {"LOOMP_TASK_MEMORY", parse_task_memory, show_task_memory,
     "a size such as 512K, 16M or 1G, or adaptive",
     "memory for tasks with which their creators wait; a bare number counts K", false,
     "a quarter of what is available, divided among the MPI ranks of a node"},
    {"LOOMP_MAX_TASKS", parse_count<&Settings::max_tasks, 0>, show_count<&Settings::max_tasks>,
     kNotNegative,
     "unfinished tasks of one creator with which it waits until half are left; 0: any number",
     false},
    {"LOOMP_PRODUCERS_FIRST", parse_flag<&Settings::producers_first>,
     show_flag<&Settings::producers_first>, kTrueOrFalse,
     "whether creators of tasks go on creating when many are ready: they neither run new ones nor "
     "wait, until tasks take LOOMP_TASK_MEMORY",
     false},
    {"LOOMP_DEVICE_OPERATIONS", parse_count<&Settings::device_operations, 1>,
     show_count<&Settings::device_operations>, kPositive,
     "target tasks in flight at once on all devices together; each takes a stream", false},
    {"LOOMP_HW_SUBSET", parse_hw_subset, show_hw_subset,
     "counts of parts, such as 1s,4c,1t, each with @ and an offset if need be",
     "the part of the machine that threads use: so many sockets (s), NUMA domains (n), last-level "
     "caches (l3), of each so many cores (c), of each so many threads (t); with a colon before, "
     "counts are of the machine",
     false},
    {"LOOMP_MAX_STACKS", parse_count<&Settings::max_stacks, 0>, show_count<&Settings::max_stacks>,
     kNotNegative,
     "stacks for tasks that wait; with so many in use, tasks begin only where a taskwait or "
     "taskgroup waits for them; 0: what memory allows",
     false},
    {"LOOMP_PERSISTENT", parse_choice<&Settings::persistent, kPersistences>,
     show_choice<&Settings::persistent, kPersistences>, "off or auto",
     "whether task graphs that a program repeats are recognised and kept; LOOMP_STATS says why "
     "none is",
     false},
    {"LOOMP_PROGRESS_BOUND",
     parse_time<&Settings::progress_bound, 0, 10'000>, // about the time to wake a thread
     show_time<&Settings::progress_bound>, "a time of at least 10us, such as 200us, or infinite",
     "how long what is polled for (MPI, say) goes without a poll before a thread for it polls; "
     "infinite: no such thread",
     false},
    {"LOOMP_REPORT_STUCK_AFTER", // Idle threads look again within the shortest time.
     parse_time<&Settings::stuck_after, 1'000'000'000, 10'000'000>,
     show_time<&Settings::stuck_after>, "a time of at least 10ms, such as 60s, or infinite",
     "how long all threads may be idle, with tasks waiting in MPI calls, before what they wait for "
     "is printed, once; 5 s are enough if nothing that could end the waits is under way; a bare "
     "number counts seconds; infinite: never",
     false},
    {"LOOMP_MPI_THREAD_LEVEL", parse_choice<&Settings::mpi_thread_level, kMpiThreadLevels>,
     show_choice<&Settings::mpi_thread_level, kMpiThreadLevels>, "multiple or serialized",
     "what loomp asks MPI for; serialized: calls of all threads are made one at a time", false},
    {"LOOMP_MPI_PROVIDED_LEVEL", parse_choice<&Settings::mpi_provided, kMpiProvided>,
     show_choice<&Settings::mpi_provided, kMpiProvided>, "highest or required",
     "the thread level that MPI_Init_thread and MPI_Query_thread return; required: none above the "
     "one that the program requires, for programs that stop otherwise",
     false},
    {"LOOMP_MPI_COLLECTIVES", parse_choice<&Settings::mpi_collectives, kMpiCollectives>,
     show_choice<&Settings::mpi_collectives, kMpiCollectives>, "nonblocking or blocking",
     "what becomes of blocking MPI collectives; blocking: the library's own calls, which round "
     "sums as without loomp, and which a thread makes for a task; set it for all ranks",
     false},
    {"LOOMP_MPI_CHECK", parse_flag<&Settings::mpi_check>, show_flag<&Settings::mpi_check>,
     kTrueOrFalse,
     "before each MPI collective, whether all ranks call the same one is checked; a line names the "
     "ranks that do not, and the job ends; set it for all ranks",
     false},
    {"LOOMP_SPREAD_RANKS", parse_flag<&Settings::spread_ranks>, show_flag<&Settings::spread_ranks>,
     kTrueOrFalse,
     "whether MPI ranks of a node that may use the same processors divide these among themselves, "
     "unless threads are bound or OMP_NUM_THREADS asks for more than a share has",
     false},
    {"LOOMP_STATS", parse_flag<&Settings::stats>, show_flag<&Settings::stats>, kTrueOrFalse,
     "prints counts of tasks, edges and steals at exit", false},
    {"LOOMP_VERBOSE", parse_flag<&Settings::verbose>, show_flag<&Settings::verbose>, kTrueOrFalse,
     "names variables that begin with OMP_, LOOMP_, KMP_ or GOMP_ and mean nothing here", false},
};

constexpr ForeignSetting kForeign[] = {
    {"GOMP_CPU_AFFINITY", "OMP_PLACES", parse_gomp_cpu_affinity,
     "a list of processors such as 0 3 1-2 4-15:2"},
    {"KMP_AFFINITY", "OMP_PROC_BIND", parse_kmp_affinity,
     "none, compact, scatter, balanced, or explicit with a proclist"},
    {"KMP_HW_SUBSET", "LOOMP_HW_SUBSET", parse_hw_subset,
     "counts of parts, such as 1s,4c,1t, each with @ and an offset if need be"},
    {"GOMP_STACKSIZE", "OMP_STACKSIZE", parse_stack_size, kSize},
    {"KMP_STACKSIZE", "OMP_STACKSIZE", parse_kmp_stack_size, kSize},
    {"GOMP_SPINCOUNT", "LOOMP_SPIN", parse_gomp_spin_count,
     "a number with an optional k, M, G or T, or infinite"},
    {"KMP_BLOCKTIME", "LOOMP_SPIN", parse_kmp_blocktime, "a time in milliseconds, or infinite"},
    // Follows KMP_BLOCKTIME, which has precedence.
    {"KMP_LIBRARY", "OMP_WAIT_POLICY", parse_kmp_library, "turnaround, throughput or serial"},
    {"KMP_DEVICE_THREAD_LIMIT", "OMP_THREAD_LIMIT", parse_count<&Settings::thread_limit, 1>,
     kPositive},
    {"KMP_ALL_THREADS", "OMP_THREAD_LIMIT", parse_count<&Settings::thread_limit, 1>, kPositive},
    {"KMP_MAX_THREADS", "OMP_THREAD_LIMIT", parse_count<&Settings::thread_limit, 1>, kPositive},
    {"KMP_TEAMS_THREAD_LIMIT", "OMP_TEAMS_THREAD_LIMIT",
     parse_count<&Settings::teams_thread_limit, 1>, kPositive},
    {"KMP_TEAMS_PROC_BIND", "LOOMP_TEAMS_BIND", parse_teams_bind, "primary, close or spread"},
    {"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE", "LOOMP_DYNAMIC_LOOPS", parse_kmp_force_monotonic,
     kTrueOrFalse},
    {"KMP_ENABLE_TASK_THROTTLING", "LOOMP_MAX_TASKS", parse_kmp_task_throttling, kTrueOrFalse},
    {"KMP_SETTINGS", "OMP_DISPLAY_ENV", parse_kmp_settings, kTrueOrFalse},
};

std::size_t default_stack_size() {
    struct rlimit limit = {};
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur >= (rlim_t{256} << 10) && limit.rlim_cur <= (rlim_t{1} << 30))
        return limit.rlim_cur;
    return std::size_t{8} << 20;
}

} // namespace

std::span<const Setting> setting_rows() { return kRows; }
std::span<const ForeignSetting> foreign_rows() { return kForeign; }

void set_defaults(Settings &s) {
    s.num_threads = {static_cast<int>(usable_processors())};
    s.stack_size = default_stack_size();
    s.affinity_format = "level %L thread %i affinity %A";
    if (s.interface == ProgramInterface::llvm) { // libomp's defaults
        s.affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
        s.schedule = ScheduleKind::static_;
        s.schedule_chunk = 0;
    }
}

} // namespace loomp::core
