/* Those functions of CUDA's runtime that examples/cuda_stream.c calls, on the driver without a
 * device. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
typedef struct CUstream_st *cudaStream_t;

int cuInit(unsigned);
int cuDeviceGetCount(int *);
int cuDevicePrimaryCtxRetain(void **, int);
int cuCtxSetCurrent(void *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemAllocHost_v2(void **, size_t);
int cuMemFreeHost(void *);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, cudaStream_t);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, cudaStream_t);
int cuStreamCreate(cudaStream_t *, unsigned);
int cuStreamDestroy_v2(cudaStream_t);

static inline int cudaGetDeviceCount(int *count) { return cuInit(0) || cuDeviceGetCount(count); }
/* The runtime makes the device current on each thread that calls it. */
static inline int use_device(void) {
    void *context;
    return cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context);
}
static inline int cudaMalloc(void **block, size_t size) {
    return use_device() || cuMemAlloc_v2((uint64_t *)block, size);
}
static inline int cudaFree(void *block) { return cuMemFree_v2((uint64_t)block); }
static inline int cudaMallocHost(void **block, size_t size) {
    return use_device() || cuMemAllocHost_v2(block, size);
}
static inline int cudaFreeHost(void *block) { return cuMemFreeHost(block); }
static inline int cudaStreamCreate(cudaStream_t *stream) {
    return use_device() || cuStreamCreate(stream, 0);
}
static inline int cudaStreamDestroy(cudaStream_t stream) { return cuStreamDestroy_v2(stream); }
static inline int cudaMemcpyAsync(void *to, const void *from, size_t size, int direction,
                                  cudaStream_t stream) {
    return direction == cudaMemcpyHostToDevice
               ? cuMemcpyHtoDAsync_v2((uint64_t)to, from, size, stream)
               : cuMemcpyDtoHAsync_v2(to, (uint64_t)from, size, stream);
}
