// The step of one patch: along each axis what crosses the faces between its volumes, then the
// source and the constraints. A template over the equations, so that all that a user writes is
// compiled into these loops, and several volumes are computed at once (pack.h).
//
// Along an axis the patch is laid out anew, as planes one behind another: a column of packs then
// goes from plane to plane, and each face is computed once.
#pragma once

#include "enclave/problem.h"
#include "enclave/rusanov.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace enclave {

// The places of the volumes of a plane that is cut out of a patch at a right angle to an axis.
struct Plane {
    int across;
    int along; // from one plane to the next
    int low;   // along the lower of its own axes
    int high;

    Plane(int axis, int n)
        : across(n), along(axis == 0   ? 1
                           : axis == 1 ? n
                                       : n * n),
          low(axis == 0 ? n : 1), high(axis == 2 ? n : n * n) {}

    // function(position in the plane, volume), padding included.
    template <class Function> void each(int plane, const Function &function) const {
        int at = 0;
        int volume = 0;
        for (int b = 0; b < across; ++b) {
            for (int a = 0; a < across; ++a) {
                volume = plane * along + a * low + b * high;
                function(at++, volume);
            }
        }
        while (at < padded(across * across))
            function(at++, volume);
    }
};

template <class E> class Kernel {
  public:
    static constexpr int kUnknowns = E::kUnknowns;

    static void start(const Frame &frame, double *values) {
        double q[kUnknowns];
        for (int volume = 0; volume < frame.stride(); ++volume) {
            E::start(frame.centre(std::min(volume, frame.volumes() - 1)), frame.dimensions, q);
            for (int u = 0; u < kUnknowns; ++u)
                values[u * frame.stride() + volume] = q[u];
        }
    }

    static double speed(const Frame &frame, const double *values) {
        double largest = 0;
        for (int at = 0; at < frame.stride(); at += kLanes) {
            Pack q[kUnknowns];
            load(values + at, frame.stride(), q);
            largest = larger(largest, speed(q, frame.dimensions));
        }
        return largest;
    }

    static double advance(const PatchStep &step, Scratch &scratch) {
        const Frame &frame = step.frame;
        const std::size_t planes =
            static_cast<std::size_t>(kUnknowns) * frame.layer_stride() * (frame.across + 2);
        const std::size_t volumes = static_cast<std::size_t>(kUnknowns) * frame.stride();
        const std::size_t layer = static_cast<std::size_t>(kUnknowns) * frame.layer_stride();
        scratch.sweeps.resize(2 * planes + volumes + 3 * layer);
        Memory memory;
        memory.planes = scratch.sweeps.data();
        memory.plane_changes = memory.planes + planes;
        memory.changes = memory.plane_changes + planes;
        memory.crossed[0] = memory.changes + volumes;
        memory.crossed[1] = memory.crossed[0] + layer;
        memory.spread = memory.crossed[1] + layer;
        std::fill(memory.changes, memory.changes + volumes, 0.0);

        sweep<0>(step, memory);
        if (frame.dimensions > 1)
            sweep<1>(step, memory);
        if (frame.dimensions > 2)
            sweep<2>(step, memory);
        const double speed = finish(step, memory.changes);
        copy_layers(frame, step.values, step.layers);
        return speed;
    }

    static void exact(const Point &at, double time, int dimensions, double *values) {
        double q[kUnknowns];
        E::exact(at, time, dimensions, q);
        std::copy(q, q + kUnknowns, values);
    }

    // The problem whose equations these are.
    static Problem problem() {
        Problem made = E::kProblem;
        made.unknowns = kUnknowns;
        made.unknown_names = E::kNames;
        made.start = start;
        made.copy_layers = copy_layers;
        made.speed = speed;
        made.advance = advance;
        made.exact = exact;
        return made;
    }

  private:
    using Real = Pack;
    static constexpr int kParts = 8; // unless a kernel is serial

    // A step's.
    struct Memory {
        double *planes;        // values, laid out along the axis
        double *plane_changes; // changes, laid out along the axis
        double *changes;       // changes of the patch
        double *crossed[2];    // what crosses the lower and upper face, if cells there are finer
        double *spread;        // a layer at the size of finer cells
    };

    static void load(const double *from, int stride, Real (&q)[kUnknowns]) {
        for (int u = 0; u < kUnknowns; ++u)
            q[u] = Real::load(from + static_cast<std::ptrdiff_t>(u) * stride);
    }

    static double speed(const Real (&q)[kUnknowns], int dimensions) {
        Real largest = E::template speed<0>(q);
        if (dimensions > 1)
            largest = larger(E::template speed<1>(q), largest);
        if (dimensions > 2)
            largest = larger(E::template speed<2>(q), largest);
        return largest_lane(largest);
    }

    static void copy_layers(const Frame &frame, const double *values, double *const *layers) {
        for (int face = 0; face < kFaces; ++face) {
            const Plane plane(axis_of(face), frame.across);
            for (int u = 0; u < kUnknowns; ++u) {
                const double *from = values + static_cast<std::ptrdiff_t>(u) * frame.stride();
                double *to = layers[face] + static_cast<std::ptrdiff_t>(u) * frame.layer_stride();
                plane.each(face % 2 == 0 ? 0 : frame.across - 1,
                           [&](int at, int volume) { to[at] = from[volume]; });
            }
        }
    }

    // The plane beyond a face, of a patch that is laid out along the face's axis.
    static void fill_beyond(const PatchStep &step, int face, double *planes) {
        const Frame &frame = step.frame;
        const int size = frame.layer_stride();
        const int plane_unknowns = size * (frame.across + 2);
        const int inside = face % 2 == 0 ? 1 : frame.across;
        const int outside = face % 2 == 0 ? 0 : frame.across + 1;
        if (const double *beyond = step.beyond[face]) {
            for (int u = 0; u < kUnknowns; ++u)
                std::copy(beyond + u * size, beyond + (u + 1) * size,
                          planes + u * plane_unknowns + outside * size);
            return;
        }
        if (step.finer[face][0] != nullptr) { // meet_finer() has what crosses the face
            for (int u = 0; u < kUnknowns; ++u) {
                double *plane = planes + u * plane_unknowns;
                std::copy(plane + inside * size, plane + (inside + 1) * size,
                          plane + outside * size);
            }
            return;
        }
        Plane(axis_of(face), frame.across).each(inside - 1, [&](int at, int volume) {
            Point where = frame.centre(volume);
            where[axis_of(face)] += face % 2 == 0 ? -frame.width : frame.width;
            double q[kUnknowns];
            double result[kUnknowns];
            for (int u = 0; u < kUnknowns; ++u)
                q[u] = planes[u * plane_unknowns + inside * size + at];
            E::boundary(where, step.time, q, result);
            for (int u = 0; u < kUnknowns; ++u)
                planes[u * plane_unknowns + outside * size + at] = result[u];
        });
    }

    // The flux through a face beyond which cells are finer. At each of their volumes it is what
    // they compute themselves, from the same two values; the mean is taken over those that a volume
    // of this side meets. So what leaves one side enters the other.
    template <int axis>
    static void meet_finer(const PatchStep &step, int face, const Memory &memory, double *crossed) {
        const Frame &frame = step.frame;
        const FaceMap map(frame.across, frame.dimensions, axis);
        const int size = frame.layer_stride();
        const int inside = face % 2 == 0 ? 1 : frame.across;
        const double share = 1.0 / map.children();
        std::fill(crossed, crossed + kUnknowns * size, 0.0);
        for (int child = 0; child < map.children(); ++child) {
            for (int u = 0; u < kUnknowns; ++u) {
                const double *from = memory.planes + (u * (frame.across + 2) + inside) * size;
                for (int volume = 0; volume < size; ++volume)
                    memory.spread[u * size + volume] = from[map.coarse(child, volume)];
            }
            for (int at = 0; at < size; at += kLanes) {
                Side<E, Real> here, there;
                load(memory.spread + at, size, here.q);
                load(step.finer[face][child] + at, size, there.q);
                here.template complete<axis>();
                there.template complete<axis>();
                Real leaves[kUnknowns];
                Real enters[kUnknowns];
                if (face % 2 == 0)
                    cross<axis, E, Real>(there, here, leaves, enters);
                else
                    cross<axis, E, Real>(here, there, leaves, enters);
                for (int u = 0; u < kUnknowns; ++u)
                    (face % 2 == 0 ? enters[u] : leaves[u]).store(memory.spread + u * size + at);
            }
            for (int u = 0; u < kUnknowns; ++u)
                for (int volume = 0; volume < frame.across * frame.across; ++volume)
                    crossed[u * size + map.coarse(child, volume)] +=
                        share * memory.spread[u * size + volume];
        }
    }

    // Adds to `changes` what crosses the faces along an axis.
    template <int axis> static void sweep(const PatchStep &step, const Memory &memory) {
        double *planes = memory.planes;
        const Frame &frame = step.frame;
        const int n = frame.across;
        const int size = frame.layer_stride();
        const int plane_unknowns = size * (n + 2);
        const Plane plane(axis, n);
        for (int u = 0; u < kUnknowns; ++u) {
            const double *from = step.values + static_cast<std::ptrdiff_t>(u) * frame.stride();
            for (int p = 0; p < n; ++p) {
                double *to = planes + u * plane_unknowns + (p + 1) * size;
                plane.each(p, [&](int at, int volume) { to[at] = from[volume]; });
            }
        }
        fill_beyond(step, 2 * axis, planes);
        fill_beyond(step, 2 * axis + 1, planes);

        const double *crossed[2] = {};
        for (int side = 0; side < 2; ++side) {
            if (step.finer[2 * axis + side][0] == nullptr)
                continue;
            meet_finer<axis>(step, 2 * axis + side, memory, memory.crossed[side]);
            crossed[side] = memory.crossed[side];
        }

        const double ratio = step.length / frame.width;
        in_parts(step.kernels, size, [&](int first, int last, int) {
            for (int at = first; at < last; at += kLanes)
                sweep_column<axis>(planes + at, memory.plane_changes + at, n, size, ratio,
                                   crossed[0] == nullptr ? nullptr : crossed[0] + at,
                                   crossed[1] == nullptr ? nullptr : crossed[1] + at);
        });

        for (int u = 0; u < kUnknowns; ++u) {
            double *to = memory.changes + static_cast<std::ptrdiff_t>(u) * frame.stride();
            for (int p = 0; p < n; ++p) {
                const double *from = memory.plane_changes + u * plane_unknowns + p * size;
                plane.each(p, [&](int at, int volume) {
                    if (at < n * n)
                        to[volume] += from[at];
                });
            }
        }
    }

    // `low`, `high`: what crosses the patch's own faces, if that is known; else null. A function of
    // its own, as apply() is: vectorised_test.sh looks into both.
    template <int axis>
    [[gnu::noinline]] static void sweep_column(const double *planes, double *changes, int n,
                                               int size, double ratio, const double *low,
                                               const double *high) {
        const int plane_unknowns = size * (n + 2);
        Side<E, Real> sides[2];
        Real leaves[kUnknowns];
        Real entered[2][kUnknowns]; // the volume before a face, and the one behind it
        const auto cross_face = [&](int face) {
            Side<E, Real> &upper = sides[(face + 1) % 2];
            load(planes + (face + 1) * size, plane_unknowns, upper.q);
            upper.template complete<axis>();
            cross<axis, E, Real>(sides[face % 2], upper, leaves, entered[face % 2]);
        };
        load(planes, plane_unknowns, sides[0].q);
        sides[0].template complete<axis>();
        cross_face(0);
        if (low != nullptr)
            load(low, size, entered[0]);
        for (int face = 1; face <= n; ++face) {
            cross_face(face);
            if (face == n && high != nullptr)
                load(high, size, leaves);
            for (int u = 0; u < kUnknowns; ++u)
                ((entered[(face + 1) % 2][u] - leaves[u]) * ratio)
                    .store(changes + u * plane_unknowns + (face - 1) * size);
        }
    }

    // body(first, last, part) for the parts of `size` places, which begin at whole packs.
    template <class Body> static void in_parts(Kernels kernels, int size, const Body &body) {
        if (kernels == Kernels::serial) {
            body(0, size, 0);
            return;
        }
        const auto bound = [size](int part) { return size / kLanes * part / kParts * kLanes; };
        if (kernels == Kernels::loops) {
#pragma omp parallel for
            for (int part = 0; part < kParts; ++part)
                body(bound(part), bound(part + 1), part);
            return;
        }
#pragma omp taskloop grainsize(1) shared(body, bound)
        for (int part = 0; part < kParts; ++part)
            body(bound(part), bound(part + 1), part);
    }

    // Returns the largest speed, or NaN.
    static double finish(const PatchStep &step, double *changes) {
        const Frame &frame = step.frame;
        const int stride = frame.stride();
        // The padding stays equal to the last volume.
        for (int u = 0; u < kUnknowns; ++u)
            std::fill(changes + u * stride + frame.volumes(), changes + (u + 1) * stride,
                      changes[u * stride + frame.volumes() - 1]);
        double speeds[kParts] = {};
        in_parts(step.kernels, stride, [&](int first, int last, int part) {
            speeds[part] = apply(step, changes, first, last);
        });
        double largest = 0;
        for (const double speed : speeds)
            if (largest <= speed || std::isnan(speed)) // NaN stays: nothing is above it
                largest = speed;
        return largest;
    }

    [[gnu::noinline]] static double apply(const PatchStep &step, double *changes, int first,
                                          int last) {
        const Frame &frame = step.frame;
        const int stride = frame.stride();
        double largest = 0;
        Real not_numbers = 0; // stays 0 unless a value is infinite or not a number
        for (int at = first; at < last; at += kLanes) {
            Real q[kUnknowns];
            load(step.values + at, stride, q);
            if constexpr (E::kHasSource) {
                Real source[kUnknowns];
                E::source(q, source);
                for (int u = 0; u < kUnknowns; ++u)
                    q[u] += source[u] * step.length;
            }
            for (int u = 0; u < kUnknowns; ++u)
                q[u] += Real::load(changes + u * stride + at);
            if constexpr (E::kHasConstraints)
                E::constrain(q);
            for (int u = 0; u < kUnknowns; ++u) {
                q[u].store(step.values + u * stride + at);
                not_numbers += q[u] * 0.0;
            }
            const double speed_here = speed(q, frame.dimensions);
            largest = larger(largest, speed_here);
            not_numbers += speed_here * 0.0;
        }
        for (int lane = 0; lane < kLanes; ++lane)
            if (!(not_numbers.lanes[lane] == 0))
                return std::numeric_limits<double>::quiet_NaN();
        return largest;
    }
};

} // namespace enclave
