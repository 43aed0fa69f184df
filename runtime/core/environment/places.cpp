#include "runtime/core/environment/places.h"

#include <algorithm>

#include "runtime/core/environment/settings_text.h"

namespace loomp::core {

namespace {

// Far beyond any machine, but low enough that a typing error costs little time.
constexpr long kMaxProcessor = (1L << 20) - 1;
constexpr long kMaxProcessors = 1L << 20;
constexpr long kMostEffort = 1L << 22;

/// A cursor over the text of OMP_PLACES. Each method parses one rule of the standard's grammar. If
/// it returns false, the reason is in `why`.
class PlacesParser {
  public:
    PlacesParser(const std::string &text, std::string &why) : at_(text.c_str()), why_(why) {}

    bool parse(std::vector<Place> &list) {
        do {
            const bool exclude = accept('!');
            Place first;
            if (!parse_place(first))
                return false;
            if (exclude ? !remove_last(list, first) : !parse_interval(first, list))
                return false;
        } while (accept(','));
        skip();
        if (*at_ != '\0')
            return fail("cannot make sense of \"" + std::string(at_) + "\"");
        return !list.empty() || fail("names no place");
    }

    bool parse_cpus(std::vector<Place> &list) {
        for (skip(); *at_ != '\0'; skip()) {
            long low = 0;
            long stride = 1;
            if (!number(low))
                return false;
            long high = low;
            if (accept('-') && !number(high))
                return false;
            if (accept(':') && !number(stride))
                return false;
            if (high < low || stride < 1)
                return fail("not a range from low to high");
            for (long cpu = low; cpu <= high; cpu += stride)
                if (!add({static_cast<int>(cpu)}, list))
                    return false;
            accept(',');
        }
        return !list.empty() || fail("names no processor");
    }

  private:
    bool fail(std::string why) {
        why_ = std::move(why);
        return false;
    }
    void skip() {
        while (is_blank(*at_))
            ++at_;
    }
    bool accept(char c) {
        skip();
        if (*at_ != c)
            return false;
        ++at_;
        return true;
    }
    bool number(long &value) {
        skip();
        std::size_t digits = 0;
        value = 0;
        for (; *at_ >= '0' && *at_ <= '9' && digits < 9; ++at_, ++digits)
            value = value * 10 + (*at_ - '0');
        if (digits == 0)
            return fail(*at_ == '\0' ? "ends where a number is due"
                                     : "a number is due at \"" + std::string(at_) + "\"");
        return value <= kMaxProcessor ||
               fail("has a number beyond " + std::to_string(kMaxProcessor));
    }
    bool signed_number(long &value) {
        const bool negative = accept('-');
        if (!negative)
            accept('+');
        if (!number(value))
            return false;
        value = negative ? -value : value;
        return true;
    }
    /// [:count[:stride]]
    bool parse_tail(long &count, long &stride) {
        count = 1;
        stride = 1;
        if (!accept(':'))
            return true;
        if (!number(count))
            return false;
        if (count < 1)
            return fail("a count is at least 1");
        return !accept(':') || signed_number(stride);
    }
    bool parse_place(Place &place) {
        if (!accept('{')) { // a bare number is a place of one processor
            long cpu = 0;
            if (!number(cpu))
                return false;
            place = {static_cast<int>(cpu)};
            return true;
        }
        do {
            const bool exclude = accept('!');
            long first = 0;
            long count = 1;
            long stride = 1;
            if (!number(first) || (!exclude && !parse_tail(count, stride)))
                return false;
            // An exclusion searches all of them.
            effort_ += exclude ? static_cast<long>(place.size()) : count;
            if (effort_ > kMostEffort)
                return fail("names more processors than any machine has");
            for (long i = 0; i < count; ++i) {
                const long cpu = first + i * stride;
                if (cpu < 0 || cpu > kMaxProcessor)
                    return fail("runs out of processor numbers");
                if (exclude)
                    std::erase(place, static_cast<int>(cpu));
                else
                    place.push_back(static_cast<int>(cpu));
            }
        } while (accept(','));
        if (!accept('}'))
            return fail("lacks a closing brace");
        std::sort(place.begin(), place.end());
        place.erase(std::unique(place.begin(), place.end()), place.end());
        return !place.empty() || fail("has an empty place");
    }
    bool parse_interval(const Place &first, std::vector<Place> &list) {
        long count = 1;
        long stride = 1;
        if (!parse_tail(count, stride))
            return false;
        for (long i = 0; i < count; ++i) {
            Place place;
            for (const int cpu : first) {
                const long moved = cpu + i * stride;
                if (moved < 0 || moved > kMaxProcessor)
                    return fail("runs out of processor numbers");
                place.push_back(static_cast<int>(moved));
            }
            if (!add(std::move(place), list))
                return false;
        }
        return true;
    }
    bool add(Place place, std::vector<Place> &list) {
        processors_ += static_cast<long>(place.size());
        if (processors_ > kMaxProcessors)
            return fail("names more processors than any machine has");
        list.push_back(std::move(place));
        return true;
    }
    /// `!place` removes the latest equal place.
    bool remove_last(std::vector<Place> &list, const Place &place) {
        effort_ += processors_; // places of the same size are compared completely
        if (effort_ > kMostEffort)
            return fail("has more exclusions than can be looked up among so many places");
        const auto found = std::find(list.rbegin(), list.rend(), place);
        if (found != list.rend())
            list.erase(std::next(found).base());
        return true;
    }

    const char *at_;
    std::string &why_;
    long processors_ = 0;
    long effort_ = 0; ///< processors visited so far
};

/// Parses name or name(count); `known` reports whether the text begins with a known name.
bool parse_abstract(const std::string &text, PlacesSpec &spec, bool &known, std::string &why) {
    static constexpr const char *kNames[] = {"threads", "cores", "ll_caches", "numa_domains",
                                             "sockets"};
    const std::size_t open = text.find('(');
    const std::string name = trimmed(text.substr(0, open));
    known = !name.empty() && (name[0] < '0' || name[0] > '9') && name[0] != '{' && name[0] != '!';
    if (!known)
        return false;
    const auto *const found = std::find_if(std::begin(kNames), std::end(kNames),
                                           [&](const char *n) { return same_word(name, n); });
    if (found == std::end(kNames)) {
        why = "\"" + name + "\" is none of threads, cores, ll_caches, numa_domains, sockets";
        return false;
    }
    spec.is_abstract = true;
    spec.kind = static_cast<MachineLevel>(found - kNames);
    if (open == std::string::npos)
        return true;
    const std::size_t close = text.find(')', open);
    if (close == std::string::npos || close + 1 != text.size() ||
        !parse_int_in(trimmed(text.substr(open + 1, close - open - 1)), 1, kMaxProcessors,
                      spec.count)) {
        why = "the count in parentheses is not a positive integer";
        return false;
    }
    return true;
}

/// The size of part `i` of `total` things divided into `parts` contiguous parts. The first parts
/// get one more if the division leaves a remainder.
struct Division {
    int size;
    int larger;
    Division(int total, int parts) : size(total / parts), larger(total % parts) {}
    int begin(int part) const { return part * size + std::min(part, larger); }
    int part_of(int thing) const {
        const int in_larger = larger * (size + 1);
        return thing < in_larger ? thing / (size + 1) : larger + (thing - in_larger) / size;
    }
};

} // namespace

bool parse_places(const std::string &text, PlacesSpec &spec, std::string &why) {
    bool known = false;
    PlacesSpec parsed;
    const std::string value = trimmed(text);
    if (value.empty()) {
        why = "is empty";
        return false;
    }
    const bool ok = parse_abstract(value, parsed, known, why) ||
                    (!known && PlacesParser(value, why).parse(parsed.list));
    if (ok)
        spec = std::move(parsed);
    return ok;
}

bool parse_cpu_affinity(const std::string &text, PlacesSpec &spec, std::string &why) {
    PlacesSpec parsed;
    if (!PlacesParser(text, why).parse_cpus(parsed.list))
        return false;
    spec = std::move(parsed);
    return true;
}

Place restrict_places(std::vector<Place> &list, const std::vector<int> &usable) {
    Place left_out;
    for (Place &place : list)
        std::erase_if(place, [&](int cpu) {
            const bool keep = std::binary_search(usable.begin(), usable.end(), cpu);
            if (!keep)
                left_out.push_back(cpu);
            return !keep;
        });
    std::erase_if(list, [](const Place &place) { return place.empty(); });
    std::sort(left_out.begin(), left_out.end());
    left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
    return left_out;
}

namespace {

/// Calls `emit(first, count)` for each run of consecutive numbers.
template <class Emit> void for_each_run(const std::vector<int> &numbers, Emit emit) {
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t count = 1;
        while (i + count < numbers.size() &&
               numbers[i + count] == numbers[i] + static_cast<int>(count))
            ++count;
        emit(numbers[i], static_cast<int>(count));
        i += count;
    }
}

} // namespace

std::string format_places(const std::vector<Place> &list) {
    std::string text;
    for (const Place &place : list) {
        text += text.empty() ? "{" : ",{";
        const char *separator = "";
        for_each_run(place, [&](int first, int count) {
            text += separator + std::to_string(first);
            if (count > 1)
                text += ":" + std::to_string(count);
            separator = ",";
        });
        text += "}";
    }
    return text;
}

std::string format_ranges(const std::vector<int> &numbers) {
    std::string text;
    for_each_run(numbers, [&](int first, int count) {
        text += (text.empty() ? "" : ",") + std::to_string(first);
        if (count > 1)
            text += "-" + std::to_string(first + count - 1);
    });
    return text;
}

PlaceAssignment assign_place(ProcBind policy, int number, int threads, int parent_place,
                             const PlacePartition &parent) {
    if (parent.count == 0)
        return {-1, parent};
    const int places = parent.count;
    // An unbound thread starts at the partition's first place.
    const int start = parent_place >= parent.first && parent_place < parent.first + places
                          ? parent_place - parent.first
                          : 0;
    const auto at = [&](int offset) { return parent.first + offset % places; };

    if (policy == ProcBind::false_)
        return {number == 0 ? parent_place : -1, parent};
    if (policy == ProcBind::primary)
        return {at(start), parent};
    if (threads > places) {
        // Consecutive threads share a place, the primary thread's group its own (10.1.3, T > P).
        const int place = at(start + Division(threads, places).part_of(number));
        return {place, policy == ProcBind::spread ? PlacePartition{place, 1} : parent};
    }
    if (policy != ProcBind::spread) // close; "true" lets the implementation choose
        return {at(start + number), parent};
    // Each thread gets a subpartition; the primary thread's contains its place (T <= P).
    const Division division(places, threads);
    const int part = (division.part_of(start) + number) % threads;
    const int first = parent.first + division.begin(part);
    const int count = division.begin(part + 1) - division.begin(part);
    return {number == 0 ? at(start) : first, {first, count}};
}

} // namespace loomp::core
