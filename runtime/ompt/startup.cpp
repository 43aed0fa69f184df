// The life of a tool: search, start and end (OpenMP 5.2, 19.2).
//
// The search begins when the first thread calls OpenMP, not when libloomp is loaded: a tool inside
// the program may use its own static objects. The order is: ompt_start_tool in the process, the
// libraries of OMP_TOOL_LIBRARIES, and Archer if ThreadSanitizer runs. libomp searches for Archer,
// too.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <strings.h>
#include <unistd.h>

#include "platform/diagnostics.h"
#include "platform/export.h"
#include "platform/system_mutex.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/regions/thread.h"
#include "runtime/ompt/ompt.h"

namespace {

using StartTool = ompt_start_tool_result_t *(*)(unsigned, const char *);

constexpr unsigned kOpenMPVersion = 202111;
constexpr const char *kRuntimeVersion = "loomp " LOOMP_VERSION;

} // namespace

// Programs and libraries that search for a tool's start function find this one if no tool exists.
// It calls the next definition, in a library after this one.
LOOMP_EXPORT ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    const auto next = reinterpret_cast<StartTool>(dlsym(RTLD_NEXT, "ompt_start_tool"));
    return next != nullptr ? next(version, runtime) : nullptr;
}

namespace loomp::ompt {

namespace {

ompt_start_tool_result_t *tool = nullptr;

// --- The log of OMP_TOOL_VERBOSE_INIT ------------------------------------------------------------

class Log {
  public:
    Log() {
        const std::string &where = core::settings().tool_verbose_init;
        if (where.empty())
            return;
        if (strcasecmp(where.c_str(), "stdout") == 0) {
            file_ = stdout;
        } else if (strcasecmp(where.c_str(), "stderr") == 0) {
            file_ = stderr;
        } else {
            file_ = std::fopen(where.c_str(), "w");
            owned_ = file_ != nullptr;
            if (!owned_)
                core::warn("OMP_TOOL_VERBOSE_INIT: cannot write to %s; expected stdout, stderr or "
                           "a file",
                           where.c_str());
        }
        line("----- OMPT: looking for a tool -----");
    }
    ~Log() {
        line("----- OMPT: %s -----", tool != nullptr ? "tool attached" : "no tool");
        if (owned_)
            std::fclose(file_);
        else if (file_ != nullptr)
            std::fflush(file_);
    }
    Log(const Log &) = delete;
    Log &operator=(const Log &) = delete;

    __attribute__((format(printf, 2, 3))) void line(const char *format, ...) const {
        if (file_ == nullptr)
            return;
        va_list list;
        va_start(list, format);
        std::vfprintf(file_, format, list);
        va_end(list);
        std::fputc('\n', file_);
    }

  private:
    std::FILE *file_ = nullptr;
    bool owned_ = false;
};

// --- Search
// ----------------------------------------------------------------------------------------

ompt_start_tool_result_t *start(StartTool fn, const char *where, const Log &log) {
    ompt_start_tool_result_t *result = fn(kOpenMPVersion, kRuntimeVersion);
    log.line("%s: ompt_start_tool %s", where,
             result != nullptr ? "started a tool" : "found none that wants to be active");
    return result;
}

/// Finds libloomp's own definition if there is no tool.
ompt_start_tool_result_t *find_in_process(const Log &log) {
    const auto fn = reinterpret_cast<StartTool>(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
    return fn != nullptr ? start(fn, "the process", log) : nullptr;
}

/// Returns null if it cannot be loaded.
void *load(const char *name, const Log &log) {
    void *library = dlopen(name, RTLD_LAZY);
    if (library == nullptr)
        log.line("%s: cannot be loaded: %s", name, dlerror());
    return library;
}

/// Unloads a library whose tool declines.
ompt_start_tool_result_t *find_in_library(void *library, const char *name, const Log &log) {
    const auto fn = reinterpret_cast<StartTool>(dlsym(library, "ompt_start_tool"));
    ompt_start_tool_result_t *result = nullptr;
    if (fn != nullptr)
        result = start(fn, name, log);
    else
        log.line("%s: has no ompt_start_tool", name);
    if (result == nullptr)
        dlclose(library);
    return result;
}

ompt_start_tool_result_t *find_in_list(const std::string &list, const Log &log) {
    for (std::size_t at = 0; at < list.size();) {
        std::size_t end = list.find(':', at);
        if (end == std::string::npos)
            end = list.size();
        const std::string name = list.substr(at, end - at);
        at = end + 1;
        if (name.empty())
            continue;
        void *library = load(name.c_str(), log);
        if (library == nullptr)
            continue;
        if (ompt_start_tool_result_t *result = find_in_library(library, name.c_str(), log))
            return result;
    }
    return nullptr;
}

#ifdef __SANITIZE_THREAD__
/// ThreadSanitizer sees the synchronisation of a libloomp that is built for it.
constexpr bool kNeedsArcher = false;
#else
constexpr bool kNeedsArcher = true;
#endif

/// Archer tells ThreadSanitizer how OpenMP orders the program's accesses. Debian installs it, with
/// each version of LLVM, in a folder that the dynamic linker does not search.
ompt_start_tool_result_t *find_archer(const Log &log) {
    if (!kNeedsArcher || !runs_with_thread_sanitizer())
        return nullptr;
    char path[64] = "libarcher.so";
    void *library = load(path, log);
    for (int version = 99; library == nullptr && version > 10; --version) {
        std::snprintf(path, sizeof path, "/usr/lib/llvm-%d/lib/libarcher.so", version);
        if (access(path, R_OK) == 0)
            library = load(path, log);
    }
    if (library != nullptr)
        return find_in_library(library, path, log);
    core::warn("ThreadSanitizer runs without Archer (libarcher.so of the package libomp-N-dev), so "
               "it reports races where OpenMP orders the accesses");
    return nullptr;
}

ompt_start_tool_result_t *find(const Log &log) {
    if (ompt_start_tool_result_t *result = find_in_process(log))
        return result;
    if (ompt_start_tool_result_t *result = find_in_list(core::settings().tool_libraries, log))
        return result;
    return find_archer(log);
}

// --- Starting and ending -------------------------------------------------------------------------

bool is_outside_regions(const Worker &worker) {
    return worker.member != nullptr && worker.root_team != nullptr &&
           worker.member->team == worker.root_team;
}

/// The tool has been called back from inside the runtime.
bool is_in_runtime(const Worker &worker) {
    const Task *task = task_of(worker);
    return task == nullptr || (task->tool != nullptr && task->tool->frame.enter.value != 0);
}

/// Ends threads that wait for work, so that the tool sees each end. The calling thread may never
/// have used OpenMP. Threads inside a region do not wait for work and stay.
void end_threads(Worker *worker) {
    if (worker != nullptr && !is_outside_regions(*worker))
        return;
    if (worker != nullptr)
        core::retire_teams(*worker);
    core::end_idle_threads();
}

void detach() {
    core::tool_enabled = false;
    tool->finalize(&tool->tool_data);
    tool = nullptr;
}

void at_exit() {
    if (!core::tool_enabled)
        return;
    Worker *worker = Worker::current_or_null();
    end_threads(worker);
    if (worker != nullptr && is_outside_regions(*worker)) {
        core::dissolve_root(*worker);
        // Later destructors that call OpenMP then find a thread without a tool.
        Worker::set_current(nullptr);
    }
    detach();
}

void attach(ompt_start_tool_result_t *found, const Log &log) {
    hook_regions(core::tool_hooks);
    hook_tasks(core::tool_hooks);
    hook_work(core::tool_hooks);
    hook_mutexes(core::tool_hooks);
    hook_race_detector(core::tool_hooks);
    if (found->initialize(lookup, 0, &found->tool_data) == 0) {
        log.line("the tool's initializer does not want it to be active");
        tool_declined = true;
        return;
    }
    tool = found;
    core::tool_enabled = true;
    // Registered now, so that at_exit() runs before the destructors on which the tool relies.
    std::atexit(at_exit);
}

} // namespace

void finalize_tool() {
    if (!core::tool_enabled)
        return;
    Worker *worker = Worker::current_or_null();
    if (worker == nullptr || !is_in_runtime(*worker)) {
        end_threads(worker);
        if (worker != nullptr && is_outside_regions(*worker)) {
            core::tool_hooks.implicit_end(worker->member->implicit, 1, 1);
            core::tool_hooks.thread_end(*worker);
        }
    }
    detach();
}

} // namespace loomp::ompt

namespace loomp::core {

void stop_tool() { ompt::finalize_tool(); }

void start_tool() {
    static loomp::OnceFlag once;
    // A tool that calls OpenMP while it starts finds a runtime without a tool.
    static LOOMP_THREAD_LOCAL bool starting = false;
    if (starting)
        return;
    starting = true;
    loomp::call_once(once, [] {
        if (!settings().tool_enabled)
            return;
        const ompt::Log log;
        if (ompt_start_tool_result_t *found = ompt::find(log))
            ompt::attach(found, log);
    });
    starting = false;
}

} // namespace loomp::core

using namespace loomp;

/// omp_control_tool_result_t
enum : int { kControlNoTool = -2, kControlNoCallback = -1 };

LOOMP_EXPORT int omp_control_tool(int command, int modifier, void *argument) {
    core::Worker::current(); // a tool may exist after this call
    LOOMP_TOOL_ENTRY();
    if (!core::tool_enabled)
        return kControlNoTool;
    const ompt_callback_t callback = ompt::callbacks[ompt_callback_control_tool];
    if (callback == nullptr)
        return kControlNoCallback;
    return reinterpret_cast<ompt_callback_control_tool_t>(callback)(
        static_cast<std::uint64_t>(command), static_cast<std::uint64_t>(modifier), argument,
        __builtin_return_address(0));
}
LOOMP_EXPORT int omp_control_tool_(const int *command, const int *modifier, void *argument) {
    return omp_control_tool(*command, *modifier, argument);
}

/// Connects libomptarget to the tool: libomptarget gets its callbacks from the lookup function.
LOOMP_EXPORT void ompt_libomp_connect(ompt_start_tool_result_t *result) {
    core::Worker::current();
    if (core::tool_enabled && result != nullptr)
        result->initialize(ompt::lookup_of_libomptarget, 0, nullptr);
}
