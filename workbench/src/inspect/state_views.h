// What an Inspector says of the state of one chip in detail.
#pragma once

#include "weft/workbench/session.h"
#include "weft/workbench/state.h"

namespace weft::workbench {

class StateViews {
 public:
  StateViews(Session& session, unsigned chip)
      : session_(session), chip_(chip), machine_(session.machine(chip)), units_(session.units(chip)) {}

  std::vector<MemoryInfo> memories() const;
  std::vector<uint32_t> longwords(const std::string& memory, uint64_t address, unsigned count) const;
  std::optional<uint64_t> find(const std::string& memory, const std::vector<uint8_t>& bytes, uint64_t from,
                               uint64_t end, unsigned align) const;
  std::vector<CsrView> local_csrs(unsigned engine, unsigned context) const;
  std::vector<CsrView> chip_csrs() const;
  EngineDetail engine(unsigned engine, unsigned context) const;
  UnitsDetail units() const;

 private:
  bool me1() const { return machine_.timing().profile == isa::Profile::me1; }
  std::vector<CommandQueueDetail> queues() const;
  void scratch_rings(UnitsDetail& out) const;
  void sram_queues(UnitsDetail& out) const;
  void neighbor_rings(UnitsDetail& out) const;
  void hardware_lists(UnitsDetail& out) const;

  Session& session_;
  unsigned chip_;
  const emulator::Machine& machine_;
  emulator::Units& units_;
};

}  // namespace weft::workbench
