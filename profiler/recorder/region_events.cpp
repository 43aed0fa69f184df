#include "profiler/recorder/region_events.h"

#include "profiler/recorder/labels.h"
#include "profiler/recorder/recorder.h"

using namespace loomp::record;

/// loomp_region_begin() calls this.
extern "C" LOOMP_SHARED void loomp_record_region_begin(const char *name) {
    const std::uint32_t number = number_of_label(name != nullptr ? name : "");
    const std::uint64_t task = current_task();
    buffer().add(Event::user_begin, now(), task, number, 0);
}

/// loomp_region_end() calls this.
extern "C" LOOMP_SHARED void loomp_record_region_end(const char *name) {
    const std::uint32_t number = name != nullptr ? number_of_label(name) : 0;
    const std::uint64_t task = current_task();
    buffer().add(Event::user_end, now(), task, number, name == nullptr ? kInnermost : 0);
}
