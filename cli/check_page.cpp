// The findings of `loomp check` as a page: of each the two tasks, with their lines of source, and
// what they share.
#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <string_view>

#include "cli/check_report.h"
#include "cli/directive.h"
#include "profiler/view/page.h"

namespace loomp::cli {

using namespace check;

namespace {

/// The page of `loomp view` has the style's first part; this is the rest.
constexpr const char *kStyle = R"(
section { border-top: 1px solid var(--line); padding: 6px 0 14px; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; }
.pair article { background: var(--panel); border-radius: 6px; padding: 10px 14px; min-width: 0; }
.pair h3 { margin: 0 0 4px; font-size: 14px; overflow-wrap: anywhere; }
.pair p { margin: 0 0 6px; }
pre { margin: 0 0 8px; overflow-x: auto; font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre b { background: var(--idle); display: inline-block; min-width: 100%; }
.one { color: var(--before); } .other { color: var(--after); }
.memory { position: relative; height: 18px; background: var(--idle); border-radius: 3px; margin: 8px 0 2px; }
.memory i { position: absolute; top: 0; bottom: 0; background: var(--path); min-width: 3px; }
.memory u { position: absolute; width: 2px; }
.memory u.one { top: -4px; height: 12px; background: var(--before); }
.memory u.other { bottom: -4px; height: 12px; background: var(--after); }
.legend { color: var(--muted); }
@media (max-width: 900px) { .pair { grid-template-columns: minmax(0, 1fr); } }
)";

std::string in_html(std::string_view text) {
    std::string result;
    for (const char letter : text)
        switch (letter) {
        case '<':
            result += "&lt;";
            break;
        case '&':
            result += "&amp;";
            break;
        default:
            result += letter;
        }
    return result;
}

std::string style_of_view() {
    constexpr std::string_view kBegin = "<style>", kEnd = "</style>";
    const std::string_view page = analysis::kPage;
    const std::size_t begin = page.find(kBegin) + kBegin.size();
    return std::string(page.substr(begin, page.find(kEnd) - begin));
}

/// Lines of a source around one, which is marked; empty if they cannot be read.
std::string lines_around(const std::string &file, unsigned marked) {
    constexpr unsigned kAround = 2;
    std::ifstream source(file);
    std::string text, line;
    for (unsigned number = 1; marked != 0 && number <= marked + kAround; ++number) {
        if (!std::getline(source, line))
            break;
        if (number + kAround < marked)
            continue;
        const char *const tag = number == marked ? "b" : "span";
        text += fmt::format("<{}>{:5}  {}</{}>\n", tag, number, in_html(line), tag);
    }
    return text.empty() ? "" : "<pre>" + text + "</pre>";
}

} // namespace

std::string CheckReport::side_in_html(const Finding &finding, const Side &side,
                                      const char *role) const {
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "<article><h3 class=\"{}\">{}</h3>", role, in_html(construct_of(side)));
    if (!side.implicit && side.call == 0 && side.construct != 0) {
        const analysis::CodeName name = name_of_task(side.construct, side.function);
        const Directive directive = directive_at(name.file, name.line);
        text += lines_around(name.file, directive.line != 0 ? directive.line : name.line);
    }
    const analysis::CodeName access = names_.caller(side.access + 1);
    fmt::format_to(out, "<p>{}{}{}</p>",
                   finding.envelope ? "starts the message" : name_of(side.how),
                   side.call != 0 ? "" : ", at ", side.call != 0 ? "" : in_html(access.label));
    if (side.call == 0)
        text += lines_around(access.file, access.line);
    for (const Item &item : side.items)
        fmt::format_to(out, "<div>depend({}: {})</div>", name_of(item.access),
                       item.all_memory ? "omp_all_memory" : in_html(named(finding, item.address)));
    return text + "</article>";
}

/// The block, or what is around a variable's bytes, with the accessed bytes and the items of both.
std::string CheckReport::memory_in_html(const Finding &finding) const {
    Address begin = finding.block.begin, size = finding.block.size;
    if (size == 0) {
        begin = finding.begin;
        size = finding.end - finding.begin;
    }
    const auto percent = [size](Address offset) {
        return 100 * static_cast<double>(offset) / static_cast<double>(size);
    };
    std::string text =
        fmt::format("<div class=\"memory\"><i style=\"left:{:.2f}%;width:{:.2f}%\"></i>",
                    percent(finding.begin - begin),
                    percent(std::min(finding.end, begin + size) - finding.begin));
    for (const auto &[side, role] : {std::pair{&finding.earlier, "one"}, {&finding.later, "other"}})
        for (const Item &item : side->items)
            if (!item.all_memory && item.address >= begin && item.address < begin + size)
                text += fmt::format("<u class=\"{}\" style=\"left:{:.2f}%\"></u>", role,
                                    percent(item.address - begin));
    return text +
           fmt::format("</div><div class=\"legend\">{}; <span class=\"one\">items of the one "
                       "above</span>, <span class=\"other\">of the other one below</span></div>",
                       in_html(memory_of(finding)));
}

std::string CheckReport::page(const std::string &program) const {
    std::string text = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
        "<title>{} - loomp check</title>\n<style>{}{}</style>\n</head>\n<body>\n<header><h1>{}</h1>"
        "<dl "
        "id=\"figures\"><div><dt>tasks</dt><dd>{}</dd></div><div><dt>races</dt><dd>{}</dd></div>"
        "<div><dt>excluded, in no "
        "order</dt><dd>{}</dd></div><div><dt>suppressed</dt><dd>{}</dd></div>"
        "</dl></header>\n",
        in_html(program), style_of_view(), kStyle, in_html(rank_ + program), result_.tasks,
        races_.size(), excluded_.size(), suppressed_);
    const auto out = std::back_inserter(text);
    int number = 0;
    for (const auto *list : {&races_, &excluded_})
        for (const Finding *finding : *list) {
            fmt::format_to(out, "<section><h2>{}. {}</h2>\n<p>{}{}</p>\n", ++number,
                           in_html(memory_of(*finding)),
                           finding->excluded ? "The two exclude each other, in either order."
                                             : "Missing: " + in_html(advice_of(*finding)),
                           finding->count > 1 ? fmt::format(" {} such pairs.", finding->count)
                                              : "");
            if (!finding->envelope)
                text += memory_in_html(*finding);
            fmt::format_to(out, "<div class=\"pair\">{}{}</div></section>\n",
                           side_in_html(*finding, finding->earlier, "one"),
                           side_in_html(*finding, finding->later, "other"));
        }
    return text + "</body>\n</html>\n";
}

} // namespace loomp::cli
