// The Python module loomp._native: a trace's vectors as NumPy arrays that are the vectors
// themselves, and the metrics. Users import profiler/python/loomp.
//
// An array keeps its trace (or graph) alive, and cannot be written to.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "profiler/archive/archive.h"
#include "profiler/export/exporters.h"
#include "profiler/graph/critical_path.h"
#include "profiler/graph/graph.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/metrics/inflation.h"
#include "profiler/metrics/iterations.h"
#include "profiler/metrics/tables.h"
#include "profiler/metrics/tasks.h"
#include "profiler/trace/clean_text.h"
#include "profiler/trace/code.h"
#include "profiler/view/page.h"

namespace py = pybind11;

namespace {

using namespace loomp::analysis;
using Window = std::optional<std::pair<Time, Time>>;

std::optional<Interval> interval(const Window &window) {
    return window ? std::optional(Interval{window->first, window->second}) : std::nullopt;
}

/// The vector itself, which belongs to `owner`.
template <typename Element> py::array view(const std::vector<Element> &elements, py::handle owner) {
    py::array array(py::dtype::of<Element>(), {elements.size()}, {sizeof(Element)}, elements.data(),
                    owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

/// An array that owns the vector.
template <typename Element> py::array given(std::vector<Element> elements) {
    auto owner = std::make_unique<std::vector<Element>>(std::move(elements));
    const std::vector<Element> &vector = *owner;
    const py::capsule capsule(owner.release(), [](void *elements) {
        delete static_cast<std::vector<Element> *>(elements);
    });
    return view(vector, capsule);
}

template <typename Owner, typename Element> auto member(std::vector<Element> Owner::*vector) {
    return
        [vector](const py::object &self) { return view(self.cast<const Owner &>().*vector, self); };
}

/// A thread's time; a row of breakdown()'s result.
struct ThreadTime {
    Time work;
    Time overhead;
    Time idle;
};

struct KindCounts {
    Index kind;
    std::uint64_t count;
    Time work;
    Time shortest;
    Time median;
    Time longest;
};

struct Creation {
    Index thread;
    std::uint64_t tasks;
    Time begin;
    Time end;
    Time ran;
};

struct FunctionCounts {
    Index function;
    std::uint64_t count;
    Time time;
    Time on_thread;
};

py::array breakdown(const Trace &trace, const Window &window) {
    std::vector<ThreadTime> rows;
    for (const Breakdown &breakdown : break_down(trace, interval(window)).threads)
        rows.push_back({breakdown.work, breakdown.overhead, breakdown.idle});
    return given(std::move(rows));
}

/// The trace's own table with a row for each task and a column for each counter.
py::array counts_of(const py::object &self) {
    const auto &trace = self.cast<const Trace &>();
    py::array array(py::dtype::of<std::uint64_t>(), {trace.tasks.size(), trace.counters.size()},
                    trace.counts.data(), self);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

py::array kinds_of(const Trace &trace) {
    std::vector<KindCounts> rows;
    for (const KindRow &row : kind_table(trace))
        rows.push_back({row.kind, row.count, row.work, row.shortest, row.median, row.longest});
    return given(std::move(rows));
}

py::array discovery_of(const Trace &trace) {
    std::vector<Creation> rows;
    for (const Discovery &row : discovery(trace))
        rows.push_back({row.thread, row.tasks, row.time.begin, row.time.end, row.ran});
    return given(std::move(rows));
}

py::array functions_of(const Trace &trace, const Window &window) {
    std::vector<FunctionCounts> rows;
    for (const FunctionRow &row : function_table(trace, interval(window)))
        rows.push_back({row.function, row.count, row.time, row.on_thread});
    return given(std::move(rows));
}

py::object as_object(const Value &value, Unit unit) {
    if (const auto *text = std::get_if<std::string>(&value))
        return py::str(*text);
    if (const auto *count = std::get_if<std::uint64_t>(&value))
        return py::int_(*count);
    if (const auto *number = std::get_if<double>(&value))
        return py::float_(in_unit(*number, unit));
    return py::none();
}

py::dict tables_as_dict(const Trace &trace, const Window &window) {
    py::dict tables;
    for (const Table &table : tables_of(trace, figures_of(trace, interval(window)))) {
        py::list rows;
        for (const Row &row : table.rows) {
            py::dict figures;
            for (std::size_t i = 0; i < row.values.size(); ++i)
                if (const Column &column = table.columns[i]; !column.name.empty())
                    figures[py::str(column.name)] = as_object(row.values[i], column.unit);
            rows.append(figures);
        }
        if (table.name.empty())
            continue;
        if (table.one_row)
            tables[py::str(table.name)] = rows.empty() ? py::none() : py::object(rows[0]);
        else
            tables[py::str(table.name)] = rows;
    }
    return tables;
}

py::dict overlap_as_dict(const Trace &trace, Index rank, const Window &window) {
    const RankOverlap rank_overlap = overlap_of_ranks(trace, interval(window)).at(rank);
    return py::dict(py::arg("work") = rank_overlap.messages.work,
                    py::arg("communication") = rank_overlap.messages.communication,
                    py::arg("messages") = rank_overlap.messages.flights,
                    py::arg("threads") = rank_overlap.messages.threads,
                    py::arg("ratio") = rank_overlap.messages.ratio(),
                    py::arg("collective_work") = rank_overlap.collectives.work,
                    py::arg("collective_communication") = rank_overlap.collectives.communication,
                    py::arg("collectives") = rank_overlap.collectives.flights,
                    py::arg("collective_ratio") = rank_overlap.collectives.ratio(),
                    py::arg("overall_ratio") = rank_overlap.all().ratio());
}

py::dict ratios_as_dict(const Trace &trace, Index rank, const Window &window) {
    const Ratios ratios = ratios_of_rank(trace, rank, interval(window));
    return py::dict(py::arg("r_comm") = ratios.r_comm(), py::arg("r_act") = ratios.r_act(),
                    py::arg("r_comm_in_flight") = ratios.r_comm_in_flight());
}

py::dict as_dict(Inflations inflations) {
    const double ratio = inflations.ratio();
    return py::dict(py::arg("pairs") = given(std::move(inflations.pairs)), py::arg("ratio") = ratio,
                    py::arg("only_reference") = inflations.only_reference,
                    py::arg("only_observed") = inflations.only_observed);
}

std::ofstream open(const std::string &file) {
    std::ofstream out(file);
    if (!out)
        throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));
    return out;
}

/// Throws std::runtime_error if not everything could be written.
void finish(std::ofstream &out, const std::string &file) {
    errno = 0;
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + file + ": " +
                                 (errno == 0 ? "a part is lost" : std::strerror(errno)));
}

/// An Edge with its Graph::duration_of().
struct TimedEdge {
    Index from;
    Index to;
    Time duration;
    EdgeKind kind;
};

py::array edges_of(const Graph &graph) {
    std::vector<TimedEdge> edges;
    edges.reserve(graph.edges.size());
    for (const Edge &edge : graph.edges)
        edges.push_back({edge.from, edge.to, graph.duration_of(edge), edge.kind});
    return given(std::move(edges));
}

void declare_rows() {
    PYBIND11_NUMPY_DTYPE(Thread, rank, number, stands_in);
    PYBIND11_NUMPY_DTYPE(Task, id, created, ended, rank, kind, parent, creator, implicit, deleted);
    PYBIND11_NUMPY_DTYPE(Segment, begin, end, ready, task, thread);
    PYBIND11_NUMPY_DTYPE(Dependence, from, to);
    PYBIND11_NUMPY_DTYPE(Call, begin, end, task, thread, function, first_change, changes_count);
    PYBIND11_NUMPY_DTYPE(Change, request, completes);
    PYBIND11_NUMPY_DTYPE(Request, kind, rank, communicator, peer, tag, bytes, started, completed,
                         start_call, completion_call);
    PYBIND11_NUMPY_DTYPE(Message, send, receive);
    PYBIND11_NUMPY_DTYPE(Holding, begin, end, task, thread, mutex);
    PYBIND11_NUMPY_DTYPE(UserRegion, begin, end, task, thread, kind);
    PYBIND11_NUMPY_DTYPE(Stretch, begin, end, task, thread, section);
    PYBIND11_NUMPY_DTYPE(Node, begin, duration, rank, task, thread, detail, kind);
    PYBIND11_NUMPY_DTYPE(TimedEdge, from, to, duration, kind);
    PYBIND11_NUMPY_DTYPE(Pair, reference, observed, reference_time, observed_time);
    PYBIND11_NUMPY_DTYPE(ThreadTime, work, overhead, idle);
    PYBIND11_NUMPY_DTYPE(KindCounts, kind, count, work, shortest, median, longest);
    PYBIND11_NUMPY_DTYPE(Creation, thread, tasks, begin, end, ran);
    PYBIND11_NUMPY_DTYPE(FunctionCounts, function, count, time, on_thread);
}

void declare_trace(py::module_ &module) {
    py::class_<Trace, std::shared_ptr<Trace>>(module, "Trace",
                                              "A run: see profiler/trace/trace.h for each field.")
        .def_readonly("ranks", &Trace::ranks)
        .def_readonly("counters", &Trace::counters)
        .def_property_readonly("counts", counts_of)
        .def_readonly("problems", &Trace::problems)
        .def_readonly("collectives", &Trace::collectives)
        .def_property_readonly("kinds",
                               [](const Trace &trace) {
                                   py::list kinds;
                                   for (const Kind &kind : trace.kinds)
                                       kinds.append(py::make_tuple(kind.label, kind.source));
                                   return kinds;
                               })
        .def_property_readonly("makespan",
                               [](const Trace &trace) {
                                   const Interval interval = trace.makespan();
                                   return py::make_tuple(interval.begin, interval.end);
                               })
        .def_property_readonly("threads", member(&Trace::threads))
        .def_property_readonly("tasks", member(&Trace::tasks))
        .def_property_readonly("segments", member(&Trace::segments))
        .def_property_readonly("dependences", member(&Trace::dependences))
        .def_property_readonly("calls", member(&Trace::calls))
        .def_property_readonly("changes", member(&Trace::changes))
        .def_property_readonly("requests", member(&Trace::requests))
        .def_property_readonly("messages", member(&Trace::messages))
        .def_property_readonly("holdings", member(&Trace::holdings))
        .def_property_readonly("named_regions", member(&Trace::user_regions))
        .def_property_readonly("task_segments", member(&Trace::task_segments))
        .def_property_readonly("task_calls", member(&Trace::task_calls));
    module.def(
        "read",
        [](const std::string &anchor) {
            const py::gil_scoped_release others_run;
            try {
                return std::make_shared<Trace>(read_archive(anchor));
            } catch (const std::runtime_error &problem) {
                throw std::runtime_error(clean_text(problem.what())); // Python takes UTF-8 only
            }
        },
        py::arg("anchor"));
}

void declare_graph(py::module_ &module) {
    py::class_<Graph, std::shared_ptr<Graph>>(module, "Graph",
                                              "The global graph: profiler/graph/graph.h.")
        .def_property_readonly("nodes", member(&Graph::nodes))
        .def_property_readonly("edges", edges_of)
        .def_property_readonly("first_edge",
                               [](const Graph &graph) { return given(graph.edges.first()); });
    py::class_<CriticalPath, std::shared_ptr<CriticalPath>>(module, "CriticalPath",
                                                            "profiler/graph/critical_path.h")
        .def_readonly("work", &CriticalPath::work)
        .def_readonly("length", &CriticalPath::length)
        .def_property_readonly("nodes", member(&CriticalPath::nodes))
        .def_property_readonly("average_parallelism", &CriticalPath::average_parallelism)
        .def("lower_bound", &CriticalPath::lower_bound, py::arg("threads"))
        .def("upper_bound", &CriticalPath::upper_bound, py::arg("threads"));
    module.def(
        "graph",
        [](const Trace &trace, bool waits) {
            return std::make_shared<Graph>(build_graph(trace, {.waits = waits}));
        },
        py::arg("trace"), py::arg("waits") = false,
        "The global graph; with `waits`, creations and what waits are for are in it, too.");
    module.def(
        "critical_path",
        [](const Graph &graph, bool communication) {
            return critical_path(graph,
                                 communication ? Weigh::work_and_communication : Weigh::work);
        },
        py::arg("graph"), py::arg("communication") = false,
        "None if the graph has a cycle. With `communication`, messages weigh their time in "
        "flight.");
}

void declare_metrics(py::module_ &module) {
    const auto window = py::arg("window") = py::none();
    module.def("breakdown", breakdown, py::arg("trace"), window, "A row for each thread.");
    module.def("kind_table", kinds_of, py::arg("trace"), "A row for each kind, most work first.");
    module.def("discovery", discovery_of, py::arg("trace"), "A row for each thread that creates.");
    module.def("function_table", functions_of, py::arg("trace"), window);
    module.def("tables", tables_as_dict, py::arg("trace"), window,
               "The tables of docs/report-formats.md.");
    module.def("overlap", overlap_as_dict, py::arg("trace"), py::arg("rank"), window);
    module.def("ratios", ratios_as_dict, py::arg("trace"), py::arg("rank"), window);
    module.def("code", [](const Trace &trace) { return given(code_of(trace)); });
    module.def("iterations", [](const Trace &trace) { return given(iterations_of(trace)); });
    module.def("work_inflation", [](const Trace &reference, const Trace &observed) {
        return as_dict(work_inflation(reference, observed));
    });
    module.def("communication_inflation", [](const Trace &reference, const Trace &observed) {
        return as_dict(communication_inflation(reference, observed));
    });
    module.def(
        "write_page",
        [](const Trace &trace, const std::string &file, const std::string &name) {
            std::ofstream out = open(file);
            write_page(trace, {.name = name, .findings = {}}, out);
            finish(out, file);
        },
        py::arg("trace"), py::arg("file"), py::arg("name") = "trace");
    module.def("write_perfetto", [](const Trace &trace, const std::string &file) {
        std::ofstream out = open(file);
        write_perfetto(trace, out);
        finish(out, file);
    });
}

/// pybind11's description of NumPy's memory.
void check_numpy() {
    const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
    if (PYBIND11_VERSION_HEX < 0x020c0000 && version[0] != '1')
        throw py::import_error("loomp was built with a pybind11 for NumPy 1, and this is NumPy " +
                               version + ": build it with pybind11 2.12 or later");
}

} // namespace

PYBIND11_MODULE(_native, module) {
    check_numpy();
    module.attr("NONE") = kNone;
    module.attr("NEVER") = kNever;
    declare_rows();
    declare_trace(module);
    declare_graph(module);
    declare_metrics(module);
}
