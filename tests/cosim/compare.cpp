#include "compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::test {

using emulator::Command;
using emulator::ContextRef;
using emulator::EngineState;
using emulator::Tick;

std::string to_text(const Event& e) {
  constexpr const char* names[] = {"execute", "stall", "issue", "queued", "serve", "answer", "pull", "push", "signal"};
  return fmt::format("{} at {}: engine {} context {}, {:#x} {:#x}", names[static_cast<size_t>(e.kind)], e.at, e.engine,
                     e.context, e.a, e.b);
}

void Recorder::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  events.push_back({Event::Kind::execute, cycle, who.engine, who.context, pc, 0});
}
void Recorder::on_stall(ContextRef who, uint16_t pc, uint64_t cycle) {
  events.push_back({Event::Kind::stall, cycle, who.engine, who.context, pc, 0});
}
void Recorder::on_issue(const Command& c) {
  events.push_back({Event::Kind::issue, c.issued, c.from.engine, c.from.context,
                    static_cast<uint64_t>(c.op) << 32 | c.address, c.sequence});
}
void Recorder::on_queued(const Command& c, Tick arrival) {
  events.push_back({Event::Kind::queued, arrival, c.from.engine, c.from.context,
                    uint64_t{c.xfer} << 32 | uint64_t{c.xfer_d} << 24 | uint64_t{c.count} << 8 | c.signal,
                    c.indirect_word});
}
void Recorder::on_serve(const Command& c, Tick at) {
  events.push_back({Event::Kind::serve, at, c.from.engine, c.from.context, c.sequence, c.data});
}
void Recorder::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  events.push_back({Event::Kind::answer, at, count, signals, sequence, 0});
}
void Recorder::on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) {
  events.push_back({Event::Kind::pull, at, to.engine, to.context, number | uint64_t{d} << 8, value});
}
void Recorder::on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) {
  events.push_back({Event::Kind::push, at, to.engine, to.context, number | uint64_t{d} << 8, value});
}
void Recorder::on_signal(ContextRef to, unsigned number, Tick at) {
  events.push_back({Event::Kind::signal, at, to.engine, to.context, number, 0});
}

std::vector<std::pair<std::string, uint64_t>> named_state(const EngineState& s) {
  std::vector<std::pair<std::string, uint64_t>> out;
  const auto add = [&](std::string name, uint64_t value) { out.emplace_back(std::move(name), value); };
  const auto all = [&](const char* name, const auto& values) {
    for (size_t i = 0; i < values.size(); ++i) add(fmt::format("{}[{}]", name, i), values[i]);
  };
  all("a", s.a), all("b", s.b), all("s_in", s.s_in), all("s_out", s.s_out), all("d_in", s.d_in), all("d_out", s.d_out);
  all("nn", s.nn), all("lm", s.local_memory), all("cam.tag", s.cam.tag), all("cam.state", s.cam.state);
  all("cam.order", s.cam.order), all("lm_global", s.lm_global), all("csr", s.plain_csr);
  add("crc", s.crc_remainder);
  add("codes", uint64_t{s.codes.n} << 3 | uint64_t{s.codes.z} << 2 | uint64_t{s.codes.v} << 1 | uint64_t{s.codes.c});
  add("previous.left", s.previous.left), add("previous.right", s.previous.right),
      add("previous.result", s.previous.result);
  add("mul.left", s.multiplier.left), add("mul.right", s.multiplier.right), add("mul.sum", s.multiplier.sum);
  add("t_index", s.t_index), add("byte_index", s.byte_index), add("nn_put", s.nn_put), add("nn_get", s.nn_get);
  add("nn_count", s.nn_count), add("nn_in_flight", s.nn_in_flight), add("ctx_enables", s.ctx_enables);
  add("csr_context", s.csr_context), add("csr_read_valid", s.csr_read_valid), add("csr_read", s.csr_read);
  add("timestamp_offset", s.timestamp_offset), add("profile_offset", s.profile_offset);
  add("random_seed", s.random_seed), add("random_accesses", s.random_accesses);
  for (size_t i = 0; i < s.contexts.size(); ++i) {
    const emulator::ContextRecord& c = s.contexts[i];
    const auto own = [&](const char* name, uint64_t value) { add(fmt::format("ctx{}.{}", i, name), value); };
    own("state", static_cast<uint64_t>(c.state)), own("pc", c.pc), own("signals", c.signals), own("wakeup", c.wakeup);
    own("lm0", c.lm[0]), own("lm1", c.lm[1]), own("future_count", c.future_count);
    own("future_signal", c.future_signal), own("future_due", c.future_due);
    own("executing", c.executing), own("aborted", c.aborted), own("stalled", c.stalled);
  }
  add("running", static_cast<uint64_t>(s.running)), add("last_running", s.last_running);
  add("shadow.kind", static_cast<uint64_t>(s.shadow.kind)), add("shadow.slots", s.shadow.slots);
  add("shadow.aborts", s.shadow.aborts), add("shadow.to_target", s.shadow.to_target),
      add("shadow.target", s.shadow.target);
  add("pending", s.pending.count);
  for (size_t i = 0; i < s.pending.count; ++i) {
    const emulator::PendingWrite& w = s.pending.items[i];
    const auto own = [&](const char* name, uint64_t value) { add(fmt::format("pending{}.{}", i, name), value); };
    own("due", w.due), own("kind", static_cast<uint64_t>(w.kind)), own("context", w.context);
    own("number", w.number), own("value", w.value);
  }
  add("next_effect", s.next_effect), add("next_cycle", s.next_cycle), add("idle", s.idle), add("stopped", s.stopped);
  add("idle_cycles", s.idle_cycles), add("instructions", s.instructions);
  return out;
}

uint64_t hash_of(const emulator::Machine& machine, const emulator::Units& units) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3, hash ^= hash >> 31; };
  mix(machine.now());
  for (unsigned e = 0; e < machine.engine_count(); ++e)
    for (const auto& [name, value] : named_state(machine.state(e))) mix(value);
  mix(units.state_hash());
  return hash;
}

std::string difference(const emulator::Machine& a, const emulator::Machine& b) {
  std::string out;
  unsigned found = 0;
  if (a.now() != b.now()) out += fmt::format("now: {} and {}\n", a.now(), b.now());
  for (unsigned e = 0; e < a.engine_count(); ++e) {
    const auto left = named_state(a.state(e)), right = named_state(b.state(e));
    for (size_t i = 0; i < std::min(left.size(), right.size()) && found < 12; ++i) {
      if (left[i] == right[i]) continue;
      ++found;
      out += fmt::format("engine {}: {} = {:#x}, {} = {:#x}\n", e, left[i].first, left[i].second, right[i].first,
                         right[i].second);
    }
  }
  return out;
}

std::string difference(const std::vector<Event>& a, const std::vector<Event>& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (left == a.end() && right == b.end()) return {};
  std::string out = fmt::format("event {} of {} and {}:\n", left - a.begin(), a.size(), b.size());
  for (auto before = left - std::min<std::ptrdiff_t>(4, left - a.begin()); before != left; ++before)
    out += "  both       " + to_text(*before) + "\n";
  out += "  reference  " + (left == a.end() ? "nothing" : to_text(*left)) + "\n";
  out += "  fast       " + (right == b.end() ? "nothing" : to_text(*right)) + "\n";
  return out;
}

}  // namespace weft::test
