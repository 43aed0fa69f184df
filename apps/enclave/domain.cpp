#include "enclave/domain.h"

#include "common/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace enclave {

namespace ranks = apps::ranks;

Domain::Domain(const Run &run, Mesh of)
    : problem(run.problem), mesh(std::move(of)),
      partition(mesh, ranks::rank(), ranks::count(), run.subdomains, run.skew),
      field(problem, mesh, partition), halos(partition, field),
      traversal(run.tasking, partition, field, halos) {}

void Domain::start(int set) {
    each([&](int cell) {
        field.allocate(cell);
        problem.start(field.frame(cell), field.values(cell));
    });
    complete(set);
}

void Domain::complete(int set) {
    each([&](int cell) {
        field.complete(cell, set);
        traversal.look_at(cell);
    });
    halos.exchange(set);
}

double Domain::speed() const {
    double most = 0;
    for (const double speed : traversal.speeds())
        most =
            std::isfinite(speed) ? std::max(most, speed) : std::numeric_limits<double>::infinity();
    return ranks::most(most);
}

} // namespace enclave
