// The task graph of the paper's figure 2, a step at a time. Depend clauses name:
//   sums, field         density and current of all; the field
//   mpi                 with serialized messages, the right to call MPI
//   tile's now, next    its values before and after the step
//   tile's ring         ghosts that tiles of this rank give it; or `ghosts`, those of all tiles
//   tile's packed       what it sends
//   tile's arrived      what it receives: all at once, or message by message
//
// Priorities are the paper's, MPI before centres before borders, but that what waits for a task
// gives it its own: else packing, which messages wait for, comes after all centres where threads
// are few and the field is known early. Also, if asked for: a border that waits for no message
// comes before other tiles' centres, while its own tile is in the cache. The work that is left
// while messages travel is as much.
#include "common/omp_decls.h"
#include "vlasov/run.h"

#include <algorithm>
#include <atomic>

// Its functions are null on other runtimes.
#define LOOMP_WEAK
#include "loomp/experimental.h"

namespace vlasov {

namespace {

using apps::kept_graph::Keep;
using Names = std::vector<char *>;

// All that the tasks of a group name, together.
struct Accesses {
    Names in, inout;
};

// A row of tiles, and what the tasks of its groups name: for the task that creates them.
struct Row {
    int first, last; // tiles
    Accesses pack, copy, send, receive, complete_receives, centres, borders;
};

// The values of priority clauses.
struct Levels {
    int message = 0; // and what it waits for
    int inside = 0;  // borders that wait for no message, and what they wait for
    int centre = 0;
    int border = 0;
};

Levels levels_of(Priorities priorities) {
    switch (priorities) {
    case Priorities::none:
        return {};
    case Priorities::paper:
        return {4, 1, 2, 1};
    case Priorities::reuse:
        break;
    }
    return {4, 3, 2, 1};
}

void add(Names &names, char *name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
}

void add(Names &names, const Names &more) {
    for (char *name : more)
        add(names, name);
}

// Makes the tasks of a step. Tasks take along plain pointers only, so that their graph can be
// replayed.
class Creator {
  public:
    Creator(Simulation &simulation, const Tasking &how);

    void create_step();

    long tasks() const { return tasks_; }
    long dependences() const { return dependences_; }

  private:
    using Group = void (Creator::*)(int first, int last);

    void add_up();
    void solve();
    void fill_ghosts();
    void start_messages();
    void complete_sends();

    // Each makes its tasks for the tiles first to last.
    void pack(int first, int last);
    void copy(int first, int last);
    void send(int first, int last);
    void receive(int first, int last);
    void complete_receives(int first, int last);
    void centres(int first, int last);
    void borders(int first, int last);

    Row row_of(int first, int last);
    void create(Group group, const Accesses Row::*accesses, int level);
    void count(std::size_t dependences) {
        tasks_.fetch_add(1, std::memory_order_relaxed);
        dependences_.fetch_add(static_cast<long>(dependences), std::memory_order_relaxed);
    }
    bool serialized() const { return how_.messages == Messages::serialized; }

    Simulation *simulation_;
    Tiles *tiles_;
    Tasking how_;
    bool alone_; // no other ranks
    Levels levels_;
    std::vector<Row> rows_;
    Names now_, packed_, arrived_; // the names of all tiles
    struct Shared {
        char sums, field, mpi, ghosts;
    } shared_{};
    std::atomic<long> tasks_{0};
    std::atomic<long> dependences_{0};
};

Creator::Creator(Simulation &simulation, const Tasking &how)
    : simulation_(&simulation), tiles_(&simulation.tiles()), how_(how),
      levels_(levels_of(how.priorities)) {
    for (int t = 0; t < tiles_->count(); ++t) {
        Tile &tile = (*tiles_)[t];
        now_.push_back(&tile.marks.now);
        add(arrived_, tile.arrived);
        if (!tile.links.empty())
            packed_.push_back(&tile.marks.packed);
    }
    alone_ = packed_.empty();
    for (int first = 0; first < tiles_->count(); first += tiles_->width())
        rows_.push_back(row_of(first, first + tiles_->width()));
}

Row Creator::row_of(int first, int last) {
    Row row{first, last, {}, {}, {}, {}, {}, {}, {}};
    row.centres.in.push_back(&shared_.field);
    row.borders.in.push_back(&shared_.field);
    row.complete_receives.inout.push_back(&shared_.mpi);
    for (int t = first; t < last; ++t) {
        Tile &tile = (*tiles_)[t];
        Tile::Marks &marks = tile.marks;
        add(row.copy.in, tile.around);
        add(row.copy.inout, &marks.ring);
        add(row.centres.in, &marks.now);
        add(row.centres.inout, &marks.next);
        add(row.borders.in, &marks.ring);
        add(row.borders.in, tile.arrived);
        add(row.borders.inout, {&marks.now, &marks.next});
        if (tile.links.empty())
            continue;
        add(row.pack.in, &marks.now);
        add(row.pack.inout, &marks.packed);
        add(row.send.in, &marks.packed);
        add(row.receive.inout, tile.arrived);
        add(row.complete_receives.inout, tile.arrived);
    }
    return row;
}

void Creator::add_up() {
    [[maybe_unused]] Shared *shared = &shared_;
    Simulation *simulation = simulation_;
    [[maybe_unused]] char *const *now = now_.data();
    const int tiles = static_cast<int>(now_.size());
#pragma omp task depend(iterator(int j = 0 : tiles), in : *now[j]) depend(out : shared -> sums)    \
    depend(inout : shared->mpi) priority(levels_.message) firstprivate(simulation)
    simulation->add_up();
    count(static_cast<std::size_t>(tiles) + 2);
}

void Creator::solve() {
    [[maybe_unused]] Shared *shared = &shared_;
    Simulation *simulation = simulation_;
#pragma omp task depend(in : shared->sums) depend(out : shared -> field) priority(levels_.centre)  \
    firstprivate(simulation)
    simulation->solve();
    count(2);
}

// The paper's recursive task: what it creates are independent of each other, in two loops.
void Creator::fill_ghosts() {
    [[maybe_unused]] Shared *shared = &shared_;
    Simulation *simulation = simulation_;
    Tiles *tiles = tiles_;
    const auto count_tiles = static_cast<std::size_t>(tiles_->count()); // clang compares unsigned
    [[maybe_unused]] char *const *now = now_.data();
    const int first = levels_.message;
#pragma omp task depend(iterator(int j = 0 : count_tiles), in : *now[j])                           \
    depend(out : shared -> ghosts) priority(first)                                                 \
    firstprivate(simulation, tiles, count_tiles, first)
    {
#pragma omp taskloop priority(first) firstprivate(simulation, tiles)
        for (std::size_t t = 0; t < count_tiles; ++t)
            simulation->pack((*tiles)[static_cast<int>(t)]);
#pragma omp taskloop priority(first) firstprivate(simulation, tiles)
        for (std::size_t t = 0; t < count_tiles; ++t)
            simulation->copy((*tiles)[static_cast<int>(t)]);
    }
    count(count_tiles + 1);
}

void Creator::pack(int first, int last) {
    Simulation *simulation = simulation_;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        if (tile->links.empty())
            continue;
#pragma omp task depend(in : tile->marks.now) depend(out : tile -> marks.packed)                   \
    priority(levels_.message) firstprivate(simulation, tile)
        simulation->pack(*tile);
        count(2);
    }
}

void Creator::copy(int first, int last) {
    Simulation *simulation = simulation_;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        [[maybe_unused]] char *const *around = tile->around.data();
        const int neighbours = static_cast<int>(tile->around.size());
#pragma omp task depend(iterator(int j = 0 : neighbours), in : *around[j])                         \
    depend(out : tile -> marks.ring) priority(levels_.inside) firstprivate(simulation, tile)
        simulation->copy(*tile);
        count(static_cast<std::size_t>(neighbours) + 1);
    }
}

// All messages of this rank, in one task.
void Creator::start_messages() {
    [[maybe_unused]] Shared *shared = &shared_;
    Tiles *tiles = tiles_;
    const bool loops = how_.submission == Submission::taskloop;
    [[maybe_unused]] char *const *packed = packed_.data();
    const int count_packed = loops ? 0 : static_cast<int>(packed_.size());
    [[maybe_unused]] char *const *arrived = arrived_.data();
    const int count_arrived = static_cast<int>(arrived_.size());
#pragma omp task depend(iterator(int j = 0 : count_packed), in : *packed[j])                       \
    depend(iterator(int j = 0 : count_arrived), out : *arrived[j]) depend(in : shared -> ghosts)   \
    depend(inout : shared->mpi) priority(levels_.message) firstprivate(tiles)
    for (int t = 0; t < tiles->count(); ++t)
        for (Link &link : (*tiles)[t].links) {
            link.receive.begin();
            link.send.begin();
        }
    count(static_cast<std::size_t>(count_packed) + static_cast<std::size_t>(count_arrived) + 2);
}

void Creator::complete_receives(int first, int last) {
    [[maybe_unused]] Shared *shared = &shared_;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        if (tile->links.empty())
            continue;
#pragma omp task depend(inout : *tile->arrived.front()) depend(inout : shared -> mpi)              \
    priority(levels_.message) firstprivate(tile)
        for (Link &link : tile->links)
            link.receive.complete();
        count(2);
    }
}

void Creator::complete_sends() {
    [[maybe_unused]] Shared *shared = &shared_;
    Tiles *tiles = tiles_;
    const bool loops = how_.submission == Submission::taskloop;
    [[maybe_unused]] char *const *packed = packed_.data();
    const int count_packed = loops ? 0 : static_cast<int>(packed_.size());
#pragma omp task depend(iterator(int j = 0 : count_packed), inout : *packed[j])                    \
    depend(inout : shared -> mpi) priority(levels_.message) firstprivate(tiles)
    for (int t = 0; t < tiles->count(); ++t)
        for (Link &link : (*tiles)[t].links)
            link.send.complete();
    count(static_cast<std::size_t>(count_packed) + 1);
}

void Creator::send(int first, int last) {
    const bool loops = how_.submission == Submission::taskloop;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        [[maybe_unused]] char *packed = loops ? &shared_.ghosts : &tile->marks.packed;
        for (Link &link : tile->links) {
            Link *over = &link;
#pragma omp task depend(in : *packed) priority(levels_.message) firstprivate(over)
            apps::ranks::send(over->outgoing.data(),
                              static_cast<std::int64_t>(over->outgoing.size()), over->peer,
                              over->tag_out);
            count(1);
        }
    }
}

void Creator::receive(int first, int last) {
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        for (std::size_t l = 0; l < tile->links.size(); ++l) {
            Link *over = &tile->links[l];
#pragma omp task depend(out : *tile->arrived[l]) priority(levels_.message) firstprivate(over)
            apps::ranks::receive(over->incoming.data(),
                                 static_cast<std::int64_t>(over->incoming.size()), over->peer,
                                 over->tag_in);
            count(1);
        }
    }
}

void Creator::centres(int first, int last) {
    [[maybe_unused]] Shared *shared = &shared_;
    Simulation *simulation = simulation_;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
#pragma omp task depend(in : shared->field, tile->marks.now) depend(out : tile -> marks.next)      \
    priority(levels_.centre) firstprivate(simulation, tile)
        simulation->advance_centre(*tile);
        count(3);
    }
}

void Creator::borders(int first, int last) {
    [[maybe_unused]] Shared *shared = &shared_;
    Simulation *simulation = simulation_;
    const bool loops = how_.submission == Submission::taskloop;
    for (int t = first; t < last; ++t) {
        Tile *tile = &(*tiles_)[t];
        [[maybe_unused]] char *ring = loops ? &shared_.ghosts : &tile->marks.ring;
        [[maybe_unused]] char *const *arrived = tile->arrived.data();
        const int arrivals = static_cast<int>(tile->arrived.size());
        const int level = arrivals == 0 ? levels_.inside : levels_.border;
#pragma omp task depend(iterator(int j = 0 : arrivals), in : *arrived[j])                          \
    depend(in : shared -> field, *ring) depend(inout : tile->marks.now, tile->marks.next)          \
    priority(level) firstprivate(simulation, tile)
        {
            simulation->advance_border(*tile);
            simulation->finish(*tile);
        }
        count(static_cast<std::size_t>(arrivals) + 4);
    }
}

// The tasks of all tiles: at once, or each row's by a task that does not wait for what it names
// itself, so that other threads find tasks, too. `level` is that task's: it comes no later than
// what it creates.
void Creator::create(Group group, const Accesses Row::*accesses, [[maybe_unused]] int level) {
    if (how_.submission != Submission::transparent) {
        (this->*group)(0, tiles_->count());
        return;
    }
    Creator *creator = this;
    for (Row &row : rows_) {
        const Accesses &named = row.*accesses;
        [[maybe_unused]] char *const *in = named.in.data();
        [[maybe_unused]] char *const *inout = named.inout.data();
        const int count_in = static_cast<int>(named.in.size());
        const int count_inout = static_cast<int>(named.inout.size());
        const int first = row.first;
        const int last = row.last;
        if (count_in + count_inout == 0)
            continue;
        loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(iterator(int j = 0 : count_in), in : *in[j])                               \
    depend(iterator(int j = 0 : count_inout), inout : *inout[j]) priority(level)                   \
    firstprivate(creator, group, first, last)
        (creator->*group)(first, last);
        count(static_cast<std::size_t>(count_in + count_inout));
    }
}

void Creator::create_step() {
    add_up();
    solve();
    if (how_.submission == Submission::taskloop) {
        fill_ghosts();
    } else {
        create(&Creator::pack, &Row::pack, levels_.message);
        create(&Creator::copy, &Row::copy, levels_.inside);
    }
    const bool messages = !alone_;
    if (messages && serialized())
        start_messages();
    if (messages && !serialized()) {
        create(&Creator::receive, &Row::receive, levels_.message);
        create(&Creator::send, &Row::send, levels_.message);
    }
    create(&Creator::centres, &Row::centres, levels_.inside);
    if (messages && serialized())
        create(&Creator::complete_receives, &Row::complete_receives, levels_.message);
    create(&Creator::borders, &Row::borders, levels_.inside);
    if (messages && serialized())
        complete_sends();
}

// Both return what creation took, in seconds.
double create_and_wait(Creator &creator, Keep keep) {
    const double begin = omp_get_wtime();
    double took = 0;
    if (apps::kept_graph::begin("vlasov", keep, true)) {
        creator.create_step();
        took = omp_get_wtime() - begin;
        apps::kept_graph::end(keep);
    }
#pragma omp taskwait
    return took;
}

// A taskwait is for children only, which with transparent tasks create those that compute.
double create_and_wait_for_all(Creator &creator) {
    const double begin = omp_get_wtime();
    double took = 0;
#pragma omp taskgroup
    {
        creator.create_step();
        took = omp_get_wtime() - begin;
    }
    return took;
}

} // namespace

bool can_be_transparent() { return loomp_next_task != nullptr; }

apps::Cost run_task(Simulation &simulation, const Tasking &how, const Steps &steps) {
    Creator creator(simulation, how);
    const bool by_others = how.submission == Submission::transparent && how.keep == Keep::nothing;
    double discovery = 0;
    int done = 0;
    apps::ranks::barrier();
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    for (int step = steps.first; step < steps.last && simulation.stopped().empty(); ++step) {
        if (steps.before && !steps.before(step))
            break;
        discovery +=
            by_others ? create_and_wait_for_all(creator) : create_and_wait(creator, how.keep);
        ++done;
    }
    apps::ranks::barrier();
    apps::Cost cost;
    cost.seconds = omp_get_wtime() - start;
    const bool replayed = how.keep == Keep::everything;
    cost.tasks = creator.tasks() * (replayed ? done : 1);
    cost.dependences = creator.dependences() * (replayed ? done : 1);
    cost.discovery_seconds = discovery;
    return cost;
}

} // namespace vlasov
