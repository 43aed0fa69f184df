#include "profiler/recorder/device_events.h"

#include <atomic>
#include <cstdio>

#include "profiler/recorder/control.h"
#include "profiler/recorder/openmp.h"
#include "profiler/recorder/recorder.h"

namespace loomp::record {

namespace {

/// The reader looks for device records only if this line exists.
void note_use() {
    static std::atomic<bool> noted{false};
    if (noted.load(std::memory_order_relaxed) || noted.exchange(true))
        return;
    char line[32];
    const int size = std::snprintf(line, sizeof line, "%s 1\n", kDevicesKey);
    append(kInfoFile, line, static_cast<std::size_t>(size));
}

void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
            ompt_data_t *target_task, ompt_data_t *construct, const void *code) {
    if (!wanted(kDevices) || construct == nullptr)
        return;
    if (endpoint == ompt_scope_end) {
        if (construct->value != 0)
            buffer().add(Event::target_end, now(), construct->value, 0, 0);
        construct->value = 0;
        return;
    }
    note_use();
    const std::uint64_t time = now();
    construct->value = buffer().new_name();
    if (target_task != nullptr)
        target_task->value = construct->value;
    buffer().add(Event::target_begin, time, construct->value,
                 reinterpret_cast<std::uintptr_t>(code), on_device(kind, device));
    buffer().add(Event::target_of, time, construct->value, name_of(task), 0);
}

void operation(ompt_scope_endpoint_t endpoint, ompt_data_t *construct, DeviceWork what, int device,
               std::uint64_t bytes) {
    if (!wanted(kDevices))
        return;
    note_use();
    buffer().add(endpoint == ompt_scope_begin ? Event::device_begin : Event::device_end, now(),
                 construct != nullptr ? construct->value : 0, bytes,
                 on_device(static_cast<std::uint32_t>(what), device));
}

void data_operation(ompt_scope_endpoint_t endpoint, ompt_data_t * /*target_task*/,
                    ompt_data_t *construct, ompt_id_t * /*operation*/, int kind, void * /*from*/,
                    int from_device, void * /*to*/, int to_device, std::size_t bytes,
                    const void * /*code*/) {
    switch (kind) {
    case ompt_target_data_transfer_to_device:
    case ompt_target_data_transfer_to_device_async:
        operation(endpoint, construct, DeviceWork::copy_to, to_device, bytes);
        break;
    case ompt_target_data_transfer_from_device:
    case ompt_target_data_transfer_from_device_async:
        operation(endpoint, construct, DeviceWork::copy_from, from_device, bytes);
        break;
    default:
        break; // for example, an allocation
    }
}

void submission(ompt_scope_endpoint_t endpoint, ompt_data_t *construct, ompt_id_t * /*operation*/,
                unsigned /*teams*/) {
    constexpr int of_the_construct = 0;
    operation(endpoint, construct, DeviceWork::kernel, of_the_construct, 0);
}

/// This callback is loomp's extension of the standard.
void completed(std::uint64_t construct) {
    if (wanted(kDevices))
        buffer().add(Event::target_completed, now(), construct, 0, 0);
}

} // namespace

void listen_to_devices(ompt_set_callback_t set, ompt_function_lookup_t lookup) {
    set(ompt_callback_target_emi, reinterpret_cast<ompt_callback_t>(target));
    set(ompt_callback_target_data_op_emi, reinterpret_cast<ompt_callback_t>(data_operation));
    set(ompt_callback_target_submit_emi, reinterpret_cast<ompt_callback_t>(submission));
    using Set = void (*)(void (*)(std::uint64_t));
    if (const auto ask = reinterpret_cast<Set>(lookup("loomp_set_device_completed")))
        ask(completed);
}

} // namespace loomp::record
