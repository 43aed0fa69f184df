// Every setting of the runtime: what a user may put in the environment, declared once.
//
// The table in settings_table.cpp gives each its name, parser, default and doc line; messages,
// `loomp info`, OMP_DISPLAY_ENV and the manual come from it. To add one: a field here, a row there.
// Read once: when the library is loaded, or, for a program that knows libomp, when it first uses
// OpenMP. Constant afterwards, except the few fields that omp_set_*() routines change for the whole
// device (noted).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/environment/places.h"

namespace loomp::core {

/// The runtime that the program was built for: where OpenMP leaves a choice to the runtime, a
/// program gets what it knows.
enum class ProgramInterface {
    gnu,  ///< libgomp: gcc, gfortran
    llvm, ///< libomp, libiomp5: clang, flang, Intel's compilers
};

/// The first object that is loaded, from the program on, and asks for such a runtime decides by
/// that one's name. gnu if none does. Looked for once. Any thread.
ProgramInterface program_interface();

// Device numbers of omp.h that name no device of the machine's.
inline constexpr int kInitialDevice = -1; ///< the host; omp_initial_device
inline constexpr int kInvalidDevice = -4; ///< gcc's omp_invalid_device
inline constexpr int kDefaultDevice =
    -5; ///< gcc's omp_default_device: what default-device-var says

/// Values of omp_sched_t, without the modifier bit; the last one is libomp's own, and is guided
/// here.
enum class ScheduleKind : int {
    static_ = 1,
    dynamic = 2,
    guided = 3,
    auto_ = 4,
    trapezoidal = 101
};
enum class WaitPolicy : int { unset, active, passive };
enum class TargetOffload : int { mandatory, disabled, default_ };
/// The last: as libomp's KMP_SETTINGS has it.
enum class DisplayEnv : int { no, yes, verbose, effective };
/// Which of a worker's own ready tasks it runs next.
enum class TaskOrder : int { lifo, fifo };
/// The priority that a clause gives a task: its value, the highest (if it is not zero), or none.
enum class PriorityValue : int { hint, max, off };
/// The priority that the predecessors of such a task get.
enum class PriorityPropagation : int { none, equal, decrement };
/// The thread that gives it to them: the creator, or one that is idle.
enum class PriorityWhen : int { creation, idle };
/// Priorities for programs whose tasks send messages (runtime/core/environment/priority_preset.h).
enum class PriorityPreset : int { none, ma1, ma2, sa, fa };
/// What the MPI layer asks for; the numbers are loomp_mpi_thread_level()'s.
enum class MpiThreadLevel : int { serialized = 2, multiple };

inline constexpr std::uint64_t kSpinForever = ~std::uint64_t{0};

/// A look for work of a thread that waits and the pause after it, roughly; the clock is not read
/// while it spins.
inline constexpr std::uint64_t kNanosecondsPerLook = 20;
/// With more threads than processors: a spinning thread keeps a working one from its processor.
inline constexpr std::uint64_t kMostLooksWithoutRoom = 100;

struct Settings {
    ProgramInterface interface = ProgramInterface::gnu; ///< of the program that they are for
    std::vector<int> num_threads;                       ///< never empty after loading
    bool dynamic = false;
    int thread_limit = 0x7fffffff;
    int max_active_levels = 1;
    bool max_active_levels_given = false; ///< by its own variable or OMP_NESTED
    ScheduleKind schedule = ScheduleKind::dynamic;
    int schedule_chunk = 1; ///< 0: none
    bool schedule_monotonic = false;
    std::vector<ProcBind> proc_bind;
    std::string places;            ///< as given; empty: none
    std::vector<Place> place_list; ///< what it stands for; empty: none
    ProcBind teams_bind =
        ProcBind::spread; ///< where the teams of a league go, if threads are bound
    /// Whether threads of the program are given back all their processors after a region.
    bool resets_affinity = false;
    WaitPolicy wait_policy = WaitPolicy::unset;
    std::size_t stack_size = 0; ///< bytes
    bool cancellation = false;
    int max_task_priority = 0;
    DisplayEnv display_env = DisplayEnv::no;
    bool display_affinity = false;
    std::string affinity_format; ///< omp_set_affinity_format() changes it (affinity_format.h)
    int default_device = 0;
    TargetOffload target_offload = TargetOffload::default_;
    /// omp_default_mem_alloc; with traits, the predefined allocator of the memory space.
    std::uintptr_t default_allocator = 1;
    std::string allocator;    ///< OMP_ALLOCATOR as given
    int allocator_space = -1; ///< omp_memspace_handle_t when a memory space was given; -1: not
    /// omp_alloctrait_key_t and value, for omp_init_allocator().
    std::vector<std::pair<int, std::uintptr_t>> allocator_traits;
    Atomic<int> num_teams{0};          ///< nteams-var; omp_set_num_teams() changes it
    Atomic<int> teams_thread_limit{0}; ///< teams-thread-limit-var; likewise
    bool tool_enabled = true;
    std::string tool_libraries;
    std::string tool_verbose_init; ///< empty: disabled
    bool debug = false;
    std::uint64_t spin_count = 0;                ///< looks for work before sleeping
    std::uint64_t spin_count_oversubscribed = 0; ///< the same with more threads than processors
    /// Nanoseconds after which the helper polls (runtime/core/progress/poller.h); 0: there is none.
    std::int64_t progress_bound = 1'000'000;
    /// Nanoseconds of idleness after which pollers are told that the program is stuck; 0: never.
    std::int64_t stuck_after = 600'000'000'000;
    TaskOrder task_order = TaskOrder::lifo;
    /// Threads that share one of these share a queue of new tasks.
    MachineLevel new_tasks = MachineLevel::thread;
    PriorityPreset priority_preset = PriorityPreset::none;
    PriorityValue priority_value = PriorityValue::hint;
    PriorityPropagation priority_propagation = PriorityPropagation::none;
    PriorityWhen priority_when = PriorityWhen::creation;
    std::size_t task_memory = 0;  ///< bytes; 0: a share of what the machine has
    bool producers_first = false; ///< creators neither run new tasks nor wait until few are ready
    int max_stacks = 0;           ///< of the pool of stacks; 0: as many as memory allows
    int max_tasks = 0;          ///< unfinished children of a task that creates them; 0: any number
    int device_operations = 64; ///< in flight at once
    MpiThreadLevel mpi_thread_level = MpiThreadLevel::multiple;
    bool spread_ranks = true; ///< ranks that may use the same processors divide them
    bool persistent = false;  ///< recognises repeated task graphs
    bool stats = false;
    bool verbose = false; ///< names variables that mean nothing here
};

/// Reads them first, if nobody has yet. Any thread.
const Settings &settings();
/// For the omp_set_*() routines that change device-wide values.
Settings &mutable_settings();

/// What settings() calls if nobody has read them: the start of the runtime, which defines this.
LOOMP_HIDDEN extern void (*const read_settings)();

/// Reads the environment (null: the process's); called once by initialize(). Each bad value gives
/// one line on stderr and its default.
void load_settings(const char *const *environment = nullptr,
                   ProgramInterface interface = program_interface());

/// Reads "NAME=value", or several with | between them (kmp_set_defaults()). Before the settings are
/// read, puts them into the environment; later, only those that are looked at each time can
/// change: those of teams, and OMP_TARGET_OFFLOAD. Others are left alone.
void adopt_settings(const std::string &assignments);

/// Notes that the program changed a device-wide setting, for displays.
void note_set_by_program(const char *name);
/// Whether the user has given it, or what implies it.
bool is_given(const char *name);

/// One line of the table as people see it.
struct SettingView {
    const char *name;
    std::string value;
    /// "default", "environment", "environment: <name>" if that is another one, "implied by <name>",
    /// "program".
    std::string origin;
    const char *expected; ///< what a right value is
    const char *doc;
    bool is_openmp; ///< listed by OMP_DISPLAY_ENV=true
};
std::vector<SettingView> describe_settings();

/// The initial values of the ICVs that environment variables set, in the format of OMP_DISPLAY_ENV
/// (OpenMP 5.2, 21.7); `verbose`: loomp's own settings too.
std::string format_env(bool verbose);
/// Prints that on stderr, in one write; as libomp lists them where its KMP_SETTINGS asked for it.
void display_env(bool verbose);

} // namespace loomp::core
