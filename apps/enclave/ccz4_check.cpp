// Z4 is the theory behind CCZ4: the metric gamma_ij, the extrinsic curvature K_ij, Theta and Z_i
// are its fields, and its equations are covariant. Rates of CCZ4's unknowns follow by the chain
// rule.
//
// Source: D. Alic and others, Phys. Rev. D 85, 064040 (2012), equations (2) to (6).
#include "enclave/ccz4_check.h"

#include "enclave/ccz4_product.h"
#include "enclave/ccz4_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace enclave {

namespace {

using Unknowns = std::array<double, Ccz4::kUnknowns>;
using Vector = std::array<double, 3>;
using Tensor = std::array<double, 9>;
using Symbols = std::array<double, 27>; // Christoffel symbols, upper index first

// Z4's fields at a point, each symmetric tensor as in kSymmetric.
enum Place {
    kMetric = 0,
    kCurvature = 6,
    kTheta = 12,
    kZ = 13,
    kLapse = 16, // its logarithm
    kShift = 17,
    kDriver = 20,
    kStartTrace = 23,
    kFields
};
using Fields = std::array<double, kFields>;
using At = std::function<Fields(const Point &)>;

// Waves, so no field and no derivative of one is zero; but the shift is linear, because Ccz4 leaves
// out its second derivatives (s = 0).
Fields waves(const Point &at) {
    Fields fields;
    for (int u = 0; u < kFields; ++u) {
        const double phase = (0.6 + 0.2 * (u % 3)) * at[0] + (1.1 - 0.3 * (u % 4)) * at[1] +
                             (0.5 + 0.1 * (u % 7)) * at[2] + u;
        const bool shift = u >= kShift && u < kShift + 3;
        fields[u] = 0.15 * (shift ? phase / 10 : std::sin(phase));
    }
    for (const int diagonal : {0, 3, 5})
        fields[kMetric + diagonal] += 1;
    return fields;
}

// The derivative of f(0), of sixth order.
template <class F> auto slope(const F &f) {
    constexpr double kStep = 0.02;
    constexpr double kWeights[3] = {45, -9, 1};
    auto sum = f(0.0);
    sum.fill(0);
    for (int k = 1; k <= 3; ++k) {
        const auto after = f(k * kStep);
        const auto before = f(-k * kStep);
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += kWeights[k - 1] * (after[i] - before[i]) / (60 * kStep);
    }
    return sum;
}

// The derivatives of f at a point, along each axis.
template <class F> auto slopes(const F &f, const Point &at) {
    const auto along = [&](int axis) {
        return slope([&](double distance) {
            Point there = at;
            there[axis] += distance;
            return f(there);
        });
    };
    return std::array{along(0), along(1), along(2)};
}

double element(const Fields &fields, int tensor, int i, int j) {
    return fields[tensor + kSymmetric[i][j]];
}

// A metric of any determinant.
struct Inverse {
    double upper[3][3];
    double determinant = 0;

    explicit Inverse(const Fields &fields) {
        const auto lower = [&](int i, int j) { return element(fields, kMetric, i % 3, j % 3); };
        for (int i = 0; i < 3; ++i)
            determinant += lower(0, i) *
                           (lower(1, i + 1) * lower(2, i + 2) - lower(1, i + 2) * lower(2, i + 1));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                upper[i][j] = (lower(i + 1, j + 1) * lower(i + 2, j + 2) -
                               lower(i + 1, j + 2) * lower(i + 2, j + 1)) /
                              determinant;
    }
    double trace(const Fields &fields, int tensor) const {
        double sum = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                sum += upper[i][j] * element(fields, tensor, i, j);
        return sum;
    }
};

Symbols christoffel(const At &fields, const Point &at) {
    const Inverse inverse(fields(at));
    const auto d = slopes(fields, at);
    Symbols symbols{};
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int l = 0; l < 3; ++l)
                    symbols[9 * k + 3 * i + j] +=
                        0.5 * inverse.upper[k][l] *
                        (element(d[i], kMetric, j, l) + element(d[j], kMetric, i, l) -
                         element(d[l], kMetric, i, j));
    return symbols;
}

// D_i v_j.
Tensor covariant(const std::array<Vector, 3> &slopes, const Vector &v, const Symbols &symbols) {
    Tensor result;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            result[3 * i + j] = slopes[i][j];
            for (int k = 0; k < 3; ++k)
                result[3 * i + j] -= symbols[9 * k + 3 * i + j] * v[k];
        }
    return result;
}

Tensor ricci(const At &fields, const Point &at) {
    const Symbols s = christoffel(fields, at);
    const auto d = slopes([&](const Point &there) { return christoffel(fields, there); }, at);
    Tensor result{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) {
                result[3 * i + j] += d[k][9 * k + 3 * i + j] - d[j][9 * k + 3 * i + k];
                for (int l = 0; l < 3; ++l)
                    result[3 * i + j] += s[9 * k + 3 * k + l] * s[9 * l + 3 * i + j] -
                                         s[9 * k + 3 * j + l] * s[9 * l + 3 * i + k];
            }
    return result;
}

// The change along the shift: of a tensor with two lower indices, and of a vector with one.
double carried(const Fields &q, const std::array<Fields, 3> &d, int tensor, int i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += q[kShift + k] * element(d[k], tensor, i, j) +
               element(q, tensor, k, j) * d[i][kShift + k] +
               element(q, tensor, i, k) * d[j][kShift + k];
    return sum;
}
double carried(const Fields &q, const std::array<Fields, 3> &d, int i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += q[kShift + k] * d[k][kZ + i] + q[kZ + k] * d[i][kShift + k];
    return sum;
}

// Z4: the rates of change of all fields, in the gauge of Ccz4.
Fields rates(const At &fields, const Point &at) {
    constexpr double kDamping = Ccz4::kKappa1;
    const Fields q = fields(at);
    const auto d = slopes(fields, at);
    const Inverse inverse(q);
    const auto &upper = inverse.upper;
    const Symbols symbols = christoffel(fields, at);
    const auto lapse_slope = [&](const Point &there) {
        const auto slope = slopes(fields, there);
        const double lapse = std::exp(fields(there)[kLapse]);
        return Vector{lapse * slope[0][kLapse], lapse * slope[1][kLapse], lapse * slope[2][kLapse]};
    };
    const double lapse = std::exp(q[kLapse]);
    const double theta = q[kTheta];
    const Vector d_lapse = lapse_slope(at);
    const Tensor bend = covariant(slopes(lapse_slope, at), d_lapse, symbols);
    const Vector z = {q[kZ], q[kZ + 1], q[kZ + 2]};
    std::array<Vector, 3> dz;
    for (int i = 0; i < 3; ++i)
        dz[i] = {d[i][kZ], d[i][kZ + 1], d[i][kZ + 2]};
    const Tensor z_slope = covariant(dz, z, symbols);
    const Tensor curvature = ricci(fields, at);
    const double trace = inverse.trace(q, kCurvature);
    const auto trace_slope = slopes(
        [&](const Point &there) {
            return std::array{Inverse(fields(there)).trace(fields(there), kCurvature)};
        },
        at);
    Tensor mixed{}; // K_i^j
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                mixed[3 * i + j] += upper[j][k] * element(q, kCurvature, i, k);

    Fields rate{};
    double scalar = 0; // R + 2 D_k Z^k - K_ij K^ij
    for (int i = 0; i < 3; ++i) {
        rate[kLapse] += q[kShift + i] * d[i][kLapse];
        rate[kTheta] += q[kShift + i] * d[i][kTheta];
        for (int j = 0; j < 3; ++j) {
            scalar += upper[i][j] * (curvature[3 * i + j] + 2 * z_slope[3 * i + j]) -
                      mixed[3 * i + j] * mixed[3 * j + i];
            rate[kTheta] -= upper[i][j] * z[i] * d_lapse[j];
        }
    }
    rate[kLapse] -= lapse * (trace - q[kStartTrace] - 2 * theta);
    rate[kTheta] += lapse * (0.5 * (scalar + (trace - 2 * theta) * trace) -
                             kDamping * (2 + Ccz4::kKappa2) * theta);
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double sum = curvature[3 * i + j] + z_slope[3 * i + j] + z_slope[3 * j + i] +
                         (trace - 2 * theta) * element(q, kCurvature, i, j) -
                         kDamping * (1 + Ccz4::kKappa2) * theta * element(q, kMetric, i, j);
            for (int k = 0; k < 3; ++k)
                sum -= 2 * mixed[3 * i + k] * element(q, kCurvature, k, j);
            const int place = kSymmetric[i][j];
            rate[kMetric + place] =
                carried(q, d, kMetric, i, j) - 2 * lapse * q[kCurvature + place];
            rate[kCurvature + place] =
                carried(q, d, kCurvature, i, j) - bend[3 * i + j] + lapse * sum;
        }
        double sum = d[i][kTheta] - trace_slope[i][0] - kDamping * z[i];
        for (int j = 0; j < 3; ++j) {
            sum -= 2 * mixed[3 * i + j] * z[j];
            for (int k = 0; k < 3; ++k) {
                double change = element(d[k], kCurvature, i, j); // D_k K_ij
                for (int l = 0; l < 3; ++l)
                    change -= symbols[9 * l + 3 * k + i] * element(q, kCurvature, l, j) +
                              symbols[9 * l + 3 * k + j] * element(q, kCurvature, i, l);
                sum += upper[j][k] * change;
            }
        }
        rate[kZ + i] = carried(q, d, i) + lapse * sum - theta * d_lapse[i];
    }
    return rate;
}

// CCZ4's unknowns that need no derivative: gamma, A, K, ln phi, ln alpha, beta, and the inverse of
// gamma.
struct Local {
    Unknowns q{};
    Tensor upper;

    explicit Local(const Fields &fields) {
        const Inverse inverse(fields);
        const double phi_squared = std::cbrt(1 / inverse.determinant);
        const double trace = inverse.trace(fields, kCurvature);
        for (int u = 0; u < 6; ++u) {
            q[Ccz4::kGamma + u] = phi_squared * fields[kMetric + u];
            q[Ccz4::kA + u] =
                phi_squared * (fields[kCurvature + u] - trace / 3 * fields[kMetric + u]);
        }
        q[Ccz4::kTheta] = fields[kTheta];
        q[Ccz4::kLapse] = fields[kLapse];
        for (int i = 0; i < 3; ++i) {
            q[Ccz4::kShift + i] = fields[kShift + i];
            q[Ccz4::kDriver + i] = fields[kDriver + i];
            for (int j = 0; j < 3; ++j)
                upper[3 * i + j] = inverse.upper[i][j] / phi_squared;
        }
        q[Ccz4::kTrace] = trace;
        q[Ccz4::kPhi] = 0.5 * std::log(phi_squared);
        q[Ccz4::kStartTrace] = fields[kStartTrace];
    }
};

// All of CCZ4's unknowns.
Unknowns unknowns(const At &fields, const Point &at) {
    const Fields here = fields(at);
    const Local local(here);
    Unknowns q = local.q;
    const auto d = slopes([&](const Point &there) { return Local(fields(there)).q; }, at);
    const auto d_upper = slopes([&](const Point &there) { return Local(fields(there)).upper; }, at);
    for (int k = 0; k < 3; ++k) {
        q[Ccz4::kLapseSlope + k] = d[k][Ccz4::kLapse];
        q[Ccz4::kPhiSlope + k] = d[k][Ccz4::kPhi];
        for (int i = 0; i < 3; ++i) {
            q[Ccz4::kShiftSlope + 3 * k + i] = d[k][Ccz4::kShift + i];
            q[Ccz4::kGammaHat + i] +=
                2 * local.upper[3 * i + k] * here[kZ + k] - d_upper[k][3 * i + k];
        }
        for (int u = 0; u < 6; ++u)
            q[Ccz4::kMetricSlope + 6 * k + u] = 0.5 * d[k][Ccz4::kGamma + u];
    }
    return q;
}

// The rates of CCZ4's unknowns that Z4 has. Gamma-hat's equation is covariant for kKappa3 = 1 only.
Unknowns expected(const Point &at) {
    const auto moved = [](double time) {
        return [time](const Point &there) {
            Fields fields = waves(there);
            const Fields rate = rates(waves, there);
            for (int u = 0; u < kFields; ++u)
                fields[u] += time * rate[u];
            return fields;
        };
    };
    Unknowns rate = slope([&](double time) { return unknowns(moved(time), at); });
    const Fields here = waves(at);
    const auto d = slopes(waves, at);
    const Tensor upper = Local(here).upper;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                rate[Ccz4::kGammaHat + i] += 2 * (Ccz4::kKappa3 - 1) * here[kZ + j] *
                                             (2.0 / 3 * upper[3 * i + j] * d[k][kShift + k] -
                                              upper[3 * k + j] * d[k][kShift + i]);
    return rate;
}

template <int axis>
void subtract_product(const Unknowns &q, const std::array<Unknowns, 3> &d, Unknowns &rate) {
    double values[Ccz4::kUnknowns];
    double slope[Ccz4::kUnknowns];
    double product[Ccz4::kUnknowns];
    std::copy(q.begin(), q.end(), values);
    std::copy(d[axis].begin(), d[axis].end(), slope);
    Ccz4::product<axis>(values, slope, product);
    for (int u = 0; u < Ccz4::kUnknowns; ++u)
        rate[u] -= product[u];
}

// Those that the solver has.
Unknowns found(const Point &at) {
    const Unknowns q = unknowns(waves, at);
    const auto d = slopes([](const Point &there) { return unknowns(waves, there); }, at);
    double values[Ccz4::kUnknowns];
    double source[Ccz4::kUnknowns];
    std::copy(q.begin(), q.end(), values);
    Ccz4::source(values, source);
    Unknowns rate;
    std::copy(source, source + Ccz4::kUnknowns, rate.begin());
    subtract_product<0>(q, d, rate);
    subtract_product<1>(q, d, rate);
    subtract_product<2>(q, d, rate);
    return rate;
}

// How far from the unknowns constrain() comes when they have been moved off the constraints.
double distance_restored(const Point &at) {
    const Unknowns right = unknowns(waves, at);
    double q[Ccz4::kUnknowns];
    std::copy(right.begin(), right.end(), q);
    for (int u = 0; u < 6; ++u) {
        for (const int place : {int{Ccz4::kA}, int{Ccz4::kMetricSlope}, Ccz4::kMetricSlope + 6,
                                Ccz4::kMetricSlope + 12})
            q[place + u] += 0.1 * q[Ccz4::kGamma + u];
        q[Ccz4::kGamma + u] *= 1.1;
    }
    Ccz4::constrain(q);
    double largest = 0;
    for (int u = 0; u < Ccz4::kUnknowns; ++u)
        largest = std::max(largest, std::fabs(q[u] - right[u]));
    return largest;
}

} // namespace

void check_ccz4(apps::Report &report) {
    constexpr double kMost = 1e-7;
    const Point at = {0.3, -0.2, 0.5};
    const Unknowns rate = found(at);
    const Unknowns right = expected(at);
    double largest = 0;
    int worst = 0;
    for (int u = 0; u < Ccz4::kUnknowns; ++u) {
        const double distance = std::fabs(rate[u] - right[u]);
        if (distance <= largest)
            continue;
        largest = distance;
        worst = u;
    }
    report.check(
        "as Z4", largest <= kMost,
        apps::format("%.1e in the rate of %s (at most %.0e)", largest, Ccz4::kNames[worst], kMost));
    report.check("algebra", distance_restored(at), 1e-9);
}

} // namespace enclave
