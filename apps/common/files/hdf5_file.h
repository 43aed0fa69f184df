// HDF5 as far as a snapshot needs it: arrays of doubles, and numbers, in one file that all ranks
// open. After a call has failed, the others do nothing, so it is enough to ask ok() at the end.
// In files/, because only programs that are built with HDF5 have it: a flavour for each MPI
// library.
//
// Thread safety: none. All ranks make the same calls in the same order.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace apps {

// A rectangle of an array of rows x columns: what a rank has of it.
struct Block {
    hsize_t first_row, first_column, rows, columns;
};

// A number that a file has, and what it is in this run.
struct CommonNumber {
    const char *name;
    double here;
};

class Hdf5File {
  public:
    enum class Mode { read, create };
    // A created file has `room` bytes of the disk from then on, so that the disk cannot become full
    // while values are written; ok() is false if too few are left.
    Hdf5File(const std::string &path, Mode mode, std::size_t room = 0);
    ~Hdf5File() { close(); }
    Hdf5File(const Hdf5File &) = delete;
    Hdf5File &operator=(const Hdf5File &) = delete;

    void write(const char *name, double value);
    void write(const char *name, const std::string &text);
    double read_number(const char *name);
    std::string read_text(const char *name);
    // The first of the numbers that the file has otherwise, in words; empty: none.
    std::string difference(const std::vector<CommonNumber> &numbers);

    // How an array's values lie in the file.
    enum class Stored { real, integer };
    // An array of all ranks, of which each writes or reads a block.
    void write(const char *name, hsize_t rows, hsize_t columns, const Block &block,
               const std::vector<double> &values, Stored stored = Stored::real);
    std::vector<double> read(const char *name, hsize_t rows, hsize_t columns, const Block &block);
    // An array that all ranks have; the first one writes it.
    void write(const char *name, hsize_t rows, hsize_t columns, const std::vector<double> &values);
    std::vector<double> read_all(const char *name, hsize_t columns);

    // Whether the calls have all succeeded, the closing one, too: on all ranks alike.
    bool ok() const { return ok_; }
    void close();

  private:
    void check(herr_t status);
    hid_t check_id(hid_t id);
    void agree();

    hid_t file_ = -1;
    bool ok_ = true;
};

} // namespace apps
