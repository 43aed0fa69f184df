// The environment's values, the settings they produce, and the messages about wrong values.
#include "runtime/core/environment/settings.h"

#include <climits>
#include <initializer_list>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/environment/settings_table.h"
#include "runtime/core/environment/topology.h"

namespace loomp::core {
namespace {

class SettingsTest : public testing::Test {
  protected:
    void TearDown() override { load_settings(); }

    /// Loads an environment of only these variables; returns the output on stderr.
    static std::string load(std::initializer_list<const char *> variables,
                            ProgramInterface interface = ProgramInterface::gnu) {
        std::vector<const char *> environment(variables);
        environment.push_back(nullptr);
        testing::internal::CaptureStderr();
        load_settings(environment.data(), interface);
        return testing::internal::GetCapturedStderr();
    }
    static SettingView view(const std::string &name) {
        for (const SettingView &v : describe_settings())
            if (name == v.name)
                return v;
        ADD_FAILURE() << "no setting " << name;
        return {};
    }
    static std::string value(const std::string &name) { return view(name).value; }
    static std::string origin(const std::string &name) { return view(name).origin; }
    static std::string processors() { return std::to_string(usable_processors()); }
};

TEST_F(SettingsTest, EmptyEnvironmentIsSilentAndGivesDefaults) {
    EXPECT_EQ(load({}), "");
    const Settings &s = settings();
    EXPECT_EQ(s.num_threads, std::vector<int>{static_cast<int>(usable_processors())});
    EXPECT_EQ(s.max_active_levels, 1);
    EXPECT_FALSE(s.max_active_levels_given);
    EXPECT_EQ(s.schedule, ScheduleKind::dynamic);
    EXPECT_TRUE(s.proc_bind.empty());
    EXPECT_TRUE(s.place_list.empty());
    EXPECT_GE(s.stack_size, std::size_t{256} << 10);
    EXPECT_EQ(s.default_allocator, 1U);
    for (const SettingView &v : describe_settings())
        EXPECT_EQ(v.origin, "default") << v.name;
}

TEST_F(SettingsTest, ProgramsBuiltForLibompHaveItsDefaults) {
    constexpr auto llvm = ProgramInterface::llvm;
    EXPECT_EQ(load({}, llvm), "");
    EXPECT_EQ(settings().schedule, ScheduleKind::static_);
    EXPECT_EQ(settings().schedule_chunk, 0);
    EXPECT_FALSE(settings().schedule_monotonic);
    EXPECT_EQ(settings().affinity_format, "OMP: pid %P tid %i thread %n bound to OS proc set {%A}");
    load({"OMP_SCHEDULE=static_steal,4"}, llvm);
    EXPECT_EQ(settings().schedule, ScheduleKind::dynamic);
    EXPECT_EQ(settings().schedule_chunk, 4);
    load({"OMP_SCHEDULE=trapezoidal"}, llvm);
    EXPECT_EQ(settings().schedule, ScheduleKind::trapezoidal);
    EXPECT_EQ(value("OMP_SCHEDULE"), "TRAPEZOIDAL");
    EXPECT_EQ(load({"OMP_DYNAMIC=maybe"}, llvm).rfind("OMP: Warning #42: OMP_DYNAMIC=maybe: ", 0),
              0U);
    load({"OMP_PLACES=nowhere"}, llvm);
    EXPECT_EQ(settings().places, "cores");
    load({"OMP_PLACES=threads("}, llvm);
    EXPECT_EQ(settings().places, "threads");
}

TEST_F(SettingsTest, LibompsVariables) {
    load({"KMP_TEAMS_PROC_BIND=close", "KMP_ENABLE_TASK_THROTTLING=1",
          "KMP_AFFINITY=reset,granularity=thread,compact"});
    EXPECT_EQ(settings().teams_bind, ProcBind::close);
    EXPECT_EQ(origin("LOOMP_TEAMS_BIND"), "environment: KMP_TEAMS_PROC_BIND");
    EXPECT_EQ(settings().max_tasks, 256);
    EXPECT_TRUE(settings().resets_affinity);
    EXPECT_FALSE(settings().producers_first);
    load({"KMP_ENABLE_TASK_THROTTLING=0"});
    EXPECT_EQ(settings().max_tasks, 0);
    EXPECT_TRUE(settings().producers_first);
    EXPECT_EQ(load({"KMP_DISP_NUM_BUFFERS=7"}), "");
    EXPECT_EQ(load({"KMP_DISP_NUM_BUFFERS=0"}),
              "loomp: KMP_DISP_NUM_BUFFERS=0: too small, which libomp takes from 1 to 4096; "
              "loomp needs none\n");
    EXPECT_NE(load({"KMP_DISP_NUM_BUFFERS=4097"}).find("too large"), std::string::npos);
    EXPECT_NE(load({"KMP_DISP_NUM_BUFFERS=many"}).find("not a number"), std::string::npos);
}

TEST_F(SettingsTest, TimesAndCountsBeyondAllBoundsAreInfinite) {
    EXPECT_EQ(load({"LOOMP_PROGRESS_BOUND=9300000000000000000ns"}), "");
    EXPECT_EQ(settings().progress_bound, 0);
    EXPECT_EQ(value("LOOMP_PROGRESS_BOUND"), "INFINITE");
    EXPECT_EQ(load({"LOOMP_REPORT_STUCK_AFTER=9300000000s"}), "");
    EXPECT_EQ(settings().stuck_after, 0);
    EXPECT_EQ(load({"GOMP_SPINCOUNT=2000000000T"}), "");
    EXPECT_EQ(settings().spin_count, kSpinForever);
}

TEST_F(SettingsTest, AnEntryMayHaveNoValue) {
    EXPECT_EQ(load({"KMP_DISP_NUM_BUFFERS", "OMP_NUM_THREADS", "", "="}), "");
}

TEST_F(SettingsTest, AValueThatIsNoneChangesNothing) {
    load({"KMP_AFFINITY=reset,granularity=nothing,compact"});
    EXPECT_FALSE(settings().resets_affinity);
    load({"KMP_AFFINITY=reset,none"});
    EXPECT_TRUE(settings().resets_affinity);
}

TEST_F(SettingsTest, SomeAreAdoptedLate) {
    load({});
    adopt_settings("OMP_TARGET_OFFLOAD=mandatory");
    EXPECT_EQ(settings().target_offload, TargetOffload::mandatory);
    EXPECT_EQ(origin("OMP_TARGET_OFFLOAD"), "program");
    adopt_settings("OMP_NUM_THREADS=77");
    EXPECT_NE(settings().num_threads, std::vector<int>{77}) << "threads have read it";
    adopt_settings("OMP_NUM_TEAMS=3|OMP_TEAMS_THREAD_LIMIT=4");
    EXPECT_EQ(settings().num_teams, 3);
    EXPECT_EQ(settings().teams_thread_limit, 4);
    adopt_settings("nonsense");
}

TEST_F(SettingsTest, EveryShownValueReadsBackAsItself) {
    load({"OMP_SCHEDULE=nonmonotonic:static,7", "OMP_STACKSIZE=20000B",
          "OMP_PROC_BIND=spread,close", "OMP_PLACES=threads", "OMP_NUM_THREADS=3,2",
          "OMP_WAIT_POLICY=active", "OMP_DISPLAY_ENV=false"});
    for (const Setting &setting : setting_rows()) {
        const std::string shown = setting.show(settings());
        if (shown.empty() || shown == "0")
            continue;
        Settings again;
        set_defaults(again);
        std::string why;
        EXPECT_TRUE(setting.parse(again, shown, why)) << setting.name << "=" << shown << why;
        EXPECT_EQ(setting.show(again), shown) << setting.name;
    }
}

TEST_F(SettingsTest, EachBadValueGivesOneLineAndADefault) {
    const std::string number =
        "not a positive integer or a list of them; using " + processors() +
        " (number of processors, or what the control group's quota allows)\n";
    const struct {
        const char *variable;
        std::string said;
    } cases[] = {
        {"OMP_NUM_THREADS=abc", number},
        {"OMP_NUM_THREADS=0", number},
        {"OMP_NUM_THREADS=-3", number},
        {"OMP_NUM_THREADS=99999999999", number},
        {"OMP_NUM_THREADS=99999999999999999999999999", number},
        {"OMP_NUM_THREADS=4x", number},
        {"OMP_NUM_THREADS=4,", number},
        {"OMP_NUM_THREADS=4,,2", number},
        {"OMP_NUM_THREADS=", number},
        {"OMP_NUM_THREADS= ", number},
        {"OMP_SCHEDULE=fastest",
         "\"fastest\" is none of static, dynamic, guided, auto; using DYNAMIC\n"},
        {"OMP_SCHEDULE=dynamic,-1", "the chunk is not a positive integer; using DYNAMIC\n"},
        {"OMP_SCHEDULE=static,2,2", "the chunk is not a positive integer; using DYNAMIC\n"},
        {"OMP_SCHEDULE=mono:static",
         "\"mono\" is neither monotonic nor nonmonotonic; using DYNAMIC\n"},
        {"OMP_PROC_BIND=true,close",
         "not true, false, or a list of primary, close, spread; using FALSE\n"},
        {"OMP_DYNAMIC=maybe", "not true or false; using FALSE\n"},
        {"OMP_MAX_ACTIVE_LEVELS=-1", "not an integer of at least 0; using 1\n"},
        {"OMP_THREAD_LIMIT=0", "not a positive integer; using 2147483647\n"},
        {"OMP_WAIT_POLICY=lazy", "not active or passive; using PASSIVE\n"},
        {"OMP_TARGET_OFFLOAD=yes", "not default, disabled or mandatory; using DEFAULT\n"},
        {"OMP_TOOL=on", "not enabled or disabled; using ENABLED\n"},
        {"OMP_DISPLAY_ENV=loud", "not true, false or verbose; using FALSE\n"},
        {"OMP_ALLOCATOR=malloc", "\"malloc\" is neither a predefined allocator nor a memory space; "
                                 "using omp_default_mem_alloc\n"},
        {"OMP_ALLOCATOR=omp_default_mem_space:alignment=3",
         "\"alignment=3\" is no trait with a value it can have; using omp_default_mem_alloc\n"},
        {"OMP_ALLOCATOR=omp_null_allocator",
         "a program needs an allocator; using omp_default_mem_alloc\n"},
        {"OMP_PLACES=rooms",
         "\"rooms\" is none of threads, cores, ll_caches, numa_domains, sockets; "
         "using none\n"},
        {"OMP_PLACES=", "is empty; using none\n"},
        {"OMP_PLACES={0", "lacks a closing brace; using none\n"},
        {"OMP_PLACES={0}}", "cannot make sense of \"}\"; using none\n"},
        {"OMP_PLACES=cores(0)", "the count in parentheses is not a positive integer; using none\n"},
        {"KMP_AFFINITY=sideways",
         "not none, compact, scatter, balanced, or explicit with a proclist; using FALSE\n"},
        {"KMP_AFFINITY=granularity=room,compact", "\"room\" is no granularity; using FALSE\n"},
        {"GOMP_CPU_AFFINITY=3-1", "not a range from low to high; using none\n"},
        {"LOOMP_HW_SUBSET=1c,1c", "names cores twice; using none\n"},
        {"LOOMP_TASK_ORDER=random", "not lifo or fifo; using LIFO\n"},
        {"LOOMP_SPIN=-1", "not a number of looks for work, a time such as 50us, or infinite; using "
                          "100000 (by OMP_WAIT_POLICY)\n"},
    };
    for (const auto &c : cases) {
        const std::string said = load({c.variable});
        EXPECT_EQ(said.substr(0, said.size() - 1).find('\n'), std::string::npos) << said;
        EXPECT_EQ(said.find("loomp: " + std::string(c.variable) + ": " + c.said), 0U) << said;
        EXPECT_EQ(settings().num_threads[0], static_cast<int>(usable_processors()));
        EXPECT_TRUE(settings().place_list.empty());
        for (const SettingView &v : describe_settings())
            EXPECT_EQ(v.origin, "default") << v.name << " after " << c.variable;
    }
}

TEST_F(SettingsTest, StrangeTextStaysOnOneShortLine) {
    const std::string longest = "OMP_SCHEDULE=" + std::string(100000, 'x') + "\n\ny";
    const std::string said = load({longest.c_str()});
    EXPECT_LT(said.size(), 600U);
    EXPECT_EQ(said.find('\n'), said.size() - 1);
    EXPECT_EQ(load({"OMP_NUM\nTHREADS=4"}),
              "loomp: OMP_NUM?THREADS: unknown setting; did you mean OMP_NUM_THREADS?\n");
}

TEST_F(SettingsTest, StackSizesHaveUnitsAndAreClamped) {
    const struct {
        const char *variable;
        std::size_t bytes;
    } cases[] = {{"OMP_STACKSIZE=512", 512 << 10}, {"OMP_STACKSIZE=20000B", 20000},
                 {"OMP_STACKSIZE=64k", 64 << 10},  {"OMP_STACKSIZE= 4 M ", 4 << 20},
                 {"GOMP_STACKSIZE=1024", 1 << 20}, {"KMP_STACKSIZE=1048576", 1 << 20},
                 {"OMP_STACKSIZE_ALL=2m", 2 << 20}};
    for (const auto &c : cases) {
        EXPECT_EQ(load({c.variable}), "");
        EXPECT_EQ(settings().stack_size, c.bytes) << c.variable;
    }
    for (const char *huge : {"OMP_STACKSIZE=999999T", "OMP_STACKSIZE=99999999999999999999999999"}) {
        EXPECT_NE(load({huge}).find("more than this machine or its limits"), std::string::npos);
        EXPECT_EQ(settings().stack_size, largest_stack());
    }
    EXPECT_EQ(load({"OMP_STACKSIZE=1"}),
              "loomp: OMP_STACKSIZE=1: less than a task can run on; using 16K\n");
    EXPECT_NE(load({"OMP_STACKSIZE=8Q"}), "");
}

TEST_F(SettingsTest, SchedulesHaveModifiersAndChunks) {
    const struct {
        const char *variable;
        ScheduleKind kind;
        int chunk;
        bool monotonic;
        const char *shown;
    } cases[] = {
        {"OMP_SCHEDULE=static", ScheduleKind::static_, 0, true, "STATIC"},
        {"OMP_SCHEDULE=STATIC , 1", ScheduleKind::static_, 1, true, "STATIC,1"},
        {"OMP_SCHEDULE=nonmonotonic:static,4", ScheduleKind::static_, 4, false,
         "NONMONOTONIC:STATIC,4"},
        {"OMP_SCHEDULE=dynamic", ScheduleKind::dynamic, 1, false, "DYNAMIC"},
        {"OMP_SCHEDULE=monotonic : dynamic,8", ScheduleKind::dynamic, 8, true,
         "MONOTONIC:DYNAMIC,8"},
        // libgomp takes 0 for none.
        {"OMP_SCHEDULE=static,0", ScheduleKind::static_, 0, true, "STATIC"},
        {"OMP_SCHEDULE=dynamic,0", ScheduleKind::dynamic, 1, false, "DYNAMIC"},
        {"OMP_SCHEDULE=guided,3", ScheduleKind::guided, 3, false, "GUIDED,3"},
        {"OMP_SCHEDULE=auto", ScheduleKind::auto_, 0, false, "AUTO"},
    };
    for (const auto &c : cases) {
        EXPECT_EQ(load({c.variable}), "");
        EXPECT_EQ(settings().schedule, c.kind) << c.variable;
        EXPECT_EQ(settings().schedule_chunk, c.chunk) << c.variable;
        EXPECT_EQ(settings().schedule_monotonic, c.monotonic) << c.variable;
        EXPECT_EQ(value("OMP_SCHEDULE"), c.shown);
    }
}

TEST_F(SettingsTest, DynamicLoopsKeepTheirOrderAsAskedFor) {
    load({});
    EXPECT_EQ(settings().dynamic_loops, DynamicLoops::compatible);
    EXPECT_EQ(load({"LOOMP_DYNAMIC_LOOPS=nonmonotonic"}), "");
    EXPECT_EQ(settings().dynamic_loops, DynamicLoops::nonmonotonic);
    EXPECT_EQ(load({"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=1"}), "");
    EXPECT_EQ(settings().dynamic_loops, DynamicLoops::monotonic);
    EXPECT_EQ(value("LOOMP_DYNAMIC_LOOPS"), "MONOTONIC");
    load({"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=0"});
    EXPECT_EQ(settings().dynamic_loops, DynamicLoops::compatible);
    EXPECT_NE(load({"KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE=maybe"}), "");
}

TEST_F(SettingsTest, LibompRefusesAChunkOfZero) {
    EXPECT_NE(load({"OMP_SCHEDULE=static,0"}, ProgramInterface::llvm), "");
}

TEST_F(SettingsTest, AFormatKeepsItsBlanks) {
    EXPECT_EQ(load({"OMP_AFFINITY_FORMAT=  %n: "}), "");
    EXPECT_EQ(settings().affinity_format, "  %n: ");
    EXPECT_EQ(value("OMP_AFFINITY_FORMAT"), "  %n: ");
}

TEST_F(SettingsTest, ListsAskForNesting) {
    EXPECT_EQ(load({"OMP_NUM_THREADS=4, 3,2"}), "");
    EXPECT_EQ(settings().num_threads, (std::vector<int>{4, 3, 2}));
    EXPECT_EQ(settings().max_active_levels, INT_MAX);
    EXPECT_EQ(origin("OMP_MAX_ACTIVE_LEVELS"), "implied by OMP_NUM_THREADS");
    load({"OMP_PROC_BIND=spread,master"});
    EXPECT_EQ(settings().proc_bind, (std::vector<ProcBind>{ProcBind::spread, ProcBind::primary}));
    EXPECT_EQ(settings().max_active_levels, INT_MAX);
    load({"OMP_NUM_THREADS=4,3", "OMP_MAX_ACTIVE_LEVELS=1"});
    EXPECT_EQ(settings().max_active_levels, 1);
    load({"OMP_NUM_THREADS=4,3", "OMP_NESTED=false"});
    EXPECT_EQ(settings().max_active_levels, 1);
    load({"OMP_NESTED=true", "OMP_MAX_ACTIVE_LEVELS=3"});
    EXPECT_EQ(settings().max_active_levels, 3);
    load({"OMP_NESTED=true"});
    EXPECT_EQ(settings().max_active_levels, INT_MAX);
}

TEST_F(SettingsTest, VariablesForAllDevicesCountWhereTheHostHasNone) {
    EXPECT_EQ(load({"OMP_NUM_THREADS_ALL=7"}), "");
    EXPECT_EQ(settings().num_threads[0], 7);
    EXPECT_EQ(origin("OMP_NUM_THREADS"), "environment: OMP_NUM_THREADS_ALL");
    load({"OMP_NUM_THREADS_ALL=7", "OMP_NUM_THREADS=3"});
    EXPECT_EQ(settings().num_threads[0], 3);
    EXPECT_EQ(origin("OMP_NUM_THREADS"), "environment");
    // cancel-var is global: it has no variants.
    load({"OMP_CANCELLATION_ALL=true"});
    EXPECT_FALSE(settings().cancellation);
}

TEST_F(SettingsTest, VariablesForOtherDevicesChangeNothing) {
    EXPECT_EQ(load({"OMP_NUM_THREADS_DEV=64", "OMP_NUM_TEAMS_DEV_2=5", "LOOMP_VERBOSE=1"}), "");
    EXPECT_EQ(settings().num_threads[0], static_cast<int>(usable_processors()));
    const std::string said = load({"OMP_NUM_THREADS_ALL=x"});
    EXPECT_EQ(said.find('\n'), said.size() - 1) << "said once: " << said;
}

TEST_F(SettingsTest, PlacesAskForBinding) {
    const std::string first = std::to_string(available_processor_ids()[0]);
    EXPECT_EQ(load({("OMP_PLACES={" + first + "}").c_str()}), "");
    EXPECT_EQ(settings().place_list, std::vector<Place>{{available_processor_ids()[0]}});
    EXPECT_EQ(settings().proc_bind, std::vector<ProcBind>{ProcBind::true_});
    EXPECT_EQ(origin("OMP_PROC_BIND"), "implied by OMP_PLACES");
    load({"OMP_PLACES=threads", "OMP_PROC_BIND=false"});
    EXPECT_EQ(settings().proc_bind, std::vector<ProcBind>{ProcBind::false_});
    EXPECT_EQ(settings().place_list.size(), usable_processors());
    load({"OMP_PLACES=threads(1)"});
    EXPECT_EQ(settings().place_list.size(), 1U);
}

TEST_F(SettingsTest, ProcessorsThatAreNotThereAreLeftOut) {
    const int first = available_processor_ids()[0];
    const std::string both = "OMP_PLACES={" + std::to_string(first) + "},{900000}";
    const std::string said = load({both.c_str()});
    EXPECT_NE(said.find("this process may not use processor 900000, only "), std::string::npos);
    EXPECT_NE(said.find("; using {" + std::to_string(first) + "}\n"), std::string::npos) << said;
    EXPECT_EQ(settings().place_list, std::vector<Place>{{first}});
    EXPECT_NE(load({"OMP_PLACES={900000}"}).find("; using none\n"), std::string::npos);
    EXPECT_TRUE(settings().proc_bind.empty());
}

TEST_F(SettingsTest, OtherRuntimesVariablesCountWhereOursAreNotSet) {
    const std::string first = std::to_string(available_processor_ids()[0]);
    EXPECT_EQ(load({("GOMP_CPU_AFFINITY=" + first).c_str()}), "");
    EXPECT_EQ(settings().place_list.size(), 1U);
    EXPECT_EQ(origin("OMP_PLACES"), "environment: GOMP_CPU_AFFINITY");
    load({("GOMP_CPU_AFFINITY=" + first).c_str(), "OMP_PLACES=threads"});
    EXPECT_EQ(settings().place_list.size(), usable_processors());

    load({"KMP_AFFINITY=verbose,granularity=fine,compact,1,0"});
    EXPECT_EQ(settings().proc_bind, std::vector<ProcBind>{ProcBind::close});
    EXPECT_EQ(settings().place_list.size(), usable_processors());
    EXPECT_EQ(origin("OMP_PLACES"), "implied by KMP_AFFINITY");
    load({"KMP_AFFINITY=scatter", "OMP_PROC_BIND=close"});
    EXPECT_EQ(settings().proc_bind, std::vector<ProcBind>{ProcBind::close});
    load({("KMP_AFFINITY=explicit,proclist=[" + first + "]").c_str()});
    EXPECT_EQ(settings().place_list.size(), 1U);
    load({"KMP_AFFINITY=none"});
    EXPECT_EQ(settings().proc_bind, std::vector<ProcBind>{ProcBind::false_});

    load({"KMP_STACKSIZE=2m", "OMP_STACKSIZE=1m"});
    EXPECT_EQ(settings().stack_size, 1U << 20);
    EXPECT_EQ(
        load({"KMP_DUPLICATE_LIB_OK=1", "GOMP_DEBUG=1", "KMP_SETTINGS=1", "OMP_DEBUG=enabled"}),
        "");
    EXPECT_TRUE(settings().debug);
    EXPECT_EQ(settings().display_env, DisplayEnv::verbose);
    load({"KMP_DEVICE_THREAD_LIMIT=7", "KMP_LIBRARY=turnaround"});
    EXPECT_EQ(settings().thread_limit, 7);
    EXPECT_EQ(settings().wait_policy, WaitPolicy::active);
    EXPECT_FALSE(settings().serial);
    EXPECT_EQ(load({"KMP_LIBRARY=serial"}), "");
    EXPECT_TRUE(settings().serial);
    EXPECT_EQ(settings().wait_policy, WaitPolicy::unset);
    EXPECT_NE(load({"KMP_LIBRARY=parallel"}), "");
    load({"KMP_BLOCKTIME=0", "KMP_LIBRARY=turnaround"});
    EXPECT_EQ(settings().spin_count, 0U);

    load({"KMP_MAX_THREADS=9"});
    EXPECT_EQ(settings().thread_limit, 9);
    EXPECT_EQ(origin("OMP_THREAD_LIMIT"), "environment: KMP_MAX_THREADS");
    load({"KMP_ALL_THREADS=8", "KMP_MAX_THREADS=9"});
    EXPECT_EQ(settings().thread_limit, 8) << "the first name counts";
    EXPECT_EQ(origin("OMP_THREAD_LIMIT"), "environment: KMP_ALL_THREADS");
    load({"KMP_TEAMS_THREAD_LIMIT=6"});
    EXPECT_EQ(settings().teams_thread_limit, 6);
    load({"KMP_TEAMS_THREAD_LIMIT=6", "OMP_TEAMS_THREAD_LIMIT=5"});
    EXPECT_EQ(settings().teams_thread_limit, 5);
}

TEST_F(SettingsTest, PlacesAreOfTheSubsetThatIsTakenInsteadOfAWrongOne) {
    const std::string said =
        load({"LOOMP_HW_SUBSET=:999999t", "KMP_HW_SUBSET=:1t", "OMP_PLACES=threads"});
    EXPECT_NE(said.find("LOOMP_HW_SUBSET=:999999t: asks for more threads"), std::string::npos);
    EXPECT_EQ(origin("LOOMP_HW_SUBSET"), "environment: KMP_HW_SUBSET");
    EXPECT_EQ(settings().place_list, std::vector<Place>{available_processor_ids()});
    EXPECT_EQ(settings().num_threads[0], 1);
    const std::vector<int> *const narrowed = &available_processor_ids();
    keep_processors(first_processor_ids());
    if (narrowed != &first_processor_ids()) // a machine of one processor cannot be narrowed
        delete narrowed;
}

TEST_F(SettingsTest, NamesThatAreNearlyThoseOfSettingsAreGuessed) {
    const auto guessed = [](const std::string &variable, const std::string &meant) {
        return "loomp: " + variable + ": unknown setting; did you mean " + meant + "?\n";
    };
    EXPECT_EQ(load({"LOOMP_PERSISTNT=1"}), guessed("LOOMP_PERSISTNT", "LOOMP_PERSISTENT"));
    EXPECT_EQ(load({"OMP_NUMTHREADS=4"}), guessed("OMP_NUMTHREADS", "OMP_NUM_THREADS"));
    EXPECT_EQ(load({"OMP_PLACE=cores"}), guessed("OMP_PLACE", "OMP_PLACES"));
    EXPECT_EQ(load({"OMP_SCEHDULE=static"}), guessed("OMP_SCEHDULE", "OMP_SCHEDULE"));
    EXPECT_EQ(load({"LOMP_STATS=1"}), guessed("LOMP_STATS", "LOOMP_STATS"));
    EXPECT_EQ(load({"LOOM_PERSISTENT=auto"}), guessed("LOOM_PERSISTENT", "LOOMP_PERSISTENT"));
    EXPECT_EQ(load({"LOMP_HOME=/opt", "LOOM_STATE=1"}), "");
    EXPECT_EQ(load({"LOOMP_TRACE_DIRS=x"}), guessed("LOOMP_TRACE_DIRS", "LOOMP_TRACE_DIR"));
    EXPECT_EQ(load({"OMP_NUM_THREADS_DEV_0=1", "OMP_NUM_THREADS_ALL=1", "OMP_STACKSIZE_DEV=1M",
                    "LOOMP_TRACE_LAST=5", "LOOMP_LAYERS=mpi", "OMP_=1", "LOOMP_HOME=/opt/loomp",
                    "OMP_TOOTH=1", "KMP_FOO=1", "LOOMP_STRESS_SECONDS=5", "OMPI_CC=gcc"}),
              "");
}

TEST_F(SettingsTest, WhatMeansNothingIsNamedOnceWhereAskedFor) {
    EXPECT_EQ(load({"KMP_DUPLICATE_LIB_OK=1", "GOMP_DEBUG=1", "KMP_AFFINITY=none", "OMP_X=1",
                    "LOOMP_VERBOSE=1", "OMP_NUMTHREADS=4"}),
              "loomp: OMP_NUMTHREADS: unknown setting; did you mean OMP_NUM_THREADS?\n"
              "loomp: ignored, as nothing here has that name: KMP_DUPLICATE_LIB_OK, GOMP_DEBUG, "
              "OMP_X\n");
}

TEST_F(SettingsTest, WaitPolicyAndSpinDecideHowLongIdleThreadsLook) {
    load({});
    const std::uint64_t unset = settings().spin_count;
    load({"OMP_WAIT_POLICY=active"});
    EXPECT_GT(settings().spin_count, unset);
    load({"OMP_WAIT_POLICY=passive"});
    EXPECT_EQ(settings().spin_count, 0U);
    load({"OMP_WAIT_POLICY=passive", "LOOMP_SPIN=500"});
    EXPECT_EQ(settings().spin_count, 500U);
    load({"GOMP_SPINCOUNT=3k"});
    EXPECT_EQ(settings().spin_count, 3000U);
    load({"GOMP_SPINCOUNT=infinite"});
    EXPECT_EQ(settings().spin_count, kSpinForever);
    load({"KMP_BLOCKTIME=0"});
    EXPECT_EQ(settings().spin_count, 0U);
    load({"LOOMP_SPIN=1ms"});
    const std::uint64_t millisecond = settings().spin_count;
    load({"KMP_BLOCKTIME=200"});
    EXPECT_EQ(settings().spin_count, 200 * millisecond);
    load({"KMP_BLOCKTIME=200", "OMP_WAIT_POLICY=passive"});
    EXPECT_EQ(settings().spin_count, 0U);
    EXPECT_EQ(load({"OMP_WAIT_POLICY=passive", "LOOMP_SPIN=abc"}),
              "loomp: LOOMP_SPIN=abc: not a number of looks for work, a time such as 50us, or "
              "infinite; using 0 (by OMP_WAIT_POLICY)\n");
}

TEST_F(SettingsTest, WithoutADeviceThatIsMandatoryTheDefaultIsInvalid) {
    EXPECT_EQ(load({"OMP_TARGET_OFFLOAD=mandatory"}), "");
    EXPECT_EQ(settings().default_device, kInvalidDevice);
    EXPECT_EQ(load({"OMP_TARGET_OFFLOAD=mandatory", "OMP_DEFAULT_DEVICE=0"}), "");
    EXPECT_EQ(settings().default_device, 0);
}

TEST_F(SettingsTest, AllocatorsArePredefinedOrSpacesWithTraits) {
    EXPECT_EQ(load({"OMP_ALLOCATOR=omp_cgroup_mem_alloc"}), "");
    EXPECT_EQ(settings().default_allocator, 6U);
    EXPECT_EQ(settings().allocator_space, -1);
    EXPECT_EQ(value("OMP_ALLOCATOR"), "omp_cgroup_mem_alloc");
    EXPECT_EQ(load({"OMP_ALLOCATOR=omp_large_cap_mem_space"}), "");
    EXPECT_EQ(value("OMP_ALLOCATOR"), "omp_large_cap_mem_alloc");
    EXPECT_EQ(load({"OMP_ALLOCATOR=omp_high_bw_mem_space: alignment=64, fallback=null_fb,"
                    "pool_size=1m,pinned=true,fb_data=omp_low_lat_mem_alloc"}),
              "");
    EXPECT_EQ(settings().default_allocator, 4U);
    EXPECT_EQ(settings().allocator_space, 3);
    const std::vector<std::pair<int, std::uintptr_t>> traits = {
        {2, 64}, {5, 12}, {4, 1 << 20}, {7, 1}, {6, 5}};
    EXPECT_EQ(settings().allocator_traits, traits);
}

TEST_F(SettingsTest, BooleansAreRecognizedInEveryoneSpelling) {
    for (const char *yes : {"OMP_DYNAMIC=true", "OMP_DYNAMIC=TRUE", "OMP_DYNAMIC= True ",
                            "OMP_DYNAMIC=1", "OMP_DYNAMIC=.true.", "OMP_DYNAMIC=yes"}) {
        EXPECT_EQ(load({yes}), "");
        EXPECT_TRUE(settings().dynamic) << yes;
    }
    for (const char *no : {"OMP_DYNAMIC=false", "OMP_DYNAMIC=0", "OMP_DYNAMIC=off"}) {
        EXPECT_EQ(load({no}), "");
        EXPECT_FALSE(settings().dynamic) << no;
    }
}

TEST_F(SettingsTest, TheProgramsOwnChangesAreShown) {
    load({"OMP_NUM_TEAMS=3"});
    EXPECT_EQ(origin("OMP_NUM_TEAMS"), "environment");
    mutable_settings().num_teams = 5;
    note_set_by_program("OMP_NUM_TEAMS");
    EXPECT_EQ(value("OMP_NUM_TEAMS"), "5");
    EXPECT_EQ(origin("OMP_NUM_TEAMS"), "program");
}

TEST_F(SettingsTest, ALimitOfTheAddressSpaceBoundsStacks) {
    struct rlimit before = {};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
    struct rlimit tight = before;
    tight.rlim_cur = rlim_t{16} << 30;
    if (before.rlim_max != RLIM_INFINITY && before.rlim_max < tight.rlim_cur)
        GTEST_SKIP() << "the address space is limited already";
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
    EXPECT_LE(largest_stack(), std::size_t{2} << 30);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
#endif
}

// Random text causes at most one line, and never a value that later code cannot handle.
TEST_F(SettingsTest, AnyTextGivesAtMostOneLineAndWorkingValues) {
    const std::vector<std::string> pieces = {"0",
                                             "1",
                                             "7",
                                             "99999999999999999999",
                                             "-",
                                             "+",
                                             ",",
                                             ":",
                                             "!",
                                             "{",
                                             "}",
                                             "(",
                                             ")",
                                             "=",
                                             " ",
                                             "k",
                                             "G",
                                             "ms",
                                             "true",
                                             "static",
                                             "dynamic",
                                             "monotonic",
                                             "cores",
                                             "threads",
                                             "close",
                                             "omp_default_mem_space",
                                             "alignment",
                                             "compact",
                                             "explicit,proclist=[",
                                             "]",
                                             "infinite"};
    std::vector<std::string> names;
    for (const Setting &setting : setting_rows())
        names.emplace_back(setting.name);
    for (const ForeignSetting &foreign : foreign_rows())
        names.emplace_back(foreign.name);
    std::minstd_rand random(2);
    const auto below = [&](std::size_t n) { return random() % n; };
    for (int round = 0; round < 4000; ++round) {
        std::string variable = names[below(names.size())] + "=";
        for (std::size_t n = below(9); n > 0; --n)
            variable += pieces[below(pieces.size())];
        const std::string said = load({variable.c_str()});
        ASSERT_TRUE(said.empty() || said.find('\n') == said.size() - 1) << variable << said;
        const Settings &s = settings();
        ASSERT_FALSE(s.num_threads.empty());
        for (const int n : s.num_threads)
            ASSERT_GE(n, 1) << variable;
        ASSERT_GE(s.stack_size, 16384U) << variable;
        ASSERT_LE(s.stack_size, largest_stack()) << variable;
        ASSERT_GE(s.schedule_chunk, 0) << variable;
        ASSERT_GE(s.max_active_levels, 0) << variable;
        for (const Place &place : s.place_list)
            ASSERT_FALSE(place.empty()) << variable;
    }
}

} // namespace
} // namespace loomp::core
