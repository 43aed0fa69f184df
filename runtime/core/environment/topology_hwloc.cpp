#include "runtime/core/environment/topology.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <hwloc.h>
#include <sys/single_threaded.h>

#include "platform/diagnostics.h"
#include "platform/loader.h"

namespace loomp::core {

namespace {

#define LOOMP_STRING_OF(x) #x
#define LOOMP_STRING(x) LOOMP_STRING_OF(x)

#define LOOMP_HWLOC_FUNCTIONS(F)                                                                   \
    F(hwloc_topology_init)                                                                         \
    F(hwloc_topology_set_all_types_filter)                                                         \
    F(hwloc_topology_set_type_filter)                                                              \
    F(hwloc_topology_set_components)                                                               \
    F(hwloc_topology_set_flags)                                                                    \
    F(hwloc_topology_load)                                                                         \
    F(hwloc_topology_destroy)                                                                      \
    F(hwloc_get_type_depth)                                                                        \
    F(hwloc_get_nbobjs_by_depth)                                                                   \
    F(hwloc_get_obj_by_depth)                                                                      \
    F(hwloc_obj_type_is_cache)                                                                     \
    F(hwloc_bitmap_first)

/// hwloc's functions. Some names are macros, so two steps turn them into strings.
struct Hwloc {
#define LOOMP_DECLARE(function) decltype(&::function) function = nullptr;
    LOOMP_HWLOC_FUNCTIONS(LOOMP_DECLARE)
#undef LOOMP_DECLARE

    bool open() {
        void *const library = open_library("libhwloc.so.15");
        if (library == nullptr)
            return false;
        bool all = true;
#define LOOMP_RESOLVE(function)                                                                    \
    function = reinterpret_cast<decltype(function)>(dlsym(library, LOOMP_STRING(function)));       \
    all = all && function != nullptr;
        LOOMP_HWLOC_FUNCTIONS(LOOMP_RESOLVE)
#undef LOOMP_RESOLVE
        return all;
    }
};

/// Keeps hwloc from loading its plugins during this object's life. They add only I/O devices, and
/// loading them (GL, OpenCL) takes several times longer than everything else. Only the environment
/// can disable them, and only a process without other threads may change it.
class WithoutPlugins {
  public:
    WithoutPlugins() : set_(__libc_single_threaded != 0 && std::getenv(kVariable) == nullptr) {
        if (set_)
            setenv(kVariable, "/nonexistent", 1);
    }
    ~WithoutPlugins() {
        if (set_)
            unsetenv(kVariable);
    }
    WithoutPlugins(const WithoutPlugins &) = delete;
    WithoutPlugins &operator=(const WithoutPlugins &) = delete;

  private:
    static constexpr const char *kVariable = "HWLOC_PLUGINS_PATH";
    bool set_;
};

/// Returns hwloc's view of the machine. Types that we do not use are filtered, so hwloc need not
/// read them.
hwloc_topology_t load_topology(const Hwloc &hwloc) {
    const WithoutPlugins without_plugins;
    hwloc_topology_t topology = nullptr;
    if (hwloc.hwloc_topology_init(&topology) != 0)
        return nullptr;
    hwloc.hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_CORE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                        HWLOC_OBJ_L4CACHE, HWLOC_OBJ_PACKAGE})
        hwloc.hwloc_topology_set_type_filter(topology, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    // This component queries every processor for data that Linux has already given.
    hwloc.hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    unsigned long flags = 0;
#if HWLOC_API_VERSION >= 0x00020800
    flags |= HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
             HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
#endif
    hwloc.hwloc_topology_set_flags(topology, flags);
    if (hwloc.hwloc_topology_load(topology) == 0)
        return topology;
    hwloc.hwloc_topology_destroy(topology);
    return nullptr;
}

Location locate(const Hwloc &hwloc, hwloc_obj_t processor) {
    Location location;
    location.numa_domain = hwloc.hwloc_bitmap_first(processor->nodeset);
    for (hwloc_obj_t object = processor->parent; object != nullptr; object = object->parent) {
        const auto index = static_cast<int>(object->logical_index);
        if (object->type == HWLOC_OBJ_CORE)
            location.core = index;
        else if (object->type == HWLOC_OBJ_PACKAGE)
            location.socket = index;
        else if (hwloc.hwloc_obj_type_is_cache(object->type) != 0)
            location.ll_cache = index; // the outermost cache remains
    }
    return location;
}

void locate_all(const Hwloc &hwloc, const std::vector<int> &ids, std::vector<Location> &locations) {
    hwloc_topology_t topology = load_topology(hwloc);
    if (topology == nullptr)
        return;
    const int depth = hwloc.hwloc_get_type_depth(topology, HWLOC_OBJ_PU);
    const unsigned count = hwloc.hwloc_get_nbobjs_by_depth(topology, depth);
    for (unsigned i = 0; i < count; ++i) {
        hwloc_obj_t processor = hwloc.hwloc_get_obj_by_depth(topology, depth, i);
        const auto id = static_cast<int>(processor->os_index);
        const auto found = std::lower_bound(ids.begin(), ids.end(), id);
        if (found != ids.end() && *found == id)
            locations[static_cast<std::size_t>(found - ids.begin())] = locate(hwloc, processor);
    }
    hwloc.hwloc_topology_destroy(topology);
}

} // namespace

std::vector<Location> read_locations(const std::vector<int> &ids) {
    std::vector<Location> locations(ids.size());
    Hwloc hwloc;
    if (hwloc.open())
        locate_all(hwloc, ids, locations);
    else if (!can_list_libraries())
        warn("a process that was forked beside other threads does not load libhwloc.so.15: each "
             "processor counts as a core of its own. Use OpenMP before fork()");
    else
        warn("libhwloc.so.15 cannot be loaded: each processor counts as a core of its own. The "
             "package libhwloc15 has it");
    // Starts beyond hwloc's numbers, so that no number is used twice.
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (locations[i].core < 0)
            locations[i].core = (1 << 24) + ids[i];
    return locations;
}

} // namespace loomp::core
