#include "enclave/measure.h"

#include "common/ranks.h"
#include "common/report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace enclave {

namespace ranks = apps::ranks;

namespace {

// The size of a volume; in directions with one cell only all are alike.
double size_of(const Frame &frame) { return std::pow(frame.width, frame.dimensions); }

std::uint64_t scrambled(std::uint64_t value) {
    value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15u;
    return value ^ (value >> 29);
}

std::uint64_t hash_of(const Field &field, int cell, int unknowns) {
    const Frame frame = field.frame(cell);
    std::uint64_t hash = static_cast<std::uint64_t>(cell) + 1;
    for (int u = 0; u < unknowns; ++u) {
        for (int volume = 0; volume < frame.volumes(); ++volume) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, field.values(cell) + u * frame.stride() + volume, sizeof bits);
            hash = scrambled(hash + bits);
        }
    }
    return hash;
}

} // namespace

std::string checksum_of(const Field &field, const Piece &own) {
    std::uint64_t sum = 0;
    for (int cell = own.first; cell < own.last; ++cell)
        sum += hash_of(field, cell, field.unknowns());
    return apps::checksum(sum);
}

double mean_error(const Problem &problem, const Field &field, const Piece &own, double time) {
    std::vector<double> exact(static_cast<std::size_t>(problem.unknowns));
    double sum = 0;
    double volumes = 0;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = field.frame(cell);
        const double *values = field.values(cell) + problem.observed * frame.stride();
        for (int volume = 0; volume < frame.volumes(); ++volume) {
            problem.exact(frame.centre(volume), time, frame.dimensions, exact.data());
            sum += size_of(frame) * std::fabs(values[volume] - exact[problem.observed]);
        }
        volumes += size_of(frame) * frame.volumes();
    }
    return ranks::sum(sum) / ranks::sum(volumes);
}

double range_of(const Problem &problem, const Field &field, const Piece &own) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = field.frame(cell);
        const double *values = field.values(cell) + problem.observed * frame.stride();
        for (int volume = 0; volume < frame.volumes(); ++volume) {
            least = std::min(least, values[volume]);
            most = std::max(most, values[volume]);
        }
    }
    return ranks::most(most) - ranks::least(least);
}

double off_centre(const Field &field, const Piece &own) {
    double most = 0;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = field.frame(cell);
        for (int axis = 0; axis < frame.dimensions; ++axis) {
            double mean = 0;
            for (int volume = 0; volume < frame.volumes(); ++volume)
                mean += (frame.centre(volume)[axis] - frame.low[axis]) / frame.width;
            mean /= frame.volumes();
            most = std::max(most, std::fabs(mean - 0.5 * frame.across));
        }
    }
    return ranks::most(most);
}

double largest_magnitude(const Field &field, const Piece &own, int unknown) {
    double most = 0;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = field.frame(cell);
        const double *values = field.values(cell) + unknown * frame.stride();
        for (int volume = 0; volume < frame.volumes(); ++volume)
            most = std::max(most, std::fabs(values[volume]));
    }
    return ranks::most(most);
}

std::vector<Total> totals(const Problem &problem, const Field &field, const Piece &own) {
    std::vector<Total> all(static_cast<std::size_t>(problem.unknowns));
    for (int u = 0; u < problem.unknowns; ++u) {
        Total &total = all[u];
        for (int cell = own.first; cell < own.last; ++cell) {
            const Frame frame = field.frame(cell);
            const double size = size_of(frame);
            const double *values = field.values(cell) + u * frame.stride();
            Total patch; // sums of sums: rounding errors grow with the length of a sum
            for (int volume = 0; volume < frame.volumes(); ++volume) {
                patch.sum += values[volume];
                patch.magnitude += std::fabs(values[volume]);
            }
            total.sum += patch.sum * size;
            total.magnitude += patch.magnitude * size;
        }
        total.sum = ranks::sum(total.sum);
        total.magnitude = ranks::sum(total.magnitude);
    }
    return all;
}

double drift(const std::vector<Total> &before, const std::vector<Total> &after) {
    double largest = 0;
    for (std::size_t u = 0; u < before.size(); ++u)
        if (before[u].magnitude > 0)
            largest =
                std::max(largest, std::fabs(after[u].sum - before[u].sum) / before[u].magnitude);
    return largest;
}

} // namespace enclave
