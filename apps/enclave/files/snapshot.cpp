#include "enclave/snapshot.h"

#include "common/files/hdf5_file.h"
#include "common/ranks.h"
#include "common/report.h"
#include "common/whole_file.h"
#include "enclave/corners.h"
#include "enclave/xdmf.h"

namespace enclave {

namespace ranks = apps::ranks;
using apps::Block;
using apps::CommonNumber;
using apps::Hdf5File;
using Stored = Hdf5File::Stored;

namespace {

constexpr double kVersion = 1;
constexpr int kCellNumbers = 4;
constexpr int kTotalNumbers = 2;
constexpr int kWrittenNumbers = 3;
constexpr int kStateNumbers = 6;

bool on_all_ranks(bool holds) { return ranks::least(holds ? 1 : 0) == 1; }

// The numbers that two runs must have in common for one to continue from the other's file.
std::vector<CommonNumber> common(const Run &run) {
    return {{"dimensions", double(run.problem.dimensions)},
            {"depth", double(run.depth)},
            {"across", double(run.across)},
            {"courant", run.problem.courant},
            {"levels", double(run.levels)},
            {"steep", run.problem.steep},
            {"adapt-every", double(run.adapt_every)}};
}

std::vector<double> numbers_of(const State &state) {
    return {state.time,    double(state.steps), state.speed,
            state.fastest, state.shortest_step, state.range_before};
}

void set_numbers(const std::vector<double> &numbers, State &state) {
    state.time = numbers[0];
    state.steps = static_cast<int>(numbers[1]);
    state.speed = numbers[2];
    state.fastest = numbers[3];
    state.shortest_step = numbers[4];
    state.range_before = numbers[5];
}

std::vector<double> numbers_of(const std::vector<Total> &totals) {
    std::vector<double> numbers;
    for (const Total &total : totals)
        numbers.insert(numbers.end(), {total.sum, total.magnitude});
    return numbers;
}

std::vector<double> numbers_of(const std::vector<Written> &written) {
    std::vector<double> numbers;
    for (const Written &one : written)
        numbers.insert(numbers.end(), {double(one.number), one.time, double(one.cells)});
    return numbers;
}

std::vector<double> numbers_of(const Mesh &mesh) {
    std::vector<double> numbers;
    for (int cell = 0; cell < mesh.size(); ++cell) {
        numbers.push_back(mesh.level(cell));
        for (const int index : mesh[cell].place.index)
            numbers.push_back(index);
    }
    return numbers;
}

std::vector<Place> places_of(const std::vector<double> &numbers) {
    std::vector<Place> places;
    const auto number = [&](std::size_t at) { return static_cast<int>(numbers[at]); };
    for (std::size_t at = 0; at < numbers.size(); at += kCellNumbers)
        places.push_back({number(at), {number(at + 1), number(at + 2), number(at + 3)}});
    return places;
}

// The rows of this rank, in an array with so many rows for each cell.
Block block_of(const Piece &own, int rows, int columns) {
    return {static_cast<hsize_t>(own.first) * static_cast<hsize_t>(rows), 0,
            static_cast<hsize_t>(own.size()) * static_cast<hsize_t>(rows),
            static_cast<hsize_t>(columns)};
}

hsize_t rows_of(const Mesh &mesh, int rows) {
    return static_cast<hsize_t>(mesh.size()) * static_cast<hsize_t>(rows);
}

void write_corners(Hdf5File &file, const Domain &domain, const Corners &corners) {
    const Piece &own = domain.own();
    std::vector<double> points;
    std::vector<double> volumes;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = domain.field.frame(cell);
        for (int point = 0; point < corners.points(); ++point) {
            double at[3];
            corners.point(frame, point, at);
            points.insert(points.end(), at, at + 3);
        }
        for (int volume = 0; volume < corners.volumes(); ++volume)
            for (int corner = 0; corner < corners.corners(); ++corner)
                volumes.push_back(double(cell) * corners.points() + corners.corner(volume, corner));
    }
    file.write("points", rows_of(domain.mesh, corners.points()), 3,
               block_of(own, corners.points(), 3), points);
    file.write("volumes", rows_of(domain.mesh, corners.volumes()),
               static_cast<hsize_t>(corners.corners()),
               block_of(own, corners.volumes(), corners.corners()), volumes, Stored::integer);
}

void write_unknown(Hdf5File &file, const Domain &domain, const Corners &corners, int unknown) {
    const Piece &own = domain.own();
    std::vector<double> values;
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = domain.field.frame(cell);
        const double *from = domain.field.values(cell) + unknown * frame.stride();
        values.insert(values.end(), from, from + corners.volumes());
    }
    file.write(array_name(domain.problem.unknown_names[unknown]).c_str(),
               rows_of(domain.mesh, corners.volumes()), 1, block_of(own, corners.volumes(), 1),
               values);
}

void read_unknown(Hdf5File &file, Domain &domain, const Corners &corners, int unknown) {
    const Piece &own = domain.own();
    const std::vector<double> values =
        file.read(array_name(domain.problem.unknown_names[unknown]).c_str(),
                  rows_of(domain.mesh, corners.volumes()), 1, block_of(own, corners.volumes(), 1));
    for (int cell = own.first; cell < own.last; ++cell) {
        const Frame frame = domain.field.frame(cell);
        const double *from = values.data() + (cell - own.first) * corners.volumes();
        double *to = domain.field.values(cell) + unknown * frame.stride();
        for (int volume = 0; volume < frame.volumes(); ++volume)
            to[volume] = from[corners.stand_in(volume)];
    }
}

std::size_t room_for(const Domain &domain, const Corners &corners) {
    const std::size_t volumes =
        static_cast<std::size_t>(corners.volumes()) *
        (sizeof(double) * static_cast<std::size_t>(domain.problem.unknowns) +
         sizeof(int) * static_cast<std::size_t>(corners.corners()));
    const std::size_t points = static_cast<std::size_t>(corners.points()) * 3 * sizeof(double);
    const std::size_t other = (1 << 16) + 1024 * static_cast<std::size_t>(domain.problem.unknowns);
    return static_cast<std::size_t>(domain.mesh.size()) *
               (volumes + points + kCellNumbers * sizeof(double)) +
           other; // what HDF5 needs beside arrays
}

void write_all(Hdf5File &file, const Run &run, const Domain &domain, const Corners &corners,
               const State &state, const std::vector<Written> &written) {
    file.write("enclave", kVersion);
    file.write("case", std::string(run.problem.name));
    for (const CommonNumber &number : common(run))
        file.write(number.name, number.here);
    file.write("state", 1, kStateNumbers, numbers_of(state));
    file.write("totals", state.before.size(), kTotalNumbers, numbers_of(state.before));
    file.write("written", written.size(), kWrittenNumbers, numbers_of(written));
    file.write("cells", rows_of(domain.mesh, 1), kCellNumbers, numbers_of(domain.mesh));
    write_corners(file, domain, corners);
    for (int u = 0; u < domain.problem.unknowns; ++u)
        write_unknown(file, domain, corners, u);
    file.close();
}

// Returns a difference between the file and this run; empty if there is none.
std::string difference(Hdf5File &file, const Run &run) {
    if (file.read_number("enclave") != kVersion || !file.ok())
        return "no restart file of this version of enclave";
    const std::string name = file.read_text("case");
    if (name != run.problem.name)
        return "of case " + name + ", not " + run.problem.name;
    return file.difference(common(run));
}

void read_state(Hdf5File &file, const Problem &problem, State &state,
                std::vector<Written> &written) {
    const std::vector<double> numbers = file.read_all("state", kStateNumbers);
    const std::vector<double> totals = file.read_all("totals", kTotalNumbers);
    const std::vector<double> rows = file.read_all("written", kWrittenNumbers);
    if (!file.ok() || numbers.size() != kStateNumbers ||
        totals.size() != kTotalNumbers * static_cast<std::size_t>(problem.unknowns))
        return;
    set_numbers(numbers, state);
    for (std::size_t at = 0; at < totals.size(); at += kTotalNumbers)
        state.before.push_back({totals[at], totals[at + 1]});
    for (std::size_t at = 0; at < rows.size(); at += kWrittenNumbers)
        written.push_back(
            {static_cast<int>(rows[at]), rows[at + 1], static_cast<int>(rows[at + 2])});
}

} // namespace

bool snapshots_available() { return true; }

std::string write_snapshot(const std::string &path, const Run &run, const Domain &domain,
                           const State &state, const std::vector<Written> &written) {
    const Corners corners(run.across, run.problem.dimensions);
    const std::size_t room = room_for(domain, corners);
    std::string why;
    if (ranks::first())
        why = apps::try_room(path, room);
    if (!on_all_ranks(why.empty()))
        return why.empty() ? "no room" : why; // the first rank speaks
    bool ok = true;
    {
        Hdf5File file(apps::unfinished(path), Hdf5File::Mode::create, room);
        write_all(file, run, domain, corners, state, written);
        ok = file.ok();
    }
    if (ok && ranks::first())
        ok = apps::seal(path) && apps::put_in_place(path);
    if (on_all_ranks(ok))
        return "";
    if (ranks::first())
        apps::give_up(path);
    return path + ": cannot be written, perhaps because the disk is full";
}

std::string read_snapshot(const std::string &path, const Run &run, std::unique_ptr<Domain> &domain,
                          State &state, std::vector<Written> &written) {
    std::string why;
    if (ranks::first())
        why = apps::broken_seal(path);
    if (!on_all_ranks(why.empty()))
        return why.empty() ? "damaged" : why; // the first rank speaks
    Hdf5File file(path, Hdf5File::Mode::read);
    if (!file.ok())
        return path + ": HDF5 cannot read it";
    const std::string differs = difference(file, run);
    if (!on_all_ranks(differs.empty()))
        return path + ": " + differs;
    read_state(file, run.problem, state, written);
    if (!on_all_ranks(file.ok()))
        return path + ": not whole";
    if (state.time > run.problem.end)
        return path +
               apps::format(": it is at t = %g, beyond --end %g", state.time, run.problem.end);
    const std::vector<Place> cells = places_of(file.read_all("cells", kCellNumbers));
    if (!on_all_ranks(file.ok()))
        return path + ": not whole";
    domain = std::make_unique<Domain>(run, Mesh(shape_of(run), cells));
    domain->each([&](int cell) { domain->field.allocate(cell); });
    const Corners corners(run.across, run.problem.dimensions);
    for (int u = 0; u < run.problem.unknowns; ++u)
        read_unknown(file, *domain, corners, u);
    if (!on_all_ranks(file.ok()))
        return path + ": not whole";
    domain->complete(state.steps % 2);
    return "";
}

} // namespace enclave
