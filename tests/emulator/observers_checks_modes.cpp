// Each check alone, off, as a warning, and as a stop: nothing but its own mode decides.
#include "checks_support.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

struct Row {
  Check check;
  std::vector<Run::Programs::value_type> programs;
  unsigned contexts = 1;
  bool at_end = false;  ///< found when the run is over, so that there is nothing to stop
};

void with_pool(Run& run) {
  HostPort& host = run.units.host();
  REQUIRE(host.set_ring(0, 0x400, 128));
  for (uint32_t i = 0; i < 4; ++i) REQUIRE(host.ring_put(0, std::array{0x1000 + 256 * i}));
  run.pools = {{"small", BufferPool::List::scratch_ring, 0, 0, MemorySpace::dram, 0, 0x1000, 256, 4, 0}};
}

std::vector<Row> rows() {
  const Instruction take = memory(InsnId::scratch_get, s(1), 0, 1, 3, true);
  const Instruction give = memory(InsnId::scratch_put, s(2), 0, 1, 3, true);
  std::vector<Instruction> twice{base(), read(1, 3, false), read(2, 3, false)};
  twice.insert(twice.end(), 200, nop());
  twice.insert(twice.end(), {ctx_arb(1u << 3), halt()});
  return {
      {Check::uninitialised, {{move(a(1), b(5)), nop(), halt()}}},
      {Check::transfer, {{base(), read(1, 3, true), read(1, 3, false), move(a(1), s(1)), ctx_arb(1u << 3), halt()}}},
      {Check::signal_twice, {twice}},
      {Check::signal_unawaited, {{base(), read(1, 3, false), read(2, 4, true), read(2, 4, true), kill()}}, 1, true},
      {Check::endless_wait, {{nop(), ctx_arb(1u << 3), halt()}}, 1, true},
      {Check::ring,
       {{immed(a(1), 129), move(n_index(Post::increment), k(1)), alu(a(1), a(1), AluOp::sub, k(1)),
         branch(InsnId::bne, 1), halt()},
        {}}},
      {Check::access, {{base(), read(1, 3, true, 18), nop(), halt()}}},
      {Check::csr_latency,
       {{move(lm0(0), k(1)), move(lm0(1), k(2)), immed(a(1), 4), csr_wr(Csr::active_lm_addr_0, a(1)), nop(),
         move(a(2), lm0(0)), nop(), halt()}}},
      {Check::codes,
       {{immed(a(1), 1), alu(none(), a(1), AluOp::sub, k(1)), voluntary(), branch(InsnId::beq, 4), nop(), halt()}}},
      {Check::signal_lost, {{csr_wr(Csr::same_me_signal, k(1)), nop(), nop(), halt()}}},
      {Check::race, {{base(), move(s(1), k(1)), write(1, 3, true), kill()}}, 3},
      {Check::buffer_free, {{base(), take, move(s(2), s(1)), give, give, nop(), halt()}}},
      {Check::buffer_leak, {{base(), take, take, halt()}}, 1, true},
      {Check::control_store, {{nop(), branch(InsnId::br, 9), halt()}}},
      {Check::read_alignment, {{base(), memory(InsnId::sram_read, s(1), 5, 1, 3, true), nop(), halt()}}},
      {Check::hash, {{move(s(1), k(1)), move(s(2), k(2)), hash_command(InsnId::hash_48, 1, 3), nop(), halt()}}},
  };
}

Run run(const Row& row, CheckMode mode) {
  return Run(row.programs, row.contexts, mode, 300'000, [&row](Run& r) {
    with_pool(r);
    r.alone = row.check;
  });
}

}  // namespace

TEST_CASE("every check can be off, warn, or stop") {
  const std::vector<Row> all = rows();
  REQUIRE(all.size() == kChecks);
  for (size_t i = 0; i < kChecks; ++i) {
    const Row& row = all[i];
    REQUIRE(static_cast<size_t>(row.check) == i);
    INFO(check_name(row.check));

    const Run off = run(row, CheckMode::off);
    off.silent();
    CHECK(off.stop.kind != StopKind::asked);

    const Run warn = run(row, CheckMode::warn);
    CHECK(warn.of(row.check).size() == 1);
    CHECK(warn.checks->findings().size() == 1);
    CHECK(warn.stop.kind == off.stop.kind);
    CHECK(warn.machine.now() == off.machine.now());

    const Run stop = run(row, CheckMode::stop);
    CHECK(stop.of(row.check).size() == 1);
    if (row.at_end) {
      CHECK(stop.stop.kind == off.stop.kind);
    } else {
      CHECK(stop.stop.kind == StopKind::asked);
      CHECK(stop.machine.now() <= off.machine.now());
    }
  }
}
