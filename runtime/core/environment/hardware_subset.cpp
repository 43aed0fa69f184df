#include "runtime/core/environment/hardware_subset.h"

#include <algorithm>

#include "runtime/core/environment/settings_text.h"

namespace loomp::core {

namespace {

constexpr long kMostObjects = 1L << 20;

/// A kind's name for users and its name in messages.
struct KindName {
    const char *name;
    MachineLevel kind;
};
constexpr KindName kKinds[] = {{"s", MachineLevel::socket},
                               {"socket", MachineLevel::socket},
                               {"sockets", MachineLevel::socket},
                               {"package", MachineLevel::socket},
                               {"n", MachineLevel::numa_domain},
                               {"numa", MachineLevel::numa_domain},
                               {"node", MachineLevel::numa_domain},
                               {"numa_domain", MachineLevel::numa_domain},
                               {"numa_domains", MachineLevel::numa_domain},
                               {"l3", MachineLevel::ll_cache},
                               {"l3_cache", MachineLevel::ll_cache},
                               {"ll_cache", MachineLevel::ll_cache},
                               {"ll_caches", MachineLevel::ll_cache},
                               {"c", MachineLevel::core},
                               {"core", MachineLevel::core},
                               {"cores", MachineLevel::core},
                               {"t", MachineLevel::thread},
                               {"thread", MachineLevel::thread},
                               {"threads", MachineLevel::thread}};

const char *plural(MachineLevel kind) {
    switch (kind) {
    case MachineLevel::socket:
        return "sockets";
    case MachineLevel::numa_domain:
        return "NUMA domains";
    case MachineLevel::ll_cache:
        return "last-level caches";
    case MachineLevel::core:
        return "cores";
    default:
        return "threads";
    }
}

/// Reads a number at `at`, if there is one.
bool read_number(const std::string &text, std::size_t &at, int &number) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
    return parse_int_in(text.substr(begin, at - begin), 0, kMostObjects, number);
}

bool parse_layer(const std::string &text, SubsetLayer &layer, std::string &why) {
    std::size_t at = 0;
    if (text[0] == '*')
        ++at;
    else if (!read_number(text, at, layer.count) || layer.count == 0) {
        why = "\"" + text + "\" does not begin with a count of 1 or more, or *";
        return false;
    }
    const std::size_t end = std::min(text.find('@', at), text.size());
    const std::string name = trimmed(text.substr(at, end - at));
    const auto *const found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                           [&](const auto &k) { return same_word(name, k.name); });
    if (found == std::end(kKinds)) {
        why =
            "\"" + name + "\" is none of s (sockets), n (NUMA domains), l3, c (cores), t (threads)";
        return false;
    }
    layer.kind = found->kind;
    if (end == text.size())
        return true;
    at = end + 1;
    if (!read_number(text, at, layer.offset) || at != text.size()) {
        why = "what follows @ in \"" + text + "\" is not a number";
        return false;
    }
    return true;
}

struct Processors {
    std::vector<int> ids;
    std::vector<Location> locations;
};

/// Chooses, from each object of the outer layers, the objects that the layers from `layer` on
/// select.
bool choose(const HardwareSubset &subset, std::size_t layer, const Processors &from,
            std::vector<int> &chosen, std::string &why) {
    if (layer == subset.size()) {
        chosen.insert(chosen.end(), from.ids.begin(), from.ids.end());
        return true;
    }
    const SubsetLayer &wanted = subset[layer];
    const std::vector<Place> objects = group_processors(wanted.kind, from.ids, from.locations);
    const auto begin = static_cast<std::size_t>(wanted.offset);
    const std::size_t count = wanted.count != 0        ? static_cast<std::size_t>(wanted.count)
                              : begin < objects.size() ? objects.size() - begin
                                                       : 1;
    if (begin + count > objects.size()) {
        why = "asks for more " + std::string(plural(wanted.kind)) + " than there are (" +
              std::to_string(objects.size()) + (layer == 0 ? ")" : " there)");
        return false;
    }
    for (std::size_t i = begin; i < begin + count; ++i) {
        Processors inner;
        for (std::size_t j = 0; j < from.ids.size(); ++j)
            if (std::find(objects[i].begin(), objects[i].end(), from.ids[j]) != objects[i].end()) {
                inner.ids.push_back(from.ids[j]);
                inner.locations.push_back(from.locations[j]);
            }
        if (!choose(subset, layer + 1, inner, chosen, why))
            return false;
    }
    return true;
}

} // namespace

bool parse_hardware_subset(const std::string &text, HardwareSubset &subset, std::string &why) {
    const bool is_explicit = !text.empty() && text[0] == ':';
    std::string rest = text.substr(is_explicit ? 1 : 0);
    std::replace(rest.begin(), rest.end(), 'x', ','); // accept the older separator
    HardwareSubset layers;
    for (std::size_t at = 0; at <= rest.size();) {
        const std::size_t end = std::min(rest.find(',', at), rest.size());
        const std::string part = trimmed(rest.substr(at, end - at));
        at = end + 1;
        SubsetLayer layer;
        if (part.empty()) {
            why = "has an empty part";
            return false;
        }
        if (!parse_layer(part, layer, why))
            return false;
        for (const SubsetLayer &other : layers)
            if (other.kind == layer.kind) {
                why = "names " + std::string(plural(layer.kind)) + " twice";
                return false;
            }
        layers.push_back(layer);
    }
    if (!is_explicit)
        for (const MachineLevel kind :
             {MachineLevel::socket, MachineLevel::core, MachineLevel::thread})
            if (std::none_of(layers.begin(), layers.end(),
                             [kind](const SubsetLayer &l) { return l.kind == kind; }))
                layers.push_back({kind, 0, 0});
    std::sort(layers.begin(), layers.end(),
              [](const SubsetLayer &a, const SubsetLayer &b) { return a.kind > b.kind; });
    subset = std::move(layers);
    return true;
}

std::string &hardware_subset_in_force() {
    static auto &text = *new std::string; // never destroyed, because displays may come at exit
    return text;
}

std::vector<int> choose_processors(const HardwareSubset &subset, const std::vector<int> &usable,
                                   const std::vector<Location> &locations, std::string &why) {
    std::vector<int> chosen;
    if (!choose(subset, 0, {usable, locations}, chosen, why))
        return {};
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

} // namespace loomp::core
