#include "vlasov/field.h"

#include "vlasov/tile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vlasov {

namespace {

double mean(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

void remove_mean(std::vector<double> &values) {
    const double removed = mean(values);
    for (double &value : values)
        value -= removed;
}

std::vector<double> moment(const Grid &grid, const std::vector<double> &sums, int high, int low) {
    const auto nx = static_cast<std::size_t>(grid.nx);
    std::vector<double> found(nx);
    const double *a = sums.data() + static_cast<std::size_t>(high) * nx;
    const double *b = sums.data() + static_cast<std::size_t>(low) * nx;
    for (std::size_t i = 0; i < nx; ++i)
        found[i] = (a[i] + b[i]) * grid.dv();
    return found;
}

} // namespace

Field::Field(const Grid &grid, double dt, Solve how) : grid_(grid), dt_(dt), how_(how) {
    const auto nx = static_cast<std::size_t>(grid.nx);
    now_.resize(nx);
    half_.resize(nx + 2 * static_cast<std::size_t>(grid.ghosts));
    for (int i = 0; i < grid.nx; ++i) {
        const double angle = 2 * M_PI * i / grid.nx;
        cosine_.push_back(std::cos(angle));
        sine_.push_back(std::sin(angle));
    }
}

void Field::impose(double value) {
    imposed_ = true;
    std::fill(now_.begin(), now_.end(), value);
    std::fill(half_.begin(), half_.end(), value);
    largest_ = std::fabs(value);
}

void Field::go_on(const std::vector<double> &now, const std::vector<Moment> &history) {
    now_ = now;
    history_ = history;
}

void Field::clear() { std::fill(half_.begin(), half_.end(), 0.0); }

// The integral of a cell is that of the polynomial of degree 5 through the six points around it.
void Field::integrate(const std::vector<double> &density) {
    constexpr double kWeight[3] = {802.0 / 1440, -93.0 / 1440, 11.0 / 1440};
    const int nx = grid_.nx;
    const double average = mean(density);
    const auto at = [&](int i) {
        return density[static_cast<std::size_t>((i % nx + nx) % nx)] - average;
    };
    double e = 0;
    for (int i = 0; i < nx; ++i) {
        now_[static_cast<std::size_t>(i)] = e;
        double cell = 0;
        for (int k = 0; k < 3; ++k)
            cell += kWeight[k] * (at(i - k) + at(i + 1 + k));
        e += grid_.dx() * cell;
    }
    remove_mean(now_);
}

void Field::look_ahead(const std::vector<double> &current) {
    const auto nx = static_cast<std::size_t>(grid_.nx);
    const auto ghosts = static_cast<std::size_t>(grid_.ghosts);
    const bool extrapolates = how_ == Solve::poisson && !before_.empty();
    const double average = mean(current);
    largest_ = 0;
    for (std::size_t i = 0; i < nx; ++i) {
        const double e = extrapolates ? 1.5 * now_[i] - 0.5 * before_[i]
                                      : now_[i] - dt_ / 2 * (current[i] - average);
        half_[ghosts + i] = e;
        largest_ = std::max(largest_, std::fabs(e));
    }
    for (std::size_t g = 0; g < ghosts; ++g) {
        half_[ghosts + nx + g] = half_[ghosts + g % nx];
        half_[ghosts - 1 - g] = half_[ghosts + nx - 1 - g % nx];
    }
}

void Field::remember(double mass) {
    Moment found{static_cast<double>(history_.size()) * dt_, mass, 0, 0, 0};
    double squares = 0;
    for (std::size_t i = 0; i < now_.size(); ++i) {
        squares += now_[i] * now_[i];
        found.mode_cosine += now_[i] * cosine_[i];
        found.mode_sine += now_[i] * sine_[i];
    }
    found.norm = std::sqrt(squares * grid_.dx());
    history_.push_back(found);
}

void Field::solve(const std::vector<double> &sums) {
    const std::vector<double> density = moment(grid_, sums, density_high, density_low);
    if (!imposed_) {
        const std::vector<double> current = moment(grid_, sums, current_high, current_low);
        if (!history_.empty())
            before_ = now_;
        integrate(density);
        look_ahead(current);
    }
    remember(mean(density) * grid_.length);
}

} // namespace vlasov
