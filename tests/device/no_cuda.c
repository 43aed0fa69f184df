/* loomp/loomp_cuda.h if there is no driver. */
#include "../programs/check.h"
#include "loomp/loomp_cuda.h"
#include <stddef.h>

int main(void) {
    const int not_initialized = 3;
    CHECK(loomp_cuda_wait_stream(NULL) == not_initialized);
    CHECK(loomp_cuda_bind_event(NULL) == not_initialized);
    CHECK(loomp_cuda_run_graph(NULL, NULL) == not_initialized);
    return 0;
}
