#include "common/files/hdf5_file.h"

#include "common/ranks.h"
#include "common/report.h"
#include "common/whole_file.h"

#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

namespace apps {

namespace {

// An identifier, closed at the end of its scope.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0)
            close_(id_);
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

} // namespace

Hdf5File::Hdf5File(const std::string &path, Mode mode, std::size_t room) {
    // At the program's end the library would look after files again that could not be closed, and
    // crash.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#ifdef H5_HAVE_PARALLEL
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
#endif
    file_ =
        check_id(mode == Mode::create ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                      : H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
    if (ok_ && room > 0 && ranks::first())
        ok_ = keep_room(path, room);
    agree();
}

void Hdf5File::check(herr_t status) {
    if (status < 0)
        ok_ = false;
}

void Hdf5File::agree() { ok_ = ranks::least(ok_ ? 1 : 0) == 1; }

hid_t Hdf5File::check_id(hid_t id) {
    if (id < 0)
        ok_ = false;
    return id;
}

void Hdf5File::close() {
    if (file_ >= 0)
        check(H5Fclose(file_));
    file_ = -1;
    agree();
}

void Hdf5File::write(const char *name, double value) {
    if (!ok_)
        return;
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        check_id(H5Acreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT)),
        H5Aclose);
    if (ok_)
        check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value));
    agree();
}

double Hdf5File::read_number(const char *name) {
    double value = 0;
    if (!ok_)
        return value;
    const Handle attribute(check_id(H5Aopen(file_, name, H5P_DEFAULT)), H5Aclose);
    if (ok_)
        check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value));
    return value;
}

std::string Hdf5File::difference(const std::vector<CommonNumber> &numbers) {
    for (const CommonNumber &number : numbers) {
        const double there = read_number(number.name);
        if (there != number.here)
            return format("of another run: its %s is %g, here it is %g", number.name, there,
                          number.here);
    }
    return "";
}

namespace {
constexpr std::size_t kLongestText = 64;
}

void Hdf5File::write(const char *name, const std::string &text) {
    if (!ok_)
        return;
    std::string padded = text;
    padded.resize(kLongestText);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, kLongestText);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(check_id(H5Acreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT)),
                           H5Aclose);
    if (ok_)
        check(H5Awrite(attribute, type, padded.data()));
    agree();
}

std::string Hdf5File::read_text(const char *name) {
    char text[kLongestText + 1] = "";
    if (!ok_)
        return text;
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, kLongestText);
    const Handle attribute(check_id(H5Aopen(file_, name, H5P_DEFAULT)), H5Aclose);
    if (ok_)
        check(H5Aread(attribute, type, text));
    return text;
}

void Hdf5File::write(const char *name, hsize_t rows, hsize_t columns, const Block &block,
                     const std::vector<double> &values, Stored stored) {
    if (!ok_)
        return;
    const hsize_t all[] = {rows, columns};
    const hsize_t first[] = {block.first_row, block.first_column};
    const hsize_t own[] = {block.rows, block.columns};
    const Handle space(H5Screate_simple(2, all, nullptr), H5Sclose);
    const hid_t type = stored == Stored::real ? H5T_NATIVE_DOUBLE : H5T_STD_I32LE;
    const Handle data(
        check_id(H5Dcreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
        H5Dclose);
    agree();
    if (!ok_)
        return;
    const Handle memory(H5Screate_simple(2, own, nullptr), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, own, nullptr);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
#ifdef H5_HAVE_PARALLEL
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
#endif
    check(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, values.data()));
    agree();
}

std::vector<double> Hdf5File::read(const char *name, hsize_t rows, hsize_t columns,
                                   const Block &block) {
    std::vector<double> values(block.rows * block.columns);
    if (!ok_)
        return values;
    const hsize_t first[] = {block.first_row, block.first_column};
    const hsize_t own[] = {block.rows, block.columns};
    const Handle data(check_id(H5Dopen2(file_, name, H5P_DEFAULT)), H5Dclose);
    if (!ok_)
        return values;
    const Handle space(H5Dget_space(data), H5Sclose);
    hsize_t all[2] = {};
    if (H5Sget_simple_extent_ndims(space) != 2 ||
        H5Sget_simple_extent_dims(space, all, nullptr) < 0 || all[0] != rows || all[1] != columns) {
        ok_ = false;
        return values;
    }
    const Handle memory(H5Screate_simple(2, own, nullptr), H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, own, nullptr);
    check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()));
    return values;
}

void Hdf5File::write(const char *name, hsize_t rows, hsize_t columns,
                     const std::vector<double> &values) {
    if (!ok_)
        return;
    const hsize_t all[] = {rows, columns};
    const Handle space(H5Screate_simple(2, all, nullptr), H5Sclose);
    const Handle data(check_id(H5Dcreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT)),
                      H5Dclose);
    if (ok_ && ranks::first() && !values.empty())
        check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    agree();
}

std::vector<double> Hdf5File::read_all(const char *name, hsize_t columns) {
    if (!ok_)
        return {};
    const Handle data(check_id(H5Dopen2(file_, name, H5P_DEFAULT)), H5Dclose);
    if (!ok_)
        return {};
    const Handle space(H5Dget_space(data), H5Sclose);
    hsize_t all[2] = {};
    if (H5Sget_simple_extent_ndims(space) != 2 ||
        H5Sget_simple_extent_dims(space, all, nullptr) < 0 || all[1] != columns) {
        ok_ = false;
        return {};
    }
    std::vector<double> values(all[0] * all[1]);
    if (!values.empty())
        check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    return values;
}

} // namespace apps
