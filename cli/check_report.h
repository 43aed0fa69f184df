// What `loomp check` prints: the findings as text, JSON or a page, without those that a file
// suppresses.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "profiler/check/races.h"
#include "profiler/recording/code_names.h"

namespace loomp::cli {

/// Lines of a file: "race PLACE PLACE", where a place is a construct's ("lu.c:70") or a pattern of
/// the shell's ("lu.c:*"). The two may stand in either order. Blank lines and those that begin with
/// # do not count.
class Suppressions {
  public:
    /// Returns what is wrong with the file; empty: nothing.
    std::string read(const std::filesystem::path &file);
    bool cover(const std::string &one, const std::string &other) const;

  private:
    struct Line {
        std::string one, other;
    };
    std::vector<Line> lines_;
};

const char *name_of(check::Access access);
const char *name_of(check::How how);

class CheckReport {
  public:
    /// `rank`: the process' in its MPI job, if it is in one.
    CheckReport(const check::Result &result, const std::filesystem::path &folder,
                const Suppressions &suppressions, std::optional<int> rank);

    /// Races, which are not suppressed.
    std::size_t races() const { return races_.size(); }
    /// `all`: also what locks exclude.
    std::string text(bool all) const;
    /// The changed lines of directives, for those findings whose advice can be written down without
    /// doubt: an item for a whole static variable, or a stronger kind for an only item.
    std::string fixes() const;
    std::string json() const;
    /// The findings as a page of HTML: both tasks, their lines, and what they share.
    std::string page(const std::string &program) const;
    /// "item 2 of 3, in, of the task of lu.c:88" for each.
    std::string text_of(const std::vector<check::RunItem> &items) const;

  private:
    std::string place(check::Address code) const;
    analysis::CodeName name_of_task(check::Address construct, check::Address function) const;
    std::string place_of(const check::Side &side) const;
    std::string construct_of(const check::Side &side) const;
    std::string memory_of(const check::Finding &finding) const;
    std::string named(const check::Finding &finding, check::Address address) const;
    std::string advice_of(const check::Finding &finding) const;
    std::string text_of(const check::Finding &finding) const;
    std::string fix_of(const check::Finding &finding) const;
    std::string side_in_html(const check::Finding &finding, const check::Side &side,
                             const char *role) const;
    std::string memory_in_html(const check::Finding &finding) const;

    const check::Result &result_;
    analysis::CodeNames names_;
    std::deque<check::Finding> findings_; ///< of each two constructs and lines one
    std::vector<const check::Finding *> races_, excluded_;
    std::size_t suppressed_ = 0;
    std::string rank_; ///< what each finding and the sum begin with: "rank 1: " or nothing
};

} // namespace loomp::cli
