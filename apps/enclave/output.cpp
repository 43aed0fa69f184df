#include "enclave/output.h"

#include "common/ranks.h"
#include "enclave/xdmf.h"

#include <cmath>
#include <unistd.h>
#include <utility>

namespace enclave {

namespace ranks = apps::ranks;

namespace {

std::string path_of(const std::string &output, int number) {
    return output.substr(0, output.rfind('/') + 1) + snapshot_name(output, number);
}

} // namespace

Output::Output(const Run &run, std::vector<Written> written)
    : run_(run), written_(std::move(written)) {}

std::string Output::look(const Domain &domain, const State &state) {
    if (run_.output.empty())
        return "";
    int number = 0;
    if (!written_.empty()) {
        const Written &last = written_.back();
        number = last.number + 1;
        const bool due =
            std::floor(state.time / run_.output_every) > std::floor(last.time / run_.output_every);
        const bool at_end = state.time == run_.problem.end && state.time != last.time;
        if (!due && !at_end)
            return "";
    }
    written_.push_back({number, state.time, domain.mesh.size()});
    std::string why = write_snapshot(path_of(run_.output, number), run_, domain, state, written_);
    if (!why.empty())
        return why;
    if (ranks::first()) {
        // The run before may have left other files, in another place.
        std::vector<Written> there;
        for (const Written &one : written_)
            if (access(path_of(run_.output, one.number).c_str(), R_OK) == 0)
                there.push_back(one);
        why = write_xdmf(run_.output, run_, there);
    }
    return ranks::least(why.empty() ? 1 : 0) == 1 ? "" : why.empty() ? "no XDMF" : why;
}

} // namespace enclave
