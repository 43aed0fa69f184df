#include "enclave/simulation.h"

#include "common/omp_decls.h"
#include "common/ranks.h"
#include "enclave/domain.h"
#include "enclave/faults.h"
#include "enclave/output.h"
#include "enclave/progress.h"
#include "enclave/refinement.h"
#include "enclave/state.h"
#include "enclave/transfer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

namespace enclave {

namespace ranks = apps::ranks;

namespace {

// A step that is shorter than this share of the run would never come to its end.
constexpr double kVanishing = 1e-9;

class Simulation {
  public:
    explicit Simulation(const Run &run) : run_(run) {}

    // Each returns false when a line has said why it cannot go on.
    bool begin();
    bool go_to_end();
    Result result() const;

  private:
    bool refuse(const std::string &why) const;
    void start();
    bool step();
    // The domain on another mesh, without values; null: the mesh is as it should be.
    std::unique_ptr<Domain> other_domain() const;
    void adapt();

    const Run &run_;
    std::unique_ptr<Domain> domain_;
    State state_;
    std::vector<Written> written_;
    double updates_ = 0;        // updates of volumes, in these steps
    long tasks_ = 0;            // tasks of domains that are no more
    double urgent_seconds_ = 0; // those of domains that are no more
    int adaptations_ = 0;
    double seconds_ = 0;
};

bool Simulation::refuse(const std::string &why) const {
    if (ranks::first())
        std::fprintf(stderr, "enclave: %s\n", why.c_str());
    return false;
}

void Simulation::start() {
    domain_ = std::make_unique<Domain>(run_, Mesh(shape_of(run_)));
    domain_->start(0);
    for (int level = 0; level < run_.levels; ++level) {
        std::unique_ptr<Domain> finer = other_domain();
        if (finer == nullptr)
            break;
        domain_ = std::move(finer);
        domain_->start(0);
    }
    state_.before = totals(run_.problem, domain_->field, domain_->own());
    state_.range_before = range_of(run_.problem, domain_->field, domain_->own());
    state_.speed = domain_->speed();
    state_.shortest_step = run_.problem.end;
}

bool Simulation::begin() {
    if (run_.restart.empty()) {
        start();
        const int cells = domain_->mesh.size();
        return run_.spoilt < cells ||
               refuse(
                   apps::format("--spoil %d: there are %d cells, from 0 on", run_.spoilt, cells));
    }
    const std::string why = read_snapshot(run_.restart, run_, domain_, state_, written_);
    return why.empty() || refuse(why);
}

std::unique_ptr<Domain> Simulation::other_domain() const {
    const std::vector<Place> cells =
        refined(domain_->mesh, slopes(run_.problem, domain_->mesh, domain_->field, domain_->own()),
                run_.problem.steep);
    bool same = static_cast<int>(cells.size()) == domain_->mesh.size();
    for (int cell = 0; same && cell < domain_->mesh.size(); ++cell)
        same = cells[static_cast<std::size_t>(cell)] == domain_->mesh[cell].place;
    return same ? nullptr : std::make_unique<Domain>(run_, Mesh(domain_->mesh.shape(), cells));
}

void Simulation::adapt() {
    std::unique_ptr<Domain> other = other_domain();
    if (other == nullptr)
        return;
    transfer(*domain_, *other);
    other->complete(state_.steps % 2);
    tasks_ += domain_->traversal.tasks();
    urgent_seconds_ += domain_->traversal.urgent_seconds();
    domain_ = std::move(other);
    ++adaptations_;
}

bool Simulation::step() {
    if (run_.levels > 0 && state_.steps > 0 && state_.steps % run_.adapt_every == 0)
        adapt();
    const Problem &problem = run_.problem;
    state_.fastest = std::max(state_.fastest, state_.speed);
    double length =
        problem.courant * domain_->mesh.least_volume_width() / (problem.dimensions * state_.speed);
    if (!(length > kVanishing * problem.end)) {
        tell_of_vanishing_step(problem, state_, length);
        return false;
    }
    const bool last = state_.time + length >= problem.end;
    if (last)
        length = problem.end - state_.time;
    else
        state_.shortest_step = std::min(state_.shortest_step, length);
    const Piece &own = domain_->own();
    if (state_.steps == 0 && run_.spoilt >= own.first && run_.spoilt < own.last)
        domain_->field.spoil(run_.spoilt);
    domain_->traversal.run({state_.time, length, state_.steps % 2});
    state_.time = last ? problem.end : state_.time + length;
    ++state_.steps;
    state_.speed = domain_->speed();
    updates_ +=
        static_cast<double>(domain_->mesh.size()) * domain_->field.frame(own.first).volumes();
    return true;
}

bool Simulation::go_to_end() {
    const double end = run_.problem.end;
    Output output(run_, written_);
    Progress progress(run_.progress, state_.time, end);
    ranks::barrier();
    const double start = omp_get_wtime();
    for (;;) {
        if (std::isinf(state_.speed)) {
            tell_of_not_a_number(*domain_, state_.time);
            return false;
        }
        progress.tell(state_, domain_->mesh.size(), updates_);
        const std::string why = output.look(*domain_, state_);
        if (!why.empty())
            return refuse(why);
        if (state_.time == end)
            break;
        if (!step())
            return false;
    }
    ranks::barrier();
    seconds_ = omp_get_wtime() - start;
    return true;
}

Result Simulation::result() const {
    const Problem &problem = run_.problem;
    const Field &field = domain_->field;
    const Piece &own = domain_->own();
    Result result;
    result.steps = state_.steps;
    result.speed = state_.fastest;
    result.shortest_step = state_.shortest_step;
    result.error = mean_error(problem, field, own, state_.time);
    result.range = range_of(problem, field, own);
    result.range_before = state_.range_before;
    result.off_centre = off_centre(field, own);
    if (problem.constraint != Problem::kNoConstraint)
        result.violation = largest_magnitude(field, own, problem.constraint);
    result.drift = drift(state_.before, totals(problem, field, own));
    result.checksum = checksum_of(field, own);
    result.updates = updates_;
    result.cells = domain_->mesh.size();
    result.skeletons = static_cast<int>(ranks::sum(domain_->partition.skeletons()));
    result.levels = run_.levels;
    result.adaptations = adaptations_;
    result.jumps = domain_->mesh.jumps();
    result.urgent_seconds = ranks::most(urgent_seconds_ + domain_->traversal.urgent_seconds());
    result.cost.seconds = seconds_;
    result.cost.tasks = tasks_ + domain_->traversal.tasks();
    return result;
}

} // namespace

Result simulate(const Run &run) {
    Simulation simulation(run);
    if (simulation.begin() && simulation.go_to_end())
        return simulation.result();
    Result failed;
    failed.failed = true;
    return failed;
}

} // namespace enclave
