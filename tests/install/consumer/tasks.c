/* A program that is linked with the libraries over the runtime. */
#include <loomp/alpi.h>
#include <loomp/loomp_cuda.h>
#include <stdio.h>

int main(void) {
    struct alpi_task *self = NULL;
    printf("%d\n",
           alpi_task_self(&self) == ALPI_SUCCESS && self != NULL && loomp_cuda_wait_event != NULL);
    return 0;
}
