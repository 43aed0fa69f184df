// Converts an OTF2 archive to a Trace.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/archive/archive.h"
#include "profiler/archive/archive_definitions.h"
#include "profiler/archive/archive_events.h"
#include "profiler/archive/archive_format.h"
#include "profiler/archive/archive_peers.h"
#include "profiler/build/trace_builder.h"
#include "profiler/trace/clean_text.h"
#include "profiler/trace/id_table.h"

namespace loomp::analysis {

namespace {

using namespace archive;
namespace fs = std::filesystem;

/// Passes the events of one location after the other to a TraceBuilder.
class Events {
  public:
    explicit Events(const Definitions &definitions)
        : definitions_(definitions), peers_(definitions), origin_(definitions.origin) {
        std::map<OTF2_SystemTreeNodeRef, Index> hosts;
        for (const OTF2_SystemTreeNodeRef node : definitions.nodes)
            builder_.add_rank(
                hosts.try_emplace(node, static_cast<Index>(hosts.size())).first->second);
        std::map<Index, Index> threads_of_rank;
        for (const Definitions::Location &location : definitions.locations) {
            const Index rank = definitions.ranks.at(location.group);
            const bool stands_in = definitions.text(location.name).starts_with(kStandIn);
            threads_.emplace(location.ref,
                             builder_.add_thread(rank, threads_of_rank[rank]++, stands_in));
            ranks_.emplace(location.ref, rank);
        }
        for (const auto &[ref, region] : definitions.regions) {
            std::string source = definitions.text(region.file);
            if (!source.empty())
                source += ':' + std::to_string(region.line);
            const std::string name = definitions.text(region.name);
            regions_[ref] = {builder_.add_kind(name, source), use_of(region, name),
                             construct_of(region.role)};
        }
        find_counters();
        for (const auto &[ref, attribute] : definitions.attributes)
            for (std::size_t i = 0; i < attributes_.size(); ++i)
                if (is_ours(attribute.type) &&
                    definitions.text(attribute.name) == kAttributeNames[i])
                    attributes_[i] = ref;
        for (const auto &[ref, name] : definitions.parameters) {
            if (definitions.text(name) == kDeletedName)
                deleted_ = ref;
            if (definitions.text(name) == kAcquiredName)
                acquired_ = ref;
            if (definitions.text(name) == kReleasedName)
                released_ = ref;
            if (definitions.text(name) == kMadeName)
                made_ = ref;
            for (std::size_t i = 0; i < kAccessNames.size(); ++i)
                if (definitions.text(name) == kAccessNames[i])
                    accesses_.emplace(ref, static_cast<AccessKind>(i));
        }
    }

    void begin(OTF2_LocationRef location) {
        thread_ = threads_.at(location);
        rank_ = ranks_.at(location);
        current_ = created_ = 0;
        collective_ = 0;
        latest_ = 0;
        back_ = 0;
    }
    void begin_stream(const Definitions::Location &stream) {
        rank_ = definitions_.ranks.at(stream.group);
        row_ = rows_[rank_]++;
        on_device_.clear();
        latest_ = 0;
        back_ = 0;
    }
    /// Handles an event of a device's stream. False if its time is impossible.
    bool add_to_stream(const Event &event, const EventReader &reader) {
        const auto time = ns(event.time);
        if (!time)
            return false;
        back_ += *time < latest_ ? 1 : 0;
        latest_ = std::max(latest_, *time);
        if (event.type == EventType::enter) {
            const std::uint64_t task = reader.attribute(kTask);
            const auto most = static_cast<std::uint64_t>(DeviceWorkKind::copy_from);
            on_device_.push_back(
                {{.begin = latest_,
                  .end = latest_,
                  .held = static_cast<Time>(std::min<std::uint64_t>(
                      reader.attribute(kHeld), static_cast<std::uint64_t>(latest_))),
                  .bytes = reader.attribute(kBytes),
                  .rank = rank_,
                  .device = static_cast<Index>(reader.attribute(kDevice)),
                  .row = row_,
                  .kind = regions_.find(event.subject).kind,
                  .what = static_cast<DeviceWorkKind>(
                      std::min<std::uint64_t>(reader.attribute(kWork), most))},
                 task == 0 ? 0
                           : task_name(static_cast<std::uint32_t>(task >> 32),
                                       static_cast<std::uint32_t>(task))});
        }
        if (event.type == EventType::leave && !on_device_.empty()) {
            on_device_.back().first.end = latest_;
            builder_.device_work(on_device_.back().first, on_device_.back().second);
            on_device_.pop_back();
        }
        return true;
    }
    /// Returns the time of a location's first event; empty if it has none. Reads several events,
    /// because one time may be damaged.
    std::optional<std::uint64_t> first_time(EventReader reader) const {
        std::set<std::uint64_t> times;
        Event event{};
        for (int i = 0; i < 64 && times.size() < 4 && reader.next(event); ++i)
            times.insert(event.time);
        if (times.empty())
            return {};
        const std::uint64_t least = *times.begin();
        return times.size() > 2 && !is_soon_after(least, *std::next(times.begin()))
                   ? *std::next(times.begin())
                   : least;
    }
    /// `first` holds the times of the locations' first events. A tool may give an origin that is
    /// only known to be before them, such as 0. The first event is the origin then.
    void set_origin(const std::vector<std::uint64_t> &first) {
        const auto is_soon = [&](std::uint64_t time) { return is_soon_after(origin_, time); };
        if (!first.empty() && std::none_of(first.begin(), first.end(), is_soon))
            origin_ = *std::min_element(first.begin(), first.end());
    }
    void expect(std::size_t count) { builder_.expect(count); }
    void keep_accesses() { builder_.keep_accesses(); }
    const AttributeRefs &attributes() const { return attributes_; }
    void end() { builder_.end_of_thread(thread_, latest_); }
    /// How many events of the location had an earlier time than some event before them.
    std::uint64_t back() const { return back_; }
    Trace take(std::vector<std::string> problems) {
        Trace trace = builder_.take();
        trace.problems.insert(trace.problems.begin(), problems.begin(), problems.end());
        for (std::string &problem : trace.problems) // they name files
            problem = clean_text(problem);
        return trace;
    }

    /// Handles the event that `reader` has read. False if its time is impossible.
    bool add(const Event &event, const EventReader &reader) {
        const auto time = ns(event.time);
        if (!time)
            return false;
        back_ += *time < latest_ ? 1 : 0;
        latest_ = std::max(latest_, *time);
        if (is_of_mpi(event) && !reader.has(kTask))
            be_in_a_task();
        switch (event.type) {
        case EventType::task_create:
            create(event.name, reader);
            break;
        case EventType::parameter:
            parameter(event.subject, event.value);
            break;
        case EventType::task_switch:
            switch_to(event.name, reader);
            break;
        case EventType::task_complete:
            complete(event.name, reader);
            break;
        case EventType::metric:
            count(event.subject, reader.counts());
            break;
        case EventType::measurement:
            measure(event.value == OTF2_MEASUREMENT_ON);
            break;
        case EventType::program_begin:
            builder_.begin_run(rank_, latest_);
            break;
        case EventType::program_end:
            builder_.end_run(rank_, latest_);
            break;
        case EventType::enter:
            enter(event.subject, reader.attribute(kSuspended) != 0, reader.attribute(kRegion));
            break;
        case EventType::leave:
            leave(event.subject, reader.attribute(kSuspended) != 0);
            break;
        case EventType::isend:
            send(event, reader, event.name);
            break;
        case EventType::irecv_request:
            builder_.start(
                thread_, latest_, event.name,
                {.kind = RequestKind::receive,
                 .wildcard = reader.attribute(kWildcard) != 0,
                 .communicator = communicator_of(reader),
                 .peer = peers_.rank(communicator_of(reader),
                                     static_cast<std::uint32_t>(reader.attribute(kPeer)), rank_),
                 .tag = static_cast<std::int32_t>(reader.attribute(kTag))});
            break;
        case EventType::request_cancelled:
            builder_.cancel(thread_, latest_, event.name);
            break;
        case EventType::irecv:
            received(event, reader, event.name);
            break;
        case EventType::collective_request:
            builder_.start(
                thread_, latest_, event.name,
                {.kind = RequestKind::collective, .communicator = communicator_of(reader)});
            break;
        case EventType::collective_complete:
            builder_.set_bytes(thread_, event.name, event.value);
            finish(event.name, reader);
            break;
        case EventType::isend_complete:
            finish(event.name, reader);
            break;
        // Blocking calls of other tools have events of their own; ours are requests.
        case EventType::blocking_collective:
            builder_.start(thread_, latest_, --own_requests_, {.kind = RequestKind::collective});
            collective_ = own_requests_;
            break;
        case EventType::blocking_collective_end:
            if (collective_ == 0)
                break;
            builder_.set_envelope(thread_, collective_, peers_.name(event.communicator, rank_),
                                  kNone, 0);
            builder_.set_bytes(thread_, collective_, event.value);
            builder_.finish(thread_, latest_, std::exchange(collective_, 0));
            break;
        case EventType::send:
            send(event, reader, --own_requests_);
            builder_.finish(thread_, latest_, own_requests_);
            break;
        case EventType::recv:
            builder_.start(thread_, latest_, --own_requests_, {.kind = RequestKind::receive});
            received(event, reader, own_requests_);
            break;
        }
        return true;
    }

  private:
    /// The meaning of a region while a thread is in it.
    enum class Use : std::uint8_t {
        none,
        function,
        task_wait,
        group_wait,
        mutex_wait,
        team_wait,
        construct,
        user
    };
    struct Region {
        Index kind;
        Use use;
        ConstructKind construct; ///< for Use::construct
    };
    static ConstructKind construct_of(OTF2_RegionRole role) {
        switch (role) {
        case OTF2_REGION_ROLE_PARALLEL:
            return ConstructKind::parallel;
        case OTF2_REGION_ROLE_LOOP:
            return ConstructKind::loop;
        case OTF2_REGION_ROLE_SECTIONS:
            return ConstructKind::sections;
        case OTF2_REGION_ROLE_SINGLE:
            return ConstructKind::single;
        default:
            return ConstructKind::other;
        }
    }
    static Use use_of(const Definitions::Region &region, const std::string &name) {
        if (region.mpi)
            return Use::function;
        if (region.user)
            return Use::user;
        if (region.role == OTF2_REGION_ROLE_TASK_WAIT)
            return name.starts_with("taskgroup")      ? Use::group_wait
                   : name.starts_with(kMutexWaitName) ? Use::mutex_wait
                                                      : Use::task_wait;
        if (construct_of(region.role) != ConstructKind::other ||
            region.role == OTF2_REGION_ROLE_WORKSHARE)
            return Use::construct;
        return region.role == OTF2_REGION_ROLE_BARRIER ||
                       region.role == OTF2_REGION_ROLE_IMPLICIT_BARRIER
                   ? Use::team_wait
                   : Use::none;
    }

    bool is_of_mpi(const Event &event) const {
        switch (event.type) {
        case EventType::task_create:
        case EventType::task_switch:
        case EventType::task_complete:
        case EventType::parameter:
        case EventType::measurement:
        case EventType::metric:
        case EventType::program_begin:
        case EventType::program_end:
            return false;
        case EventType::enter:
        case EventType::leave:
            return regions_.find(event.subject).use == Use::function;
        default:
            return true;
        }
    }
    void create(std::uint64_t task, const EventReader &reader) {
        builder_.create(thread_, latest_, task,
                        reader.has(kKind) ? regions_.find(reader.attribute(kKind)).kind : kNone,
                        reader.attribute(kUndeferred) != 0);
        created_ = task;
    }
    /// Handles an item of a depend clause, a task's deletion, or a mutex.
    void parameter(OTF2_ParameterRef parameter, std::uint64_t location) {
        if (parameter == deleted_) {
            builder_.deleted(thread_, latest_,
                             task_name(static_cast<std::uint32_t>(location >> 32),
                                       static_cast<std::uint32_t>(location)));
            return;
        }
        if (parameter == acquired_)
            builder_.acquire(thread_, latest_, location);
        if (parameter == released_)
            builder_.release(thread_, latest_, location);
        if (parameter == made_)
            builder_.renew(thread_, latest_, location);
        const auto kind = accesses_.find(parameter);
        if (kind != accesses_.end() && created_ != 0)
            builder_.access(rank_, created_, kind->second, location);
    }
    void switch_to(std::uint64_t task, const EventReader &reader) {
        // A task that completes has been reported before.
        if (current_ != 0 && current_ != task && reader.attribute(kLeaving) == kYielded)
            builder_.leave(thread_, latest_, Leaving::yielded);
        // Other tools give implicit tasks the number 0.
        if (reader.attribute(kImplicit) != 0 || static_cast<std::uint32_t>(task) == 0)
            builder_.set_implicit(thread_, task);
        builder_.run(thread_, latest_, task);
        current_ = task;
    }
    void complete(std::uint64_t task, const EventReader &reader) {
        if (task != current_ || reader.attribute(kOnBehalf) != 0) {
            builder_.complete(thread_, latest_, task);
            return;
        }
        if (reader.attribute(kLater) != 0)
            builder_.completes_later(thread_, task);
        builder_.leave(thread_, latest_, Leaving::ended);
        current_ = 0;
    }

    void count(OTF2_MetricRef metric, std::span<const std::uint64_t> values) {
        const auto places = counters_.find(metric);
        if (places == counters_.end() || places->second.size() != values.size())
            return;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (places->second[i] != kNone)
                counts_[places->second[i]] = values[i];
        builder_.count(thread_, latest_, counts_);
    }
    /// The metrics' members, by name.
    void find_counters() {
        std::vector<std::string> names;
        for (const auto &[ref, members] : definitions_.metrics)
            for (const OTF2_MetricMemberRef member : members) {
                std::vector<Index> &places = counters_[ref];
                const auto known = definitions_.metric_members.find(member);
                if (known == definitions_.metric_members.end()) {
                    places.push_back(kNone);
                    continue;
                }
                const std::string name = definitions_.text(known->second);
                const auto place = std::find(names.begin(), names.end(), name);
                places.push_back(static_cast<Index>(place - names.begin()));
                if (place == names.end())
                    names.push_back(name);
            }
        counts_.resize(names.size());
        builder_.set_counters(std::move(names));
    }

    void measure(bool on) {
        if (on)
            builder_.known(thread_, latest_);
        else
            builder_.unknown(thread_, latest_);
        current_ = created_ = 0;
    }

    /// Events before the first switch belong to an implicit task.
    void be_in_a_task() {
        if (current_ != 0)
            return;
        current_ = std::uint64_t{thread_} + 1; // creators make names of tasks greater
        builder_.set_implicit(thread_, current_);
        builder_.run(thread_, latest_, current_);
    }
    void enter(OTF2_RegionRef region, bool suspended, std::uint64_t team) {
        const Region found = regions_.find(region);
        if ((found.use == Use::construct || found.use == Use::user) && !suspended)
            be_in_a_task();
        if (found.use == Use::function && suspended)
            builder_.resume_call(thread_, latest_, found.kind);
        else if (found.use == Use::function)
            builder_.enter_call(thread_, latest_, found.kind);
        else if (found.use == Use::user)
            builder_.enter_user(thread_, latest_, found.kind, suspended);
        else if (found.use == Use::construct && !suspended)
            builder_.enter_construct(thread_, latest_, found.kind, found.construct, team);
        else if (found.use != Use::none && !suspended)
            builder_.begin_wait(thread_, latest_,
                                found.use == Use::team_wait    ? WaitFor::team
                                : found.use == Use::group_wait ? WaitFor::group
                                : found.use == Use::mutex_wait ? WaitFor::mutex
                                                               : WaitFor::tasks,
                                found.kind);
    }
    void leave(OTF2_RegionRef region, bool suspended) {
        const auto [kind, use, construct] = regions_.find(region);
        if (use == Use::user)
            builder_.leave_user(thread_, latest_, kind, suspended);
        if (suspended || use == Use::user)
            return;
        if (use == Use::function)
            builder_.leave_call(thread_, latest_);
        else if (use == Use::construct)
            builder_.leave_construct(thread_, latest_);
        else if (use != Use::none)
            builder_.end_wait(thread_, latest_);
    }
    void send(const Event &event, const EventReader &reader, std::uint64_t request) {
        builder_.start(thread_, latest_, request,
                       {.kind = reader.attribute(kSynchronous) != 0 ? RequestKind::synchronous_send
                                                                    : RequestKind::send,
                        .communicator = peers_.name(event.communicator, rank_),
                        .peer = peers_.rank(event.communicator, event.peer, rank_),
                        .tag = static_cast<std::int32_t>(event.tag),
                        .bytes = event.value});
    }
    void finish(std::uint64_t request, const EventReader &reader) {
        if (reader.has(kTask))
            builder_.finish_for(thread_, latest_, request,
                                task_name(static_cast<std::uint32_t>(reader.attribute(kTask) >> 32),
                                          static_cast<std::uint32_t>(reader.attribute(kTask))));
        else
            builder_.finish(thread_, latest_, request);
    }
    void received(const Event &event, const EventReader &reader, std::uint64_t request) {
        builder_.set_envelope(thread_, request, peers_.name(event.communicator, rank_),
                              peers_.rank(event.communicator, event.peer, rank_),
                              static_cast<std::int32_t>(event.tag));
        finish(request, reader);
    }

    static Index communicator_of(const EventReader &reader) {
        return reader.has(kCommunicator) ? static_cast<Index>(reader.attribute(kCommunicator))
                                         : kNone;
    }
    bool is_soon_after(std::uint64_t time, std::uint64_t later) const {
        constexpr Time kDay = 86'400'000'000'000;
        const auto between = span(later - std::min(time, later));
        return time <= later && between && *between < kDay;
    }
    /// Empty if the time is too long after the trace's beginning to be plausible.
    std::optional<Time> ns(std::uint64_t time) const {
        return span(time - std::min(time, origin_));
    }
    /// Converts a count of ticks to nanoseconds. Empty if it is implausibly long.
    std::optional<Time> span(std::uint64_t ticks) const {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 53; // 104 days
        const std::uint64_t rate = std::max<std::uint64_t>(definitions_.ticks_per_second, 1);
        if (rate == 1'000'000'000)
            return ticks < kMost ? std::optional(static_cast<Time>(ticks)) : std::nullopt;
        const long double scaled = static_cast<long double>(ticks) * 1e9L / rate;
        return scaled < kMost ? std::optional(static_cast<Time>(scaled)) : std::nullopt;
    }

    /// Other tools' attributes may have our names. Ours are numbers, regions and communicators.
    static bool is_ours(OTF2_Type type) {
        return (type >= OTF2_TYPE_UINT8 && type <= OTF2_TYPE_INT64) || type == OTF2_TYPE_REGION ||
               type == OTF2_TYPE_COMM;
    }
    static AttributeRefs no_attributes() {
        AttributeRefs none;
        none.fill(OTF2_UNDEFINED_ATTRIBUTE);
        return none;
    }

    const Definitions &definitions_;
    const Peers peers_;
    std::uint64_t origin_; ///< in ticks
    TraceBuilder builder_;
    std::unordered_map<OTF2_LocationRef, Index> threads_;
    std::unordered_map<OTF2_LocationRef, Index> ranks_;
    OTF2_ParameterRef deleted_ = OTF2_UNDEFINED_PARAMETER;
    OTF2_ParameterRef acquired_ = OTF2_UNDEFINED_PARAMETER;
    OTF2_ParameterRef released_ = OTF2_UNDEFINED_PARAMETER;
    OTF2_ParameterRef made_ = OTF2_UNDEFINED_PARAMETER;
    IdTable<Region> regions_{{kNone, Use::none, ConstructKind::other}};
    std::unordered_map<OTF2_ParameterRef, AccessKind> accesses_;
    AttributeRefs attributes_ = no_attributes();
    std::map<OTF2_MetricRef, std::vector<Index>> counters_; ///< the trace's number of each
    std::vector<std::uint64_t> counts_;
    std::uint64_t own_requests_ = 0; ///< counted down, away from an archive's
    std::uint64_t collective_ = 0;   ///< the blocking one that the thread is in; 0: none
    Index thread_ = 0;
    Index rank_ = 0;
    std::uint64_t current_ = 0;   ///< task of the thread
    std::uint64_t created_ = 0;   ///< the latest created task, whose depend clause may follow
    Time latest_ = 0;             ///< latest time of the location, in the trace's nanoseconds
    Index row_ = 0;               ///< the row of a device's stream
    std::map<Index, Index> rows_; ///< count of streams for each rank
    std::vector<std::pair<DeviceWork, std::uint64_t>> on_device_; ///< open work with its
                                                                  ///< task's name
    std::uint64_t back_ = 0;
};

/// A rough average.
constexpr std::size_t kBytesOfEvent = 12;

/// A description of what is wrong with a location's events, if anything.
void report(EventReader &reader, const Definitions::Location &location, std::uint64_t back,
            const std::string &name, std::vector<std::string> &problems) {
    if (reader.file().damage() != nullptr)
        problems.push_back(name + ": damaged at byte " + std::to_string(reader.file().position()) +
                           ", after " + std::to_string(reader.count()) + " of " +
                           std::to_string(location.events) +
                           " events, which is where they end: " + reader.file().damage());
    if (back > 0)
        problems.push_back(name + ": " + std::to_string(back) +
                           " events have a time before that of an earlier one, which is taken");
}

} // namespace

Trace read_archive(const fs::path &anchor, const OpenFile &open, const ReadOptions &options) {
    const MappedFile first = open(anchor);
    if (first.bytes().empty())
        throw std::runtime_error(anchor.string() + ": " + first.problem() + ": no OTF2 archive");
    Anchor archive;
    try {
        archive = read_anchor(first.bytes());
    } catch (const std::runtime_error &problem) {
        throw std::runtime_error(anchor.string() + ": " + problem.what());
    }
    const fs::path definitions_name = fs::path(anchor).replace_extension(".def");
    const MappedFile definitions_file = open(definitions_name);
    if (definitions_file.bytes().empty())
        throw std::runtime_error(definitions_name.string() + ": " + definitions_file.problem() +
                                 ": without it, " + anchor.filename().string() + " cannot be read");
    std::vector<std::string> problems;
    const Definitions definitions = read_definitions(
        definitions_file.bytes(), archive.definition_chunk, definitions_name.string(), problems);
    if (definitions.locations.empty())
        throw std::runtime_error(problems.empty()
                                     ? definitions_name.string() + ": no threads are defined there"
                                     : problems.front());
    Events events(definitions);
    if (options.accesses)
        events.keep_accesses();
    const fs::path folder = fs::path(anchor).replace_extension();
    // Threads come first, because devices work for their tasks.
    std::vector<Definitions::Location> locations = definitions.locations;
    locations.insert(locations.end(), definitions.streams.begin(), definitions.streams.end());
    std::vector<MappedFile> files;
    std::vector<std::uint64_t> first_times;
    const auto reader_of = [&](std::size_t i) {
        const MappedFile own = open(folder / (std::to_string(locations[i].ref) + ".def"));
        return EventReader(files[i].bytes(), archive.event_chunk,
                           read_local_definitions(own.bytes(), archive.definition_chunk),
                           events.attributes());
    };
    std::size_t bytes = 0;
    for (const Definitions::Location &location : locations) {
        files.push_back(open(folder / (std::to_string(location.ref) + ".evt")));
        bytes += files.back().bytes().size();
        if (files.back().bytes().empty())
            continue;
        if (const auto time = events.first_time(reader_of(files.size() - 1)))
            first_times.push_back(*time);
    }
    events.set_origin(first_times);
    events.expect(bytes / kBytesOfEvent);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Definitions::Location &location = locations[i];
        const bool is_thread = i < definitions.locations.size();
        const fs::path name = folder / (std::to_string(location.ref) + ".evt");
        if (files[i].bytes().empty()) {
            if (location.events != 0)
                problems.push_back(name.string() + ": " + files[i].problem() + ": its " +
                                   std::to_string(location.events) + " events are left out");
            continue;
        }
        EventReader reader = reader_of(i);
        if (is_thread)
            events.begin(location.ref);
        else
            events.begin_stream(location);
        Event event{};
        while (reader.next(event))
            if (!(is_thread ? events.add(event, reader) : events.add_to_stream(event, reader)))
                reader.file().stop("its time is months after the beginning");
        report(reader, location, events.back(), name.string(), problems);
        if (is_thread)
            events.end();
        files[i] = MappedFile();
    }
    return events.take(std::move(problems));
}

Trace read_archive(const fs::path &anchor, const ReadOptions &options) {
    return read_archive(anchor, [](const fs::path &path) { return MappedFile(path); }, options);
}

} // namespace loomp::analysis
