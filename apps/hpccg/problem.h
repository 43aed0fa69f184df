// The linear system of the HPCCG benchmark: a 27-point operator on an nx x ny x nz brick, 27 on the
// diagonal and -1 for each neighbour inside the brick, in compressed sparse rows; the right-hand
// side is made so that the solution is all ones. Each rank has a slab of whole planes along z.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hpccg {

struct Brick {
    int nx;
    int ny;
    int nz;

    std::int64_t rows() const { return plane() * nz; }
    std::int64_t plane() const { return std::int64_t{nx} * ny; }
};

// Planes first <= z < last of the brick, all of it with one rank.
struct Slab {
    int first;
    int last;
};

// The planes of a rank; their numbers differ by one at most. There may be none.
Slab slab_of(const Brick &brick, int rank, int ranks);

// Storage that is not written when it is made: which thread touches a page first is left to the
// solver, and decides where the page lies.
template <typename T> using Array = std::unique_ptr<T[]>;

template <typename T> Array<T> make_array(std::int64_t count) {
    return Array<T>(new T[static_cast<std::size_t>(count)]);
}

// The rows of a slab. Columns count from the slab's first row, too: those before it are negative,
// in the plane below (`halo_before` rows, of another rank), and those from `rows` on in the plane
// above (`halo_after`).
struct Matrix {
    std::int64_t rows = 0;
    std::int64_t halo_before = 0;
    std::int64_t halo_after = 0;
    std::int64_t nonzeros = 0;
    Array<std::int64_t> row_start; // rows + 1 of them
    Array<std::int32_t> column;
    Array<double> value;
};

// Built by all threads; independent of their number.
Matrix build_matrix(const Brick &brick, Slab slab);

// b = A * (1, ..., 1).
Array<double> build_right_hand_side(const Matrix &matrix);

// The answer to compare with, computed by one thread, without the matrix (neighbours are found by
// their coordinates) and with compensated sums: nothing is shared with the code under test.
struct Reference {
    double initial_norm = 0;            // ||b||, as x starts from zero
    std::vector<double> residual_norms; // one per iteration
    std::vector<double> x;
};

Reference solve_reference(const Brick &brick, int iterations, double tolerance);

// The reference for Jacobi's method. Its norms are those of the residual before each sweep, and its
// x is the one after the last sweep.
Reference solve_jacobi_reference(const Brick &brick, int sweeps, double tolerance);

// || b - A x || by the same independent operator.
double true_residual_norm(const Brick &brick, const double *x);

} // namespace hpccg
