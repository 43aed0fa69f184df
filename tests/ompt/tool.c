/* A tool in a library, for OMP_TOOL_LIBRARIES: says when it starts and ends. With DECLINES it does
 * not want to be active, with REFUSES its initializer does not. */
#include <stdio.h>

#include "loomp/omp-tools.h"

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device;
    (void)data;
#ifdef REFUSES
    (void)lookup;
    return 0;
#else
    printf("tool started, %s\n", lookup("ompt_set_callback") != NULL ? "can look up" : "is blind");
    return 1;
#endif
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("tool ended\n");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version;
    (void)runtime;
#ifdef DECLINES
    return NULL;
#else
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
#endif
}
