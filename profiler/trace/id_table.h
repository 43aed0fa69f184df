// Maps 64-bit numbers that come in runs, such as names of tasks, to values: some high bits have
// most of their low bits in use. Other numbers work, too, with bounded memory for each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace loomp::analysis {

/// Finds neighbours without hashing. Thread safety: none, also for find().
template <class Value> class IdTable {
  public:
    explicit IdTable(Value empty) : empty_(empty) {}
    IdTable(IdTable &&) noexcept = default;
    IdTable(const IdTable &) = delete;
    IdTable &operator=(IdTable &&) noexcept = default;
    IdTable &operator=(const IdTable &) = delete;
    ~IdTable() = default;

    /// The value of `id`, which is `empty` until it is set.
    Value &operator[](std::uint64_t id) {
        const std::uint64_t key = id >> kBits;
        if (key != key_ || page_ == nullptr) {
            const auto [place, added] = pages_.try_emplace(key);
            if (added)
                place->second.fill(empty_);
            key_ = key;
            page_ = &place->second;
        }
        return (*page_)[id & kMask];
    }
    Value find(std::uint64_t id) const {
        const std::uint64_t key = id >> kBits;
        if (key != key_ || page_ == nullptr) {
            const auto place = pages_.find(key);
            if (place == pages_.end())
                return empty_;
            key_ = key;
            page_ = const_cast<Page *>(&place->second);
        }
        return (*page_)[id & kMask];
    }

  private:
    static constexpr unsigned kBits = 6;
    static constexpr std::uint64_t kMask = (1U << kBits) - 1;
    using Page = std::array<Value, std::size_t{1} << kBits>;

    Value empty_;
    std::unordered_map<std::uint64_t, Page> pages_; ///< with stable addresses
    mutable std::uint64_t key_ = 0;                 ///< of the latest
    mutable Page *page_ = nullptr;
};

} // namespace loomp::analysis
