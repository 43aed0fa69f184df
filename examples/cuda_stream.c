/* A CUDA stream in a task: the task waits for the device, and its thread runs other tasks.
 *
 *     cc -fopenmp cuda_stream.c -o cuda_stream -lcudart -lloomp-cuda
 *     loomp run ./cuda_stream
 *
 * Prints how many values are wrong. Without a device, it says so and succeeds. */
#include <cuda_runtime_api.h>
#include <loomp/loomp_cuda.h>
#include <stdio.h>

enum { PARTS = 8, COUNT = 100000, BYTES = COUNT * sizeof(int) };

/* Copies a part to the device and back; a kernel would stand between. */
static int there_and_back(int *to, const int *from) {
    cudaStream_t stream;
    void *there;
    if (cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&there, BYTES) != cudaSuccess)
        return 1;
    const int failed = cudaMemcpyAsync(there, from, BYTES, cudaMemcpyHostToDevice, stream) ||
                       cudaMemcpyAsync(to, there, BYTES, cudaMemcpyDeviceToHost, stream) ||
                       loomp_cuda_wait_stream(stream);
    return cudaFree(there) || cudaStreamDestroy(stream) || failed;
}

int main(void) {
    int devices = 0, failed = 0, wrong = 0;
    int *from, *to; /* pinned: copies of other memory would block the thread in CUDA */
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("cuda_stream: this machine has no CUDA device\n");
        return 0;
    }
    if (cudaMallocHost((void **)&from, PARTS * BYTES) != cudaSuccess ||
        cudaMallocHost((void **)&to, PARTS * BYTES) != cudaSuccess)
        return 1;

#pragma omp parallel
#pragma omp single
    for (int p = 0; p < PARTS * COUNT; p += COUNT) {
#pragma omp task depend(out : from[p])
        for (int i = p; i < p + COUNT; i++)
            from[i] = i;
#pragma omp task depend(in : from[p]) depend(out : to[p]) shared(failed)
        if (there_and_back(&to[p], &from[p]) != 0) {
#pragma omp atomic write
            failed = 1;
        }
#pragma omp task depend(in : to[p]) shared(wrong)
        for (int i = p; i < p + COUNT; i++)
            if (to[i] != i) {
#pragma omp atomic
                wrong += 1;
            }
    }

    printf("cuda_stream: %d of %d values are wrong%s\n", wrong, PARTS * COUNT,
           failed ? ", CUDA has failed" : "");
    cudaFreeHost(from);
    cudaFreeHost(to);
    return failed || wrong;
}
