// Runs the projects of this folder.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "must.h"
#include "weft/workbench/session.h"

namespace weft::test {

inline workbench::Project project(const std::string& name) {
  return must(workbench::load_project(WEFT_SOURCE_DIR "/tests/latency/" + name + ".json"));
}

inline std::unique_ptr<workbench::Session> session_of(workbench::Project project) {
  return must(workbench::Session::create(std::move(project)));
}

inline std::unique_ptr<workbench::Session> session_on(const std::string& name, const std::string& board) {
  workbench::Project p = project(name);
  p.board = board;
  return session_of(std::move(p));
}

inline uint32_t scratch(workbench::Session& session, uint32_t address) {
  return session.units().host().read(emulator::MemorySpace::scratch, address);
}

inline emulator::ChipOnBoard chip(const std::string& board) {
  return must(emulator::load_board(board, {WEFT_SOURCE_DIR "/emulator"})).chips.at(0);
}

/// What a program has measured, in its order.
struct Row {
  const char* what;
  uint32_t cycles;
};

inline void check_no_faults(workbench::Session& session) {
  for (const auto& unit : session.units().inspect()) CHECK(unit.counters.faults == 0);
}

/// Runs a program that ends at a breakpoint and has its results in scratch, with a zero after the last one.
inline void check_latencies(workbench::Session& session, uint32_t at, const std::vector<Row>& rows) {
  const workbench::Stop stop = session.run({});
  INFO(stop.text);
  REQUIRE(stop.kind == workbench::Stop::Kind::breakpoint);
  for (const Row& row : rows) {
    const auto measured = static_cast<int>(scratch(session, at));
    CAPTURE(row.what, row.cycles, measured);
    CHECK(std::abs(measured - static_cast<int>(row.cycles)) <= 1);
    at += 4;
  }
  CHECK(scratch(session, at) == 0);
  check_no_faults(session);
}

/// Of a printed peak nearly all, and no more.
inline void check_peak(double rate, double peak) {
  CAPTURE(rate, peak);
  CHECK(rate > peak * 0.95);
  CHECK(rate <= peak);
}

}  // namespace weft::test
