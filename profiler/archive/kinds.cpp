#include "profiler/archive/kinds.h"

namespace loomp::analysis::archive {

Kinds::Kinds(const RecordedProcess &process) {
    for (const RecordedThread &thread : process.threads)
        for (const record::Record &record : thread.records) {
            if (record.event == record::Event::create)
                places_[record.task] = place_of(record);
            if (record.event == record::Event::region)
                regions_[record.task] = record.other;
        }
}

} // namespace loomp::analysis::archive
