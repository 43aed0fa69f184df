// OMP_ALLOCATOR (OpenMP 5.2, 21.5.1): a predefined allocator, or a memory space with traits.
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_parse.h"

#include "runtime/core/environment/settings_text.h"

namespace loomp::core {

namespace {

// The standard's handles: omp_allocator_handle_t, omp_memspace_handle_t, omp_alloctrait_key_t,
// omp_alloctrait_value_t.
constexpr Word<std::uintptr_t> kAllocators[] = {
    {"omp_null_allocator", 0},   {"omp_default_mem_alloc", 1}, {"omp_large_cap_mem_alloc", 2},
    {"omp_const_mem_alloc", 3},  {"omp_high_bw_mem_alloc", 4}, {"omp_low_lat_mem_alloc", 5},
    {"omp_cgroup_mem_alloc", 6}, {"omp_pteam_mem_alloc", 7},   {"omp_thread_mem_alloc", 8}};

constexpr Word<int> kSpaces[] = {{"omp_default_mem_space", 0},
                                 {"omp_large_cap_mem_space", 1},
                                 {"omp_const_mem_space", 2},
                                 {"omp_high_bw_mem_space", 3},
                                 {"omp_low_lat_mem_space", 4}};

enum Trait : int {
    sync_hint = 1,
    alignment,
    access,
    pool_size,
    fallback,
    fb_data,
    pinned,
    partition
};
constexpr Word<int> kTraits[] = {{"sync_hint", sync_hint}, {"alignment", alignment},
                                 {"access", access},       {"pool_size", pool_size},
                                 {"fallback", fallback},   {"fb_data", fb_data},
                                 {"pinned", pinned},       {"partition", partition}};

struct TraitWord {
    Trait trait;
    const char *name;
    std::uintptr_t value;
};
constexpr TraitWord kTraitWords[] = {{sync_hint, "contended", 3},
                                     {sync_hint, "uncontended", 4},
                                     {sync_hint, "serialized", 5},
                                     {sync_hint, "sequential", 5},
                                     {sync_hint, "private", 6},
                                     {access, "all", 7},
                                     {access, "thread", 8},
                                     {access, "pteam", 9},
                                     {access, "cgroup", 10},
                                     {fallback, "default_mem_fb", 11},
                                     {fallback, "null_fb", 12},
                                     {fallback, "abort_fb", 13},
                                     {fallback, "allocator_fb", 14},
                                     {partition, "environment", 15},
                                     {partition, "nearest", 16},
                                     {partition, "blocked", 17},
                                     {partition, "interleaved", 18},
                                     {pinned, "false", 0},
                                     {pinned, "true", 1}};

bool parse_trait_value(int trait, const std::string &text, std::uintptr_t &value) {
    if (trait == alignment || trait == pool_size) {
        std::size_t size = 0;
        if (!parse_size(text, 1, size) || (trait == alignment && (size & (size - 1)) != 0))
            return false;
        value = size;
        return true;
    }
    if (trait == fb_data)
        return parse_word(text, kAllocators, value);
    for (const TraitWord &word : kTraitWords)
        if (word.trait == trait && same_word(text, word.name)) {
            value = word.value;
            return true;
        }
    return false;
}

} // namespace

bool parse_allocator(Settings &s, const std::string &text, std::string &why) {
    std::uintptr_t predefined = 0;
    if (parse_word(text, kAllocators, predefined)) {
        if (predefined == 0) {
            why = "a program needs an allocator";
            return false;
        }
        s.default_allocator = predefined;
        s.allocator = text;
        s.allocator_space = -1;
        s.allocator_traits.clear();
        return true;
    }
    const std::size_t colon = text.find(':');
    int space = 0;
    const std::string name = trimmed(text.substr(0, colon));
    if (!parse_word(name, kSpaces, space)) {
        why = "\"" + name + "\" is neither a predefined allocator nor a memory space";
        return false;
    }
    std::vector<std::pair<int, std::uintptr_t>> traits;
    if (colon != std::string::npos)
        for (const std::string &part : split(text.substr(colon + 1), ',')) {
            const std::size_t equals = part.find('=');
            int trait = 0;
            std::uintptr_t value = 0;
            if (equals == std::string::npos ||
                !parse_word(trimmed(part.substr(0, equals)), kTraits, trait) ||
                !parse_trait_value(trait, trimmed(part.substr(equals + 1)), value)) {
                why = "\"" + part + "\" is no trait with a value it can have";
                return false;
            }
            traits.emplace_back(trait, value);
        }
    // Allocators 1 to 5 belong to the spaces 0 to 4.
    s.default_allocator = static_cast<std::uintptr_t>(space) + 1;
    s.allocator = traits.empty() ? kAllocators[s.default_allocator].name : text;
    s.allocator_space = space;
    s.allocator_traits = std::move(traits);
    return true;
}

} // namespace loomp::core
