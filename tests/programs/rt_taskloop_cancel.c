// env: OMP_CANCELLATION=true
// Taskloops (rt_taskloop_series.c) if taskgroups can be cancelled.
#include "rt_taskloop_series.c"
