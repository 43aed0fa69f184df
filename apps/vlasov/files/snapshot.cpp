#include "vlasov/snapshot.h"

#include "common/files/hdf5_file.h"
#include "common/whole_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace vlasov {

using apps::Block;
using apps::Hdf5File;

namespace {

constexpr double kVersion = 1;
constexpr hsize_t kMomentValues = 5;
static_assert(sizeof(Moment) == kMomentValues * sizeof(double), "a row of an array");
static_assert(sizeof(Diagnosis) == kDiagnosisValues * sizeof(double), "likewise");

Block block_of(Simulation &simulation) {
    Tiles &tiles = simulation.tiles();
    const auto edge = static_cast<hsize_t>(simulation.grid().tile);
    const auto width = static_cast<hsize_t>(tiles.width());
    return {static_cast<hsize_t>(tiles[0].first_v), static_cast<hsize_t>(tiles[0].first_x),
            static_cast<hsize_t>(tiles.count()) / width * edge, width * edge};
}

// Each row of each tile, and where it lies in the block.
template <typename F> void over_rows(Simulation &simulation, const Block &block, F f) {
    for (int t = 0; t < simulation.tiles().count(); ++t) {
        Tile &tile = simulation.tiles()[t];
        for (int v = 0; v < tile.edge; ++v) {
            const std::size_t row = static_cast<std::size_t>(tile.first_v + v) - block.first_row;
            const std::size_t column = static_cast<std::size_t>(tile.first_x) - block.first_column;
            f(tile.now() + v * tile.stride, row * block.columns + column, tile.edge);
        }
    }
}

template <typename T> std::vector<double> as_values(const std::vector<T> &rows) {
    std::vector<double> values(rows.size() * sizeof(T) / sizeof(double));
    if (!rows.empty())
        std::memcpy(values.data(), rows.data(), rows.size() * sizeof(T));
    return values;
}

template <typename T> std::vector<T> as_rows(const std::vector<double> &values) {
    std::vector<T> rows(values.size() * sizeof(double) / sizeof(T));
    if (!rows.empty())
        std::memcpy(rows.data(), values.data(), rows.size() * sizeof(T));
    return rows;
}

bool on_all_ranks(bool holds) { return apps::ranks::least(holds ? 1 : 0) == 1; }

void write_numbers(Hdf5File &file, const Identity &identity, const Simulation &simulation,
                   int step) {
    const Grid &grid = simulation.grid();
    file.write("vlasov", kVersion);
    file.write("case", identity.plasma);
    file.write("alpha", identity.alpha);
    file.write("Poisson-Ampere", identity.solve == Solve::ampere ? 1 : 0);
    file.write("length", grid.length);
    file.write("v_max", grid.v_max);
    file.write("nx", grid.nx);
    file.write("nv", grid.nv);
    file.write("dt", simulation.dt());
    file.write("step", step);
}

// Returns a difference between the file and this run; empty if there is none.
std::string difference(Hdf5File &file, const Identity &identity, const Simulation &simulation) {
    if (file.read_number("vlasov") != kVersion || !file.ok())
        return "no restart file of this version of vlasov";
    const std::string plasma = file.read_text("case");
    if (plasma != identity.plasma)
        return "of case " + plasma + ", not " + identity.plasma;
    const Grid &grid = simulation.grid();
    return file.difference({{"nx", double(grid.nx)},
                            {"nv", double(grid.nv)},
                            {"v_max", grid.v_max},
                            {"length", grid.length},
                            {"dt", simulation.dt()},
                            {"alpha", identity.alpha},
                            {"Poisson-Ampere", identity.solve == Solve::ampere ? 1.0 : 0.0}});
}

} // namespace

bool snapshots_available() { return true; }

std::string write_snapshot(const std::string &path, const Identity &identity,
                           Simulation &simulation, const std::vector<Diagnosis> &rows, int step) {
    const Block block = block_of(simulation);
    std::vector<double> values(block.rows * block.columns);
    over_rows(simulation, block, [&](const double *row, std::size_t at, int count) {
        std::copy_n(row, count, values.data() + at);
    });
    const Field &field = simulation.field();
    const auto nx = static_cast<hsize_t>(simulation.grid().nx);
    constexpr std::size_t kOther = 1 << 16; // what HDF5 needs beside arrays
    const std::size_t all =
        static_cast<std::size_t>(simulation.grid().nv) * static_cast<std::size_t>(nx);
    const std::size_t room = kOther + sizeof(double) * (all + nx) +
                             sizeof(Moment) * field.history().size() +
                             sizeof(Diagnosis) * rows.size();
    std::string why;
    if (apps::ranks::first())
        why = apps::try_room(path, room);
    if (!on_all_ranks(why.empty()))
        return why.empty() ? "no room" : why; // the first rank speaks
    bool ok = true;
    {
        Hdf5File file(apps::unfinished(path), Hdf5File::Mode::create, room);
        write_numbers(file, identity, simulation, step);
        file.write("f", static_cast<hsize_t>(simulation.grid().nv), nx, block, values);
        file.write("field", 1, nx, field.now());
        file.write("history", field.history().size(), kMomentValues, as_values(field.history()));
        file.write("diagnostics", rows.size(), kDiagnosisValues, as_values(rows));
        file.close();
        ok = file.ok();
    }
    if (ok && apps::ranks::first())
        ok = apps::seal(path) && apps::put_in_place(path);
    ok = on_all_ranks(ok);
    if (ok)
        return "";
    if (apps::ranks::first())
        apps::give_up(path);
    return path + ": cannot be written, perhaps because the disk is full";
}

std::string read_snapshot(const std::string &path, const Identity &identity, Simulation &simulation,
                          std::vector<Diagnosis> &rows, int &step) {
    std::string why;
    if (apps::ranks::first())
        why = apps::broken_seal(path);
    if (!on_all_ranks(why.empty()))
        return why.empty() ? "damaged" : why; // the first rank speaks
    Hdf5File file(path, Hdf5File::Mode::read);
    if (!file.ok())
        return path + ": HDF5 cannot read it";
    const std::string differs = difference(file, identity, simulation);
    if (!on_all_ranks(differs.empty()))
        return path + ": " + differs;
    const auto nx = static_cast<hsize_t>(simulation.grid().nx);
    const Block block = block_of(simulation);
    const std::vector<double> values =
        file.read("f", static_cast<hsize_t>(simulation.grid().nv), nx, block);
    const std::vector<double> field = file.read_all("field", nx);
    const auto history = as_rows<Moment>(file.read_all("history", kMomentValues));
    rows = as_rows<Diagnosis>(file.read_all("diagnostics", kDiagnosisValues));
    step = static_cast<int>(file.read_number("step"));
    if (!on_all_ranks(file.ok()))
        return path + ": not whole";
    over_rows(simulation, block, [&](double *row, std::size_t at, int count) {
        std::copy_n(values.data() + at, count, row);
    });
    simulation.go_on(field, history);
    return "";
}

} // namespace vlasov
