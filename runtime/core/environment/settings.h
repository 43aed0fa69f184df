// Every setting of the runtime that a user can put in the environment, declared once.
//
// The table in settings_table.cpp gives each its name, parser, default and doc line; messages,
// `loomp info`, OMP_DISPLAY_ENV and the manual come from it. To add one: a field in the header of
// its subject (*_settings.h), or here if few sources read it, and a row there.
// Read once: when the library is loaded, or, for a program that knows libomp, when it first uses
// OpenMP. Constant afterwards, except the few fields that omp_set_*() routines change for the whole
// device (noted).
//
// A source that needs one subject includes only that header, and headers of other layers none with
// settings: so a new field compiles few sources.
#pragma once

#include <string>
#include <vector>

#include "platform/common.h"
#include "runtime/core/environment/device_settings.h"
#include "runtime/core/environment/memory_settings.h"
#include "runtime/core/environment/program_interface.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/environment/team_settings.h"
#include "runtime/core/environment/waiting_settings.h"

namespace loomp::core {

/// The last: as libomp's KMP_SETTINGS has it.
enum class DisplayEnv : int { no, yes, verbose, effective };
/// The thread level that the MPI layer asks for; the numbers are loomp_mpi_thread_level()'s.
enum class MpiThreadLevel : int { serialized = 2, multiple };
/// The form in which the MPI layer makes the program's blocking collectives.
enum class MpiCollectives : int { nonblocking, blocking };
/// The thread level that MPI_Init_thread returns to the program.
enum class MpiProvided : int { highest, required };

struct Settings : TeamSettings, TaskSettings, MemorySettings, WaitingSettings, DeviceSettings {
    ProgramInterface interface = ProgramInterface::gnu; ///< the interface of their program
    DisplayEnv display_env = DisplayEnv::no;
    bool display_affinity = false;
    std::string affinity_format; ///< omp_set_affinity_format() changes it (affinity_format.h)
    bool tool_enabled = true;
    std::string tool_libraries;
    std::string tool_verbose_init; ///< empty: disabled
    bool debug = false;
    MpiThreadLevel mpi_thread_level = MpiThreadLevel::multiple;
    MpiProvided mpi_provided = MpiProvided::highest;
    MpiCollectives mpi_collectives = MpiCollectives::nonblocking;
    bool spread_ranks = true; ///< ranks that may use the same processors divide them
    bool verbose = false;     ///< names variables that mean nothing here
    bool mpi_check = false;   ///< the MPI layer compares the collectives that ranks call
};

/// Reads them first, if nobody has yet, as the functions of single subjects do. Any thread.
const Settings &settings();
/// Reads them if no thread has begun to, and returns whether they are known: they are not during
/// the runtime's start, whose allocations may ask. For inquiries.
bool settings_are_known();
/// The start begins, before anything that may allocate.
void note_start();
/// For the omp_set_*() routines that change device-wide values.
Settings &mutable_settings();

/// settings() calls it if no thread has read them. The start of the runtime defines it.
LOOMP_HIDDEN extern void (*const read_settings)();

/// Reads the environment (null: the process's); initialize() calls it once. Each bad value causes
/// one line on stderr and is replaced by the default.
void load_settings(const char *const *environment = nullptr,
                   ProgramInterface interface = program_interface());

/// Reads "NAME=value", or several with | between them (kmp_set_defaults()). Before the settings are
/// read, it puts them into the environment. Later, it changes only settings that are read at each
/// use: those of teams, and OMP_TARGET_OFFLOAD. Other settings stay unchanged.
void adopt_settings(const std::string &assignments);

/// Records that the program changed a device-wide setting, for displays.
void note_set_by_program(const char *name);
/// Returns whether the user has given the setting, or another one that implies it.
bool is_given(const char *name);

/// One line of the table as people see it.
struct SettingView {
    const char *name;
    std::string value;
    /// "default", "environment", "environment: <name>" if the name is another one, "implied by
    /// <name>", "program".
    std::string origin;
    const char *expected; ///< describes valid values
    const char *doc;
    bool is_openmp; ///< listed by OMP_DISPLAY_ENV=true
};
std::vector<SettingView> describe_settings();

/// Formats the initial values of the ICVs that environment variables set, in the format of
/// OMP_DISPLAY_ENV (OpenMP 5.2, 21.7). `verbose` adds loomp's own settings.
std::string format_env(bool verbose);
/// Prints format_env() on stderr in one write. Uses libomp's list format if KMP_SETTINGS requested
/// it.
void display_env(bool verbose);

} // namespace loomp::core
