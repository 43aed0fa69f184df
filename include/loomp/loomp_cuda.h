/* CUDA in tasks: a wait for a stream, an event or a graph suspends the task, and its thread runs
 * others. A task's code can also end, and the task completes when an event does. For codes that
 * call CUDA's runtime or driver themselves. (Target constructs need none of this.)
 *
 *     #pragma omp task depend(inout : part[0])
 *     {
 *         cudaMemcpyAsync(there, part, bytes, cudaMemcpyHostToDevice, stream);
 *         step<<<blocks, threads, 0, stream>>>(there);
 *         cudaMemcpyAsync(part, there, bytes, cudaMemcpyDeviceToHost, stream);
 *         loomp_cuda_wait_stream(stream);       or loomp_cuda_bind_stream(stream)
 *     }
 *
 * Streams, events and graphs are those of both of CUDA's interfaces. A null stream is the legacy
 * default one. The functions are in libloomp-cuda.so (-lloomp-cuda), which loads the driver at the
 * first call; nothing is linked with the driver. Copies from and to memory that is not pinned block
 * the thread in CUDA itself.
 *
 * All functions return 0, or the driver's error number (CUresult, which cudaError_t shares). They
 * return 3 (not initialised), after one line on stderr, if there is no driver. They may be called
 * wherever OpenMP routines may, except in a poller's function. The device that was current when the
 * work was submitted must be current on the thread. The thread itself waits outside parallel
 * regions. Thread safety: any thread. */
#ifndef LOOMP_CUDA_H
#define LOOMP_CUDA_H

#include <loomp/weak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CUDA's own names of the targets of cudaStream_t, cudaEvent_t and cudaGraphExec_t. */
struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

/* Suspends the calling task until everything that is in the stream so far has completed. */
LOOMP_FUNCTION int loomp_cuda_wait_stream(struct CUstream_st *stream);

/* Suspends the calling task until the work that preceded the event in its stream has completed. The
 * caller owns the event, and must not record it again or destroy it meanwhile. */
LOOMP_FUNCTION int loomp_cuda_wait_event(struct CUevent_st *event);

/* Launches the graph in the stream, and suspends the calling task until it has completed. */
LOOMP_FUNCTION int loomp_cuda_run_graph(struct CUgraphExec_st *graph, struct CUstream_st *stream);

/* The calling task continues, but does not complete before the stream's work or the event: its
 * successors and waits for it wait for that, too. It keeps no stack after its code has ended. If a
 * task cannot be held (loomp_hold_task()), these functions wait. One line on stderr reports a later
 * error, and the task completes. */
LOOMP_FUNCTION int loomp_cuda_bind_stream(struct CUstream_st *stream);
LOOMP_FUNCTION int loomp_cuda_bind_event(struct CUevent_st *event);

#ifdef __cplusplus
}
#endif

#endif
