#include "fuzz/text_seeds.h"

#include <fstream>
#include <string>
#include <vector>

#include "runtime/core/environment/settings_table.h"

namespace loomp::fuzz {

namespace {

using Texts = std::vector<std::string>;

/// Each is an input; variables are separated by blanks here.
const Texts kEnvironments = {
    "OMP_DYNAMIC=true OMP_NESTED=.true. OMP_NUM_THREADS=4,3,2 OMP_SCHEDULE=nonmonotonic:guided,4",
    "OMP_PROC_BIND=spread,close OMP_PLACES={0:2:64}:3:2,!{2,66} OMP_STACKSIZE=512K",
    "OMP_WAIT_POLICY=passive OMP_THREAD_LIMIT=64 OMP_MAX_ACTIVE_LEVELS=2 OMP_NUM_TEAMS=3",
    "OMP_TEAMS_THREAD_LIMIT=5 OMP_CANCELLATION=1 OMP_DEFAULT_DEVICE=0 OMP_MAX_TASK_PRIORITY=9",
    "OMP_DISPLAY_AFFINITY=yes OMP_AFFINITY_FORMAT=%0.5L|%.8{host}|%%|%20A|%i "
    "OMP_TARGET_OFFLOAD=mandatory",
    "OMP_ALLOCATOR=omp_large_cap_mem_space:alignment=64,pool_size=1G,fallback=null_fb,pinned=true",
    "OMP_ALLOCATOR=omp_high_bw_mem_alloc OMP_TOOL=disabled OMP_TOOL_LIBRARIES=a.so:b.so",
    "OMP_TOOL_VERBOSE_INIT=stderr OMP_DEBUG=enabled OMP_DISPLAY_ENV=verbose LOOMP_VERBOSE=on",
    "LOOMP_SPIN=50us LOOMP_TEAMS_BIND=primary LOOMP_DYNAMIC_LOOPS=monotonic LOOMP_TASK_ORDER=fifo "
    "LOOMP_NEW_TASKS_SHARED_BY=numa_domain",
    "LOOMP_PRIORITY_PRESET=ma-2 LOOMP_PRIORITY_VALUE=max LOOMP_PRIORITY_PROPAGATION=equal "
    "LOOMP_PRIORITY_PROPAGATED_AT=idle",
    "LOOMP_TASK_MEMORY=adaptive LOOMP_MAX_TASKS=100 LOOMP_PRODUCERS_FIRST=true",
    "LOOMP_DEVICE_OPERATIONS=8 LOOMP_HW_SUBSET=1s,2c@1,1t LOOMP_MAX_STACKS=10 "
    "LOOMP_PERSISTENT=auto",
    "LOOMP_PROGRESS_BOUND=200us LOOMP_REPORT_STUCK_AFTER=60s LOOMP_MPI_THREAD_LEVEL=serialized "
    "LOOMP_SPREAD_RANKS=no LOOMP_MPI_PROVIDED_LEVEL=required LOOMP_MPI_COLLECTIVES=blocking "
    "LOOMP_MPI_CHECK=1 LOOMP_STATS=1",
    "GOMP_CPU_AFFINITY=0-3:2,7 GOMP_STACKSIZE=2m GOMP_SPINCOUNT=3k KMP_STACKSIZE=20000",
    "KMP_AFFINITY=granularity=fine,explicit,proclist=[{0,1},4],reset KMP_HW_SUBSET=:3c "
    "KMP_BLOCKTIME=infinite",
    "KMP_LIBRARY=turnaround KMP_DEVICE_THREAD_LIMIT=7 KMP_ALL_THREADS=8 KMP_MAX_THREADS=9 "
    "KMP_TEAMS_THREAD_LIMIT=6",
    "KMP_TEAMS_PROC_BIND=close KMP_ENABLE_TASK_THROTTLING=0 KMP_SETTINGS=1 KMP_DISP_NUM_BUFFERS=7 "
    "KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=1",
    "OMP_NUMTHREADS=4 OMP_NUM_THREADS_ALL=7 OMP_SCHEDULE_DEV=dynamic OMP_PLACES_DEV_2=cores(3) "
    "LOOMP_FOO=1",
    // A setting and another runtime's name for it.
    "OMP_PLACES=threads LOOMP_HW_SUBSET=1s,2c KMP_HW_SUBSET=:3c",
    "OMP_PROC_BIND=close KMP_AFFINITY=scatter OMP_PLACES=cores GOMP_CPU_AFFINITY=0-3",
    "OMP_STACKSIZE=1M GOMP_STACKSIZE=2m LOOMP_SPIN=9 GOMP_SPINCOUNT=3k OMP_WAIT_POLICY=active",
    "tasks,deletions,regions",
    "OMP_NUM_TEAMS=4|OMP_TEAMS_THREAD_LIMIT=3|OMP_TARGET_OFFLOAD=disabled",
};

const Texts kPlaces = {
    "threads",
    "cores(3)",
    "numa_domains",
    "{0:2:64}:4:2,!{2,66}",
    "{0,1},{3,2,4},{6,5,!6},{7:2:-1,!6}",
    "{6,7}:3:-2",
    "0 3 1-2 64-71:2",
    "2s,4c@1,1t",
    ":3c",
    "1nx2l3",
    "*cores,1t@1",
    "verbose,granularity=fine,compact,1,0",
    "granularity=socket,scatter,reset",
    "explicit,proclist=[{0,1},{2:3}]",
    "explicit,proclist=[0-3:2,7]",
};

const Texts kPlaceWords = {"threads",   "cores",   "ll_caches",    "numa_domains", "sockets",
                           "explicit",  "compact", "scatter",      "none",         "reset",
                           "proclist=", "fine",    "granularity=", "1048575",      ":9",
                           ":2:-1",     "!{0}",    ",!1",          "{0:64}",       "0-71"};

const Texts kSettingWords = {
    "=true",
    "=false",
    "infinite",
    "adaptive",
    "monotonic:",
    "static",
    "dynamic",
    "guided",
    "auto",
    "spread",
    "close",
    "primary",
    "2147483647",
    "4294967296",
    "T",
    "G",
    "ms",
    "us",
    "alignment=",
    "pool_size=",
    "fallback=",
    "fb_data=",
    "pinned=",
    "partition",
    "sync_hint=",
    "access=",
    "_DEV",
    "_DEV_",
    "_ALL",
    "%0.20",
    "%{host}",
    "%4096A",
    "18446744073709551615",
    "omp_const_mem_alloc",
    "omp_low_lat_mem_space",
};

void write_inputs(const std::filesystem::path &folder, const Texts &texts, char separator) {
    std::filesystem::create_directories(folder);
    int number = 0;
    for (std::string text : texts) {
        if (separator != ' ')
            for (char &c : text)
                c = c == ' ' ? separator : c;
        std::ofstream(folder / std::to_string(number++), std::ios::binary) << text;
    }
}

/// Writes the words in the form of libFuzzer's option -dict=.
void write_words(const std::filesystem::path &file, const Texts &words) {
    std::ofstream out(file);
    for (const std::string &word : words)
        out << '"' << word << "\"\n";
}

} // namespace

void write_text_seeds(const std::filesystem::path &folder) {
    write_inputs(folder / "settings", kEnvironments, '\0');
    write_inputs(folder / "places", kPlaces, ' ');
    write_words(folder / "places.words", kPlaceWords);
    Texts words = kSettingWords;
    words.insert(words.end(), kPlaceWords.begin(), kPlaceWords.end());
    for (const core::Setting &setting : core::setting_rows())
        words.push_back(setting.name + std::string("="));
    for (const core::ForeignSetting &foreign : core::foreign_rows())
        words.push_back(foreign.name + std::string("="));
    write_words(folder / "settings.words", words);
}

} // namespace loomp::fuzz
