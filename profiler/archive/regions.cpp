#include "profiler/archive/regions.h"

#include <iterator>

#include "loomp/omp-tools.h"
#include "profiler/archive/kinds.h"
#include "profiler/format/functions.h"

namespace loomp::analysis::archive {

namespace {

struct Construct {
    const char *name;
    OTF2_RegionRole role;
};

Construct construct_of(std::uint32_t kind) {
    switch (kind) {
    case ompt_sync_region_taskwait:
        return {"taskwait", OTF2_REGION_ROLE_TASK_WAIT};
    case ompt_sync_region_taskgroup:
        return {"taskgroup", OTF2_REGION_ROLE_TASK_WAIT};
    case ompt_sync_region_barrier_implicit:
    case ompt_sync_region_barrier_implicit_workshare:
    case ompt_sync_region_barrier_implicit_parallel:
    case ompt_sync_region_barrier_teams:
        return {"implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER};
    // Names that begin with kMutexWaitName.
    case record::kMutexWait | ompt_mutex_critical:
        return {"wait for critical", OTF2_REGION_ROLE_TASK_WAIT};
    case record::kMutexWait | ompt_mutex_ordered:
        return {"wait for ordered", OTF2_REGION_ROLE_TASK_WAIT};
    case record::kMutexWait | ompt_mutex_lock:
    case record::kMutexWait | ompt_mutex_test_lock:
    case record::kMutexWait | ompt_mutex_nest_lock:
    case record::kMutexWait | ompt_mutex_test_nest_lock:
        return {"wait for lock", OTF2_REGION_ROLE_TASK_WAIT};
    default:
        return {"barrier", OTF2_REGION_ROLE_BARRIER};
    }
}

Construct work_of(std::uint32_t kind) {
    switch (kind) {
    case ompt_work_sections:
        return {"sections", OTF2_REGION_ROLE_SECTIONS};
    case ompt_work_single_executor:
        return {"single", OTF2_REGION_ROLE_SINGLE};
    case ompt_work_workshare:
        return {"workshare", OTF2_REGION_ROLE_WORKSHARE};
    case ompt_work_scope:
        return {"scope", OTF2_REGION_ROLE_WORKSHARE};
    default:
        return {"loop", OTF2_REGION_ROLE_LOOP};
    }
}

/// Empty if the number has no label, or an empty one.
std::string label_of(const std::vector<std::string> &labels, std::uint64_t number) {
    return number == 0 || number > labels.size() ? "" : labels[number - 1];
}

} // namespace

OTF2_RegionRef Regions::add(CodeName name, OTF2_RegionRole role, OTF2_Paradigm paradigm) {
    const auto ref = static_cast<OTF2_RegionRef>(all_.size());
    all_.push_back({ref, std::move(name), role, paradigm});
    return ref;
}

OTF2_RegionRef Regions::of_task(const CodeNames &names, const std::vector<std::string> &labels,
                                std::size_t process, std::uint64_t place) {
    const auto [known, added] = places_.try_emplace({process, place}, 0);
    if (added) {
        CodeName name = names.caller(Kinds::address_of(place));
        if (const std::string label = label_of(labels, Kinds::label_of(place)); !label.empty())
            name.label = label;
        const std::string key = name.file + ':' + name.label;
        const auto [task, unknown] = tasks_.try_emplace(key, 0);
        if (unknown)
            task->second = add(std::move(name), OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_OPENMP);
        known->second = task->second;
    }
    return known->second;
}

OTF2_RegionRef Regions::of_function(std::uint32_t function) {
    const auto [place, added] = functions_.try_emplace(function, 0);
    if (added) {
        CodeName name;
        name.label =
            function < std::size(record::kFunctionNames) ? record::kFunctionNames[function] : "MPI";
        place->second = add(std::move(name), OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI);
    }
    return place->second;
}

/// All constructs of one place in the source are one region.
OTF2_RegionRef Regions::of_construct(const CodeNames &names, std::size_t process,
                                     std::string_view construct, OTF2_RegionRole role,
                                     std::uint64_t address) {
    const auto [place, added] =
        construct_places_.try_emplace(std::tuple(construct, process, address), 0);
    if (added) {
        CodeName name;
        if (address != 0) {
            name = names.caller(address);
            name.label = ' ' + name.label;
        }
        name.label = std::string(construct) + name.label;
        const auto [known, unknown] = constructs_.try_emplace(name.file + ':' + name.label, 0);
        if (unknown)
            known->second = add(std::move(name), role, OTF2_PARADIGM_OPENMP);
        place->second = known->second;
    }
    return place->second;
}

OTF2_RegionRef Regions::of_wait(const CodeNames &names, std::size_t process,
                                std::uint32_t sync_region, std::uint64_t address) {
    const Construct is = construct_of(sync_region);
    return of_construct(names, process, is.name, is.role, address);
}

OTF2_RegionRef Regions::of_work(const CodeNames &names, std::size_t process, std::uint32_t work,
                                std::uint64_t address) {
    const Construct is = work_of(work);
    return of_construct(names, process, is.name, is.role, address);
}

OTF2_RegionRef Regions::of_user(const std::vector<std::string> &labels, std::uint64_t number) {
    std::string text = label_of(labels, number);
    if (text.empty())
        text = "(unnamed)";
    const auto [place, added] = user_.try_emplace(text, 0);
    if (added) {
        CodeName name;
        name.label = text;
        place->second = add(std::move(name), OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER);
    }
    return place->second;
}

OTF2_RegionRef Regions::of_parallel(const CodeNames &names, std::size_t process,
                                    std::uint64_t address) {
    return of_construct(names, process, "parallel", OTF2_REGION_ROLE_PARALLEL, address);
}

OTF2_RegionRef Regions::of_device(const CodeNames &names, std::size_t process,
                                  record::DeviceWork work, std::uint64_t address) {
    switch (work) {
    case record::DeviceWork::copy_to:
        return of_construct(names, process, "copy to device", OTF2_REGION_ROLE_DATA_TRANSFER,
                            address);
    case record::DeviceWork::copy_from:
        return of_construct(names, process, "copy from device", OTF2_REGION_ROLE_DATA_TRANSFER,
                            address);
    default:
        return of_construct(names, process, "kernel", OTF2_REGION_ROLE_CODE, address);
    }
}

} // namespace loomp::analysis::archive
