// The one door by which a suspended task comes back.
#pragma once

namespace loomp::core {

struct Suspension;

/// Lets a suspended task go on. Called exactly once per armed suspension, from any thread; the
/// suspension must not be touched afterwards.
void make_resumable(Suspension &suspension);

} // namespace loomp::core
