// The tool as libomptarget sees it. Its calls come from this library: the addresses in the code
// that it tells of are ours, and the tool is to have the program's.
#include <cstring>

#include "ompt/ompt.h"
#include "target/failure.h"

namespace loomp::ompt {

namespace {

const void *address_or(const void *own) {
    const void *address = target::address_in_program();
    return address != nullptr ? address : own;
}

// The callbacks of the standard that have an address, by the tool's own.

void target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                ompt_data_t *target_task, ompt_data_t *target, const void *codeptr) {
    call<void (*)(ompt_target_t, ompt_scope_endpoint_t, int, ompt_data_t *, ompt_data_t *,
                  ompt_data_t *, const void *)>(ompt_callback_target_emi, kind, endpoint, device,
                                                task, target_task, target, address_or(codeptr));
}

void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
            ompt_id_t id, const void *codeptr) {
    call<void (*)(ompt_target_t, ompt_scope_endpoint_t, int, ompt_data_t *, ompt_id_t,
                  const void *)>(ompt_callback_target, kind, endpoint, device, task, id,
                                 address_or(codeptr));
}

void data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                 ompt_id_t *host_op, ompt_target_data_op_t kind, void *from, int from_device,
                 void *to, int to_device, std::size_t bytes, const void *codeptr) {
    call<void (*)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, ompt_id_t *,
                  ompt_target_data_op_t, void *, int, void *, int, std::size_t, const void *)>(
        ompt_callback_target_data_op_emi, endpoint, target_task, target, host_op, kind, from,
        from_device, to, to_device, bytes, address_or(codeptr));
}

void data_op(ompt_id_t target, ompt_id_t host_op, ompt_target_data_op_t kind, void *from,
             int from_device, void *to, int to_device, std::size_t bytes, const void *codeptr) {
    call<void (*)(ompt_id_t, ompt_id_t, ompt_target_data_op_t, void *, int, void *, int,
                  std::size_t, const void *)>(ompt_callback_target_data_op, target, host_op, kind,
                                              from, from_device, to, to_device, bytes,
                                              address_or(codeptr));
}

int get_callback(ompt_callbacks_t event, ompt_callback_t *callback) {
    if (event < 0 || event >= kEvents || callbacks[event] == nullptr)
        return 0;
    switch (event) {
    case ompt_callback_target_emi:
        *callback = reinterpret_cast<ompt_callback_t>(target_emi);
        break;
    case ompt_callback_target:
        *callback = reinterpret_cast<ompt_callback_t>(target);
        break;
    case ompt_callback_target_data_op_emi:
        *callback = reinterpret_cast<ompt_callback_t>(data_op_emi);
        break;
    case ompt_callback_target_data_op:
        *callback = reinterpret_cast<ompt_callback_t>(data_op);
        break;
    default:
        *callback = callbacks[event];
        break;
    }
    return 1;
}

} // namespace

ompt_interface_fn_t lookup_of_libomptarget(const char *name) {
    if (std::strcmp(name, "ompt_get_callback") == 0)
        return reinterpret_cast<ompt_interface_fn_t>(get_callback);
    return lookup(name);
}

} // namespace loomp::ompt
