// Settings at random, so that any two of them meet: each choice is the one of several that brings
// together most pairs of values that have not met yet.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../support.h"

namespace settings {

/// "NAME=VALUE", one for each setting that is given.
using Chosen = std::vector<std::string>;

/// A setting and its values; an empty one: it is not given. One that stands twice is drawn twice as
/// often. Left out are those for devices, for MPI and for tools, and what a wrong value gives.
struct Setting {
    const char *name;
    std::vector<const char *> values;
};

inline const std::vector<Setting> &all() {
    static const std::vector<Setting> list = {
        {"OMP_NUM_THREADS", {"1", "2", "2", "3", "4", "8", "3,2"}},
        {"OMP_THREAD_LIMIT", {"", "4", "12", "24", "24"}},
        {"OMP_MAX_ACTIVE_LEVELS", {"3", "3", "3", "1", "2"}},
        {"OMP_CANCELLATION", {"true", "true", "true", "false"}},
        {"OMP_DYNAMIC", {"", "", "true"}},
        {"OMP_SCHEDULE", {"", "", "static,2", "guided", "monotonic:dynamic"}},
        {"OMP_MAX_TASK_PRIORITY", {"", "10", "10", "100"}},
        {"OMP_WAIT_POLICY", {"", "", "active", "passive"}},
        {"OMP_STACKSIZE", {"", "", "512K"}},
        {"OMP_PROC_BIND", {"", "", "", "close", "spread,close", "primary"}},
        {"OMP_PLACES", {"", "", "", "cores", "threads"}},
        {"OMP_DISPLAY_AFFINITY", {"", "", "", "true"}},
        {"OMP_TOOL", {"", "", "disabled"}},
        {"LOOMP_MAX_STACKS", {"", "", "", "1", "2", "5", "40"}},
        {"LOOMP_TASK_ORDER", {"", "", "fifo"}},
        {"LOOMP_SPIN", {"", "", "0", "50us"}},
        {"LOOMP_TASK_MEMORY", {"", "", "", "1M", "64K"}},
        {"LOOMP_MAX_TASKS", {"", "", "", "2", "10", "100"}},
        {"LOOMP_PRODUCERS_FIRST", {"", "", "true"}},
        {"LOOMP_PRIORITY_PRESET", {"", "", "", "ma-1", "ma-2", "sa", "fa"}},
        {"LOOMP_PRIORITY_PROPAGATION", {"", "", "equal", "decrement"}},
        {"LOOMP_PRIORITY_PROPAGATED_AT", {"", "", "idle"}},
        {"LOOMP_PRIORITY_VALUE", {"", "", "max", "off"}},
        {"LOOMP_NEW_TASKS_SHARED_BY", {"", "", "core", "machine"}},
        {"LOOMP_PERSISTENT", {"", "", "auto"}},
        {"LOOMP_PROGRESS_BOUND", {"", "", "10us", "infinite"}},
        {"LOOMP_STATS", {"", "", "", "true"}},
        {"LOOMP_VERBOSE", {"", "", "", "true"}},
    };
    return list;
}

/// Lines that these settings make a process print.
inline bool is_announced(const std::string &line) {
    return line.rfind("affinity: ", 0) == 0 ||               // OMP_DISPLAY_AFFINITY
           line.rfind("loomp: statistics", 0) == 0 ||        // LOOMP_STATS
           line.rfind("  ", 0) == 0 ||                       // and what it counts
           line.rfind("loomp: ignored, as nothing", 0) == 0; // LOOMP_VERBOSE
}

/// Which values of any two settings have met in one process.
class Pairs {
  public:
    Pairs() {
        for (const Setting &setting : all()) {
            first_.push_back(values_);
            values_ += setting.values.size();
        }
        met_.assign(values_ * values_, false);
    }

    /// A choice of a value for each setting, by the value's number.
    using Choice = std::vector<std::size_t>;

    /// How many pairs a choice has that have not met.
    std::size_t count_new(const Choice &choice) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < choice.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                count += !met_[index(i, choice[i], j, choice[j])];
        return count;
    }
    void add(const Choice &choice) {
        for (std::size_t i = 0; i < choice.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                met_[index(i, choice[i], j, choice[j])] = true;
    }
    /// Adds what the lines of a log say, which name the settings of a process each.
    void read(const std::string &log) {
        std::ifstream file(log);
        for (std::string line; std::getline(file, line);) {
            Chosen given;
            std::istringstream words(line);
            for (std::string word; words >> word;)
                if (word.find('=') != std::string::npos)
                    given.push_back(word);
            if (!given.empty())
                add(numbers_of(given));
        }
    }
    /// Calls `tell(text)` for each pair that has not met; returns how many these are.
    template <class Tell> std::size_t for_each_left(Tell tell) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < all().size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                for (std::size_t a = 0; a < all()[i].values.size(); ++a)
                    for (std::size_t b = 0; b < all()[j].values.size(); ++b)
                        if (first_like(i, a) == a && first_like(j, b) == b &&
                            !met_[index(i, a, j, b)]) {
                            ++count;
                            tell(std::string(all()[i].name) + "=" + all()[i].values[a] + " " +
                                 all()[j].name + "=" + all()[j].values[b]);
                        }
        return count;
    }
    /// The first number of an equal value.
    static std::size_t first_like(std::size_t setting, std::size_t value) {
        const auto &values = all()[setting].values;
        std::size_t first = 0;
        while (std::string(values[first]) != values[value])
            ++first;
        return first;
    }

  private:
    std::size_t index(std::size_t i, std::size_t a, std::size_t j, std::size_t b) const {
        return (first_[i] + a) * values_ + first_[j] + b;
    }
    static Choice numbers_of(const Chosen &given) {
        Choice choice;
        for (const Setting &setting : all()) {
            std::string value;
            const std::string beginning = std::string(setting.name) + "=";
            for (const std::string &one : given)
                if (one.rfind(beginning, 0) == 0)
                    value = one.substr(beginning.size());
            std::size_t number = 0;
            while (number < setting.values.size() && value != setting.values[number])
                ++number;
            // A value that is not drawn any more.
            choice.push_back(number < setting.values.size() ? number : 0);
        }
        return choice;
    }

    std::vector<std::size_t> first_; ///< the number of each setting's first value among all
    std::size_t values_ = 0;
    std::vector<bool> met_;
};

/// The next process' settings. They follow from the random numbers and from what has met before.
inline Chosen choose(Random random, Pairs &pairs) {
    constexpr int kCandidates = 40;
    Pairs::Choice best;
    std::size_t most = 0;
    for (int i = 0; i < kCandidates; ++i) {
        Pairs::Choice choice;
        for (std::size_t s = 0; s < all().size(); ++s)
            choice.push_back(Pairs::first_like(s, static_cast<std::size_t>(random.below(
                                                      static_cast<int>(all()[s].values.size())))));
        const std::size_t count = pairs.count_new(choice);
        if (best.empty() || count > most) {
            most = count;
            best = choice;
        }
    }
    pairs.add(best);
    Chosen chosen;
    for (std::size_t s = 0; s < best.size(); ++s)
        if (const char *value = all()[s].values[best[s]]; *value != 0)
            chosen.push_back(std::string(all()[s].name) + "=" + value);
    return chosen;
}

} // namespace settings
