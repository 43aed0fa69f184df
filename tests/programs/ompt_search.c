/* Checks the output of OMP_TOOL_VERBOSE_INIT about the search for a tool: in the process, in
   libraries, for a tool that declines, and if the log cannot be written.

   sanitizers: no
   flags: -D_GNU_SOURCE -rdynamic */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "loomp/omp-tools.h"
#include "omp_decls.h"

/* The tool of this process: TOOL=none, TOOL=declines, TOOL=wants. */
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    return strcmp(getenv("TOOL"), "wants") == 0;
}
static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    CHECK(omp_version >= 201811 && strncmp(runtime_version, "loomp ", 6) == 0);
    return getenv("TOOL") == NULL || strcmp(getenv("TOOL"), "none") == 0 ? NULL : &result;
}

static const char *program;

/* The output of this program with these variables. */
static void expect_output(const char *variables, const char *expected) {
    char command[1000], output[2000] = "";
    snprintf(command, sizeof command, "%s '%s' run 2>&1", variables, program);
    FILE *pipe = popen(command, "r");
    CHECK(pipe != NULL);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    CHECK_EQ(pclose(pipe), 0);
    if (strcmp(output, expected) != 0) {
        fprintf(stderr, "with %s:\n%s---- expected:\n%s", variables, output, expected);
        _exit(1);
    }
}

#define LOOKING "----- OMPT: looking for a tool -----\n"
#define NOBODY "the process: ompt_start_tool found none that wants to be active\n"

int main(int count, char **arguments) {
    if (count > 1) {
        int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
        threads += 1;
        CHECK_EQ(threads, 2);
        return 0;
    }
    program = arguments[0];
    expect_output("", "");
    expect_output("OMP_TOOL_VERBOSE_INIT=disabled", "");
    expect_output("OMP_TOOL_VERBOSE_INIT=stdout TOOL=none",
                  LOOKING NOBODY "----- OMPT: no tool -----\n");
    expect_output("OMP_TOOL_VERBOSE_INIT=stderr TOOL=none OMP_TOOL_LIBRARIES=libm.so.6",
                  LOOKING NOBODY "libm.so.6: has no ompt_start_tool\n----- OMPT: no tool -----\n");
    expect_output("OMP_TOOL_VERBOSE_INIT=stdout TOOL=declines",
                  LOOKING "the process: ompt_start_tool started a tool\n"
                          "the tool's initializer does not want it to be active\n"
                          "----- OMPT: no tool -----\n");
    expect_output("OMP_TOOL_VERBOSE_INIT=stdout TOOL=wants OMP_TOOL_LIBRARIES=libm.so.6",
                  LOOKING "the process: ompt_start_tool started a tool\n"
                          "----- OMPT: tool attached -----\n");
    expect_output("OMP_TOOL_VERBOSE_INIT=/nowhere/log TOOL=none",
                  "loomp: OMP_TOOL_VERBOSE_INIT: cannot write to /nowhere/log; expected stdout, "
                  "stderr or a file\n");
    expect_output("OMP_TOOL=disabled OMP_TOOL_VERBOSE_INIT=stdout TOOL=wants", "");
    return 0;
}
