// Checks on commands and transfers as they pass.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "media/msf.h"
#include "observers/buffers.h"
#include "observers/races.h"
#include "units/cap.h"
#include "units/fbi.h"
#include "weft/emulator/observers/checks.h"
#include "weft/emulator/unit_inspector.h"
#include "weft/isa/effects.h"

namespace weft::emulator {

using namespace checks;

namespace {

bool is_thread_freelist(uint32_t address) {
  return address >= msf::kRxThreadFreelist && address < msf::kRxThreadFreelist + 12;
}

/// False: access_of() follows nothing of it.
bool touches(isa::Access access, bool in_word) {
  using isa::Access;
  switch (access) {
    case Access::read:
    case Access::write:
    case Access::atomic:
    case Access::ring_get:
    case Access::ring_put:
    case Access::enqueue:
    case Access::dequeue:
    case Access::media_in:
    case Access::media_out: return true;
    case Access::media_read:
    case Access::media_write: return !in_word;
    default: return false;
  }
}

}  // namespace

void Checks::read_commands() {
  using isa::XferUse;
  const isa::Profile profile = machine_.timing().profile;
  commands_.resize(isa::kInsnCount);
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    const isa::Effects& effects = isa::effects(info.id);
    CommandFacts& facts = commands_[static_cast<size_t>(info.id)];
    facts.low_bits = effects.alignment - 1u;
    facts.signals = info.signal == isa::SignalUse::doubled ? 3 : 1;
    facts.longwords_per_count = info.longwords_per_count;
    facts.unit_signal = static_cast<uint8_t>(isa::unit_signal(profile, info.id));
    facts.reads = info.xfer == XferUse::read || info.xfer == XferUse::both;
    facts.writes = info.xfer == XferUse::write || info.xfer == XferUse::both;
    // Of the IXP2400 and later.
    facts.writes_msf = effects.access == isa::Access::media_write && !isa::enabled(isa::Profile::me1, info.id);
    facts.writes_fbi = writes_fbi_csr(info.id);
    facts.in_word = info.xfer == XferUse::none;
    if (effects.access == isa::Access::hash)
      facts.hash_width = info.name.ends_with("48")   ? uint8_t{48}
                         : info.name.ends_with("64") ? uint8_t{64}
                                                     : uint8_t{128};
    facts.touches = touches(effects.access, facts.in_word) || effects.lock != isa::LockUse::none;
  }
}

void Checks::misaligned(const Command& command, const Party& here) {
  // Tables keep flags in the low bits of their pointers, which the unit ignores: a check of its own.
  const bool reads_sram = command.unit == isa::Unit::sram && isa::effects(command.op).access == isa::Access::read;
  add(reads_sram ? Check::read_alignment : Check::access, here.who, here.pc, here.cycle, 1,
      fmt::format("{} uses address {:#x}, which is not a multiple of {}; the low bits are ignored",
                  isa::info(command.op).name, command.address, isa::effects(command.op).alignment));
}

void Checks::on_issue(const Command& command) {
  EngineShadow& e = engines_[command.from.engine];
  const CommandFacts& facts = facts_of(command.op);
  Open& open = open_.insert(command.sequence);
  open.party = {Party::Kind::word, command.from, command.pc, cycle_of(command.issued), command.op};
  if (races_) open.issued = races_->issued(command.from);
  open.d = command.xfer_d;
  open.reads = facts.reads;
  open.xfer = command.xfer;
  if (command.signal != 0) open.signals_left = static_cast<uint16_t>(facts.signals << command.signal);
  if (command.has_xfer) {
    const unsigned count = std::min(32u, unsigned{command.count} * facts.longwords_per_count);
    open.count = static_cast<uint8_t>(count);
    open.data_left = count != 0 && facts.reads;
    if (facts.reads) e.take(in_file(open.d), command.xfer, count, command.sequence);
    if (facts.writes) e.take(out_file(open.d), command.xfer, count, command.sequence);
  }
  if ((command.address & facts.low_bits) != 0 || facts.writes_fbi || facts.writes_msf) look_at_issue(command, open);
}

void Checks::look_at_issue(const Command& command, Open& open) {
  const CommandFacts& facts = facts_of(command.op);
  if ((command.address & facts.low_bits) != 0) misaligned(command, open.party);
  if (facts.writes_msf && facts.in_word && is_thread_freelist(command.address & 0xfffc))
    expect_mpacket(command.address >> 16);
  if (!facts.writes_fbi) return;
  if (facts.in_word && command.csr == fbi_csr::kReceiveRequest) expect_receive(command.data);
  expect_event(open, command.csr);
}

void Checks::on_serve(const Command& command, Tick) {
  pulls_count_ = false;
  Open* const found = open_.find(command.sequence);
  if (found == nullptr) {
    party_ = {};
    return;
  }
  Open& open = *found;
  party_ = open.party;
  serving_address_ = command.address;
  serving_csr_ = command.csr;
  serving_sequence_ = command.sequence;
  const CommandFacts& facts = facts_of(command.op);
  if (facts.touches && (races_ || buffers_)) serve_shared(command, open);
  if (facts.hash_width != 0) check_hash(facts.hash_width, open.party);
  // Its data is taken in this moment.
  if (facts.writes) engines_[command.from.engine].give_back(out_file(open.d), open.xfer, open.count, command.sequence);
  if (facts.writes_fbi && facts.in_word) settle_event(open, command.data);
  if (open.signals_left == 0 && !open.data_left && open.raises == 0) open_.erase(command.sequence);
}

/// Nothing but 0 comes out then: a table that is indexed by it has one bucket.
void Checks::check_hash(unsigned width, const Party& here) {
  if (units_ == nullptr || !on(Check::hash)) return;
  const UnitInspector units(*units_);
  const uint32_t first = !is_me1_      ? cap_csr::kHashMultiplier + (width == 48   ? 0u
                                                                     : width == 64 ? 8u
                                                                                   : 16u)
                         : width == 48 ? fbi_csr::kHashMultiplier48Low
                                       : fbi_csr::kHashMultiplier64Low;
  uint32_t bits = units.csr(first) | (units.csr(first + 4) & (width == 48 ? 0xffffu : 0xffffffffu));
  if (width == 128) bits |= units.csr(first + 8) | units.csr(first + 12);
  if (bits == 0)
    add(Check::hash, here.who, here.pc, here.cycle, 0,
        fmt::format("{} runs while the multiplier for {} bits is 0: every result is 0", isa::info(here.op).name,
                    width));
}

void Checks::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick) {
  if (sequence == kUnasked) {
    party_ = {};
    party_.kind = Party::Kind::media;
    return;
  }
  Open* const found = open_.find(sequence);
  if (buffers_ && (found == nullptr || found->handles)) buffers_->answered(sequence);
  if (found == nullptr) {
    party_ = {};
    return;
  }
  Open& open = *found;
  party_ = open.party;
  const ContextRef who = open.party.who;
  if (count != 0 && races_) races_->answered(open.order, who);
  if (count != 0) open.data_left = false;
  if (open.raises != 0 && signals == 1u << open.event) --open.raises;
  open.signals_left = static_cast<uint16_t>(open.signals_left & ~signals);
  // The last signal of a refused command comes without data.
  const bool over = open.signals_left == 0 && open.raises == 0 && (!open.data_left || signals != 0);
  if (open.reads && (over || count != 0))
    engines_[who.engine].give_back(in_file(open.d), open.xfer, open.count, sequence);
  if (over) open_.erase(sequence);
}

void Checks::on_fault(std::string_view unit, const Command* during, std::string_view text) {
  if (during == nullptr || party_.kind != Party::Kind::word) return;
  if (Open* const open = open_.find(during->sequence); open != nullptr && std::exchange(open->raises, 0) != 0)
    if (open->signals_left == 0 && !open->data_left) open_.erase(during->sequence);
  if (to_nobody(*during))
    return add(Check::signal_lost, party_.who, party_.pc, party_.cycle, 2,
               fmt::format("{} raises a signal, and nobody will see it: {}", isa::info(during->op).name, text));
  const isa::Access access = isa::effects(during->op).access;
  const bool ring = access == isa::Access::ring_put || access == isa::Access::ring_get;
  add(ring ? Check::ring : Check::access, party_.who, party_.pc, party_.cycle, 2, fmt::format("{}: {}", unit, text));
}

void Checks::on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick) {
  if (pulls_count_ && to == party_.who) {
    const Buffers::Event by{true, party_.who, party_.pc, party_.cycle, party_.op};
    if (const auto twice = buffers_->pulled(*serving_, pulled_++, value, by)) {
      const Buffers::Event& b = twice->before;
      buffer_twice(party_, twice->pool, twice->handle, twice->foreign,
                   {b.known ? Party::Kind::word : Party::Kind::unknown, b.who, b.pc, b.cycle, b.op});
    }
  }
  if (party_.kind == Party::Kind::word) {
    const CommandFacts& facts = facts_of(party_.op);
    if (facts.writes_msf && is_thread_freelist(serving_address_ & 0xfffc)) expect_mpacket(value);
    if (facts.writes_fbi) {
      if (serving_csr_ == fbi_csr::kReceiveRequest) expect_receive(value);
      if (Open* const open = open_.find(serving_sequence_)) settle_event(*open, value);
    }
  }
  if ((engines_[to.engine].at(out_file(d), number & 127) & kWritten) != 0) return;
  if (party_.kind != Party::Kind::word) return;
  const ContextRef owner{to.engine, static_cast<uint8_t>((number & 127) / 16)};
  add(Check::uninitialised, party_.who, party_.pc, party_.cycle, 0x600u + (number & 127) + 0x80u * d,
      fmt::format("{} sends {}, which nothing has written", isa::info(party_.op).name,
                  transfer_name(owner, party_.pc, d, true, number & 127)));
}

void Checks::on_push(ContextRef to, bool d, unsigned number, uint32_t, Tick) {
  engines_[to.engine].fill(in_file(d), number & 127);
}

void Checks::on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick) {
  EngineShadow& e = engines_[to.engine];
  for (unsigned i = 0; i < data.size(); ++i) e.fill(in_file(d), (first + i) & 127);
}

inline void Checks::enter(EngineShadow& e, ContextRef who, ContextState state, uint64_t cycle) {
  if (state == ContextState::executing) e.watched |= Word::reads_codes;
  if (state == ContextState::sleep) e.contexts[who.context].asleep_since = cycle;
}

void Checks::enter_and_take(ContextRef who, ContextState state, uint64_t cycle) {
  sync(who);
  enter(engines_[who.engine], who, state, cycle);
}

void Checks::on_state(ContextRef who, ContextState state, uint64_t cycle) {
  EngineShadow& e = engines_[who.engine];
  if (e.consumed(who.context) != 0) return enter_and_take(who, state, cycle);
  enter(e, who, state, cycle);
}

}  // namespace weft::emulator
