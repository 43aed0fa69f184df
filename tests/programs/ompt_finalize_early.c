/* A tool that wants no more callbacks as soon as there is a first one.
   flags: -rdynamic */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "loomp/omp-tools.h"

static ompt_finalize_tool_t finalize_tool;
static int callbacks, finalized;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    (void)type;
    (void)data;
    ++callbacks;
    finalize_tool();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device;
    (void)data;
    finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
    const ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    return set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin) ==
           ompt_set_always;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    ++finalized;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version;
    (void)runtime;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += omp_get_thread_num();
    if (sum != 6 || callbacks != 1 || finalized != 1)
        fprintf(stderr, "sum %d, %d callbacks, finalized %d times\n", sum, callbacks, finalized);
    return 0;
}
