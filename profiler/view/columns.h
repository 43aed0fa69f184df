// Encodes many integers in a small text. A column holds differences if neighbours are alike. Each
// number takes as few bytes as it needs (the sign in its lowest bit, 7 bits a byte). All columns
// are deflated together, in base64. profiler/view/web/columns.js reads them. Thread safety: none.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loomp::analysis {

class Columns {
  public:
    enum class Coding : std::uint8_t { plain, differences };

    struct Entry {
        std::string name;
        Coding coding;
        std::size_t count;
        std::size_t bytes;
    };

    /// Later values belong to a column of this name.
    void begin(std::string name, Coding coding = Coding::plain);
    void put(std::int64_t value);

    /// A column with `value_of` each element.
    template <typename Range, typename ValueOf>
    void add(std::string name, Coding coding, const Range &elements, ValueOf value_of) {
        begin(std::move(name), coding);
        for (const auto &element : elements)
            put(static_cast<std::int64_t>(value_of(element)));
    }

    /// The names of the columns in text(), in order.
    const std::vector<Entry> &entries() const { return entries_; }
    /// Throws std::runtime_error if zlib fails.
    std::string text() const;

  private:
    std::vector<Entry> entries_;
    std::string bytes_;
    std::int64_t before_ = 0;
};

std::string base64(std::string_view bytes);

} // namespace loomp::analysis
