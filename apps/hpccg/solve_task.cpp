// Every vector is named in a depend clause by the first element of a block; the product A p by that
// of a sub-block, so that the sub-blocks of one block do not wait for one another; another rank's
// plane by its first element.
//
// The elements that a sub-block of the product reads are irregular: they are named by an iterator
// over the list that was filtered beforehand, or by a set that is made of the matrix' columns.
//
// In the joined form, tasks that make a block of Ap or of r add up its dot product as well.
//
// Each sum over the ranks depends on the one before, so all ranks make them in one order.
#include "common/dependence_set.h"
#include "common/time_tasks.h"
#include "hpccg/kernels.h"
#include "hpccg/solver.h"

#include <cmath>
#include <vector>

namespace hpccg {

namespace {

// The elements that the rows read, and `result`. Columns of other ranks' planes are no tiles of
// this one's: they come before and after those of this rank in each row.
apps::DependenceSet product_set(const Solver &solver, State &state, Range rows, double *result) {
    const Matrix &matrix = *solver.matrix;
    const std::int32_t *column = matrix.column.get();
    double *p = state.p();
    apps::DependenceSet set;
    std::int64_t begin = matrix.row_start[rows.first];
    const auto add_from_begin_to = [&](std::int64_t end) {
        set.add_in(p, solver.blocks->rows_per_block, column + begin, end - begin);
        begin = end;
    };
    const std::int64_t last = matrix.row_start[rows.last];
    const bool alone = matrix.halo_before + matrix.halo_after == 0;
    for (std::int64_t at = alone ? last : begin; at < last; ++at) {
        const bool before = column[at] < 0;
        if (!before && column[at] < matrix.rows)
            continue;
        add_from_begin_to(at);
        begin = at + 1;
        set.add_in(before ? p - matrix.halo_before : p + matrix.rows);
    }
    add_from_begin_to(last);
    set.add_out(result);
    return set;
}

// The element that stands for a sub-block's product. In the joined form it is the block's part of
// p.Ap: whatever reads Ap comes after alpha, and so after all these parts.
double *product_result(const Solver &solver, State &state, const SubBlock &sub, int t) {
    return solver.joined ? &state.partial_pap[t] : &state.ap[sub.rows.first];
}

// The sets of all sub-blocks, in order; none if they are not used.
std::vector<apps::DependenceSet> product_sets(const Solver &solver, State &state) {
    std::vector<apps::DependenceSet> sets;
    if (solver.sets)
        for (int t = 0; t < state.blocks; ++t)
            for (const SubBlock &sub : solver.blocks->blocks[static_cast<std::size_t>(t)].subs)
                sets.push_back(
                    product_set(solver, state, sub.rows, product_result(solver, state, sub, t)));
    return sets;
}

// ap = A p, and p.ap of these rows if a place for it is given.
void multiply(Range rows, const Matrix &matrix, const double *p, double *ap, double *dot_product) {
    if (dot_product == nullptr)
        spmv(rows, matrix, p, ap);
    else
        *dot_product = make_and_dot(rows, p, ap, [&](Range part) { spmv(part, matrix, p, ap); });
}

// Makes the tasks of one iteration. It holds copies of what tasks need, as plain pointers: a task
// then takes the pointer along, and nothing of the creating thread's stack.
class Creator {
  public:
    Creator(const Solver &solver, State &state)
        : solver_(solver), state_(state), blocks_(solver.blocks->blocks.data()),
          sets_(product_sets(solver, state)) {}

    void exchange_halos();
    void product() { sets_.empty() ? product_by_lists() : product_by_sets(); }
    void step_length();
    void update_solution();
    void update_residual();
    void update_residual_and_sum(); // the joined form of update_residual()
    void residual_norm(int iteration);
    void update_direction();

    long tasks() const { return tasks_; }
    long dependences() const { return dependences_; }

  private:
    void product_by_lists();
    void product_by_sets();
    void count(std::size_t dependences) {
        ++tasks_;
        dependences_ += static_cast<long>(dependences);
    }

    const Solver &solver_;
    State &state_;
    const Block *blocks_;
    const std::vector<apps::DependenceSet> sets_;
    int urgent_ = solver_.sends_first ? 1 : 0; // the priority of tasks that communicate
    long tasks_ = 0;
    long dependences_ = 0;
};

// The planes next to this rank's
void Creator::exchange_halos() {
    double *p = state_.p();
    for (const Halo &halo : solver_.blocks->halos) {
        const int peer = halo.peer;
        const int tag_out = halo.tag_out;
        const int tag_in = halo.tag_in;
        const Range own = halo.own;
        const std::int64_t plane = own.last - own.first;
        const std::int64_t *blocks = halo.own_blocks.data();
        const int count_blocks = static_cast<int>(halo.own_blocks.size());
        double *incoming = p + halo.first;
#pragma omp task depend(iterator(int j = 0 : count_blocks), in : p[blocks[j]]) priority(urgent_)   \
    firstprivate(p, own, plane, peer, tag_out)
        apps::ranks::send(p + own.first, plane, peer, tag_out);
#pragma omp task depend(out : *incoming) firstprivate(incoming, plane, peer, tag_in)
        apps::ranks::receive(incoming, plane, peer, tag_in);
        count(halo.own_blocks.size());
        count(1);
    }
}

// ap = A p
void Creator::product_by_sets() {
    const Matrix *matrix = solver_.matrix;
    double *p = state_.p();
    double *ap = state_.ap.get();
    const bool joined = solver_.joined;
    auto set = sets_.begin();
    for (int t = 0; t < state_.blocks; ++t) {
        for (const SubBlock &sub : blocks_[t].subs) {
            const Range rows = sub.rows;
            double *result = product_result(solver_, state_, sub, t);
            set->name_for_next_task();
#pragma omp task firstprivate(matrix, p, ap, rows, result, joined)
            multiply(rows, *matrix, p, ap, joined ? result : nullptr);
            count(set->size());
            ++set;
        }
    }
}

void Creator::product_by_lists() {
    const Matrix *matrix = solver_.matrix;
    double *p = state_.p();
    double *ap = state_.ap.get();
    const bool joined = solver_.joined;
    for (int t = 0; t < state_.blocks; ++t) {
        for (const SubBlock &sub : blocks_[t].subs) {
            const Range rows = sub.rows;
            const std::int64_t *reads = sub.reads.data();
            const int count_reads = static_cast<int>(sub.reads.size());
            double *result = product_result(solver_, state_, sub, t);
#pragma omp task depend(iterator(int j = 0 : count_reads), in : p[reads[j]]) depend(out : *result) \
    firstprivate(matrix, p, ap, rows, result, joined)
            multiply(rows, *matrix, p, ap, joined ? result : nullptr);
            count(sub.reads.size() + 1);
        }
    }
}

// alpha = r.r / p.Ap
void Creator::step_length() {
    double *p = state_.p();
    double *ap = state_.ap.get();
    double *partial = state_.partial_pap.get();
    double *alpha = &state_.alpha;
    double *rr = &state_.rr;
    const int count_blocks = state_.blocks;
    // In the joined form, the tasks of the product have made these parts.
    for (int t = 0; !solver_.joined && t < count_blocks; ++t) {
        const Range rows = blocks_[t].rows;
        const std::int64_t *subs = blocks_[t].sub_starts.data();
        const int count_subs = static_cast<int>(blocks_[t].sub_starts.size());
#pragma omp task depend(iterator(int j = 0 : count_subs), in : ap[subs[j]])                        \
    depend(in : p[rows.first]) depend(out : partial[t]) firstprivate(p, ap, partial, rows, t)
        partial[t] = dot(rows, p, ap);
        count(blocks_[t].sub_starts.size() + 2);
    }
#pragma omp task depend(iterator(int j = 0 : count_blocks), in : partial[j]) depend(in : *rr)      \
    depend(out : *alpha) priority(urgent_) firstprivate(partial, count_blocks, alpha, rr)
    *alpha = ratio(*rr, apps::ranks::sum(sum_in_order(partial, count_blocks)));
    count(static_cast<std::size_t>(count_blocks) + 2);
}

// x = x + alpha p
void Creator::update_solution() {
    double *x = state_.x.get();
    double *p = state_.p();
    double *alpha = &state_.alpha;
    for (int t = 0; t < state_.blocks; ++t) {
        const Range rows = blocks_[t].rows;
#pragma omp task depend(in : *alpha, p[rows.first]) depend(inout : x[rows.first])                  \
    firstprivate(x, p, alpha, rows)
        waxpby(rows, 1.0, x, *alpha, p, x);
        count(3);
    }
}

// r = r - alpha Ap
void Creator::update_residual() {
    double *r = state_.r.get();
    double *ap = state_.ap.get();
    double *alpha = &state_.alpha;
    for (int t = 0; t < state_.blocks; ++t) {
        const Range rows = blocks_[t].rows;
        const std::int64_t *subs = blocks_[t].sub_starts.data();
        const int count_subs = static_cast<int>(blocks_[t].sub_starts.size());
#pragma omp task depend(iterator(int j = 0 : count_subs), in : ap[subs[j]]) depend(in : *alpha)    \
    depend(inout : r[rows.first]) firstprivate(r, ap, alpha, rows)
        waxpby(rows, 1.0, r, -*alpha, ap, r);
        count(blocks_[t].sub_starts.size() + 2);
    }
}

// r = r - alpha Ap, with r.r of each block
void Creator::update_residual_and_sum() {
    double *r = state_.r.get();
    double *ap = state_.ap.get();
    double *partial = state_.partial_rr.get();
    double *alpha = &state_.alpha;
    for (int t = 0; t < state_.blocks; ++t) {
        const Range rows = blocks_[t].rows;
#pragma omp task depend(in : *alpha) depend(inout : r[rows.first]) depend(out : partial[t])        \
    firstprivate(r, ap, partial, alpha, rows, t)
        partial[t] =
            make_and_dot(rows, r, r, [=](Range part) { waxpby(part, 1.0, r, -*alpha, ap, r); });
        count(3);
    }
}

// beta = r.r / (r.r of before), and the norm of the residual for the history
void Creator::residual_norm(int iteration) {
    double *r = state_.r.get();
    double *partial = state_.partial_rr.get();
    double *beta = &state_.beta;
    double *rr = &state_.rr;
    double *norm = &state_.history[static_cast<std::size_t>(iteration)];
    const double enough = solver_.ahead ? solver_.tolerance : 0;
    const int count_blocks = state_.blocks;
    // In the joined form, update_residual_and_sum() has made the tasks of these parts.
    for (int t = 0; !solver_.joined && t < count_blocks; ++t) {
        const Range rows = blocks_[t].rows;
#pragma omp task depend(in : r[rows.first]) depend(out : partial[t])                               \
    firstprivate(r, partial, rows, t)
        partial[t] = dot(rows, r, r);
        count(2);
    }
#pragma omp task depend(iterator(int j = 0 : count_blocks), in : partial[j]) depend(inout : *rr)   \
    depend(out : *beta) priority(urgent_)                                                          \
    firstprivate(partial, count_blocks, beta, rr, norm, enough)
    {
        const double next = apps::ranks::sum(sum_in_order(partial, count_blocks));
        *beta = ratio(next, *rr);
        *rr = next;
        *norm = std::sqrt(next);
        if (enough > 0 && *norm <= enough)
            apps::ranks::stop_after_this_iteration();
    }
    count(static_cast<std::size_t>(count_blocks) + 2);
}

// p = r + beta p
void Creator::update_direction() {
    double *r = state_.r.get();
    double *p = state_.p();
    double *beta = &state_.beta;
    for (int t = 0; t < state_.blocks; ++t) {
        const Range rows = blocks_[t].rows;
#pragma omp task depend(in : *beta, r[rows.first]) depend(inout : p[rows.first])                   \
    firstprivate(r, p, beta, rows)
        waxpby(rows, 1.0, r, *beta, p, p);
        count(3);
    }
}

// Returns the number of iterations done.
int create_all(const Solver &solver, State &state, Creator &creator) {
    double *rr = &state.rr;
    if (solver.ahead)
        apps::ranks::begin_iterations();
    for (int k = 0; k < solver.iterations; ++k) {
        if (solver.ahead && !apps::ranks::next_iteration())
            break;
        creator.exchange_halos();
        creator.product();
        creator.step_length();
        solver.joined ? creator.update_residual_and_sum() : creator.update_residual();
        creator.residual_norm(k);
        // After the sum that all ranks wait for, so that x is updated meanwhile.
        creator.update_solution();
        if (solver.tolerance > 0 && !solver.ahead) {
            // Whether to go on is decided here, so this thread needs the norm; the tasks that do
            // not lead to it go on meanwhile.
#pragma omp taskwait depend(in : *rr)
            if (std::sqrt(*rr) <= solver.tolerance)
                return k + 1;
        }
        if (k + 1 < solver.iterations)
            creator.update_direction();
    }
    return solver.ahead ? apps::ranks::end_iterations() : solver.iterations;
}

} // namespace

Solution solve_task(const Solver &solver) {
    State state(solver);
    initialise(solver, state);
    Creator creator(solver, state);

    int done = 0;
    Solution solution;
    solution.cost = apps::time_tasks([&] { done = create_all(solver, state, creator); });
    solution.cost.flops = flops(solver, done);
    solution.cost.tasks = creator.tasks();
    solution.cost.dependences = creator.dependences();
    solution.x = std::move(state.x);
    state.history.resize(static_cast<std::size_t>(done));
    solution.residual_norms = std::move(state.history);
    return solution;
}

} // namespace hpccg
