// Checks on commands and transfers as they pass.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "media/msf.h"
#include "observers/buffers.h"
#include "observers/races.h"
#include "units/fbi.h"
#include "weft/emulator/observers/checks.h"
#include "weft/isa/effects.h"

namespace weft::emulator {
namespace {

using isa::XferUse;

bool reads(const isa::InsnInfo& info) { return info.xfer == XferUse::read || info.xfer == XferUse::both; }
bool writes(const isa::InsnInfo& info) { return info.xfer == XferUse::write || info.xfer == XferUse::both; }

/// A write to registers of the media interface of the IXP2400 and later.
bool writes_msf(isa::InsnId op) {
  return isa::effects(op).access == isa::Access::media_write && !isa::enabled(isa::Profile::me1, op);
}
bool is_thread_freelist(uint32_t address) {
  return address >= msf::kRxThreadFreelist && address < msf::kRxThreadFreelist + 12;
}

}  // namespace

void Checks::check_alignment(const Command& command, const Party& here) {
  const unsigned need = isa::effects(command.op).alignment;
  if (command.address % need == 0) return;
  // Tables keep flags in the low bits of their pointers, which the unit ignores: a check of its own.
  const bool reads_sram = command.unit == isa::Unit::sram && isa::effects(command.op).access == isa::Access::read;
  add(reads_sram ? Check::read_alignment : Check::access, here.who, here.pc, here.cycle, 1,
      fmt::format("{} uses address {:#x}, which is not a multiple of {}; the low bits are ignored",
                  isa::info(command.op).name, command.address, need));
}

void Checks::on_issue(const Command& command) {
  EngineShadow& e = engines_[command.from.engine];
  const isa::InsnInfo& info = isa::info(command.op);
  Open open;
  open.party = {Party::Kind::word, command.from,
                static_cast<uint16_t>(state_of(command.from.engine).contexts[command.from.context].pc - 1),
                cycle_of(command.issued), command.op};
  if (races_) open.issued = races_->issued(command.from);
  check_alignment(command, open.party);
  open.d = command.xfer_d;
  open.xfer = command.xfer;
  open.count = command.has_xfer ? std::min(32u, unsigned{command.count} * info.longwords_per_count) : 0;
  open.data_left = open.count != 0 && reads(info);
  if (command.signal != 0)
    open.signals_left = static_cast<uint16_t>((info.signal == isa::SignalUse::doubled ? 3u : 1u) << command.signal);
  const uint64_t id = command.sequence + 1;
  for (unsigned i = 0; i < open.count; ++i) {
    const unsigned number = (command.xfer + i) & 127u;
    if (reads(info)) e.in[command.xfer_d].command[number] = id;
    if (writes(info)) e.out[command.xfer_d].command[number] = id;
  }
  const bool in_word = info.xfer == XferUse::none;  // the datum is not in a transfer register
  if (writes_msf(command.op) && in_word && is_thread_freelist(command.address & 0xfffc))
    expect_mpacket(command.address >> 16);
  if (writes_fbi_csr(command.op) && in_word && command.csr == fbi_csr::kReceiveRequest) expect_receive(command.data);
  expect_event(open, command);
  open_.insert_or_assign(command.sequence, std::move(open));
}

void Checks::on_serve(const Command& command, Tick now) {
  serving_ = nullptr;
  const auto at = open_.find(command.sequence);
  if (at == open_.end()) {
    party_ = {};
    return;
  }
  Open& open = at->second;
  party_ = open.party;
  serving_address_ = command.address;
  serving_csr_ = command.csr;
  serving_sequence_ = command.sequence;
  if (races_ || buffers_) serve_shared(command, open, now);
  // Its data is taken in this moment.
  File& file = engines_[command.from.engine].out[open.d];
  for (unsigned i = 0; i < open.count; ++i) {
    uint64_t& owner = file.command[(open.xfer + i) & 127u];
    if (owner == command.sequence + 1) owner = 0;
  }
  if (writes_fbi_csr(command.op) && isa::info(command.op).xfer == XferUse::none) settle_event(open, command.data);
  if (open.signals_left == 0 && !open.data_left && open.raises == 0) open_.erase(at);
}

void Checks::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick) {
  party_ = {};
  if (sequence == kUnasked) {
    party_.kind = Party::Kind::media;
    return;
  }
  if (buffers_) buffers_->answered(sequence);
  const auto at = open_.find(sequence);
  if (at == open_.end()) return;
  Open& open = at->second;
  party_ = open.party;
  if (count != 0 && open.access && races_) races_->answered(*open.access, open.party.who);
  if (count != 0) {
    open.data_left = false;
    File& file = engines_[open.party.who.engine].in[open.d];
    for (unsigned i = 0; i < open.count; ++i) {
      uint64_t& owner = file.command[(open.xfer + i) & 127u];
      if (owner == sequence + 1) owner = 0;
    }
  }
  if (open.raises != 0 && signals == 1u << open.event) --open.raises;
  open.signals_left = static_cast<uint16_t>(open.signals_left & ~signals);
  // The last signal of a refused command comes without data.
  if (open.signals_left == 0 && open.raises == 0 && (!open.data_left || signals != 0)) {
    File& file = engines_[open.party.who.engine].in[open.d];
    for (unsigned i = 0; i < open.count; ++i) {
      uint64_t& owner = file.command[(open.xfer + i) & 127u];
      if (owner == sequence + 1) owner = 0;
    }
    open_.erase(at);
  }
}

void Checks::on_fault(std::string_view unit, const Command* during, std::string_view text) {
  if (during == nullptr || party_.kind != Party::Kind::word) return;
  if (const auto at = open_.find(during->sequence); at != open_.end() && std::exchange(at->second.raises, 0) != 0)
    if (at->second.signals_left == 0 && !at->second.data_left) open_.erase(at);
  if (to_nobody(*during))
    return add(Check::signal_lost, party_.who, party_.pc, party_.cycle, 2,
               fmt::format("{} raises a signal, and nobody will see it: {}", isa::info(during->op).name, text));
  const isa::Access access = isa::effects(during->op).access;
  const bool ring = access == isa::Access::ring_put || access == isa::Access::ring_get;
  add(ring ? Check::ring : Check::access, party_.who, party_.pc, party_.cycle, 2, fmt::format("{}: {}", unit, text));
}

void Checks::on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick) {
  if (serving_ && buffers_ && to == party_.who) {
    const Buffers::Event by{true, party_.who, party_.pc, party_.cycle, party_.op};
    if (const auto twice = buffers_->pulled(*serving_, pulled_++, value, by)) {
      const Buffers::Event& b = twice->before;
      buffer_twice(party_, twice->pool, twice->handle, twice->foreign,
                   {b.known ? Party::Kind::word : Party::Kind::unknown, b.who, b.pc, b.cycle, b.op});
    }
  }
  if (party_.kind == Party::Kind::word && writes_msf(party_.op) && is_thread_freelist(serving_address_ & 0xfffc))
    expect_mpacket(value);
  if (party_.kind == Party::Kind::word && writes_fbi_csr(party_.op)) {
    if (serving_csr_ == fbi_csr::kReceiveRequest) expect_receive(value);
    if (const auto at = open_.find(serving_sequence_); at != open_.end()) settle_event(at->second, value);
  }
  if (engines_[to.engine].out[d].known.test(number & 127)) return;
  if (party_.kind != Party::Kind::word) return;
  const ContextRef owner{to.engine, static_cast<uint8_t>((number & 127) / 16)};
  add(Check::uninitialised, party_.who, party_.pc, party_.cycle, 0x600u + (number & 127) + 0x80u * d,
      fmt::format("{} sends {}, which nothing has written", isa::info(party_.op).name,
                  transfer_name(owner, party_.pc, d, true, number & 127)));
}

void Checks::on_push(ContextRef to, bool d, unsigned number, uint32_t, Tick) {
  File& file = engines_[to.engine].in[d];
  file.known.set(number & 127);
  file.command[number & 127] = 0;
}

void Checks::on_state(ContextRef who, ContextState state, uint64_t cycle) {
  sync(who);
  if (state == ContextState::executing) engines_[who.engine].codes_set = false;
  if (state == ContextState::sleep) engines_[who.engine].contexts[who.context].asleep_since = cycle;
}

}  // namespace weft::emulator
