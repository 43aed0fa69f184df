/* An OMPT tool for device events: checks that what it is told of target regions, data operations
   and submissions comes in pairs, for a task that it knows; at the end one line says how many there
   were. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loomp/omp-tools.h"

static atomic_int open_targets, open_operations, open_submissions, faults;
static atomic_int targets, operations, submissions, devices;

static void fault(const char *what) {
    fprintf(stderr, "tool: %s\n", what);
    faults++;
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t end, int device, ompt_data_t *task,
                      ompt_data_t *target_task, ompt_data_t *target, const void *codeptr) {
    (void)kind, (void)device;
    if (task == NULL || target == NULL || codeptr == NULL)
        fault("a target region of no task, or without data or address");
    if (target_task != NULL)
        target_task->value++;
    targets += end == ompt_scope_begin;
    open_targets += end == ompt_scope_begin ? 1 : -1;
}

static void on_operation(ompt_scope_endpoint_t end, ompt_data_t *target_task, ompt_data_t *target,
                         ompt_id_t *host_operation, int kind, void *from, int from_device, void *to,
                         int to_device, size_t bytes, const void *codeptr) {
    (void)target_task, (void)target, (void)host_operation, (void)kind, (void)from, (void)to;
    (void)from_device, (void)to_device, (void)bytes, (void)codeptr;
    operations += end == ompt_scope_begin;
    open_operations += end == ompt_scope_begin ? 1 : -1;
}

static void on_submit(ompt_scope_endpoint_t end, ompt_data_t *target, ompt_id_t *host_operation,
                      unsigned teams) {
    (void)host_operation, (void)teams;
    if (target == NULL)
        fault("a submission of no target region");
    submissions += end == ompt_scope_begin;
    open_submissions += end == ompt_scope_begin ? 1 : -1;
}

static void on_device(int device, const char *type, ompt_device_t *handle,
                      ompt_function_lookup_t lookup, const char *documentation) {
    (void)device, (void)type, (void)handle, (void)lookup, (void)documentation;
    devices++;
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task,
                           int flags, int dependences, const void *codeptr) {
    (void)parent, (void)frame, (void)flags, (void)dependences, (void)codeptr;
    task->value = 1;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    set(ompt_callback_target_data_op_emi, (ompt_callback_t)on_operation);
    set(ompt_callback_target_submit_emi, (ompt_callback_t)on_submit);
    set(ompt_callback_device_initialize, (ompt_callback_t)on_device);
    set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    printf("targets %d, operations %d, submissions %d, devices %d, open %d, faults %d\n", targets,
           operations, submissions, devices, open_targets + open_operations + open_submissions,
           faults);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
