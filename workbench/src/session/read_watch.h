// Looks for the first read of one thing while a run is gone through.
#pragma once

#include "session/write_watch.h"

namespace weft::workbench {

class ReadWatch final : public emulator::Observer {
 public:
  ReadWatch(const EvalContext& scene, const Spot& spot) : scene_(scene), spot_(spot) {}

  const std::optional<Writer>& found() const { return found_; }

  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_serve(const emulator::Command& command, emulator::Tick at) override;
  void on_pull(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  void on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, emulator::Tick at) override;
  bool wants_stop() const override { return found_.has_value(); }

 private:
  uint64_t cycle_of(emulator::Tick at) const { return at / scene_.machine->timing().period; }
  void found(Writer reader);
  void by_command(const emulator::Command& command, emulator::Tick at);

  const EvalContext& scene_;
  const Spot& spot_;
  std::optional<emulator::Command> serving_;
  std::optional<Writer> found_;
};

/// Takes the sources of one instruction: those of a word that a context executes next.
class SourceWatch final : public emulator::Observer {
 public:
  SourceWatch(const EvalContext& scene, ContextId who, uint32_t pc) : scene_(scene), who_(who), pc_(pc) {}
  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  bool wants_stop() const override { return seen_; }
  bool seen() const { return seen_; }
  const std::vector<Source>& sources() const { return sources_; }

 private:
  const EvalContext& scene_;
  ContextId who_;
  uint32_t pc_;
  bool seen_ = false;
  std::vector<Source> sources_;
};

}  // namespace weft::workbench
