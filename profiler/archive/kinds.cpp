#include "profiler/archive/kinds.h"

namespace loomp::analysis::archive {

Kinds::Kinds(const RecordedProcess &process) {
    for (const RecordedThread &thread : process.threads)
        for (const record::Record &of : thread.records) {
            if (of.event == record::Event::create)
                places_[of.task] = place_of(of);
            if (of.event == record::Event::region)
                regions_[of.task] = of.other;
        }
}

} // namespace loomp::analysis::archive
