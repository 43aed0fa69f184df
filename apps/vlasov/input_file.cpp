#include "vlasov/input_file.h"

#include "common/report.h"

#if __has_include(<toml++/toml.h>)
#include <toml++/toml.h>
#define VLASOV_HAS_TOML 1
#endif

namespace vlasov {

#ifdef VLASOV_HAS_TOML

namespace {

std::string place(const std::string &path, const toml::source_region &source) {
    return path + ":" + std::to_string(source.begin.line);
}

// The value's text as the command line would have it.
std::string text_of(const toml::node &node, const std::string &where, const std::string &key,
                    const apps::Options &options) {
    if (const auto *value = node.as_string())
        return value->get();
    if (const auto *value = node.as_boolean())
        return value->get() ? "true" : "false";
    if (const auto *value = node.as_integer())
        return std::to_string(value->get());
    if (const auto *value = node.as_floating_point())
        return apps::format("%.17g", value->get());
    options.fail(where + ": " + key + ": a number, a text, true or false is needed");
}

} // namespace

void read_input(const std::string &path, const apps::Options &options) {
    toml::table table;
    try {
        table = toml::parse_file(path);
    } catch (const toml::parse_error &error) {
        const bool missing = error.source().begin.line == 0;
        options.fail((missing ? path : place(path, error.source())) + ": " +
                     std::string(error.description()));
    }
    for (const auto &[key, node] : table) {
        const std::string name(key.str());
        const std::string where = place(path, node.source());
        options.set(name, text_of(node, where, name, options), where + ": ");
    }
}

#else

void read_input(const std::string &, const apps::Options &options) {
    options.fail("--input: this program was built without toml++");
}

#endif

} // namespace vlasov
