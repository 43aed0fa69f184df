// OMP_DISPLAY_ENV (OpenMP 5.2, 21.7) and `loomp info`.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "runtime/core/environment/settings.h"

extern "C" int loomp_print_info(std::FILE *, int verbose);

namespace loomp::core {
namespace {

class DisplayEnvTest : public testing::Test {
  protected:
    void TearDown() override { load_settings(); }
    static bool has(const std::string &text, const char *line) {
        return text.find(std::string("\n") + line + "\n") != std::string::npos;
    }
};

TEST_F(DisplayEnvTest, ListsTheInitialValues) {
    const char *const environment[] = {"OMP_NUM_THREADS=3,2", "OMP_SCHEDULE=guided,4",
                                       "OMP_STACKSIZE=2048", nullptr};
    load_settings(environment);
    const std::string text = format_env(false);
    EXPECT_EQ(text.find("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n"), 0U);
    EXPECT_TRUE(has(text, "  [host] OMP_NUM_THREADS = '3,2'"));
    EXPECT_TRUE(has(text, "  [host] OMP_SCHEDULE = 'GUIDED,4'"));
    EXPECT_TRUE(has(text, "  [host] OMP_STACKSIZE = '2M'"));
    EXPECT_TRUE(has(text, "OPENMP DISPLAY ENVIRONMENT END"));
    EXPECT_EQ(text.find("LOOMP_"), std::string::npos);
    for (const char *name :
         {"OMP_DYNAMIC", "OMP_NESTED", "OMP_PROC_BIND", "OMP_PLACES", "OMP_WAIT_POLICY",
          "OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "OMP_TEAMS_THREAD_LIMIT", "OMP_CANCELLATION",
          "OMP_DEFAULT_DEVICE", "OMP_MAX_TASK_PRIORITY", "OMP_DISPLAY_AFFINITY",
          "OMP_AFFINITY_FORMAT", "OMP_ALLOCATOR", "OMP_TARGET_OFFLOAD", "OMP_TOOL",
          "OMP_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT", "OMP_DEBUG"})
        EXPECT_NE(text.find("  [host] " + std::string(name) + " = '"), std::string::npos) << name;
}

TEST_F(DisplayEnvTest, VerboseShowsOurOwnToo) {
    EXPECT_NE(format_env(true).find("  [host] LOOMP_SPIN = '"), std::string::npos);
}

TEST_F(DisplayEnvTest, InfoShowsEverySettingWithItsOrigin) {
    const char *const environment[] = {"OMP_NUM_THREADS_ALL=3", nullptr};
    load_settings(environment);
    char *text = nullptr;
    std::size_t size = 0;
    std::FILE *out = open_memstream(&text, &size);
    ASSERT_NE(out, nullptr);
    EXPECT_EQ(loomp_print_info(out, 1), 0);
    std::fclose(out);
    const std::string info = text;
    std::free(text);
    EXPECT_NE(info.find("environment: OMP_NUM_THREADS_ALL"), std::string::npos);
    EXPECT_NE(info.find("GOMP_1.0"), std::string::npos);
    for (const SettingView &view : describe_settings()) {
        EXPECT_NE(info.find(view.name), std::string::npos) << view.name;
        EXPECT_NE(info.find(view.doc), std::string::npos) << view.name;
    }
}

} // namespace
} // namespace loomp::core
