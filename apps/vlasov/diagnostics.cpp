#include "vlasov/diagnostics.h"

#include "vlasov/exact_sum.h"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace vlasov {

namespace {

enum Integral { kinetic, absolute, square, entropy, kIntegrals };

// Integrals over v of a tile, high and low parts: arrays of its edge's length.
void add_tile(const Grid &grid, Tile &tile, double *sums) {
    const std::ptrdiff_t edge = tile.edge;
    const auto add = [&](int integral, int i, double term) {
        double *high = sums + std::ptrdiff_t{2} * integral * edge + i;
        add_exactly(term, *high, *(high + edge));
    };
    for (int j = 0; j < tile.edge; ++j) {
        const double *f = tile.now() + j * tile.stride;
        const double v = grid.v(tile.first_v + j);
        for (int i = 0; i < tile.edge; ++i) {
            add(kinetic, i, v * v * f[i]);
            add(absolute, i, std::fabs(f[i]));
            add(square, i, f[i] * f[i]);
            add(entropy, i, f[i] > 0 ? -f[i] * std::log(f[i]) : 0.0);
        }
    }
}

} // namespace

Diagnostics::~Diagnostics() {
    if (file_ != nullptr)
        std::fclose(file_);
}

void Diagnostics::look(Simulation &simulation, int step) {
    complete(simulation);
    if (every_ == 0 || step % every_ != 0)
        return;
    const Grid &grid = simulation.grid();
    Tiles &tiles = simulation.tiles();
    const auto of_tile = static_cast<std::size_t>(2 * kIntegrals * grid.tile);
    std::vector<double> parts(of_tile * static_cast<std::size_t>(tiles.count()));
    double *all_parts = parts.data();
    const auto count_tiles = static_cast<std::size_t>(tiles.count()); // clang compares unsigned
#pragma omp taskloop shared(grid, tiles)
    for (std::size_t t = 0; t < count_tiles; ++t)
        add_tile(grid, tiles[static_cast<int>(t)], all_parts + of_tile * t);

    const auto nx = static_cast<std::size_t>(grid.nx);
    std::vector<double> sums(2 * kIntegrals * nx);
    for (int t = 0; t < tiles.count(); ++t)
        for (std::size_t integral = 0; integral < 2 * kIntegrals; ++integral)
            for (int i = 0; i < grid.tile; ++i)
                sums[integral * nx + static_cast<std::size_t>(tiles[t].first_x + i)] +=
                    parts[of_tile * static_cast<std::size_t>(t) +
                          integral * static_cast<std::size_t>(grid.tile) +
                          static_cast<std::size_t>(i)];
    apps::ranks::sum(sums.data(), static_cast<std::int64_t>(sums.size()));
    double found[kIntegrals] = {};
    for (std::size_t integral = 0; integral < kIntegrals; ++integral)
        for (std::size_t i = 0; i < nx; ++i)
            found[integral] += sums[2 * integral * nx + i] + sums[(2 * integral + 1) * nx + i];
    const double area = grid.dx() * grid.dv();
    next_ = {};
    next_.kinetic = found[kinetic] * area / 2;
    next_.l1 = found[absolute] * area;
    next_.l2 = std::sqrt(found[square] * area);
    next_.entropy = found[entropy] * area;
    pending_ = step;
}

void Diagnostics::complete(const Simulation &simulation) {
    const std::vector<Moment> &history = simulation.field().history();
    if (pending_ < 0 || history.size() <= static_cast<std::size_t>(pending_))
        return;
    const Moment &moment = history[static_cast<std::size_t>(pending_)];
    next_.time = moment.time;
    next_.mass = moment.mass;
    next_.electric = moment.norm * moment.norm / 2;
    pending_ = -1;
    rows_.push_back(next_);
    write(next_);
}

std::string Diagnostics::write_to(const std::string &path) {
    if (!apps::ranks::first())
        return "";
    path_ = path;
    file_ = std::fopen(path.c_str(), "w");
    if (file_ == nullptr)
        return path + ": " + std::strerror(errno);
    if (std::fputs("time,electric,kinetic,total,mass,L1,L2,entropy\n", file_) < 0)
        failed_ = true;
    for (const Diagnosis &row : rows_)
        write(row);
    return error();
}

void Diagnostics::write(const Diagnosis &row) {
    if (file_ == nullptr)
        return;
    if (std::fprintf(file_, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", row.time,
                     row.electric, row.kinetic, row.electric + row.kinetic, row.mass, row.l1,
                     row.l2, row.entropy) < 0 ||
        std::fflush(file_) != 0)
        failed_ = true;
}

std::string Diagnostics::error() const {
    return failed_ ? path_ + ": cannot be written, perhaps because the disk is full" : "";
}

} // namespace vlasov
