// Who wrote this: against what a straight run shows to somebody who compares the longwords themselves behind every
// event.
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "folder.h"
#include "must.h"
#include "weft/base/random.h"
#include "weft/emulator/unit_inspector.h"
#include "weft/workbench/writer.h"

using namespace weft;
using namespace weft::workbench;
using emulator::MemorySpace;
using weft::workbench::test::Folder;

namespace {

std::unique_ptr<Session> example(const std::string& name, unsigned frames, unsigned ports) {
  Overrides o;
  for (unsigned p = 0; p < ports; ++p)
    o.set.emplace_back("ports." + std::to_string(p) + ".in.generate.count", std::to_string(frames));
  o.set.emplace_back("limits.quiet", "3000");
  return must(Session::create(must(load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + name, o))));
}

Writer last(Session& session, const std::string& name, int engine = -1, int context = -1) {
  const auto writer = must(session.last_write(name, engine, context));
  if (!writer) FAIL(name << " was not written");
  return *writer;
}

/// Notes when a longword becomes another one, and which command was served or what the control processor did just
/// before. It works out no address.
class ChangeLog final : public emulator::Observer {
 public:
  struct Change {
    uint64_t cycle = 0;
    bool core = false;
    emulator::ContextRef who;
    uint32_t before = 0, after = 0;
  };
  struct Cell {
    MemorySpace space;
    uint32_t address;  // with the channel of SRAM
  };
  ChangeLog(Session& session, std::vector<Cell> cells)
      : session_(session), cells_(std::move(cells)), last_(cells_.size()) {
    for (const Cell& c : cells_) values_.push_back(session_.units().host().read(c.space, c.address));
  }
  void on_serve(const emulator::Command& command, emulator::Tick) override { who_ = command.from, core_ = false; }
  void on_core(isa::Unit, bool, uint32_t, unsigned, emulator::Tick) override { core_ = true; }
  void on_host_ring(unsigned, bool, uint32_t) override { core_ = true; }
  bool wants_stop() const override {
    const uint64_t cycle = session_.machine().now() / session_.machine().timing().period;
    for (size_t i = 0; i < cells_.size(); ++i) {
      const uint32_t now = session_.units().host().read(cells_[i].space, cells_[i].address);
      if (now != values_[i]) last_[i] = Change{cycle, core_, who_, values_[i], now};
      values_[i] = now;
    }
    return false;
  }
  const std::optional<Change>& last(size_t i) const { return last_[i]; }

 private:
  Session& session_;
  std::vector<Cell> cells_;
  mutable std::vector<uint32_t> values_;
  mutable std::vector<std::optional<Change>> last_;
  emulator::ContextRef who_;
  bool core_ = false;
};

const char* const kMemories = R"(.reg n zero mask
.reg write $out $$d0 $$d1
.xfer_order $$d0 $$d1
.sig done pair

br!=ctx[0, end#]
immed[n, 5]              // line 7
immed[zero, 0]
alu[$out, --, B, n]
scratch[write, $out, zero, 0x40, 1], ctx_swap[done]   // line 10
alu[$out, --, B, n]
scratch[write, $out, zero, 0x40, 1], ctx_swap[done]   // line 12: the same value
scratch[incr, --, zero, 0x44]                         // line 13
alu[$$d0, --, B, n]
alu[$$d1, n, +, 1]
dram[write, $$d0, zero, 0x40, 1], sig_done[pair]      // line 16
ctx_arb[pair]
immed[mask, 0x30]
alu[$out, --, B, mask]
sram[set, $out, zero, 0x20], ctx_swap[done]           // line 20
local_csr_wr[active_lm_addr_0, zero]                 // line 21
nop
nop
nop
alu[*l$index0[3], --, B, n]                           // line 25
alu[n, n, +, 2]                                       // line 26
alu[mask, --, B, n]
end#:
ctx_arb[kill]
)";

}  // namespace

TEST_CASE("who wrote a longword: the instruction, its line and its cycle, also when it wrote what stood there") {
  const Folder folder;
  auto session = test::session_of(folder, kMemories);
  session->record(100);
  session->run({});
  const uint64_t hash = session->state_hash();
  const Writer same = last(*session, "scratch[0x40]");
  CHECK(same.by == Writer::By::engine);
  CHECK(same.who == ContextId{0, 0, 0});
  CHECK(same.line == 12);
  CHECK(same.file.ends_with("p.uc"));
  CHECK(same.before == 5);
  CHECK(same.after == 5);
  CHECK(same.cycle > same.issued);
  CHECK(last(*session, "scratch[0x44]").line == 13);
  CHECK(last(*session, "scratch[0x44]").after == 1);
  for (const char* name : {"dram[0x40]", "dram[0x44]"}) CHECK(last(*session, name).line == 16);
  CHECK(last(*session, "dram[0x44]").after == 6);
  CHECK_FALSE(must(session->last_write("dram[0x48]")));
  CHECK(last(*session, "sram0[0x20]").line == 20);
  CHECK(last(*session, "sram0[0x20]").how == "sram[set]");
  CHECK_FALSE(must(session->last_write("sram0[0x24]")));
  // Registers, local memory, CSRs.
  CHECK(last(*session, "me0.lm[3]").line == 25);
  CHECK(last(*session, "me0.csr.ACTIVE_LM_ADDR_0", 0, 0).line == 21);
  CHECK(session->state_hash() == hash);

  // Going there, the old value stands; from there the next write is the one that was found, and the last one the one
  // before.
  must(session->go_to({same.cycle * session->machine().timing().period, 0}));
  CHECK(must(session->read("scratch[0x40]")) == 5);
  const Writer before = last(*session, "scratch[0x40]");
  CHECK(before.line == 10);
  CHECK(before.before == 0);
  const auto next = must(session->next_write("scratch[0x40]"));
  REQUIRE(next);
  CHECK(next->cycle == same.cycle);
  CHECK(next->line == 12);
  CHECK(session->machine().now() == same.cycle * session->machine().timing().period);
  must(session->go_to({before.cycle * session->machine().timing().period, 0}));
  CHECK(must(session->read("scratch[0x40]")) == 0);
  CHECK_FALSE(must(session->last_write("scratch[0x40]")));
}

TEST_CASE("who wrote a register: of the live range at the place, not of another one in the same register") {
  const Folder folder;
  auto session = test::session_of(folder, kMemories);
  session->record(100);
  must(session->run_to("p.uc:27", {0}, 1, {}));
  const Writer writer = last(*session, "n", 0, 0);
  CHECK(writer.line == 26);
  CHECK(writer.before == 5);
  CHECK(writer.after == 7);
  CHECK(writer.cycle == writer.issued);
}

TEST_CASE("who wrote: rings, journals and queues of SRAM, scratch rings") {
  const Folder folder;
  auto session = test::session_of(folder, R"(.reg n zero entry buffer
.reg write $a $b
.xfer_order $a $b
.sig done
br!=ctx[0, end#]
immed[zero, 0]
immed[n, 9]
alu[$a, --, B, n]
alu[$b, n, +, 1]
scratch[put, $a, zero, 8, 2], ctx_swap[done]           // line 10: ring 2
alu[$a, --, B, n]
alu[$b, n, +, 1]
immed[entry, 0x300, <<16]
sram[journal, $a, entry, 0, 2], ctx_swap[done]         // line 14: entry 3
immed[entry, 0x400, <<16]
immed[buffer, 0x500]
alu[entry, entry, or, buffer]
sram[enqueue, --, entry, 0], ctx_swap[done]            // line 18: entry 4, buffer 0x500
immed[entry, 0x400, <<16]
immed[buffer, 0x600]
alu[entry, entry, or, buffer]
sram[enqueue, --, entry, 0], ctx_swap[done]            // line 22: the link of buffer 0x500
end#:
ctx_arb[kill]
)");
  emulator::HostPort& host = session->units().host();
  REQUIRE(host.set_ring(2, 0x400, 128));
  host.set_queue(0, 3, {0x1000, 0x1000, 0, 0});
  session->record(50);
  session->run({});
  CHECK(last(*session, "scratch[0x400]").line == 10);
  CHECK(last(*session, "scratch[0x404]").after == 10);
  CHECK(last(*session, "sram0[0x4000]").line == 14);
  CHECK(last(*session, "sram0[0x4004]").after == 10);
  CHECK(last(*session, "sram0[0x4004]").line == 14);
  CHECK(last(*session, "sram0[0x1400]").line == 22);
  CHECK(last(*session, "sram0[0x1400]").after == 0x600);
  CHECK_FALSE(must(session->last_write("sram0[0x1800]")));
}

TEST_CASE("who wrote: the control processor, and the user, whose writes a replay repeats") {
  const Folder folder;
  auto session = test::session_of(folder, kMemories);
  must(session->add_commands(
      make_source("commands", "at 1000: write scratch[0x200] = 77\nat 2000: write scratch[0x204] = 1\n")));
  session->record(300);
  RunControl control;
  control.limits.cycles = 1500;
  session->run(control);
  const Writer writer = last(*session, "scratch[0x200]");
  CHECK(writer.by == Writer::By::control);
  CHECK(writer.host);
  CHECK(writer.after == 77);
  CHECK(writer.cycle > 1000);

  must(session->write("scratch[0x40]", 99));
  const Writer user = last(*session, "scratch[0x40]");
  CHECK(user.by == Writer::By::user);
  CHECK(user.host);
  CHECK(user.before == 5);
  CHECK(user.cycle == 1500);
  control.limits.cycles = 4000;
  session->run(control);
  CHECK(last(*session, "scratch[0x40]").by == Writer::By::user);
  const uint64_t hash = session->state_hash();
  // The time before the write does not have it, the time after it does, whichever way it is reached.
  must(session->go_to({1000 * session->machine().timing().period, 0}));
  CHECK(must(session->read("scratch[0x40]")) == 5);
  CHECK(last(*session, "scratch[0x40]").line == 12);
  CHECK(must(session->next_write("scratch[0x40]"))->by == Writer::By::user);
  session->run(control);
  CHECK(must(session->read("scratch[0x40]")) == 99);
  CHECK(session->state_hash() == hash);
}

TEST_CASE("who wrote: what cannot be answered says why") {
  const Folder folder;
  auto session = test::session_of(folder, kMemories);
  const auto code = [&](const std::string& name) {
    const auto done = session->last_write(name);
    return done ? std::string("answered") : done.error().list()[0].code;
  };
  CHECK(code("scratch[0x40]") == "record-off");
  session->record(100);
  session->run({});
  CHECK(code("scratch[0x40] + 1") == "writer-place");
  CHECK(code("cycle") == "writer-place");
  CHECK(code("me0.csr.TIMESTAMP_LOW") == "writer-place");
  CHECK(code("scratch[0x400000]") == "inspect-name");
  const std::atomic<bool> stop = true;
  const auto asked = session->last_write("dram[0x48]", -1, -1, &stop);
  REQUIRE_FALSE(asked);
  CHECK(asked.error().list()[0].code == "search-interrupted");
  CHECK(must(session->read("scratch[0x40]")) == 5);
}

namespace {

/// Longwords that the run has changed, some of each memory, by a seed.
std::vector<ChangeLog::Cell> touched(const std::string& name, unsigned frames, unsigned ports, uint64_t cycles,
                                     unsigned of_each, Random& random) {
  auto session = example(name, frames, ports);
  auto& host = session->units().host();
  const bool me1 = session->machine().timing().profile == isa::Profile::me1;
  std::map<std::pair<int, uint32_t>, uint32_t> begin;
  std::vector<std::pair<MemorySpace, uint32_t>> regions{
      {MemorySpace::scratch, 0}, {MemorySpace::sram, 0}, {MemorySpace::dram, 0}};
  if (!me1) regions.emplace_back(MemorySpace::sram, 1u << 30);
  const auto bytes = [&](MemorySpace space, uint32_t base) {
    return static_cast<uint32_t>(std::min<uint64_t>(host.size(space, base >> 30), 8u << 20));
  };
  for (const auto& [space, base] : regions)
    for (uint32_t a = 0; a < bytes(space, base); a += 4)
      if (const uint32_t v = host.read(space, base | a)) begin[{static_cast<int>(space), base | a}] = v;
  RunControl control;
  control.limits.cycles = cycles;
  session->run(control);
  std::vector<ChangeLog::Cell> out;
  for (const auto& [space, base] : regions) {
    std::vector<uint32_t> changed;
    for (uint32_t a = 0; a < bytes(space, base); a += 4) {
      const auto known = begin.find({static_cast<int>(space), base | a});
      if (host.read(space, base | a) != (known == begin.end() ? 0 : known->second)) changed.push_back(base | a);
    }
    for (unsigned i = 0; i < of_each && !changed.empty(); ++i)
      out.push_back({space, changed[random.below(changed.size())]});
  }
  return out;
}

void compare_with_log(const std::string& name, unsigned frames, unsigned ports, uint64_t cycles) {
  const char* given = std::getenv("WEFT_SEED");
  const uint64_t seed = given ? std::strtoull(given, nullptr, 10) : 7;
  CAPTURE(name, seed);
  Random random(seed);
  const auto cells = touched(name, frames, ports, cycles, 6, random);
  REQUIRE(cells.size() >= 12);
  auto session = example(name, frames, ports);
  ChangeLog log(*session, cells);
  session->machine().attach(log);
  session->record(cycles / 8);
  RunControl control;
  control.limits.cycles = cycles;
  session->run(control);
  session->machine().detach(log);
  const uint64_t hash = session->state_hash();
  unsigned same = 0, engines = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    REQUIRE(log.last(i));
    const ChangeLog::Change& change = *log.last(i);
    const char* memory = cells[i].space == MemorySpace::scratch ? "scratch"
                         : cells[i].space == MemorySpace::dram  ? "dram"
                                                                : nullptr;
    const std::string place =
        memory ? fmt::format("{}[0x{:x}]", memory, cells[i].address)
               : fmt::format("sram{}[0x{:x}]", cells[i].address >> 30, cells[i].address & 0x3fffffff);
    const Writer writer = last(*session, place);
    INFO(place << ": " << to_text(writer) << "; changed in cycle " << change.cycle << " by me" << int{change.who.engine}
               << "." << int{change.who.context});
    CHECK(writer.cycle >= change.cycle);
    CHECK(writer.after == must(session->read(place)));
    CHECK(writer.by != Writer::By::unknown);
    if (writer.cycle > change.cycle) {  // a later write of the same value
      CHECK(writer.before == writer.after);
      continue;
    }
    ++same;
    CHECK(writer.before == change.before);
    CHECK(writer.after == change.after);
    CHECK(writer.host == change.core);
    if (!change.core) {
      ++engines;
      CHECK(writer.who == ContextId{0, change.who.engine, change.who.context});
      CHECK(writer.line > 0);
      CHECK(!writer.file.empty());
    }
  }
  CHECK(same >= cells.size() / 2);
  CHECK(engines >= 4);
  CHECK(session->state_hash() == hash);
}

}  // namespace

TEST_CASE("who wrote: the dual-stack router, against a straight run that logs every change") {
  compare_with_log("dual-stack-router", 40, 4, 40'000);
}
TEST_CASE("who wrote: the forwarder of the IXP1200, against a straight run that logs every change") {
  compare_with_log("ipv4-forwarder-1200", 20, 9, 40'000);
}

TEST_CASE("who wrote a byte of RBUF, TBUF, RFIFO and TFIFO") {
  auto later = example("ipv4-forwarder", 30, 2);
  later->record(2000);
  RunControl control;
  control.limits.cycles = 20'000;
  later->run(control);
  const Writer received = last(*later, "rbuf[0x0]");
  CHECK(received.by == Writer::By::media);
  CHECK(received.how.find("element 0") != std::string::npos);
  CHECK(received.after == must(later->read("rbuf[0]")));
  const Writer sent = last(*later, "tbuf[0x0]");
  CHECK(sent.by == Writer::By::engine);
  CHECK(sent.file.find("transmit") != std::string::npos);
  CHECK(must(later->evaluate("tbuf[0]")) == sent.after);
  CHECK_FALSE(later->evaluate("rfifo[0]"));

  auto first = example("ipv4-forwarder-1200", 20, 9);
  first->record(2000);
  first->run(control);
  CHECK(last(*first, "rfifo[0x0]").by == Writer::By::media);
  CHECK(last(*first, "tfifo[0x0]").by == Writer::By::engine);
}

TEST_CASE("who sent a command that lies in a unit") {
  auto session = example("dual-stack-router", 40, 4);
  session->record(2000);
  RunControl control;
  unsigned found = 0;
  for (uint64_t cycle = 9'000; cycle < 20'000 && found < 5; cycle += 777) {
    control.limits.cycles = cycle;
    session->run(control);
    const uint64_t hash = session->state_hash();
    for (const emulator::UnitQueues& unit : emulator::UnitInspector(session->units()).queues())
      for (const emulator::CommandQueue& queue : unit.queues)
        for (const emulator::WaitingCommand& waiting : queue.commands) {
          if (waiting.of_core || found >= 5) continue;
          const auto sender = must(session->sender(waiting.command));
          REQUIRE(sender);
          CHECK(sender->who == ContextId{0, waiting.command.from.engine, waiting.command.from.context});
          // The word there is that instruction.
          const auto insn = isa::decode(isa::Profile::me2, session->machine().words(sender->who.engine)[sender->pc]);
          REQUIRE(insn);
          CHECK(insn->id == waiting.command.op);
          CHECK(session->state_hash() == hash);
          ++found;
        }
  }
  CHECK(found > 0);
}
