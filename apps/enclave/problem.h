// A problem as the engine sees it, whatever its equations are: numbers, and functions that a
// kernel's template makes for it (kernel.h). One patch at a time; no function knows the mesh.
#pragma once

#include "enclave/face_map.h"
#include "enclave/pack.h"
#include "enclave/point.h"

#include <cstddef>
#include <string>
#include <vector>

namespace apps {
class Report;
}

namespace enclave {

// How a patch lies in the domain, and how its volumes lie in memory: each unknown by itself, x
// running fastest; then the last volume again and again up to a multiple of kAlignment.
struct Frame {
    Point low;
    double width; // a volume's width
    int across;   // volumes along an edge
    int dimensions;

    int volumes() const { return across * across * across; }
    int stride() const { return padded(volumes()); }
    // The stride of a layer: the volumes at a face, padded likewise, the lower of its two axes
    // running fastest.
    int layer_stride() const { return padded(across * across); }
    // Its centre; in directions with one cell only, where nothing varies, the corner's.
    Point centre(int volume) const;
};

// How a kernel computes the parts of a patch that do not depend on one another: one after another,
// as a parallel loop, or as tasks. The values are the same.
enum class Kernels { serial, loops, tasks };

// The data that a patch's step needs.
struct PatchStep {
    Frame frame;
    double time;
    double length;  // the step's length
    double *values; // become those at time + length
    // The layers beyond each face at `time`, as volumes of this patch's size have them; null: the
    // boundary, or cells that are finer.
    const double *beyond[kFaces];
    // The layers of the finer cells, in the order of FaceMap's children; null if there are none.
    const double *finer[kFaces][FaceMap::kMostChildren];
    double *layers[kFaces]; // get the new values at the faces
    Kernels kernels;
};

// Memory for one step of one patch, which may be used again for the next.
struct Scratch {
    std::vector<double> sweeps;
    std::vector<double> beyond; // layers of coarser cells, at this patch's size
};

struct Problem {
    static constexpr int kNoConstraint = -1;

    const char *name;
    const char *about;
    int unknowns;
    const char *const *unknown_names;
    Point low = {0, 0, 0}; // the cube's lowest corner
    double edge = 1;
    bool periodic = true;
    // The values that it is run with unless somebody asks for others.
    int dimensions;
    int depth;
    int across = 3;
    double end;
    double courant; // share of the longest stable time step

    void (*start)(const Frame &frame, double *values);
    // The layers at the faces of a patch with such values.
    void (*copy_layers)(const Frame &frame, const double *values, double *const *layers);
    // Returns the largest speed of a signal in the patch; NaN if a value is not a number.
    double (*speed)(const Frame &frame, const double *values);
    double (*advance)(const PatchStep &step, Scratch &scratch);
    // The exact solution at a point, all unknowns.
    void (*exact)(const Point &at, double time, int dimensions, double *values);
    int observed; // the unknown whose error is measured
    // Cells are cut where this one's slope is steeper, if that is asked for.
    double steep;
    // With cells a third as wide the error is a third, to the power of this: at least, at most.
    double least_order = 0.85;
    double most_order = 1.1;
    int least_dimensions = 1; // what it takes to be this problem
    bool conserves = true;    // sums of the unknowns do not change
    // The speed of a wave along x whose amplitude can be predicted, and 2 pi over its length; else
    // 0.
    double wave_speed;
    double wave_number;
    // An unknown that is 0 as long as constraints hold.
    int constraint = kNoConstraint;
    double most_violated; // what its magnitude may be
    // Checks the equations alone, if there is a way.
    void (*check_equations)(apps::Report &report) = nullptr;
};

// The problems, by name: "advection", "acoustics", "sod", "vortex".
const std::vector<Problem> &problems();

Problem advection();
Problem acoustics();
Problem sod();
Problem vortex();
Problem gauge_wave();

inline Point Frame::centre(int volume) const {
    const int index[3] = {volume % across, volume / across % across, volume / (across * across)};
    Point at = low;
    for (int axis = 0; axis < dimensions; ++axis)
        at[axis] += (index[axis] + 0.5) * width;
    return at;
}

} // namespace enclave
