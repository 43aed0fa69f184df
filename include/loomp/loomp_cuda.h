/* CUDA in tasks: waiting for a stream, an event or a graph suspends the task, and its thread runs
 * others; a task can also end, and complete when an event does. For codes that call CUDA's runtime
 * or driver themselves. (Target constructs need none of this.)
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
 * default one. The functions are in libloomp-cuda.so (-lloomp-cuda), which opens the driver when
 * one of them is first called; nothing is linked with it. Copies from and to memory that is not
 * pinned hold up the thread in CUDA itself.
 *
 * All of them return 0, or the driver's number for what is wrong (CUresult, as cudaError_t has it,
 * too); 3 (not initialised), after one line on stderr, where there is no driver. They may be called
 * wherever OpenMP routines may, with the device current on the thread that the work was put in
 * with, and not in a poller's function. Outside of parallel regions the thread itself waits.
 * Thread safety: any thread. */
#ifndef LOOMP_CUDA_H
#define LOOMP_CUDA_H

#include <loomp/weak.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CUDA's own names of what cudaStream_t, cudaEvent_t and cudaGraphExec_t point to. */
struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

/* Suspends the calling task until all that has been put into the stream so far is done. */
LOOMP_FUNCTION int loomp_cuda_wait_stream(struct CUstream_st *stream);

/* Suspends the calling task until what was in its stream when the event was recorded is done. The
 * event is the caller's; it is not to be recorded again or destroyed meanwhile. */
LOOMP_FUNCTION int loomp_cuda_wait_event(struct CUevent_st *event);

/* Launches the graph in the stream, and suspends the calling task until it is done. */
LOOMP_FUNCTION int loomp_cuda_run_graph(struct CUgraphExec_st *graph, struct CUstream_st *stream);

/* The calling task goes on, but does not complete before that: what depends on it, and who waits
 * for it, waits for that, too. It keeps no stack when its code has ended. Where a task cannot be
 * held (loomp_hold_task()), these wait. What goes wrong afterwards is told in one line on stderr,
 * and the task completes. */
LOOMP_FUNCTION int loomp_cuda_bind_stream(struct CUstream_st *stream);
LOOMP_FUNCTION int loomp_cuda_bind_event(struct CUevent_st *event);

#ifdef __cplusplus
}
#endif

#endif
