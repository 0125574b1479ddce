#include "inspect/holders.h"

#include <fmt/format.h>

#include "inspect/named_slot.h"

namespace weft::workbench {

using emulator::EngineState;
using emulator::MediaBuffer;
using emulator::MemorySpace;
using File = Holder::File;

namespace {

/// As the assembler's listings call it: registers of a context by their number in its sixteen.
std::string physical(File file, unsigned number) {
  const unsigned of_context = number & 15;
  switch (file) {
    case File::a: return fmt::format("a{}", of_context);
    case File::b: return fmt::format("b{}", of_context);
    case File::s_in: return fmt::format("${}", of_context);
    case File::s_out: return fmt::format("${} out", of_context);
    case File::d_in: return fmt::format("$${}", of_context);
    case File::d_out: return fmt::format("$${} out", of_context);
    case File::neighbor: return fmt::format("nn{}", number);
    case File::local: return fmt::format("lm[{}]", number);
    case File::named: break;
  }
  return {};
}

template <class State, class Fn>
void each_file(State& s, Fn&& fn) {
  fn(File::a, s.a);
  fn(File::b, s.b);
  fn(File::s_in, s.s_in);
  fn(File::s_out, s.s_out);
  fn(File::d_in, s.d_in);
  fn(File::d_out, s.d_out);
  fn(File::neighbor, s.nn);
  fn(File::local, s.local_memory);
}

std::string named_at(const image::Image* image, const EngineState& s, ContextId who, uint32_t pc, const uint32_t* slot,
                     bool source) {
  if (image == nullptr) return {};
  // A source may have its last use here, where the result of the same word begins.
  const image::Register* best = nullptr;
  for (const image::Register& r : image->registers)
    if (pc >= r.begin && pc <= r.end && named_slot(s, r, who.context) == slot)
      if (best == nullptr || (source ? r.begin < best->begin : r.begin > best->begin)) best = &r;
  return best ? best->name : std::string();
}

}  // namespace

std::optional<Holder> holder_of(const EvalContext& scene, ContextId who, uint32_t pc, const uint32_t* slot,
                                bool source) {
  const EngineState& s = std::as_const(*scene.machine).state(who.engine);
  std::optional<Holder> out;
  each_file(s, [&](File file, const auto& words) {
    if (slot < words.data() || slot >= words.data() + words.size()) return;
    out = Holder{file, who, static_cast<unsigned>(slot - words.data()), {}};
  });
  if (!out) return out;
  const image::Image* image = who.engine < scene.images.size() ? scene.images[who.engine] : nullptr;
  out->name = named_at(image, s, who, pc, slot, source);
  if (out->name.empty()) out->name = physical(out->file, out->number);
  return out;
}

const uint32_t* slot_of(const EngineState& state, const Holder& holder) {
  const uint32_t* out = nullptr;
  each_file(state, [&](File file, const auto& words) {
    if (file == holder.file && holder.number < words.size()) out = &words[holder.number];
  });
  return out;
}

std::optional<Holder> memory_holder(const emulator::Moved& moved, unsigned i, unsigned chip) {
  if (i >= moved.bytes.size() || moved.bytes[i] == emulator::Moved::kElsewhere) return std::nullopt;
  Holder out;
  out.where.chip = chip;
  switch (moved.space) {
    case MemorySpace::scratch: out.name = fmt::format("scratch[0x{:x}]", moved.bytes[i]); break;
    case MemorySpace::sram: out.name = fmt::format("sram{}[0x{:x}]", moved.channel, moved.bytes[i]); break;
    case MemorySpace::dram: out.name = fmt::format("dram[0x{:x}]", moved.bytes[i]); break;
  }
  return out;
}

std::optional<Holder> buffer_holder(const emulator::Moved& moved, unsigned i, unsigned chip) {
  if (!moved.buffer || i >= moved.count) return std::nullopt;
  const char* const name = *moved.buffer == MediaBuffer::rbuf    ? "rbuf"
                           : *moved.buffer == MediaBuffer::tbuf  ? "tbuf"
                           : *moved.buffer == MediaBuffer::rfifo ? "rfifo"
                                                                 : "tfifo";
  Holder out;
  out.where.chip = chip;
  out.name = fmt::format("{}[0x{:x}]", name, moved.first + 4 * i);
  return out;
}

Holder written_register(const emulator::Command& c, unsigned i, unsigned chip) {
  const File file = c.xfer_d ? File::d_out : File::s_out;
  const unsigned number = (c.xfer + i) & 127;
  return {file, {chip, c.from.engine, c.from.context}, number, physical(file, number)};
}

std::string to_text(const Holder& h) {
  if (h.file == File::named) return h.name;
  const std::string place = physical(h.file, h.number);
  const std::string whose = h.file == File::neighbor || h.file == File::local
                                ? fmt::format("me{}", h.where.engine)
                                : fmt::format("me{}.{}", h.where.engine, h.where.context);
  return h.name == place ? fmt::format("{} of {}", place, whose) : fmt::format("{} of {} ({})", h.name, whose, place);
}

}  // namespace weft::workbench
