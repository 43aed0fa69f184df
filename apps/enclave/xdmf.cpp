#include "enclave/xdmf.h"

#include "common/report.h"
#include "common/whole_file.h"
#include "enclave/corners.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace enclave {

namespace {

std::string number(double value) { return apps::format("%.17g", value); }

std::string item(const std::string &type, long rows, int columns, const std::string &array) {
    return "<DataItem Format=\"HDF\" " + type + " Dimensions=\"" + std::to_string(rows) + " " +
           std::to_string(columns) + "\">" + array + "</DataItem>";
}

std::string grid(const Run &run, const std::string &file, const Written &written) {
    static const char *const kReal = R"(NumberType="Float" Precision="8")";
    static const char *const kInteger = R"(NumberType="Int" Precision="4")";
    const Corners corners(run.across, run.problem.dimensions);
    const long cells = written.cells;
    const long volumes = cells * corners.volumes();
    std::string text = "<Grid Name=\"" + std::to_string(written.number) + "\">\n<Time Value=\"" +
                       number(written.time) + "\"/>\n";
    text += std::string("<Topology TopologyType=\"") + corners.topology() +
            "\" NodesPerElement=\"" + std::to_string(corners.corners()) + "\" NumberOfElements=\"" +
            std::to_string(volumes) + "\">" +
            item(kInteger, volumes, corners.corners(), file + ":/volumes") + "</Topology>\n";
    text += R"(<Geometry GeometryType="XYZ">)" +
            item(kReal, cells * corners.points(), 3, file + ":/points") + "</Geometry>\n";
    for (int u = 0; u < run.problem.unknowns; ++u) {
        const std::string name = array_name(run.problem.unknown_names[u]);
        text += "<Attribute Name=\"" + std::string(run.problem.unknown_names[u]) +
                R"(" AttributeType="Scalar" Center="Cell">)" +
                item(kReal, volumes, 1, file + ":/" + name) + "</Attribute>\n";
    }
    return text + "</Grid>\n";
}

} // namespace

std::string snapshot_name(const std::string &output, int number) {
    // npos + 1: the whole
    return output.substr(output.rfind('/') + 1) + apps::format("-%05d.h5", number);
}

std::string array_name(const std::string &unknown) {
    std::string name = unknown;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::string write_xdmf(const std::string &output, const Run &run,
                       const std::vector<Written> &written) {
    const std::string path = output + ".xdmf";
    std::ofstream file(apps::unfinished(path));
    file << "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"
            "<Grid Name=\"enclave\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (const Written &one : written)
        file << grid(run, snapshot_name(output, one.number), one);
    file << "</Grid>\n</Domain>\n</Xdmf>\n";
    file.close();
    if (file && apps::put_in_place(path))
        return "";
    const std::string why = apps::unfinished(path) + ": " + std::strerror(errno);
    apps::give_up(path);
    return why;
}

} // namespace enclave
