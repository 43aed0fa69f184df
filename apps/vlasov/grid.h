// The grid in phase space, periodic in both directions: nx points along x, nv along v, cut into
// square tiles. Point (i, j) lies at x = i dx, v = -v_max + j dv; neither end is there twice.
#pragma once

namespace vlasov {

struct Grid {
    int nx = 0;
    int nv = 0;
    double length = 0; // the length of the box along x
    double v_max = 0;  // the box along v is [-v_max, v_max)
    int tile = 64;     // points along a tile's edge
    int ghosts = 8;    // rows of points around a tile that its stencils may reach

    double dx() const { return length / nx; }
    double dv() const { return 2 * v_max / nv; }
    double x(int i) const { return i * dx(); }
    double v(int j) const { return -v_max + j * dv(); }
    int columns() const { return nx / tile; } // columns of tiles
    int rows() const { return nv / tile; }
};

} // namespace vlasov
