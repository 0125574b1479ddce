// DRAM, and the moves between it and the media buffers.
#include "units_support.h"
#include "weft/base/random.h"

using namespace weft::emulator;
using weft::isa::InsnId;

TEST_CASE("U6: DRAM moves quadwords through $$ registers and raises both signals") {
  Bench t;
  for (unsigned i = 0; i < 8; ++i) t.bus.set(i, 0x50 + i, true);
  t.perform(InsnId::dram_write, 0x1000, 4, 0);
  t.perform(InsnId::dram_read, 0x100b, 2, 16);  // low three bits are ignored
  CHECK(t.bus.read(16, true) == 0x52);
  CHECK(t.bus.read(19, true) == 0x55);
  CHECK(t.bus.in.count({0, true, 20}) == 0);
  REQUIRE(t.bus.signals.size() == 2);
  CHECK(t.bus.signals[0].number == 2);
  CHECK(t.bus.signals[1].number == 3);
  CHECK(t.bus.signals[0].at == t.bus.signals[1].at);
}

TEST_CASE("U9: bytes lie in memory as on the wire") {
  Bench t;
  const std::vector<uint8_t> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9};
  t.units.host().write_bytes(MemorySpace::dram, 0x21, bytes);
  CHECK(t.units.host().read(MemorySpace::dram, 0x20) == 0x00010203);
  CHECK(t.units.host().read(MemorySpace::dram, 0x24) == 0x04050607);
  std::vector<uint8_t> back(9);
  t.units.host().read_bytes(MemorySpace::dram, 0x21, back);
  CHECK(back == bytes);
}

TEST_CASE("D4: tbuf_wr takes the buffer address from the indirect word") {
  Bench t;
  for (uint32_t i = 0; i < 32; ++i) t.units.host().write(MemorySpace::dram, 0x4000 + 4 * i, 0xd000 + i);
  Command c = Bench::make(InsnId::dram_tbuf_wr, 0x4000, 16);
  c.indirect = true;
  c.indirect_word = 1u << 18 | 3u << 11 | 1u << 4;  // element 3 of 64 bytes
  t.perform(c);
  CHECK(t.bus.signals.size() == 2);
  CHECK(t.view("dram").counters.faults == 0);
  for (uint32_t i = 0; i < 32; ++i) CHECK(t.units.host().read_tbuf(3 * 64 + 4 * i) == 0xd000 + i);
  CHECK(t.units.host().read_tbuf(3 * 64 - 4) == 0);
  CHECK(t.units.host().read_tbuf(5 * 64) == 0);
  c.indirect_word = 1u << 18 | 3u << 11;  // no buffer address
  t.perform(c);
  CHECK(t.view("dram").counters.faults == 1);
  CHECK(t.view("dram").last_fault.find("indirect") != std::string::npos);
}

TEST_CASE("bytes of any place and length are written as one by one, and copies keep theirs") {
  constexpr uint64_t kPage = 4 * PagedMemory::kPageLongwords, kBytes = 8 * kPage;
  weft::Random random(9);
  PagedMemory memory(kBytes);
  if (GENERATE(false, true)) memory.keep_index();
  std::vector<uint8_t> model(kBytes);
  std::vector<std::pair<PagedMemory, std::vector<uint8_t>>> copies;
  const auto same = [](const PagedMemory& m, const std::vector<uint8_t>& wanted) {
    for (uint64_t at = 0; at < kBytes; at += 4) {
      const uint32_t value = m.read(at);
      for (unsigned i = 0; i < 4; ++i)
        if ((value >> (24 - 8 * i) & 0xff) != wanted[at + i]) return false;
    }
    return true;
  };
  for (int i = 0; i < 400; ++i) {
    if (i % 100 == 50) copies.emplace_back(memory, model);
    // Around the end of a page, and of the memory: what lies behind it is ignored.
    const uint64_t at = kPage * random.below(9) + random.below(600) - std::min<uint64_t>(300, kPage);
    std::vector<uint8_t> bytes(random.below(700));
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.below(3));
    if (at >= kBytes) continue;
    memory.write_bytes(at, bytes);
    for (size_t k = 0; k < bytes.size() && at + k < kBytes; ++k) model[at + k] = bytes[k];
  }
  CHECK(same(memory, model));
  memory.write_longwords(kBytes, nullptr, 0);
  memory.read_longwords(kBytes, nullptr, 0);
  REQUIRE(copies.size() == 4);
  for (const auto& [copy, wanted] : copies) CHECK(same(copy, wanted));
}

TEST_CASE("copies of a memory are what they were, however they are written afterwards") {
  // Over several tables of pages, against maps.
  constexpr uint64_t kBytes = 32u << 20;
  weft::Random random(5);
  std::vector<std::pair<PagedMemory, std::map<uint64_t, uint32_t>>> all;
  all.emplace_back(PagedMemory(kBytes), std::map<uint64_t, uint32_t>{});
  for (int i = 0; i < 3000; ++i) {
    if (random.chance(1, 80)) all[random.below(all.size())].first.keep_index();
    if (random.chance(1, 100)) {
      const auto copy = all[random.below(all.size())];
      if (all.size() < 12)
        all.push_back(copy);
      else
        all[random.below(all.size())] = copy;
    }
    auto& [memory, model] = all[random.below(all.size())];
    const uint64_t address = random.below(64) * (kBytes / 64) + 4 * random.below(3);
    const auto value = static_cast<uint32_t>(random.below(3));
    memory.write(address, value);
    model[address] = value;
    uint32_t three[3];
    memory.read_longwords(address & ~0xfu, three, 3);
    for (uint64_t k = 0; k < 3; ++k) {
      const auto word = model.find((address & ~0xfu) + 4 * k);
      REQUIRE(three[k] == (word == model.end() ? 0 : word->second));
    }
  }
  for (const auto& [memory, model] : all) {
    for (const auto& [address, value] : model) REQUIRE(memory.read(address) == value);
    std::map<uint64_t, uint32_t> seen;
    memory.for_each_page([&](uint64_t first, std::span<const uint32_t> words) {
      for (size_t i = 0; i < words.size(); ++i)
        if (words[i] != 0) seen[first + 4 * i] = words[i];
    });
    std::map<uint64_t, uint32_t> wanted = model;
    std::erase_if(wanted, [](const auto& word) { return word.second == 0; });
    CHECK(seen == wanted);
  }
}

TEST_CASE("memory pages are shared by copies until one is written") {
  PagedMemory a(1 << 20);
  a.write(0x100, 7);
  a.write(0x80000, 9);
  PagedMemory b = a;
  b.write(0x100, 8);
  CHECK(a.read(0x100) == 7);
  CHECK(b.read(0x100) == 8);
  CHECK(b.read(0x80000) == 9);
  CHECK(a.read(1 << 20) == 0);
  a.write(1 << 20, 1);
  CHECK(a.contains((1 << 20) - 4));
  CHECK_FALSE(a.contains((1 << 20) - 4, 8));
}
