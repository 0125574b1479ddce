// E5, E9, E10, E12, E13 of docs/timing.md: when written values are seen.
#include <catch2/catch.hpp>

#include "engine_support.h"

using namespace weft::test;

TEST_CASE("E5 local memory: read, compute, write, then post-modify, offsets are ORed") {
  Bench m;
  auto& state = m.state(0);
  state.contexts[0].lm[0] = 4 * 9;
  state.local_memory[9] = 40;
  state.local_memory[8 | 3] = 7;
  m.program(0, {alu(lm0(0, Post::increment), lm0(), AluOp::add, k(2)), halt()});
  m.go();
  CHECK(state.local_memory[9] == 42);
  CHECK(state.contexts[0].lm[0] == 4 * 10);

  Bench ored;
  ored.state(0).contexts[0].lm[0] = 4 * 9;  // 9 | 2 = 11, not 9 + 2... and 9 | 1 = 9
  ored.state(0).local_memory[11] = 5;
  ored.state(0).local_memory[9] = 6;
  ored.program(0, {move(a(1), lm0(2)), move(a(2), lm0(1)), halt()});
  ored.go();
  CHECK(ored.state(0).a[1] == 5);
  CHECK(ored.state(0).a[2] == 6);
}

TEST_CASE("E5 the transfer index moves once and works on both sides") {
  Bench m;
  auto& state = m.state(0);
  state.t_index = 3 << 2;
  state.s_in[3] = 11;
  state.s_in[4] = 12;
  m.program(0, {move(a(1), s_index(Post::increment)), move(s_index(Post::decrement), s_index()), halt()});
  m.go();
  CHECK(state.a[1] == 11);
  CHECK(state.s_out[4] == 12);
  CHECK(state.t_index == 3 << 2);
}

TEST_CASE("E9 a CSR write is seen after its latency, by reads and operands") {
  for (unsigned between = 0; between < 6; ++between) {
    Bench m;
    m.state(0).s_in[2] = 222;
    std::vector<Instruction> program{csr_wr(Csr::t_index, k(2 << 2))};
    program.insert(program.end(), between, nop());
    program.push_back(move(a(1), s_index()));
    program.push_back(halt());
    m.program(0, program);
    m.go();
    CHECK(m.state(0).a[1] == (between >= 3 ? 222u : 0u));
  }
}

TEST_CASE("E9 CRC_REMAINDER is seen at once, CTX_ENABLES after 8") {
  Bench m;
  Instruction crc = make(InsnId::crc_le);
  crc[Role::crc_type] = static_cast<uint32_t>(weft::isa::CrcType::none);
  crc.right = k(0);
  m.program(0, {csr_wr(Csr::crc_remainder, k(77)), csr_rd(Csr::crc_remainder), immed(a(1), 0), halt()});
  m.go();
  CHECK(m.state(0).a[1] == 77);

  Bench e;
  e.program(0, {immed(a(0), 0x300), csr_wr(Csr::ctx_enables, a(0)), branch(InsnId::br, 2)});
  e.run_until(10 * 9);
  CHECK(e.state(0).contexts[1].state == weft::emulator::ContextState::inactive);
  e.run_until(10 * 40);
  CHECK(e.state(0).contexts[1].state == weft::emulator::ContextState::sleep);
}

TEST_CASE("E10 three instructions still see the old local-memory pointer") {
  Bench m;
  auto& state = m.state(0);
  state.contexts[0].lm[1] = 4 * 1;
  state.local_memory[1] = 100;
  state.local_memory[5] = 500;
  m.program(0, {csr_wr(Csr::active_lm_addr_1, k(4 * 5)), move(a(0), lm1()), move(a(1), lm1()), move(a(2), lm1()),
                move(a(3), lm1()), halt()});
  m.go();
  CHECK(state.a[0] == 100);
  CHECK(state.a[1] == 100);
  CHECK(state.a[2] == 100);
  CHECK(state.a[3] == 500);
}

TEST_CASE("E10 a pointer loaded by cam_lookup is as late") {
  Bench m;
  auto& state = m.state(0);
  state.cam.tag[6] = 1234;
  state.local_memory[0] = 1;
  state.local_memory[0x100 | 6 << 4] = 2;
  Instruction lookup = make(InsnId::cam_lookup);
  lookup.dest = a(0), lookup.left = b(0);
  lookup[Role::lm_select] = 1, lookup[Role::lm_constant] = 1;
  state.b[0] = 1234;
  m.program(0, {lookup, move(a(1), lm0()), nop(), move(a(2), lm0()), move(a(3), lm0()), halt()});
  m.go();
  CHECK(state.a[0] == (1u << 7 | 6u << 3));
  CHECK(state.a[1] == 1);
  CHECK(state.a[2] == 1);
  CHECK(state.a[3] == 2);
}

TEST_CASE("E10 pointers belong to contexts unless CTX_ENABLES makes them global") {
  Bench m;
  m.program(0, {csr_wr(Csr::active_lm_addr_0, k(8)), voluntary(), nop(), nop(), kill()}, 1);
  m.run_until(500);
  CHECK(m.state(0).contexts[0].lm[0] == 8);
  CHECK(m.state(0).contexts[1].lm[0] == 0);

  Bench g;
  g.write_csr(0, Csr::ctx_enables, 1u << 16);
  g.program(0, {csr_wr(Csr::active_lm_addr_0, k(8)), nop(), nop(), nop(), kill()}, 1);
  g.run_until(500);
  CHECK(g.state(0).lm_global[0] == 8);
  CHECK(g.read_csr(0, Csr::active_lm_addr_0, 5) == 8);
}

TEST_CASE("E12 of two local_csr_rd, one straight behind the other, the immed takes the second value") {
  Bench m;
  m.state(0).byte_index = 3;
  m.program(0, {csr_rd(Csr::t_index), csr_rd(Csr::byte_index), immed(a(1), 9), immed(a(2), 9), halt()});
  m.go();
  CHECK(m.state(0).a[1] == 3);
  CHECK(m.state(0).a[2] == 9);
}

TEST_CASE("E12 only the next instruction may take the value of local_csr_rd") {
  Bench m;
  m.state(0).byte_index = 3;
  m.program(0, {csr_rd(Csr::byte_index), immed(a(1), 9), immed(a(2), 9), csr_rd(Csr::byte_index), nop(), immed(a(3), 9),
                halt()});
  m.go();
  CHECK(m.state(0).a[1] == 3);
  CHECK(m.state(0).a[2] == 9);
  CHECK(m.state(0).a[3] == 9);
}

TEST_CASE("E12 ACTIVE_CTX_STS tells context and engine, unassigned CSRs read 0") {
  MachineDescription description;
  Machine m(description);
  m.load(5, encode({csr_rd(Csr::active_ctx_sts), immed(a(1), 9), halt()}));
  m.start(5, 1u << 6);
  m.run_until(1000);
  const uint32_t status = m.state(5).a[16 * 6 + 1];
  CHECK((status & 7) == 6);
  CHECK((status >> 3 & 31) == 0x11);  // the second engine of the second cluster
  CHECK(status >> 31 == 1);
  CHECK(m.read_csr(5, static_cast<Csr>(0x1fc)) == 0);
}

TEST_CASE("E13 a self-mode neighbor register is seen five cycles late") {
  for (unsigned between = 3; between < 8; ++between) {
    Bench m;
    m.write_csr(0, Csr::ctx_enables, 1u << 20);
    std::vector<Instruction> program{immed(n(2), 44)};
    program.insert(program.end(), between, nop());
    program.push_back(move(a(1), n(2)));
    program.push_back(halt());
    m.program(0, program);
    m.go();
    CHECK(m.state(0).a[1] == (between >= 5 ? 44u : 0u));
  }
}

TEST_CASE("E13 the ring between two engines: order, empty, full") {
  Bench m(2);
  // The writer puts 130 words without looking; it notes where NN_FULL became true.
  m.program(0, {br_inp_state(InsnId::br_inp_state, 1, 4), alu(a(1), a(1), AluOp::add, k(1)),
                move(n_index(Post::increment), a(1)), branch(InsnId::br, 0), kill()});
  m.run_until(20000);
  CHECK(m.state(0).a[1] == 128);
  CHECK(m.state(1).nn_count == 128);
  // The reader takes all and finds them in order.
  m.program(1, {br_inp_state(InsnId::br_inp_state, 0, 5), move(a(2), n_index(Post::increment)),
                alu(a(1), a(1), AluOp::xor_, k(1)), alu(b(3), b(3), AluOp::add, a(2)), branch(InsnId::br, 0), halt()});
  CHECK(m.go().engine == 1);
  CHECK(m.state(1).b[3] == 128 * 129 / 2);
  CHECK(m.state(1).a[2] == 128);
  CHECK(m.state(1).nn_count == 0);
}
