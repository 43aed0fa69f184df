/* Waits for ever for an operation of a library. */
#include <loomp/loomp.h>

static loomp_suspension_t never;
static int poll(void *unused) { return unused != 0; }

int main(void) {
    loomp_poller_t *poller = loomp_poller_register("library", poll, 0);
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
        loomp_poller_expect(poller, 1);
        loomp_suspend(&never);
    }
    return 0;
}
