// From one thread's records to its events in an archive.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

#include "analysis/code_names.h"
#include "analysis/communicators.h"
#include "analysis/id_table.h"
#include "analysis/recording.h"
#include "analysis/requests.h"

namespace loomp::analysis::archive {

/// What one process' tasks are: by creating thread and number.
class Kinds {
  public:
    explicit Kinds(const RecordedProcess &process);

    static constexpr std::uint64_t kNotCreated = ~std::uint64_t{0};
    /// The address of its creation, in the lower bits, and its label's number above it; kNotCreated
    /// of implicit ones, and those of which nothing is known.
    std::uint64_t place(std::uint64_t task) const { return places_.find(task); }
    static std::uint64_t place_of(const record::Record &creation) {
        return std::uint64_t{record::label_of(creation.detail)} << kAddressBits |
               (creation.other & ~(~std::uint64_t{0} << kAddressBits));
    }
    /// The address in the code of a parallel region; 0: not known.
    std::uint64_t region(std::uint64_t name) const { return regions_.find(name); }
    static std::uint64_t address_of(std::uint64_t place) {
        return place & ~(~std::uint64_t{0} << kAddressBits);
    }
    static std::size_t label_of(std::uint64_t place) { return place >> kAddressBits; }

  private:
    static constexpr int kAddressBits = 48; ///< processors have no more of a program's addresses

    IdTable<std::uint64_t> places_{kNotCreated};
    IdTable<std::uint64_t> regions_{0};
};

/// The regions of all processes: kinds of tasks, one place in the source being one, functions of
/// MPI, and OpenMP's constructs, those included in which tasks wait.
class Regions {
  public:
    struct Region {
        OTF2_RegionRef ref;
        CodeName name;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
    };

    /// Of the tasks with a label that the call at a place of Kinds creates.
    OTF2_RegionRef of_task(const CodeNames &names, const std::vector<std::string> &labels,
                           std::size_t process, std::uint64_t place);
    OTF2_RegionRef of_function(std::uint32_t function);
    // By what OMPT calls them, and the address in the code, 0 where it is not known.
    OTF2_RegionRef of_wait(const CodeNames &names, std::size_t process, std::uint32_t sync_region,
                           std::uint64_t address);
    OTF2_RegionRef of_work(const CodeNames &names, std::size_t process, std::uint32_t work,
                           std::uint64_t address);
    OTF2_RegionRef of_parallel(const CodeNames &names, std::size_t process, std::uint64_t address);
    const std::vector<Region> &all() const { return all_; }

  private:
    OTF2_RegionRef add(CodeName name, OTF2_RegionRole role, OTF2_Paradigm paradigm);
    OTF2_RegionRef of_construct(const CodeNames &names, std::size_t process,
                                std::string_view construct, OTF2_RegionRole role,
                                std::uint64_t address);

    std::map<std::pair<std::size_t, std::uint64_t>, OTF2_RegionRef> places_;
    std::map<std::string, OTF2_RegionRef> tasks_;
    std::map<std::uint32_t, OTF2_RegionRef> functions_;
    std::map<std::tuple<std::string_view, std::size_t, std::uint64_t>, OTF2_RegionRef>
        construct_places_;
    std::map<std::string, OTF2_RegionRef> constructs_;
    std::vector<Region> all_;
};

/// What the threads of a process share.
struct ProcessContext {
    std::size_t process; ///< its position
    OTF2_CommRef team;
    OTF2_CommRef first_communicator; ///< the reference of Communicators::all()'s first
    const Clock &clock;
    const Kinds &kinds;
    const CodeNames &names;
    const std::vector<std::string> &labels;
    const Requests &requests;
    const Communicators &communicators;
    std::size_t counters; ///< how many; they are the metric of the process' number
    Regions &regions;
};

class ThreadWriter {
  public:
    /// `number`: the recorder's, for tasks of this thread that have no name; `gaps`: its
    /// RecordedProcess::gaps_of().
    ThreadWriter(OTF2_EvtWriter *writer, const ProcessContext &context, std::uint32_t number,
                 std::span<const Interval> gaps);

    /// `requests`: what Requests says of these records. Throws std::runtime_error.
    void write(std::span<const record::Record> records, std::span<const RequestRecord> requests);
    std::uint64_t time() const { return time_; } ///< of the latest event

  private:
    struct DeleteList {
        void operator()(OTF2_AttributeList *list) const { OTF2_AttributeList_Delete(list); }
    };

    void pass_gaps(Time time, std::span<const record::Record> rest);
    void stop(Time time);
    void go_on(Time time, std::span<const record::Record> rest);
    void keep_stack(const record::Record &of);
    std::uint64_t task_before(std::span<const record::Record> rest) const;
    void set_time(Time time);
    void write(const record::Record &of, std::span<const record::Record> rest);
    void write_mpi(const record::Record &of);
    OTF2_RegionRef kind(std::uint64_t place);
    void create(const record::Record &of);
    void schedule(const record::Record &of, std::span<const record::Record> rest);
    void complete(std::uint64_t task);
    void go_on_with(std::uint64_t task);
    void go_on_in_call(std::span<const record::Record> rest);
    void leave_regions();
    void be_in_a_task();
    void enter_call(std::uint32_t function);
    void leave_call();
    void begin_wait(std::uint32_t construct, std::uint64_t address);
    void end_wait(std::uint32_t construct, std::uint64_t address);
    void begin_region(std::uint64_t name);
    void begin_work(const record::Record &of);
    void end_work();
    void end_implicit(std::uint64_t task, std::span<const record::Record> rest);
    void leave_wait(OTF2_RegionRef &wait);
    bool in_implicit() const;
    void count(const record::Record &of);
    void start_request(Index use);
    void finish_request(Index use);

    OTF2_EvtWriter *writer_;
    std::unique_ptr<OTF2_AttributeList, DeleteList> list_; ///< each event empties it
    const ProcessContext &context_;
    const std::uint32_t number_;
    /// A task that the thread is in. Regions of its waits enclose those of tasks that run
    /// meanwhile.
    struct Implicit {
        std::uint64_t task = 0;
        std::uint64_t before = 0; ///< task that the thread was in
        OTF2_RegionRef wait = OTF2_UNDEFINED_REGION;
        OTF2_RegionRef region = OTF2_UNDEFINED_REGION; ///< parallel
        std::uint64_t name = 0;                        ///< the recorder's, of it
        std::vector<OTF2_RegionRef> work;              ///< worksharing that it is in
    };
    void leave_constructs(Implicit &implicit);
    std::vector<Implicit> implicit_; ///< the innermost last
    std::span<const Interval> gaps_; ///< that are not over: nothing is known of them
    bool in_gap_ = false;
    std::uint64_t task_ = 0;                        ///< that the thread runs
    std::vector<OTF2_MetricValue> values_;          ///< of counters, as far as they are told
    std::uint64_t created_ = 0;                     ///< the latest, which dependences follow
    std::uint64_t announced_ = 0;                   ///< implicit task that was last said to be one
    OTF2_RegionRef region_ = OTF2_UNDEFINED_REGION; ///< of its kind
    OTF2_RegionRef call_ = OTF2_UNDEFINED_REGION;   ///< of the MPI function that it is in
    OTF2_RegionRef wait_ = OTF2_UNDEFINED_REGION;   ///< in which an explicit task waits
    unsigned calls_ = 0;                            ///< one in another
    std::uint64_t time_ = 0;                        ///< of the latest event
};

} // namespace loomp::analysis::archive
