// The files of a run, at chosen times: after the first step that comes to a multiple of
// Run::output_every, and at the end. Time steps do not become others for it.
#pragma once

#include "enclave/snapshot.h"

#include <string>
#include <vector>

namespace enclave {

class Output {
  public:
    // `written`: of the run that this one goes on with. All that lives longer.
    Output(const Run &run, std::vector<Written> written);

    // Called before each step, and at the end, by all ranks. Returns an error, on all of them;
    // empty if there is none.
    std::string look(const Domain &domain, const State &state);

  private:
    const Run &run_;
    std::vector<Written> written_;
};

} // namespace enclave
