#include "session/write_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/holders.h"
#include "inspect/register_slots.h"
#include "weft/isa/effects.h"

namespace weft::workbench {

using emulator::Command;
using emulator::ContextRef;
using emulator::MediaBuffer;
using emulator::MemorySpace;
using emulator::Moved;
using emulator::Tick;
using isa::OperandKind;

namespace {

/// A local CSR is seen to change at most so many cycles after the instruction that writes it (timing.md, E9).
constexpr uint64_t kCsrLatency = 16;

constexpr std::array kMoving{"TIMESTAMP_LOW", "TIMESTAMP_HIGH", "PROFILE_COUNT", "PSEUDO_RANDOM_NUMBER"};

bool per_context(std::string_view csr) { return csr.starts_with("ACTIVE_") || csr.starts_with("INDIRECT_"); }

std::string longwords(unsigned count) { return fmt::format("{} longword{}", count, count == 1 ? "" : "s"); }

}  // namespace

std::string command_text(const Command& c) {
  const isa::InsnInfo& info = isa::info(c.op);
  const unsigned n = unsigned{c.count} * info.longwords_per_count;
  const std::string what =
      info.subcommand.empty() ? std::string(info.name) : fmt::format("{}[{}]", info.mnemonic, info.subcommand);
  return n > 1 ? fmt::format("{} of {}", what, longwords(n)) : what;
}

namespace {

bool of_unit(isa::Unit unit, MemorySpace space) {
  return (unit == isa::Unit::scratch && space == MemorySpace::scratch) ||
         (unit == isa::Unit::sram && space == MemorySpace::sram) ||
         (unit == isa::Unit::dram && space == MemorySpace::dram);
}

}  // namespace

Result<Spot> spot_of(const EvalContext& scene, const StateRef& place, const Location& where) {
  using K = StateRef::Kind;
  if (const auto now = read(scene, place, where); !now) return tl::unexpected(now.error());
  Spot out;
  out.place = place;
  out.where = where;
  out.address = static_cast<uint64_t>(place.number);
  switch (place.kind) {
    case K::scratch: out.space = MemorySpace::scratch; return out;
    case K::dram: out.space = MemorySpace::dram; return out;
    case K::sram:
      out.space = MemorySpace::sram;
      out.channel = static_cast<unsigned>(place.context);
      return out;
    case K::rbuf:
    case K::tbuf:
    case K::rfifo:
    case K::tfifo:
      out.kind = Spot::Kind::buffer;
      out.buffer = place.kind == K::rbuf    ? MediaBuffer::rbuf
                   : place.kind == K::tbuf  ? MediaBuffer::tbuf
                   : place.kind == K::rfifo ? MediaBuffer::rfifo
                                            : MediaBuffer::tfifo;
      return out;
    case K::cap: out.kind = Spot::Kind::cap; return out;
    case K::msf: out.kind = Spot::Kind::msf; return out;
    case K::csr:
      for (const char* name : kMoving)
        if (place.name.ends_with(name))
          return fail("writer-place", {}, fmt::format("'{}' changes by itself", place.name),
                      "ask for a CSR that is written");
      out.kind = Spot::Kind::local_csr;
      break;
    case K::gpr_a:
    case K::gpr_b:
    case K::local_memory:
    case K::symbol: {
      const auto slot = register_slot(scene, place, where);
      if (!slot) return tl::unexpected(slot.error());
      out.kind = Spot::Kind::slot;
      out.slot = *slot;
      break;
    }
    default:
      return fail("writer-place", {}, fmt::format("nothing that is followed writes '{}'", place.name),
                  "registers, CSRs, memories and media buffers have writers");
  }
  out.engine = static_cast<unsigned>(place.engine >= 0 ? place.engine : where.engine);
  const int running = std::as_const(*scene.machine).state(out.engine).running;
  const int context = place.context >= 0                                                   ? place.context
                      : where.context >= 0 && where.engine == static_cast<int>(out.engine) ? where.context
                                                                                           : std::max(running, 0);
  out.context = static_cast<unsigned>(context);
  // From now on it is this context's, whoever runs.
  out.place.engine = static_cast<int>(out.engine);
  out.place.context = context;
  return out;
}

void set_place(const EvalContext& scene, Writer& writer) {
  const image::Image* image = writer.who.engine < scene.images.size() ? scene.images[writer.who.engine] : nullptr;
  if (image == nullptr || writer.pc >= image->lines.size()) return;
  const image::Line& line = image->lines[writer.pc].place;
  if (line.line == 0 || line.file >= image->files.size()) return;
  writer.file = image->files[line.file];
  writer.line = line.line;
}

std::string who_text(const Writer& w) {
  using By = Writer::By;
  std::string who;
  switch (w.by) {
    case By::engine: {
      who = fmt::format("me{} context {}", w.who.engine, w.who.context);
      const std::string file = w.file.substr(w.file.find_last_of('/') + 1);
      who += file.empty() ? fmt::format(" at 0x{:x}", w.pc) : fmt::format(" at {}:{} (0x{:x})", file, w.line, w.pc);
      break;
    }
    case By::media: who = "the media interface"; break;
    case By::control: who = "the control processor"; break;
    case By::user: who = "you"; break;
    case By::unknown: who = "something that is not followed"; break;
  }
  return who;
}

std::string to_text(const Writer& w) {
  return fmt::format("{}, cycle {}: {}, 0x{:08x} to 0x{:08x}", who_text(w), w.cycle, w.how, w.before, w.after);
}

uint32_t WriteWatch::value() const {
  if (spot_.kind == Spot::Kind::slot) return *spot_.slot;
  const auto now = read(scene_, spot_.place, spot_.where);
  return now ? static_cast<uint32_t>(*now) : 0;
}

bool WriteWatch::hits(const std::vector<emulator::Extent>& extents) const {
  return std::any_of(extents.begin(), extents.end(), [&](const emulator::Extent& e) {
    if (e.in_buffer != (spot_.kind == Spot::Kind::buffer)) return false;
    if (e.in_buffer ? e.buffer != spot_.buffer : e.space != spot_.space || e.channel != spot_.channel) return false;
    return e.contains(spot_.address);
  });
}

/// CAP CSRs and media registers.
bool WriteWatch::hits_register(const Command& c) const {
  const std::string_view what = isa::info(c.op).subcommand;
  const bool fast = what.starts_with("fast_wr");
  if (!fast && !what.ends_with("write") && what != "write64" && what != "csr_wr") return false;
  const unsigned count = fast ? 1 : std::max(1u, unsigned{c.count} * isa::info(c.op).longwords_per_count);
  if (spot_.kind == Spot::Kind::cap)
    return c.unit == isa::Unit::cap && spot_.address >= c.csr && spot_.address < c.csr + uint64_t{4} * count;
  const uint32_t first = fast ? c.address & 0xfffc : c.address & 0x3ffc;
  return c.unit == isa::Unit::msf && spot_.address >= first && spot_.address < first + uint64_t{4} * count;
}

void WriteWatch::wrote(Writer writer, std::optional<Command> unknown) const {
  if (found_ && stop_at_first_) return;
  fresh_ = std::move(writer);
  strange_push_ = false;
  unknown_sender_ = unknown;
}

Writer WriteWatch::by_instruction(ContextRef who, uint16_t pc, uint64_t cycle, std::string how) const {
  Writer w;
  w.by = Writer::By::engine;
  w.who = {spot_.chip, who.engine, who.context};
  w.pc = pc;
  w.cycle = w.issued = cycle;
  w.how = std::move(how);
  w.before = known_;
  set_place(scene_, w);
  return w;
}

std::vector<Source> WriteWatch::data_of(const Command& c, Tick at) const {
  if (spot_.kind != Spot::Kind::memory && spot_.kind != Spot::Kind::buffer) return {};
  const emulator::Moved moved = emulator::moved_by(c, *scene_.units);
  if (!moved.writes && spot_.kind == Spot::Kind::memory) return {};
  std::vector<Source> out;
  const Instant before = instant_of({at, 0});
  for (unsigned i = 0; i < moved.count; ++i) {
    const uint64_t there = spot_.kind == Spot::Kind::memory
                               ? (i < moved.bytes.size() ? moved.bytes[i] : Moved::kElsewhere)
                               : moved.first + uint64_t{4} * i;
    if (there != spot_.address) continue;
    if (c.has_xfer) out.push_back({written_register(c, i, spot_.chip), "data", before, std::nullopt});
    if (const auto other = spot_.kind == Spot::Kind::memory ? buffer_holder(moved, i, spot_.chip)
                                                            : memory_holder(moved, i, spot_.chip))
      out.push_back({*other, "data", before, std::nullopt});
    if (moved.reads && moved.writes)  // an atomic operation keeps a part of what stood there
      if (const auto same = memory_holder(moved, i, spot_.chip)) out.push_back({*same, "data", before, value()});
    return out;
  }
  return out;
}

void WriteWatch::by_command(const Command& c, Tick at, std::string how, std::vector<Source> data) {
  Writer w;
  w.by = Writer::By::engine;
  w.who = {spot_.chip, c.from.engine, c.from.context};
  w.cycle = cycle_of(at);
  w.issued = cycle_of(c.issued);
  w.how = std::move(how);
  w.before = value();
  w.data = std::move(data);
  const auto sent = sent_.find(c.sequence);
  if (sent == sent_.end()) return wrote(std::move(w), c);
  w.pc = sent->second.pc;
  set_place(scene_, w);
  wrote(std::move(w));
}

void WriteWatch::by_control(Tick at, std::string how) const {
  Writer w;
  w.by = Writer::By::control;
  w.host = true;
  w.cycle = w.issued = cycle_of(at);
  w.how = std::move(how);
  w.before = known_;
  wrote(std::move(w));
}

void WriteWatch::edited(uint32_t before) {
  Writer w;
  w.by = Writer::By::user;
  w.host = true;
  w.cycle = w.issued = cycle_of(scene_.machine->now());
  w.how = "a value that was typed in";
  w.before = before;
  wrote(std::move(w));
  (void)wants_stop();
}

void WriteWatch::on_issue(const Command& c) {
  sent_[c.sequence] = {
      static_cast<uint16_t>(std::as_const(*scene_.machine).state(c.from.engine).contexts[c.from.context].pc - 1),
      cycle_of(c.issued)};
}

void WriteWatch::on_serve(const Command& c, Tick at) {
  switch (spot_.kind) {
    case Spot::Kind::memory:
    case Spot::Kind::buffer:
      if (hits(emulator::writes_of(c, *scene_.units))) by_command(c, at, command_text(c), data_of(c, at));
      break;
    case Spot::Kind::cap:
    case Spot::Kind::msf:
      if (hits_register(c)) by_command(c, at, command_text(c), {});
      break;
    case Spot::Kind::slot:  // its answer may be what changes a transfer register
      if (c.from.engine == spot_.engine && c.has_xfer)
        answering_[uint64_t{c.from.context} << 16 | c.xfer] = {c, emulator::moved_by(c, *scene_.units),
                                                               instant_of({at, 0})};
      return;
    case Spot::Kind::local_csr: return;
  }
  sent_.erase(c.sequence);
}

void WriteWatch::on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, Tick at) {
  if (!write || spot_.kind != Spot::Kind::memory || !of_unit(serves, spot_.space)) return;
  if (serves == isa::Unit::sram && address >> 30 != spot_.channel) return;
  const uint64_t begin = serves == isa::Unit::sram ? address & 0x3ffffffc : address & ~3u;
  if (spot_.address >= begin && spot_.address < begin + uint64_t{4} * count)
    by_control(at, fmt::format("write of {}", longwords(count)));
}

// All words of a request are told before the first one is put; those of a put without time one by one.
void WriteWatch::on_host_ring(unsigned ring, bool put, uint32_t) {
  if (!put || spot_.kind != Spot::Kind::memory || spot_.space != MemorySpace::scratch) return;
  if (std::exchange(event_over_, false)) puts_.clear();
  const emulator::RingView r = scene_.units->host().ring(ring);
  if (r.size == 0) return;
  const auto [at, first] = puts_.try_emplace(ring, RingPuts{r.tail, 0});
  const uint32_t place = (at->second.tail + at->second.told++) % r.size;
  if (spot_.address == r.base + uint64_t{4} * place)
    by_control(scene_.machine->now(), fmt::format("put on scratch ring {}", ring));
}

void WriteWatch::on_media(const emulator::MediaEvent& event) {
  if (event.kind == emulator::MediaEvent::Kind::handed && spot_.kind == Spot::Kind::slot &&
      event.to.engine == spot_.engine)
    for (unsigned i = 0; i < 2; ++i) handed_[{event.to.context, (event.xfer + i) & 127u}] = true;
  if (event.kind != emulator::MediaEvent::Kind::filled || spot_.kind != Spot::Kind::buffer) return;
  if (spot_.buffer != MediaBuffer::rbuf && spot_.buffer != MediaBuffer::rfifo) return;
  const unsigned bytes = emulator::UnitInspector(*scene_.units).element_bytes(spot_.buffer);
  const uint64_t begin = uint64_t{event.element} * bytes;
  if (spot_.address < begin || spot_.address >= begin + event.length) return;
  Writer w;
  w.by = Writer::By::media;
  w.cycle = w.issued = cycle_of(event.at);
  w.how = fmt::format("bytes {} to {} of a frame of port {} into element {}", event.first,
                      event.first + event.length - 1, event.port, event.element);
  w.before = known_;
  wrote(std::move(w));
}

void WriteWatch::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  if (spot_.kind != Spot::Kind::slot && spot_.kind != Spot::Kind::local_csr) return;
  const auto& s = std::as_const(*scene_.machine).state(spot_.engine);
  const bool neighbor_register =
      spot_.kind == Spot::Kind::slot && spot_.slot >= s.nn.data() && spot_.slot < s.nn.data() + s.nn.size();
  const bool own = who.engine == spot_.engine;
  if (!own && !(neighbor_register && who.engine + 1u == spot_.engine)) return;
  if (own) last_ = Last{who, pc, cycle};
  const auto words = scene_.machine->words(who.engine);
  if (pc >= words.size()) return;
  const auto insn = isa::decode(scene_.profile, words[pc]);
  if (!insn) return;
  if (spot_.kind == Spot::Kind::local_csr) {
    if (isa::effects(insn->id).csr != isa::CsrUse::write || (*insn)[isa::Role::csr] != spot_.address) return;
    if (per_context(spot_.place.name.substr(spot_.place.name.rfind('.') + 1)) && who.context != spot_.context) return;
    csr_written_ = cycle;
    return wrote(by_instruction(who, pc, cycle, "local_csr_wr"));
  }
  if (neighbor_register) {
    const auto number = static_cast<unsigned>(spot_.slot - s.nn.data());
    if (insn->dest.kind == OperandKind::neighbor && ((16 * who.context + insn->dest.value) & 127) == number) {
      csr_written_ = cycle;
      wrote(by_instruction(who, pc, cycle, std::string(isa::info(insn->id).name)));
    }
    return;
  }
  if (slot_behind(s, who.context, *insn, insn->dest, false) == spot_.slot)
    wrote(by_instruction(who, pc, cycle, std::string(isa::info(insn->id).name)));
}

void WriteWatch::on_push(ContextRef to, bool d, unsigned number, uint32_t, Tick at) {
  if (spot_.kind != Spot::Kind::slot || to.engine != spot_.engine) return;
  const auto& s = std::as_const(*scene_.machine).state(to.engine);
  if (&(d ? s.d_in : s.s_in)[number & 127] != spot_.slot) return;
  // The command whose registers these are; the media interface pushes unasked.
  for (const auto& [key, answer] : answering_) {
    const Command& c = answer.command;
    const unsigned count = std::max(1u, unsigned{c.count} * isa::info(c.op).longwords_per_count);
    if (c.from.context == to.context && c.xfer_d == d && ((number - c.xfer) & 127) < count) {
      std::vector<Source> data;
      const unsigned i = (number - c.xfer) & 127;
      for (const auto& from : {memory_holder(answer.moved, i, spot_.chip), buffer_holder(answer.moved, i, spot_.chip)})
        if (from) data.push_back({*from, "data", answer.served, std::nullopt});
      return by_command(c, at, "answer to " + command_text(c), std::move(data));
    }
  }
  Writer w;
  w.by = Writer::By::media;
  w.who = {spot_.chip, to.engine, to.context};
  w.cycle = w.issued = cycle_of(at);
  w.how = "a status that was pushed";
  w.before = known_;
  wrote(std::move(w));
  strange_push_ = !handed_.contains({to.context, number & 127});
}

bool WriteWatch::wants_stop() const {
  const uint32_t now = value();
  event_over_ = true;
  if ((fresh_ || now != known_) && (!found_ || !stop_at_first_)) behind_ = scene_.machine->position();
  if (fresh_) {
    begun_before_ = strange_push_;
    fresh_->after = now;
    if (!found_ || !stop_at_first_) found_ = std::move(fresh_);
    fresh_.reset();
  } else if (now != known_) {
    const uint64_t cycle = cycle_of(scene_.machine->now());
    if (csr_written_ != ~uint64_t{0} && cycle <= csr_written_ + kCsrLatency && found_) {
      found_->after = now;  // it becomes visible
      csr_written_ = ~uint64_t{0};
    } else if (last_ && (spot_.kind == Spot::Kind::local_csr || spot_.kind == Spot::Kind::slot)) {
      wrote(by_instruction(last_->who, last_->pc, cycle, "by what it does beside"));
      fresh_->after = now;
      found_ = std::move(fresh_);
      fresh_.reset();
    } else {
      Writer w;
      w.by = spot_.kind == Spot::Kind::memory || spot_.kind == Spot::Kind::cap || spot_.kind == Spot::Kind::msf
                 ? Writer::By::control
                 : Writer::By::unknown;
      w.host = w.by == Writer::By::control;
      w.cycle = w.issued = cycle;
      w.how = w.host ? "an access without time" : "";
      w.before = known_;
      w.after = now;
      if (!found_ || !stop_at_first_) found_ = std::move(w);
      unknown_sender_.reset();
    }
  }
  known_ = now;
  return stop_at_first_ && found_.has_value() && csr_written_ == ~uint64_t{0};
}

void SenderWatch::on_issue(const Command& c) {
  if (c.sequence != sequence_) return;
  found_ = true;
  pc_ = static_cast<uint16_t>(machine_.state(c.from.engine).contexts[c.from.context].pc - 1);
}

}  // namespace weft::workbench
