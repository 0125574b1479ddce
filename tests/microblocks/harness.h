// Runs one small program on microengine 0 until it stops itself.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "weft/workbench/session.h"

namespace weft::test {

/// `source` stands beside the tests. Fails the running test case when it does not assemble or does not stop.
std::unique_ptr<workbench::Session> run_harness(const std::string& source, const std::map<std::string, long>& defines,
                                                uint64_t cycles);

}  // namespace weft::test
