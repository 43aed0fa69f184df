// Snapshots if the program is built without HDF5.
#include "vlasov/snapshot.h"

namespace vlasov {

namespace {
const char *const kMissing = "this program was built without HDF5";
}

bool snapshots_available() { return false; }

std::string write_snapshot(const std::string &, const Identity &, Simulation &,
                           const std::vector<Diagnosis> &, int) {
    return kMissing;
}

std::string read_snapshot(const std::string &, const Identity &, Simulation &,
                          std::vector<Diagnosis> &, int &) {
    return kMissing;
}

} // namespace vlasov
