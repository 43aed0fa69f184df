// Kinds of tasks, functions of MPI and constructs of OpenMP, as regions of an archive.
#include "analysis/thread_writer.h"
#include "loomp/omp-tools.h"
#include "record/functions.h"

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
    default:
        return {"barrier", OTF2_REGION_ROLE_BARRIER};
    }
}

} // namespace

Kinds::Kinds(const RecordedProcess &process) {
    for (const RecordedThread &thread : process.threads)
        for (const record::Record &of : thread.records)
            if (of.event == record::Event::create)
                places_[of.task] = place_of(of);
}

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
        if (const std::size_t label = Kinds::label_of(place); label > 0 && label <= labels.size())
            name.label = labels[label - 1];
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

OTF2_RegionRef Regions::of_wait(std::uint32_t construct) {
    const Construct is = construct_of(construct);
    const auto [place, added] = constructs_.try_emplace(is.name, 0);
    if (added) {
        CodeName name;
        name.label = is.name;
        place->second = add(std::move(name), is.role, OTF2_PARADIGM_OPENMP);
    }
    return place->second;
}

} // namespace loomp::analysis::archive
