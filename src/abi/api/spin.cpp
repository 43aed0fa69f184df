// experimental.h: how long threads that wait spin.
#include <algorithm>

#include "abi/export.h"
#include "core/environment/settings.h"
#include "core/worker/oversubscription.h"
#include "loomp/experimental.h"

using namespace loomp;

LOOMP_EXPORT void loomp_set_spin(long microseconds) {
    constexpr long looks_per_microsecond = 1000 / core::kNanosecondsPerLook;
    constexpr long most = 1L << 40; // some days
    core::choose_spin(microseconds < 0 ? -1 : std::min(microseconds, most) * looks_per_microsecond);
}
