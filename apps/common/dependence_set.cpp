#include "common/dependence_set.h"

// loomp's, null on other runtimes: the program needs none of its headers.
extern "C" {
__attribute__((weak)) void *loomp_dependences_create();
__attribute__((weak)) void loomp_dependences_free(void *set);
__attribute__((weak)) int loomp_dependences_add(void *set, int kind, const void *location);
__attribute__((weak)) int loomp_dependences_add_tiles32(void *set, int kind, const void *base,
                                                        std::size_t element_size, std::size_t tile,
                                                        const std::int32_t *indices,
                                                        std::size_t count);
__attribute__((weak)) std::size_t loomp_dependences_count(const void *set);
__attribute__((weak)) void loomp_next_task_depends(const void *set);
}

namespace apps {

namespace {
constexpr int kIn = 1; // LOOMP_DEPEND_IN
constexpr int kOut = 2;
} // namespace

bool DependenceSet::available() { return loomp_next_task_depends != nullptr; }

DependenceSet::DependenceSet() : handle_(loomp_dependences_create()) {}
DependenceSet::~DependenceSet() {
    if (handle_ != nullptr)
        loomp_dependences_free(handle_);
}

void DependenceSet::add_in(const void *location) { loomp_dependences_add(handle_, kIn, location); }
void DependenceSet::add_out(const void *location) {
    loomp_dependences_add(handle_, kOut, location);
}
void DependenceSet::add_in(const double *array, std::int64_t tile, const std::int32_t *indices,
                           std::int64_t count) {
    loomp_dependences_add_tiles32(handle_, kIn, array, sizeof *array,
                                  static_cast<std::size_t>(tile), indices,
                                  static_cast<std::size_t>(count));
}
std::size_t DependenceSet::size() const { return loomp_dependences_count(handle_); }

void DependenceSet::name_for_next_task() const { loomp_next_task_depends(handle_); }

} // namespace apps
