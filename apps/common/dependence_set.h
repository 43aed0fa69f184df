// A task's dependences as an object, if the runtime supports it: loomp's dependence sets
// (loomp/dependences.h), found when the program runs. Elsewhere the program names dependences in
// depend clauses.
//
// Thread safety: one thread fills a set; then any may name it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

struct loomp_dependences;

namespace apps {

class DependenceSet {
  public:
    // Whether there are any. Otherwise none of the rest may be called.
    static bool available();

    DependenceSet();
    ~DependenceSet();
    DependenceSet(DependenceSet &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)) {}
    DependenceSet(const DependenceSet &) = delete;
    DependenceSet &operator=(const DependenceSet &) = delete;

    void add_in(const void *location);
    void add_out(const void *location);
    // The first elements of the tiles, of `tile` elements each, that these elements of `array` are
    // in.
    void add_in(const double *array, std::int64_t tile, const std::int32_t *indices,
                std::int64_t count);
    std::size_t size() const;

    // Right before a task construct: the task depends on them.
    void name_for_next_task() const;

  private:
    loomp_dependences *handle_;
};

} // namespace apps
