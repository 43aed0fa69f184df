#include "cli/check_report.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fnmatch.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "cli/directive.h"
#include "profiler/format/functions.h"

namespace loomp::cli {

using namespace check;

std::string Suppressions::read(const std::filesystem::path &file) {
    std::ifstream stream(file);
    if (!stream)
        return fmt::format("cannot read {}", file.string());
    std::string text;
    for (int number = 1; std::getline(stream, text); ++number) {
        std::istringstream words(text);
        std::string kind, more;
        Line line;
        if (!(words >> kind) || kind.starts_with('#'))
            continue;
        if (kind != "race" || !(words >> line.one >> line.other) || words >> more)
            return fmt::format(
                "{}:{}: a line is to be: race PLACE PLACE, such as race lu.c:70 lu.c:*",
                file.string(), number);
        lines_.push_back(line);
    }
    return {};
}

bool Suppressions::cover(const std::string &one, const std::string &other) const {
    const auto fit = [](const std::string &pattern, const std::string &place) {
        return fnmatch(pattern.c_str(), place.c_str(), 0) == 0;
    };
    return std::any_of(lines_.begin(), lines_.end(), [&](const Line &line) {
        return (fit(line.one, one) && fit(line.other, other)) ||
               (fit(line.one, other) && fit(line.other, one));
    });
}

const char *name_of(Access access) {
    constexpr std::array names{"in", "inout", "mutexinoutset", "inoutset"};
    return names[static_cast<std::size_t>(access)];
}

const char *name_of(How how) {
    constexpr std::array names{"reads", "writes", "updates atomically"};
    return names[static_cast<std::size_t>(how)];
}

namespace {

std::string bytes_of(std::uint64_t count) {
    return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

} // namespace

CheckReport::CheckReport(const Result &result, const std::filesystem::path &folder,
                         const Suppressions &suppressions, std::optional<int> rank)
    : result_(result), names_(folder / LOOMP_CHECK_MAPS) {
    if (rank)
        rank_ = fmt::format("rank {}: ", *rank);
    // An inlined or unrolled statement has several instructions.
    std::map<std::array<std::string, 5>, Finding *> known;
    for (const Finding &finding : result.findings) {
        const std::string earlier = place_of(finding.earlier), later = place_of(finding.later);
        if (suppressions.cover(earlier, later)) {
            ++suppressed_;
            continue;
        }
        Finding *&same =
            known[{earlier, later, place(finding.earlier.access + 1),
                   place(finding.later.access + 1), finding.excluded ? "excluded" : ""}];
        if (same != nullptr) {
            same->count += finding.count;
            continue;
        }
        same = &findings_.emplace_back(finding);
        (finding.excluded ? excluded_ : races_).push_back(same);
    }
}

std::string CheckReport::place(Address code) const {
    return code == 0 ? "main program" : names_.caller(code).label;
}

/// gcc gives the call of a construct the line of the statement before, but the function of its code
/// the line of the directive. clang may make one call for several constructs.
analysis::CodeName CheckReport::name_of_task(Address construct, Address function) const {
    analysis::CodeName of_code;
    if (function != 0)
        of_code = names_.caller(function + 1);
    if (of_code.function.find("._omp_fn.") != std::string::npos)
        return of_code;
    analysis::CodeName of_call = names_.caller(construct);
    return of_call.is_shared && of_code.line != 0 ? of_code : of_call;
}

std::string CheckReport::place_of(const Side &side) const {
    if (side.call != 0)
        return place(side.construct);
    return side.construct == 0 ? "main program" : name_of_task(side.construct, side.function).label;
}

/// "the task of lu.c:70", "the code of the region at lu.c:60" or "MPI_Irecv, called at lu.c:71 by
/// the task of lu.c:70,".
std::string CheckReport::construct_of(const Side &side) const {
    if (side.call != 0) {
        Side caller;
        caller.construct = side.caller;
        caller.function = side.caller_function;
        caller.implicit = side.caller_implicit;
        return fmt::format("{}, called at {} by {},", record::kFunctionNames[side.call - 1],
                           place_of(side), construct_of(caller));
    }
    if (side.construct == 0)
        return "the code outside of regions";
    return (side.implicit ? "the code of the region at " : "the task of ") + place_of(side);
}

std::string CheckReport::named(const Finding &finding, Address address) const {
    const Block &block = finding.block;
    if (block.size != 0 && address >= block.begin && address < block.begin + block.size)
        return fmt::format("byte {} of that block", address - block.begin);
    if (const std::string variable = names_.variable(address); !variable.empty())
        return variable;
    if (const Block &other = finding.advice.block; other.size != 0)
        return fmt::format("byte {} of the block of {} that {} allocates", address - other.begin,
                           bytes_of(other.size), place(other.code));
    return fmt::format("address {:#x}", address);
}

namespace {

/// "messages from rank 1, tag 7, MPI_COMM_WORLD"
std::string messages_of(const Envelope &envelope) {
    const auto &[kind, peer, tag, number] = envelope;
    const std::string comm =
        number == 0 ? "MPI_COMM_WORLD" : fmt::format("communicator {}", number);
    if (kind == LOOMP_CHECK_COLLECTIVES)
        return fmt::format("a collective of {}", comm);
    return fmt::format("messages {} rank {}, tag {}, {}",
                       kind == LOOMP_CHECK_RECEIVES ? "from" : "to", peer, tag, comm);
}

} // namespace

std::string CheckReport::memory_of(const Finding &finding) const {
    if (finding.envelope)
        return messages_of(*finding.envelope);
    const std::uint64_t size = finding.end - finding.begin;
    if (finding.block.size != 0)
        return fmt::format("bytes {} to {} of the block of {} that {} allocates",
                           finding.begin - finding.block.begin,
                           finding.end - 1 - finding.block.begin, bytes_of(finding.block.size),
                           place(finding.block.code));
    if (const std::string variable = names_.variable(finding.begin); !variable.empty())
        return fmt::format("{} of {}", bytes_of(size), variable);
    return fmt::format("{} {}", bytes_of(size),
                       finding.stack ? "of a variable on the stack"
                                     : fmt::format("at {:#x}", finding.begin));
}

std::string CheckReport::advice_of(const Finding &finding) const {
    if (finding.envelope)
        return finding.envelope->kind == LOOMP_CHECK_COLLECTIVES
                   ? "a dependence between the two, or a communicator for each: all ranks must "
                     "call the collectives of one in the same order"
                   : "a dependence between the two, or a tag for each: which message is whose "
                     "depends on the schedule";
    if (finding.earlier.call != 0)
        return fmt::format("the completion of that call (MPI_Wait or MPI_Test) before {}",
                           finding.later.call != 0 ? "the other one" : construct_of(finding.later));
    const Advice &advice = finding.advice;
    const Side &side = advice.at == 0 ? finding.earlier : finding.later;
    const Side &other = advice.at == 0 ? finding.later : finding.earlier;
    const std::string where = named(finding, advice.address);
    switch (advice.kind) {
    case Advice::Kind::none:
        if (finding.earlier.implicit && finding.later.implicit)
            return "a barrier between the two, or one of atomic, critical and reduction";
        if (finding.earlier.implicit || finding.later.implicit)
            return "a taskwait before the code that is no task's, or a dependence of a task of its "
                   "own";
        return "the tasks have different creators, so depend clauses do not order them: a taskwait "
               "or "
               "taskgroup in the creator of the first one";
    case Advice::Kind::add:
        return fmt::format("depend({}: ...) of {} at the task of {}: the one of {} has it as {}",
                           name_of(advice.access), where, place_of(side), place_of(other),
                           name_of(other.items[advice.item].access));
    case Advice::Kind::strengthen:
        return fmt::format(
            "depend(inout: ...) instead of a weaker kind for {} at the task of {}, which {} it",
            where, place_of(side), name_of(side.how));
    case Advice::Kind::weak:
        return fmt::format("the task of {} is weak, so its own code waits for no items: use the "
                           "memory in a child, or make the task transparent instead",
                           place_of(side));
    case Advice::Kind::add_both:
        break;
    }
    const auto kind = [](const Side &of) { return of.how == How::read ? "in" : "inout"; };
    return fmt::format(
        "depend({}: ...) of {} at the task of {}, and depend({}: ...) at the one of {}",
        kind(finding.earlier), where, place_of(finding.earlier), kind(finding.later),
        place_of(finding.later));
}

std::string CheckReport::text_of(const Finding &finding) const {
    std::string text;
    const auto line = std::back_inserter(text);
    const auto at = [this](const Side &side) {
        return side.call != 0 ? "" : fmt::format(", at {},", place(side.access + 1));
    };
    if (finding.envelope) {
        constexpr std::array does{"receives", "sends", "calls"};
        const char *kind = does[finding.envelope->kind];
        fmt::format_to(line, "{} {}{} {}\n", construct_of(finding.earlier), kind,
                       at(finding.earlier), memory_of(finding));
        fmt::format_to(line, "    {} does so, too{} in no order\n", construct_of(finding.later),
                       at(finding.later));
    } else {
        fmt::format_to(line, "{} {}{} {}\n", construct_of(finding.earlier),
                       name_of(finding.earlier.how), at(finding.earlier), memory_of(finding));
        fmt::format_to(line, "    {} {} them{} in no order\n", construct_of(finding.later),
                       name_of(finding.later.how), at(finding.later));
    }
    if (finding.excluded && finding.block.of_thread)
        fmt::format_to(line, "    A static variable of the thread holds the block's address: tasks "
                             "of one thread use it "
                             "one after the other.\n");
    else if (finding.excluded)
        fmt::format_to(line, "    They exclude each other, but nothing says which comes first.\n");
    else
        fmt::format_to(line, "    missing: {}\n", advice_of(finding));
    if (finding.count > 1)
        fmt::format_to(line, "    {} pairs of such tasks\n", finding.count);
    Address shown = 0;
    for (const Side *side : {&finding.earlier, &finding.later}) {
        if (side->implicit || side->call != 0 || side->construct == 0 || side->construct == shown)
            continue;
        shown = side->construct;
        const analysis::CodeName name = name_of_task(side->construct, side->function);
        if (const auto [at, directive] = directive_at(name.file, name.line); at != 0)
            fmt::format_to(line, "    {}:{}: {}\n",
                           std::filesystem::path(name.file).filename().string(), at, directive);
    }
    return text;
}

std::string CheckReport::text(bool all) const {
    std::string text;
    int number = 0;
    const auto out = std::back_inserter(text);
    for (const Finding *finding : races_)
        fmt::format_to(out, "{}{}. {}", rank_, ++number, text_of(*finding));
    if (all)
        for (const Finding *finding : excluded_)
            fmt::format_to(out, "{}{}. {}", rank_, ++number, text_of(*finding));
    const std::size_t hidden = all ? 0 : excluded_.size();
    fmt::format_to(out, "{}{} task{}: {} race{}", rank_, result_.tasks,
                   result_.tasks == 1 ? "" : "s", races_.size(), races_.size() == 1 ? "" : "s");
    if (suppressed_ > 0)
        fmt::format_to(out, ", {} suppressed", suppressed_);
    if (hidden > 0)
        fmt::format_to(out, "; {} that locks exclude, in no order: --all", hidden);
    text += '\n';
    return text;
}

/// "lu.c:88: #pragma ..."; empty: it is not sure.
std::string CheckReport::fix_of(const Finding &finding) const {
    const Advice &advice = finding.advice;
    const bool adds = advice.kind == Advice::Kind::add;
    if (finding.earlier.call != 0 || finding.envelope ||
        (!adds && advice.kind != Advice::Kind::strengthen))
        return {};
    const Side &side = advice.at == 0 ? finding.earlier : finding.later;
    const Side &other = advice.at == 0 ? finding.later : finding.earlier;
    const analysis::CodeName name = name_of_task(side.construct, side.function);
    const Directive directive = directive_at(name.file, name.line);
    std::optional<std::string> text;
    if (adds) {
        // The other directive has the variable's name, so its file knows it.
        const std::string variable = names_.variable(advice.address);
        const bool is_name = !variable.empty() && variable.find_first_of("+.") == std::string::npos;
        if (is_name && name.file == name_of_task(other.construct, other.function).file)
            text = with_item(directive.text, name_of(advice.access), variable);
    } else {
        const auto own = std::find_if(side.items.begin(), side.items.end(), [&](const Item &item) {
            return item.address == advice.address;
        });
        if (own != side.items.end())
            text = with_inout(directive.text, name_of(own->access));
    }
    if (!text)
        return {};
    return fmt::format("{}:{}: {}\n", std::filesystem::path(name.file).filename().string(),
                       directive.line, *text);
}

std::string CheckReport::fixes() const {
    std::set<std::string> lines;
    for (const Finding *finding : races_)
        lines.insert(fix_of(*finding));
    lines.erase("");
    std::string text;
    for (const std::string &line : lines)
        text += rank_ + "fix: " + line;
    return text;
}

std::string CheckReport::text_of(const std::vector<RunItem> &items) const {
    std::string text;
    for (const RunItem &each : items) {
        const std::string variable = names_.variable(each.address);
        fmt::format_to(
            std::back_inserter(text), "not needed in this run: depend({}: {}) of the task of {}\n",
            name_of(each.access),
            variable.empty() ? fmt::format("its item {} of {}", each.item.number + 1, each.of)
                             : variable,
            name_of_task(each.item.construct, each.function).label);
    }
    return text;
}

std::string CheckReport::json() const {
    nlohmann::json races = nlohmann::json::array();
    const auto side_of = [this](const Side &side) {
        nlohmann::json items = nlohmann::json::array();
        for (const Item &item : side.items)
            items.push_back({{"kind", name_of(item.access)}, {"address", item.address}});
        return nlohmann::json{{"construct", place_of(side)},
                              {"implicit", side.implicit},
                              {"call", side.call != 0 ? record::kFunctionNames[side.call - 1] : ""},
                              {"access", name_of(side.how)},
                              {"at", place(side.access + 1)},
                              {"depend", items}};
    };
    for (const auto *list : {&races_, &excluded_})
        for (const Finding *finding : *list)
            races.push_back({{"earlier", side_of(finding->earlier)},
                             {"later", side_of(finding->later)},
                             {"excluded", finding->excluded},
                             {"memory", memory_of(*finding)},
                             {"bytes", finding->end - finding->begin},
                             {"pairs", finding->count},
                             {"missing", finding->excluded ? "" : advice_of(*finding)}});
    return nlohmann::json{
               {"tasks", result_.tasks}, {"suppressed", suppressed_}, {"findings", races}}
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
           "\n";
}

} // namespace loomp::cli
