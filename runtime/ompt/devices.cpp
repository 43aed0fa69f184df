// Adapts the tool's callbacks for libomptarget. libomptarget reports the address of its caller,
// which is this library; the tool must get the program's address.
#include <cstring>

#include "runtime/ompt/ompt.h"
#include "runtime/target/failure.h"

namespace loomp::ompt {

namespace {

const void *address_or(const void *own) {
    const void *address = target::address_in_program();
    return address != nullptr ? address : own;
}

template <class... Arguments> void report(ompt_callbacks_t event, Arguments... arguments) {
    call<void (*)(Arguments...)>(event, arguments...);
}

// Wrappers of the tool's callbacks that carry an address.

void target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                ompt_data_t *target_task, ompt_data_t *target, const void *codeptr) {
    report(ompt_callback_target_emi, kind, endpoint, device, task, target_task, target,
           address_or(codeptr));
}

void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
            ompt_id_t id, const void *codeptr) {
    report(ompt_callback_target, kind, endpoint, device, task, id, address_or(codeptr));
}

void data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                 ompt_id_t *host_op, ompt_target_data_op_t kind, void *from, int from_device,
                 void *to, int to_device, std::size_t bytes, const void *codeptr) {
    report(ompt_callback_target_data_op_emi, endpoint, target_task, target, host_op, kind, from,
           from_device, to, to_device, bytes, address_or(codeptr));
}

void data_op(ompt_id_t target, ompt_id_t host_op, ompt_target_data_op_t kind, void *from,
             int from_device, void *to, int to_device, std::size_t bytes, const void *codeptr) {
    report(ompt_callback_target_data_op, target, host_op, kind, from, from_device, to, to_device,
           bytes, address_or(codeptr));
}

int get_callback(ompt_callbacks_t event, ompt_callback_t *callback) {
    static const struct {
        ompt_callbacks_t event;
        ompt_callback_t callback;
    } kOwn[] = {{ompt_callback_target_emi, reinterpret_cast<ompt_callback_t>(target_emi)},
                {ompt_callback_target, reinterpret_cast<ompt_callback_t>(target)},
                {ompt_callback_target_data_op_emi, reinterpret_cast<ompt_callback_t>(data_op_emi)},
                {ompt_callback_target_data_op, reinterpret_cast<ompt_callback_t>(data_op)}};
    if (event < 0 || event >= kEvents || callbacks[event] == nullptr)
        return 0;
    *callback = callbacks[event];
    for (const auto &own : kOwn)
        if (own.event == event)
            *callback = own.callback;
    return 1;
}

} // namespace

ompt_interface_fn_t lookup_of_libomptarget(const char *name) {
    if (std::strcmp(name, "ompt_get_callback") == 0)
        return reinterpret_cast<ompt_interface_fn_t>(get_callback);
    return lookup(name);
}

} // namespace loomp::ompt
