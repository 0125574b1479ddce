// The hash unit against values computed elsewhere and against long division on digit strings; CAP and PCI.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

// Schoolbook arithmetic on polynomials written as strings of '0' and '1', highest power first.
std::string digits(const std::array<uint32_t, 4>& words, unsigned width) {
  std::string out;
  for (unsigned n = width; n-- > 0;) out += (words[n / 32] >> (n % 32) & 1) != 0 ? '1' : '0';
  return out;
}

std::string multiply(const std::string& a, const std::string& b) {
  std::string out(a.size() + b.size() - 1, '0');
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < b.size(); ++k)
      if (a[i] == '1' && b[k] == '1') out[i + k] = out[i + k] == '1' ? '0' : '1';
  return out;
}

std::string divide(std::string value, const std::string& by) {
  for (size_t i = 0; i + by.size() <= value.size(); ++i)
    if (value[i] == '1')
      for (size_t k = 0; k < by.size(); ++k)
        if (by[k] == '1') value[i + k] = value[i + k] == '1' ? '0' : '1';
  return value.substr(value.size() - by.size() + 1);
}

std::string modulus(unsigned width) {
  std::string out(width + 1, '0');
  const auto set = [&](unsigned power) { out[width - power] = '1'; };
  set(width);
  set(0);
  if (width == 48) set(36), set(25), set(10);
  if (width == 64) set(54), set(35), set(17);
  if (width == 128) set(98), set(69), set(33);
  return out;
}

struct Kind {
  unsigned width;
  InsnId op;
  unsigned words, csr;
};
constexpr Kind kKinds[] = {
    {48, InsnId::hash_48, 2, 0x4900}, {64, InsnId::hash_64, 2, 0x4908}, {128, InsnId::hash_128, 4, 0x4910}};

const Kind& kind(unsigned width) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return k.width == width; });
}

}  // namespace

TEST_CASE("H1: hashes have the values that independent arithmetic gives") {
  struct Row {
    unsigned width;
    std::array<uint32_t, 4> a, m, result;
  };
  // Computed with carry-less products of big integers, outside this project's code.
  const Row rows[] = {
      {48, {0x9f767c45, 0x00004164, 0, 0}, {0xbde5c099, 0x00005bc8, 0, 0}, {0x289fb604, 0x00007bf7, 0, 0}},
      {48, {0xcb91ce37, 0x0000b0c1, 0, 0}, {0xf1446bea, 0x0000d76d, 0, 0}, {0x0d29c46d, 0x0000cf17, 0, 0}},
      {48, {0xbd69fe29, 0x0000a6eb, 0, 0}, {0xec1d7da0, 0x000087b0, 0, 0}, {0xf11a9fb6, 0x000039a1, 0, 0}},
      {64, {0x076ce2ef, 0xd7210dff, 0, 0}, {0x77330bdb, 0xc6a53877, 0, 0}, {0x129ffe5a, 0x0ff589d1, 0, 0}},
      {64, {0xf17fd374, 0x3fc1ea36, 0, 0}, {0xa6233255, 0x0d464138, 0, 0}, {0xa1d52961, 0xf706a4da, 0, 0}},
      {64, {0xe6a16a3b, 0x2827688d, 0, 0}, {0x1cfb10f6, 0x5f2dd97f, 0, 0}, {0x8ba1efd9, 0x9de48c05, 0, 0}},
      {128,
       {0x7814e8a2, 0xde527100, 0x3f1f65a8, 0x617959ce},
       {0x8b33e968, 0x1a1afe87, 0x92edcf45, 0x3fd42359},
       {0xe2404419, 0x70fe202d, 0x9e793c6e, 0x81c1d523}},
      {128,
       {0x035b7399, 0xbb2edb20, 0x377b9aa2, 0x687c966c},
       {0x478c281d, 0x2e9c82b1, 0xea959c21, 0xde11cc9d},
       {0x20c16d87, 0xe79ae38e, 0xc2920c39, 0x5af33c7f}},
      {128,
       {0xc4069545, 0x63b229f1, 0x28dbd25e, 0xc30d8b76},
       {0xcc11d357, 0x126a1e48, 0x238642ea, 0x9e30691c},
       {0x166eba78, 0x1909f449, 0xca079f34, 0xbc91591a}},
  };
  for (const Row& row : rows) {
    const Kind& k = kind(row.width);
    Bench t;
    for (unsigned i = 0; i < k.words; ++i) {
      t.units.host().write_cap(k.csr + 4 * i, row.m[i]);
      t.bus.set(4 + i, row.a[i]);
    }
    t.perform(k.op, 0, 1, 4);
    for (unsigned i = 0; i < k.words; ++i) CHECK(t.bus.read(4 + i) == row.result[i]);
  }
}

TEST_CASE("H1: three hashes in one command agree with long division, for many operands") {
  uint32_t random = 12345;
  const auto next = [&] { return random = random * 1664525 + 1013904223; };
  for (unsigned round = 0; round < 60; ++round) {
    const Kind& k = kKinds[round % 3];
    Bench t;
    std::array<uint32_t, 4> m{};
    for (unsigned i = 0; i < k.words; ++i) t.units.host().write_cap(k.csr + 4 * i, m[i] = next());
    std::array<std::array<uint32_t, 4>, 3> a{};
    for (unsigned h = 0; h < 3; ++h)
      for (unsigned i = 0; i < k.words; ++i) t.bus.set(h * k.words + i, a[h][i] = next());
    t.perform(k.op, 0, 3, 0);
    for (unsigned h = 0; h < 3; ++h) {
      std::array<uint32_t, 4> result{};
      for (unsigned i = 0; i < k.words; ++i) result[i] = t.bus.read(h * k.words + i);
      const std::string want = divide(multiply(digits(a[h], k.width), digits(m, k.width)), modulus(k.width));
      CHECK(digits(result, k.width) == want);
      if (k.width == 48) CHECK((result[1] >> 16) == 0);
    }
  }
}

TEST_CASE("H1, H2: multipliers by command, interrupts, interthread signals, unknown registers") {
  Bench t;
  Command c = Bench::make(InsnId::cap_write, 0, 2, 0);
  c.csr = 0x4900;
  t.bus.set(0, 0x1234);
  t.bus.set(1, 0x5678);
  t.perform(c);
  CHECK(t.units.host().read_cap(0x4900) == 0x1234);
  c = Bench::make(InsnId::cap_read, 0, 2, 8);
  c.csr = 0x4900;
  t.perform(c);
  CHECK(t.bus.read(9) == 0x5678);

  c = Bench::make(InsnId::cap_fast_wr, 0);
  c.csr = 0x4b20;
  c.from = {1, 3};
  t.perform(c);
  CHECK(t.bus.signals.empty());
  CHECK(t.units.host().interrupts(0) == uint64_t{1} << 11);
  CHECK(t.units.host().take_interrupts(0) == uint64_t{1} << 11);
  CHECK(t.units.host().interrupts(0) == 0);

  c.csr = 0x4b28;
  c.data = 2u << 7 | 5u << 4 | 9;
  t.perform(c);
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{2, 5});
  CHECK(t.bus.signals[0].number == 9);

  CHECK(t.view("cap").counters.faults == 0);
  c.data = 8u << 7 | 5u << 4 | 9;
  t.perform(c);
  CHECK(t.view("cap").last_fault == "INTERTHREAD_SIG = 0x459: there is no engine 8");
  CHECK(t.bus.signals.empty());
  c.data = 2u << 7 | 5u << 4;
  t.perform(c);
  CHECK(t.view("cap").last_fault == "INTERTHREAD_SIG = 0x150: signal 0 is none");
  CHECK(t.bus.signals.empty());
  CHECK(t.view("cap").counters.faults == 2);
  c.csr = 0x1230;
  t.perform(c);
  CHECK(t.view("cap").counters.faults == 3);
}

TEST_CASE("H3: the reflector moves transfer registers between engines") {
  Bench t;
  t.bus.set(7, 0xcafe, false, 5);
  t.perform(InsnId::cap_calc_read, 1u << 31 | 5u << 10 | 7u << 2, 1, 3);
  CHECK(t.bus.read(3) == 0xcafe);
  t.bus.set(4, 0xbeef);
  t.perform(InsnId::cap_calc_write, 1u << 31 | 6u << 10 | 9u << 2, 1, 4);
  CHECK(t.bus.read(9, false, 6) == 0xbeef);
}

TEST_CASE("U8: PCI is refused without leaving the context asleep") {
  Bench t;
  CHECK(t.perform(InsnId::pci_read, 0x100, 1, 0) > 0);
  CHECK(t.bus.read(0) == 0);
  CHECK(t.view("pci").counters.faults == 1);
}
