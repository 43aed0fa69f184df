#include "profiler/check/races.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "loomp/omp-tools.h"

namespace loomp::check {

namespace {

class Log {
  public:
    explicit Log(const std::filesystem::path &path) : file_(std::fopen(path.c_str(), "rb")) {}
    bool is_open() const { return file_ != nullptr; }

    template <class Take> void each(Take take) {
        std::array<Record, 4096> part;
        while (const std::size_t count =
                   std::fread(part.data(), sizeof(Record), part.size(), file_.get()))
            for (std::size_t i = 0; i < count; ++i)
                take(part[i]);
    }

  private:
    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

/// The order of messages is checked like that of writes to memory, at addresses that no program
/// has.
Address envelope_address(std::uint64_t number) { return (Address{0xF} << 60) + number; }

class Finder {
  public:
    explicit Finder(const ItemOf &without)
        : order_(without), shadow_(order_, [this](const Conflict &conflict) { add(conflict); }) {}

    void take(const Record &record);
    Result result() &&;

  private:
    using Key = std::tuple<Address, Address, Address, Address, bool>;

    void add(const Conflict &conflict);
    Side side_of(const Use &use) const;
    Block block_of(Address address) const;
    std::optional<std::vector<TaskNumber>> parents_between(TaskNumber one, TaskNumber other) const;
    Advice advice_for(const Finding &finding) const;
    Advice advice_for_siblings(const Finding &finding) const;

    Order order_;
    Shadow shadow_;
    std::map<Address, Block> blocks_;
    std::map<Address, Envelope> envelopes_; ///< by the addresses that stand for them
    std::map<Key, Finding> findings_;
    TaskNumber task_ = 0; ///< of the accesses that follow
};

Block Finder::block_of(Address address) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin())
        return {};
    const Block &block = std::prev(after)->second;
    return address < block.begin + block.size ? block : Block{};
}

Side Finder::side_of(const Use &use) const {
    const TaskNumber number = order_.segments().task_of(use.segment);
    const Task &task = order_.task(number);
    Side side{.number = number,
              .construct = task.code,
              .function = task.function,
              .implicit = task.implicit,
              .call = task.call,
              .access = use.code,
              .how = use.how,
              .items = task.items};
    if (task.call != 0) {
        const Task &caller = order_.task(task.creator);
        side.caller = caller.code;
        side.caller_function = caller.function;
        side.caller_implicit = caller.implicit;
    }
    return side;
}

bool strong_enough(Access access, How how) {
    return how == How::read || access == Access::inout || access == Access::mutexinoutset;
}

/// The only item by which a task is a writer to tasks that name it. Programs whose items stand for
/// data elsewhere mostly have one. Nothing if there are several, or the other task has it.
std::optional<std::size_t> only_mark(const Side &writer, const Side &other) {
    std::optional<std::size_t> mark;
    for (std::size_t i = 0; i < writer.items.size(); ++i) {
        if (writer.items[i].access == Access::in)
            continue;
        if (mark)
            return std::nullopt;
        mark = i;
    }
    if (mark && std::any_of(other.items.begin(), other.items.end(), [&](const Item &item) {
            return item.address == writer.items[*mark].address;
        }))
        return std::nullopt;
    return mark;
}

/// The transparent tasks by which the children of one count among the siblings of the other;
/// nothing if the clauses of the two cannot order them.
std::optional<std::vector<TaskNumber>> Finder::parents_between(TaskNumber one,
                                                               TaskNumber other) const {
    std::vector<TaskNumber> parents;
    while (order_.task(one).creator != order_.task(other).creator) {
        TaskNumber &deeper = order_.task(one).creator > order_.task(other).creator ? one : other;
        deeper = order_.task(deeper).creator;
        if ((order_.task(deeper).flags & ompt_task_exporting) == 0)
            return std::nullopt;
        parents.push_back(deeper);
    }
    if (one == other) // a task and its child
        return std::nullopt;
    return parents;
}

Advice Finder::advice_for(const Finding &finding) const {
    const Task &earlier = order_.task(finding.earlier.number);
    const Task &later = order_.task(finding.later.number);
    if (earlier.implicit || later.implicit || earlier.call != 0 || later.call != 0)
        return {};
    const auto parents = parents_between(finding.earlier.number, finding.later.number);
    if (!parents)
        return {};
    const auto share_item = [](const Task &one, const Task &other) {
        return std::any_of(one.items.begin(), one.items.end(), [&other](const Item &item) {
            return std::any_of(
                other.items.begin(), other.items.end(),
                [&item](const Item &another) { return another.address == item.address; });
        });
    };
    for (const int at : {1, 0})
        if (((at == 0 ? earlier : later).flags & ompt_task_importing) != 0 &&
            share_item(earlier, later))
            return {Advice::Kind::weak, at, Access::in, 0, 0, {}};
    const Advice advice = advice_for_siblings(finding);
    // An item of a child counts outside its parent if the parent has it, too.
    const auto has_it = [&](TaskNumber parent) {
        const std::vector<Item> &items = order_.task(parent).items;
        return std::any_of(items.begin(), items.end(), [&advice](const Item &item) {
            return item.all_memory || item.address == advice.address;
        });
    };
    return std::all_of(parents->begin(), parents->end(), has_it) ? advice : Advice{};
}

/// Which item is missing. An item belongs to the memory if it lies in the same block, or in the
/// bytes; of several, the one that is nearest below the bytes.
Advice Finder::advice_for_siblings(const Finding &finding) const {
    const auto belongs = [&finding](const Item &item) {
        const Block &block = finding.block;
        return block.size != 0
                   ? item.address >= block.begin && item.address < block.begin + block.size
                   : item.address + 4096 > finding.begin && item.address < finding.end;
    };
    const auto nearest = [&](const Side &side) {
        std::size_t best = side.items.size();
        for (std::size_t i = 0; i < side.items.size(); ++i) {
            const Item &item = side.items[i];
            if (!belongs(item) || item.address >= finding.end)
                continue;
            if (best == side.items.size() || item.address > side.items[best].address)
                best = i;
        }
        return best;
    };
    const std::array sides{&finding.earlier, &finding.later};
    const std::array found{nearest(*sides[0]), nearest(*sides[1])};
    // The item that lies nearest to the accessed bytes names them.
    const auto distance = [&](std::size_t side) {
        const std::vector<Item> &items = sides[side]->items;
        if (found[side] == items.size())
            return std::numeric_limits<Address>::max();
        const Address at = items[found[side]].address;
        return at > finding.begin ? at - finding.begin : finding.begin - at;
    };
    const int first = distance(1) < distance(0) ? 0 : 1;
    for (const int at : {first, 1 - first}) {
        const Side &side = *sides[static_cast<std::size_t>(at)];
        const Side &other = *sides[static_cast<std::size_t>(1 - at)];
        const std::size_t item = found[static_cast<std::size_t>(1 - at)];
        if (item == other.items.size())
            continue;
        const Address address = other.items[item].address;
        const auto own =
            std::find_if(side.items.begin(), side.items.end(),
                         [address](const Item &each) { return each.address == address; });
        const Access access = side.how == How::read ? Access::in : Access::inout;
        if (own == side.items.end())
            return {Advice::Kind::add, at, access, address, item};
        if (!strong_enough(own->access, side.how))
            return {Advice::Kind::strengthen, at, Access::inout, address, item};
        if (!strong_enough(other.items[item].access, other.how))
            return {Advice::Kind::strengthen, 1 - at, Access::inout, address,
                    static_cast<std::size_t>(own - side.items.begin())};
    }
    if (found[0] == sides[0]->items.size() && found[1] == sides[1]->items.size())
        for (const int at : {1, 0})
            if (const auto mark = only_mark(*sides[static_cast<std::size_t>(1 - at)],
                                            *sides[static_cast<std::size_t>(at)]))
                return {Advice::Kind::add, at, Access::in,
                        sides[static_cast<std::size_t>(1 - at)]->items[*mark].address, *mark};
    return {Advice::Kind::add_both, 1, finding.later.how == How::read ? Access::in : Access::inout,
            finding.begin, 0};
}

void Finder::add(const Conflict &conflict) {
    Side earlier = side_of(conflict.earlier), later = side_of(conflict.later);
    // A call comes first; tasks are in the order of creation, whatever the schedule was.
    const bool is_call = earlier.call != 0, other_is_call = later.call != 0;
    if (is_call != other_is_call
            ? other_is_call
            : earlier.number > later.number && !earlier.implicit && !later.implicit)
        std::swap(earlier, later);
    const Block block = block_of(conflict.begin);
    const bool excluded = conflict.excluded || block.of_thread;
    const Key key{earlier.function != 0 ? earlier.function : earlier.construct,
                  later.function != 0 ? later.function : later.construct, earlier.access,
                  later.access, excluded};
    const auto at = findings_.find(key);
    if (at != findings_.end()) {
        ++at->second.count;
        return;
    }
    Finding finding = {earlier,  later, conflict.begin, conflict.end,
                       excluded, 1,     block,          conflict.later.owner != 0,
                       {},       {}};
    if (const auto envelope = envelopes_.find(conflict.begin); envelope != envelopes_.end())
        finding.envelope = envelope->second;
    finding.advice = advice_for(finding);
    finding.advice.block = block_of(finding.advice.address);
    findings_.emplace(key, std::move(finding));
}

void Finder::take(const Record &record) {
    const auto use = [&](How how) {
        if (order_.current(task_) == kNoSegment) // the log lacks the task's begin
            return;
        shadow_.use(record.a, record.a + record.b,
                    {order_.current(task_), record.c, how, record.thread});
    };
    switch (record.kind) {
    case LOOMP_CHECK_ACCESSES:
        task_ = static_cast<TaskNumber>(record.a);
        break;
    case LOOMP_CHECK_READ:
        use(How::read);
        break;
    case LOOMP_CHECK_WRITE:
        use(How::write);
        break;
    case LOOMP_CHECK_ATOMIC:
        use(How::atomic);
        break;
    case LOOMP_CHECK_ENVELOPE:
        envelopes_[envelope_address(record.a)] = {
            static_cast<std::uint32_t>(record.c >> 32), static_cast<std::int32_t>(record.b >> 32),
            static_cast<std::int32_t>(record.b), static_cast<std::uint32_t>(record.c)};
        break;
    case LOOMP_CHECK_MESSAGE: {
        const Address place = envelope_address(record.b);
        const auto caller = static_cast<TaskNumber>(record.a);
        if (caller != 0)
            shadow_.use(place, place + 1, {order_.current(caller), record.c - 1, How::write, 0});
        break;
    }
    case LOOMP_CHECK_ALLOCATED:
        blocks_[record.a] = {record.a, record.b, record.c, false};
        break;
    case LOOMP_CHECK_HELD:
        if (const Block block = block_of(record.a); block.size != 0)
            blocks_[block.begin].of_thread = true;
        break;
    case LOOMP_CHECK_RECYCLED:
        shadow_.forget(record.a, record.a + record.b);
        blocks_.erase(record.a);
        break;
    default:
        order_.take(record);
    }
}

Result Finder::result() && {
    Result result;
    result.tasks = order_.tasks();
    result.segments = order_.segments().size();
    for (auto &[key, finding] : findings_)
        result.findings.push_back(std::move(finding));
    std::stable_sort(result.findings.begin(), result.findings.end(),
                     [](const Finding &one, const Finding &other) {
                         return std::tuple{one.excluded, one.earlier.number, one.later.number} <
                                std::tuple{other.excluded, other.earlier.number,
                                           other.later.number};
                     });
    return result;
}

} // namespace

Result find_conflicts(const std::filesystem::path &folder, const ItemOf &without) {
    Log log(folder / LOOMP_CHECK_LOG);
    if (!log.is_open())
        return {{}, 0, 0, (folder / LOOMP_CHECK_LOG).string() + " cannot be read"};
    Finder finder(without);
    log.each([&finder](const Record &record) { finder.take(record); });
    return std::move(finder).result();
}

std::vector<RunItem> items_of(const std::filesystem::path &folder, std::size_t most) {
    struct Construct {
        Address function = 0;
        std::vector<Item> items; ///< of the task with most of them
    };
    std::map<Address, Construct> constructs;
    struct Made {
        Address code = 0;
        std::vector<Item> items;
    };
    std::vector<Made> tasks; // by number
    Log log(folder / LOOMP_CHECK_LOG);
    if (!log.is_open())
        return {};
    log.each([&](const Record &record) {
        if (record.kind == LOOMP_CHECK_CREATE) {
            tasks.resize(std::max<std::size_t>(tasks.size(), record.b + 1));
            tasks[record.b].code = record.c;
        } else if (record.kind == LOOMP_CHECK_DEPEND && record.a < tasks.size()) {
            tasks[record.a].items.push_back({record.b, access_of(record), false});
        } else if (record.kind == LOOMP_CHECK_FUNCTION && record.a < tasks.size()) {
            constructs[tasks[record.a].code].function = record.b;
        }
    });
    for (auto &[code, items] : tasks)
        if (items.size() > constructs[code].items.size())
            constructs[code].items = std::move(items);
    std::vector<RunItem> found;
    for (const auto &[code, construct] : constructs)
        for (std::size_t i = 0; code != 0 && i < std::min(construct.items.size(), most); ++i)
            found.push_back({{code, i},
                             construct.function,
                             construct.items[i].access,
                             construct.items[i].address,
                             construct.items.size()});
    return found;
}

std::vector<RunItem> find_unneeded(const std::filesystem::path &folder) {
    std::vector<RunItem> items = items_of(folder);
    std::erase_if(items, [&folder](const RunItem &each) {
        const Result result = find_conflicts(folder, each.item);
        return std::any_of(result.findings.begin(), result.findings.end(),
                           [](const Finding &finding) { return !finding.excluded; });
    });
    return items;
}

} // namespace loomp::check
