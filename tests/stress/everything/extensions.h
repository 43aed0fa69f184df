// loomp's own functions, found when the program runs on loomp.
#pragma once

#include <dlfcn.h>

#include <loomp/loomp.h>

#include "../support.h"

namespace extensions {

#define LOOMP_FUNCTION(name) inline decltype(&loomp_##name) name
LOOMP_FUNCTION(suspend);
LOOMP_FUNCTION(resume);
LOOMP_FUNCTION(in_task);
LOOMP_FUNCTION(hold_task);
LOOMP_FUNCTION(release_task);
LOOMP_FUNCTION(persistent_begin);
LOOMP_FUNCTION(persistent_end);
LOOMP_FUNCTION(persistent_free);
#undef LOOMP_FUNCTION

template <class Function> void find_one(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    if (function == nullptr)
        fail("no %s: is this loomp?", name);
}

inline void find() {
    find_one(suspend, "loomp_suspend");
    find_one(resume, "loomp_resume");
    find_one(in_task, "loomp_in_task");
    find_one(hold_task, "loomp_hold_task");
    find_one(release_task, "loomp_release_task");
    find_one(persistent_begin, "loomp_persistent_begin");
    find_one(persistent_end, "loomp_persistent_end");
    find_one(persistent_free, "loomp_persistent_free");
}

} // namespace extensions
