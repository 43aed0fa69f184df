#include "mpi/start/library_start.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mpi.h>
#include <string>
#include <vector>

#include "loomp/experimental.h"
#include "mpi/adapters/mpi_library.h"
#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/interception.h"

namespace loomp::mpi {

namespace {

// Only one thread starts MPI.
bool is_starting = false;
int level_to_start = MPI_THREAD_SINGLE;

/// The library, or a tool, starts MPI while an object exists.
class Starting {
  public:
    explicit Starting(int level) {
        is_starting = true;
        level_to_start = level;
    }
    ~Starting() { is_starting = false; }
    Starting(const Starting &) = delete;
    Starting &operator=(const Starting &) = delete;

  private:
    const InsideTool inside_;
};

/// While it exists, MPI_Init provides this level, if the library can.
class LevelOfInit {
  public:
    explicit LevelOfInit(int level) : had_(std::getenv(variable()) != nullptr) {
        const bool is_multiple = level == MPI_THREAD_MULTIPLE;
        if (is_openmpi())
            setenv(variable(), is_multiple ? "3" : "2", 0);
        else
            setenv(variable(), is_multiple ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_SERIALIZED", 0);
    }
    ~LevelOfInit() {
        if (!had_)
            unsetenv(variable());
    }
    LevelOfInit(const LevelOfInit &) = delete;
    LevelOfInit &operator=(const LevelOfInit &) = delete;

  private:
    static const char *variable() {
        return is_openmpi() ? "OMPI_MPI_THREAD_LEVEL" : "MPIR_CVAR_DEFAULT_THREAD_LEVEL";
    }
    const bool had_;
};

std::string how_to_order(const std::string &file) {
    return file.empty() ? "link the program with a shared library that has the tool"
                        : "preload it after the layer (LD_PRELOAD=" + file +
                              " loomp run ...), or link the program with it";
}

std::string and_more(std::size_t others) {
    return others == 0 ? "" : " and " + std::to_string(others) + " more";
}

const char *named(const std::string &file) { return file.empty() ? "the program" : file.c_str(); }

} // namespace

bool is_starting_library() { return is_starting; }
void *librarys_start(const char *name) { return dlsym(RTLD_NEXT, name); }

int start_library(int *argc, char ***argv, int asked, int *provided, bool by_init) {
    const Starting starting(asked);
    if (tool_has("MPI_Init_thread"))
        return next_function("MPI_Init_thread", &MPI_Init_thread)(argc, argv, asked, provided);
    if (!by_init || !tool_has("MPI_Init"))
        return PMPI_Init_thread(argc, argv, asked, provided);
    const LevelOfInit level(asked);
    const int error = next_function("MPI_Init", &MPI_Init)(argc, argv);
    if (error == MPI_SUCCESS)
        PMPI_Query_thread(provided);
    return error;
}

int start_for_tool(int *argc, char ***argv, int asked, int *provided) {
    return PMPI_Init_thread(argc, argv, std::max(asked, level_to_start), provided);
}

int start_library_alone(int *argc, char ***argv) {
    const Starting starting(MPI_THREAD_SINGLE);
    return tool_has("MPI_Init") ? next_function("MPI_Init", &MPI_Init)(argc, argv)
                                : PMPI_Init(argc, argv);
}

void report_start_in_front() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::vector<ToolFunction> found =
        find_in_front({"MPI_Init", "MPI_Init_thread", "mpi_init_", "mpi_init_thread_"});
    if (found.empty())
        return;
    note_start();
    if (rank != 0)
        return;
    std::fprintf(stderr,
                 "loomp: %s of %s comes before the MPI layer, which is off therefore: MPI calls in "
                 "tasks hold their threads; %s\n",
                 found.front().name, named(found.front().file),
                 how_to_order(found.front().file).c_str());
}

void report_tools_in_front() {
#define LOOMP_NAME(NAME) "MPI_" #NAME,
    const std::vector<ToolFunction> found = find_in_front({LOOMP_WAITING_CALLS(LOOMP_NAME)});
#undef LOOMP_NAME
    if (found.empty())
        return;
    const std::string others = and_more(found.size() - 1);
    std::fprintf(stderr,
                 "loomp: %s%s of %s come%s before the MPI layer: these calls hold their threads in "
                 "tasks; %s\n",
                 found.front().name, others.c_str(), named(found.front().file),
                 others.empty() ? "s" : "", how_to_order(found.front().file).c_str());
}

void report_unseen_calls() {
#define LOOMP_PAIR(NAME, BY) {"MPI_" #NAME, "MPI_" #BY},
    std::vector<Unseen> found = find_unseen({LOOMP_MADE_CALLS(LOOMP_PAIR)});
    if (loomp_mpi_blocking_collectives() == 0) {
        const std::vector<Unseen> more = find_unseen({LOOMP_MADE_COLLECTIVES(LOOMP_PAIR)});
        found.insert(found.end(), more.begin(), more.end());
    }
#undef LOOMP_PAIR
    if (found.empty())
        return;
    std::fprintf(stderr,
                 "loomp: %s lacks %s%s, which the MPI layer makes of the program's %s%s: the tool "
                 "does not see these calls (docs/mpi.md)\n",
                 named(found.front().file), found.front().pair.by,
                 found.size() > 1 ? " and others" : "", found.front().pair.call,
                 and_more(found.size() - 1).c_str());
}

} // namespace loomp::mpi
