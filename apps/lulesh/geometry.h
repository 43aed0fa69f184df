// A hexahedron: what can be said of it by the coordinates of its corners. Corners 0 to 3 go round
// the face at the lower zeta, counter-clockwise from the lowest xi and eta; 4 to 7 lie above them.
#pragma once

#include "lulesh/domain.h"

#include <algorithm>
#include <cmath>

namespace lulesh {

struct Point {
    double x;
    double y;
    double z;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(double s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point cross(Point a, Point b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A vector for each corner.
struct Corners {
    double x[8];
    double y[8];
    double z[8];

    Point operator[](int corner) const { return {x[corner], y[corner], z[corner]}; }
    void set(int corner, Point value) {
        x[corner] = value.x;
        y[corner] = value.y;
        z[corner] = value.z;
    }
    void add(int corner, Point value) { set(corner, (*this)[corner] + value); }
};

// The values of a nodal field at an element's nodes.
inline Corners at_corners(Components<const double> field, const int *nodes) {
    Corners corners;
    for (int c = 0; c < 8; ++c) {
        corners.x[c] = field.x[nodes[c]];
        corners.y[c] = field.y[nodes[c]];
        corners.z[c] = field.z[nodes[c]];
    }
    return corners;
}

// The derivatives of the shape functions at the centre, times the volume. Returns the volume that
// the Jacobian there gives.
inline double shape_derivatives(const Corners &at, Corners &derivatives) {
    const Point to6 = at[6] - at[0];
    const Point to5 = at[5] - at[3];
    const Point to7 = at[7] - at[1];
    const Point to4 = at[4] - at[2];
    const Point along_xi = 0.125 * (to6 + to5 - to7 - to4);
    const Point along_eta = 0.125 * (to6 - to5 + to7 - to4);
    const Point along_zeta = 0.125 * (to6 + to5 + to7 + to4);
    const Point xi = cross(along_eta, along_zeta);
    const Point eta = cross(along_zeta, along_xi);
    const Point zeta = cross(along_xi, along_eta);
    const Point lower[4] = {
        Point{0, 0, 0} - xi - eta - zeta,
        xi - eta - zeta,
        xi + eta - zeta,
        eta - xi - zeta,
    };
    // The corner across the centre has the opposite.
    constexpr int across[4] = {6, 7, 4, 5};
    for (int c = 0; c < 4; ++c) {
        derivatives.set(c, lower[c]);
        derivatives.set(across[c], -1.0 * lower[c]);
    }
    return 8.0 * dot(along_eta, eta);
}

// For each corner, a quarter of the area vectors of the three faces that meet there.
inline void corner_normals(const Corners &at, Corners &normals) {
    constexpr int faces[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                                 {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
    normals = {};
    for (const auto &face : faces) {
        const Point a = at[face[0]];
        const Point b = at[face[1]];
        const Point c = at[face[2]];
        const Point d = at[face[3]];
        const Point quarter = 0.25 * cross(0.5 * (d + c - b - a), 0.5 * (c + b - d - a));
        for (const int corner : face)
            normals.add(corner, quarter);
    }
}

// The derivative of the volume with respect to each corner's position.
inline void volume_derivatives(const Corners &at, Corners &derivatives) {
    // For each corner, six others in the order in which the formula takes them: three by the
    // edges that meet in it, and those between them.
    constexpr int others[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5},
                                  {0, 1, 2, 7, 4, 6}, {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2},
                                  {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
    for (int c = 0; c < 8; ++c) {
        const int *o = others[c];
        const auto moment = [o](const double *a, const double *b) {
            const double sum = (a[o[1]] + a[o[2]]) * (b[o[0]] + b[o[1]]) -
                               (a[o[0]] + a[o[1]]) * (b[o[1]] + b[o[2]]) +
                               (a[o[0]] + a[o[4]]) * (b[o[3]] + b[o[4]]) -
                               (a[o[3]] + a[o[4]]) * (b[o[0]] + b[o[4]]) -
                               (a[o[2]] + a[o[5]]) * (b[o[3]] + b[o[5]]) +
                               (a[o[3]] + a[o[5]]) * (b[o[2]] + b[o[5]]);
            return sum * (1.0 / 12.0);
        };
        derivatives.x[c] = moment(at.y, at.z);
        derivatives.y[c] = moment(at.z, at.x);
        derivatives.z[c] = moment(at.x, at.y);
    }
}

inline double volume_of(const Corners &at) {
    const auto span = [&at](int to, int from) { return at[to] - at[from]; };
    const auto triple = [](Point a, Point b, Point c) { return dot(a, cross(b, c)); };
    return (triple(span(3, 1) + span(7, 2), span(6, 3), span(2, 0)) +
            triple(span(4, 3) + span(5, 7), span(6, 4), span(7, 0)) +
            triple(span(1, 4) + span(2, 5), span(6, 1), span(5, 0))) *
           (1.0 / 12.0);
}

// The volume over the largest face.
inline double characteristic_length(const Corners &at, double volume) {
    constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                 {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    double largest = 0;
    for (const auto &face : faces) {
        const Point one = at[face[2]] - at[face[0]];
        const Point other = at[face[3]] - at[face[1]];
        const Point f = one - other;
        const Point g = one + other;
        largest = std::max(largest, dot(f, f) * dot(g, g) - dot(f, g) * dot(f, g));
    }
    return 4.0 * volume / std::sqrt(largest);
}

// The mean of four corners less the mean of four others.
inline Point between(const Corners &of, const int (&plus)[4], const int (&minus)[4]) {
    return 0.25 * ((of[plus[0]] + of[plus[1]] + of[plus[2]] + of[plus[3]]) -
                   (of[minus[0]] + of[minus[1]] + of[minus[2]] + of[minus[3]]));
}

} // namespace lulesh
