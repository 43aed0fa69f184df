// A place in the three directions of space: x, y, z.
#pragma once

#include <array>

namespace enclave {

using Point = std::array<double, 3>;

// The faces of a cell or volume: towards lower and higher x, then y, then z.
inline constexpr int kFaces = 6;
inline constexpr int axis_of(int face) { return face / 2; }
inline constexpr int opposite(int face) { return face ^ 1; }

} // namespace enclave
