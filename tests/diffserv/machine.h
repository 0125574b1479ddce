// Small machines for the tests of DiffServ blocks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "weft/emulator/units.h"
#include "weft/workbench/session.h"

namespace weft::test {

/// `source` stands beside the tests and ends by ctx_arb[bpt] on engine 0. `prepare` writes what it needs to memory.
std::unique_ptr<workbench::Session> run_on(const std::string& board, const std::string& source, const std::map<std::string, long>& defines,
                                           const std::function<void(workbench::Session&)>& prepare, uint64_t cycles = 100'000'000);

/// The project in `folder` (from the root of the sources on) with `keep_frames`, for so many cycles.
std::unique_ptr<workbench::Session> run_project(const std::string& folder, uint64_t cycles, const std::function<void(workbench::Session&)>& prepare);

}  // namespace weft::test
