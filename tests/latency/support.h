// Runs the projects of this folder.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "must.h"
#include "weft/workbench/session.h"

namespace weft::test {

inline workbench::Project project(const std::string& name) {
  return must(workbench::load_project(WEFT_SOURCE_DIR "/tests/latency/" + name + ".json"));
}

inline std::unique_ptr<workbench::Session> session_of(workbench::Project project) {
  return must(workbench::Session::create(std::move(project)));
}

inline uint32_t scratch(workbench::Session& session, uint32_t address) {
  return session.units().host().read(emulator::MemorySpace::scratch, address);
}

inline emulator::ChipOnBoard chip(const std::string& board) {
  return must(emulator::load_board(board, {WEFT_SOURCE_DIR "/emulator"})).chips.at(0);
}

}  // namespace weft::test
