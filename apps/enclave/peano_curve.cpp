#include "enclave/peano_curve.h"

namespace enclave {

// A position's digits in base 3, three a level, are the cell's coordinates, one digit of each, but
// mirrored where the curve runs backwards along that axis: where the digits before that belong to
// other axes have an odd sum. Mirroring a digit leaves it odd or even.
std::int64_t position_on_curve(const CellIndex &cell, int depth) {
    std::int64_t position = 0;
    int sum_of[3] = {0, 0, 0};
    for (int unit = cells_across(depth) / 3; unit > 0; unit /= 3) {
        for (int axis = 0; axis < 3; ++axis) {
            const int digit = cell[axis] / unit % 3;
            const int others = sum_of[(axis + 1) % 3] + sum_of[(axis + 2) % 3];
            position = 3 * position + (others % 2 == 0 ? digit : 2 - digit);
            sum_of[axis] += digit;
        }
    }
    return position;
}

} // namespace enclave
