// One packet in full: its way through the programs, what it cost, its frame as it stood after each stage, and which
// instruction wrote which byte. Values, made where the machine is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "packets_model.h"
#include "weft/workbench/dissect.h"

namespace weft::ide {

/// An instruction, and where it stands in a text.
struct CodePlace {
  workbench::ContextId who;
  uint32_t pc = 0;
  std::string stage, label, file;  ///< file: as the assembler read it; empty: not known
  uint32_t line = 0;
  uint64_t cycle = 0;
};

struct PacketStepView {
  CodePlace place;
  uint64_t from = 0, to = 0;
  uint32_t busy = 0;
};

/// The frame at one moment of its way.
struct FrameStage {
  QString title;  ///< "as received", "after classify (me2.3)", "as transmitted"
  emulator::FrameState state;
  uint64_t cycle = 0;
  size_t written = 0;  ///< bytes that were written in this stage
};

struct PacketDetail {
  bool known = false;
  uint64_t ticks_per_cycle = 1, ticks_per_second = 1;
  PacketRow row;
  emulator::PacketRecord record;
  std::vector<PacketStepView> steps;
  std::vector<CodePlace> writers;   ///< of record.bytes_of.writes
  std::optional<CodePlace> reason;  ///< where the verdict was given
  std::vector<FrameStage> stages;   ///< empty: the frame was not kept
  /// The first step in another place, or the last word: where the packet stood when it ended, for those without a
  /// reason.
  const CodePlace* last_place() const { return reason ? &*reason : steps.empty() ? nullptr : &steps.back().place; }
};

PacketDetail packet_detail(const Inspector& machine, uint32_t id);

/// Whole frames of many packets, for files. In the order of their numbers; those that are not known are left out.
struct PacketFrame {
  uint32_t id = 0;
  uint64_t nanoseconds = 0;  ///< when the last bit had arrived
  emulator::PacketRecord record;
};
std::vector<PacketFrame> packet_frames(const Inspector& machine, std::vector<uint32_t> ids);

/// One row of two frames side by side.
struct FieldRow {
  bool layer = false;  ///< a heading
  QString name, before, after, note;
  bool changed = false, wrong = false;
  std::optional<std::pair<size_t, size_t>> before_bits, after_bits;  ///< first bit and their number
};
/// Layers are matched by name and order; those of one frame alone stand where they are in it.
std::vector<FieldRow> compare_frames(std::span<const uint8_t> before, std::span<const uint8_t> after);

}  // namespace weft::ide
