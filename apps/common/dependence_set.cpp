#include "common/dependence_set.h"

// Its functions are null on other runtimes.
#define LOOMP_WEAK
#include "loomp/dependences.h"

namespace apps {

bool DependenceSet::available() { return loomp_next_task_depends != nullptr; }

DependenceSet::DependenceSet() : handle_(loomp_dependences_create()) {}
DependenceSet::~DependenceSet() {
    if (handle_ != nullptr)
        loomp_dependences_free(handle_);
}

void DependenceSet::add_in(const void *location) {
    loomp_dependences_add(handle_, LOOMP_DEPEND_IN, location);
}
void DependenceSet::add_out(const void *location) {
    loomp_dependences_add(handle_, LOOMP_DEPEND_OUT, location);
}
void DependenceSet::add_in(const double *array, std::int64_t tile, const std::int32_t *indices,
                           std::int64_t count) {
    loomp_dependences_add_tiles32(handle_, LOOMP_DEPEND_IN, array, sizeof *array,
                                  static_cast<std::size_t>(tile), indices,
                                  static_cast<std::size_t>(count));
}
std::size_t DependenceSet::size() const { return loomp_dependences_count(handle_); }

void DependenceSet::name_for_next_task() const { loomp_next_task_depends(handle_); }

} // namespace apps
