#include "hpccg/problem.h"

namespace hpccg {

namespace {

// Number of neighbours (itself included) that a point at `position` of `extent` has along one axis.
std::int64_t span(int position, int extent) {
    return 1 + (position > 0 ? 1 : 0) + (position + 1 < extent ? 1 : 0);
}

} // namespace

Slab slab_of(const Brick &brick, int rank, int ranks) {
    const auto plane = [&](int of) {
        return static_cast<int>(std::int64_t{brick.nz} * of / ranks);
    };
    return {plane(rank), plane(rank + 1)};
}

Matrix build_matrix(const Brick &brick, Slab slab) {
    Matrix matrix;
    matrix.rows = brick.plane() * (slab.last - slab.first);
    if (matrix.rows > 0) {
        matrix.halo_before = slab.first > 0 ? brick.plane() : 0;
        matrix.halo_after = slab.last < brick.nz ? brick.plane() : 0;
    }
    matrix.row_start = make_array<std::int64_t>(matrix.rows + 1);
    std::int64_t *row_start = matrix.row_start.get();

    std::int64_t row = 0;
    row_start[0] = 0;
    for (int z = slab.first; z < slab.last; ++z)
        for (int y = 0; y < brick.ny; ++y)
            for (int x = 0; x < brick.nx; ++x, ++row)
                row_start[row + 1] =
                    row_start[row] + span(x, brick.nx) * span(y, brick.ny) * span(z, brick.nz);
    matrix.nonzeros = row_start[matrix.rows];
    matrix.column = make_array<std::int32_t>(matrix.nonzeros);
    matrix.value = make_array<double>(matrix.nonzeros);
    std::int32_t *column = matrix.column.get();
    double *value = matrix.value.get();

#pragma omp parallel for collapse(2) schedule(static)
    for (int z = slab.first; z < slab.last; ++z) {
        for (int y = 0; y < brick.ny; ++y) {
            const std::int64_t first = (std::int64_t{z - slab.first} * brick.ny + y) * brick.nx;
            std::int64_t at = row_start[first];
            for (int x = 0; x < brick.nx; ++x) {
                for (int dz = -1; dz <= 1; ++dz) {
                    if (z + dz < 0 || z + dz >= brick.nz)
                        continue;
                    for (int dy = -1; dy <= 1; ++dy) {
                        if (y + dy < 0 || y + dy >= brick.ny)
                            continue;
                        for (int dx = -1; dx <= 1; ++dx) {
                            if (x + dx < 0 || x + dx >= brick.nx)
                                continue;
                            const std::int64_t offset =
                                (std::int64_t{dz} * brick.ny + dy) * brick.nx + dx;
                            column[at] = static_cast<std::int32_t>(first + x + offset);
                            value[at] = offset == 0 ? 27.0 : -1.0;
                            ++at;
                        }
                    }
                }
            }
        }
    }
    return matrix;
}

Array<double> build_right_hand_side(const Matrix &matrix) {
    Array<double> b = make_array<double>(matrix.rows);
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
        const std::int64_t neighbours = matrix.row_start[row + 1] - matrix.row_start[row] - 1;
        b[row] = 27.0 - static_cast<double>(neighbours);
    }
    return b;
}

} // namespace hpccg
