// Linking: placement, imports, patched words, initial values.
#include "weft/image/link.h"

#include <catch2/catch.hpp>

using namespace weft;
using image::Image;
using image::ImportUse;
using image::LinkInput;
using image::MemoryBlock;
using image::Region;

namespace {

constexpr uint64_t kImmedA5 = 0xf0000c0005;    // immed[a5, 0]       (isa.md 4.1: f0000cc005 is immed[a5, 0x30])
constexpr uint64_t kImmedW1A5 = 0xf4400c0005;  // immed_w1[a5, 0]    (f4440c0005 is immed_w1[a5, 0x4000])
constexpr uint64_t kHalt = 0xe000020000;

Image program(std::string name) {
  Image i;
  i.name = std::move(name);
  i.words = {kImmedA5, kImmedW1A5, kHalt};
  i.files = {"p.uc"};
  i.lines = {{{0, 1, 1}, {}}, {{0, 2, 1}, {}}, {{0, 3, 1}, {}}};
  return i;
}

LinkInput input(const Image& image, std::vector<unsigned> engines) {
  LinkInput in;
  in.programs.push_back({&image, std::move(engines)});
  return in;
}

std::string first_code(const Result<image::Linked>& r) { return r ? "" : r.error().list().front().code; }

}  // namespace

TEST_CASE("halves of an import variable go into immed and immed_w1") {
  Image p = program("p");
  p.imports = {"i$base"};
  p.uses = {{"i$base", 0, ImportUse::Part::low16, 0}, {"i$base", 1, ImportUse::Part::high16, 0}};
  LinkInput in = input(p, {2});
  in.constants["base"] = 0x40000030;
  const auto r = image::link(in);
  REQUIRE(r);
  REQUIRE(r->programs.size() == 1);
  CHECK(r->programs[0].engine == 2);
  // Words of isa.md 4.1, made by the vendor's assembler.
  CHECK(r->programs[0].words[0] == 0xf0000cc005);
  CHECK(r->programs[0].words[1] == 0xf4440c0005);
  CHECK(r->programs[0].words[2] == kHalt);
  CHECK(p.words[0] == kImmedA5);
}

TEST_CASE("the addend is part of the sum before it is halved") {
  Image p = program("p");
  p.uses = {{"i$base", 0, ImportUse::Part::low16, 0x31}, {"i$base", 1, ImportUse::Part::high16, 0x31}};
  LinkInput in = input(p, {0});
  in.constants["base"] = 0x3fffffff;
  const auto r = image::link(in);
  REQUIRE(r);
  CHECK(r->programs[0].words[0] == 0xf0000cc005);
  CHECK(r->programs[0].words[1] == 0xf4440c0005);
}

TEST_CASE("a value that is too wide, or missing, is an error at its line") {
  Image p = program("p");
  p.uses = {{"i$base", 1, ImportUse::Part::whole16, 0}};
  LinkInput in = input(p, {0});
  auto r = image::link(in);
  REQUIRE_FALSE(r);
  CHECK(first_code(r) == "link-unresolved-import");
  CHECK(r.error().list()[0].range.begin.line == 2);
  CHECK(r.error().list()[0].range.file->name() == "p.uc");

  in.constants["basis"] = 1;
  r = image::link(in);
  REQUIRE_FALSE(r);
  CHECK(r.error().list()[0].remedy.find("basis") != std::string::npos);

  in.constants["base"] = 0x10000;
  CHECK(first_code(image::link(in)) == "link-import-too-wide");
  in.constants["base"] = 0xffff;
  CHECK(image::link(in));
}

TEST_CASE("only an immed can take an import") {
  Image p = program("p");
  p.uses = {{"i$base", 2, ImportUse::Part::low16, 0}};
  LinkInput in = input(p, {0});
  in.constants["base"] = 1;
  CHECK(first_code(image::link(in)) == "link-bad-use");
}

TEST_CASE("blocks are placed apart, aligned, within their spaces") {
  Image p = program("p");
  p.memory = {{"small", Region::sram0, false, 6, 4, std::nullopt},
              {"wide", Region::sram0, false, 0x100, 0x100, std::nullopt},
              {"shared", Region::sram0, true, 0x40, 4, std::nullopt},
              {"ring", Region::scratch, false, 0x200, 0x200, std::nullopt}};
  LinkInput in = input(p, {0, 1, 3});
  in.spaces = {{Region::sram0, 0x1004, 0x1100}, {Region::sram0, 0x2000, 0x4000}, {Region::scratch, 0x100, 0x1000}};
  const auto r = image::link(in);
  REQUIRE(r);
  CHECK(r->placements.size() == 3 * 3 + 1);
  for (const auto& a : r->placements) {
    const uint64_t align = a.name == "wide" ? 0x100 : a.name == "ring" ? 0x200 : 4;
    CHECK(a.address % align == 0);
    bool inside = false;
    for (const auto& s : in.spaces) {
      inside = inside || (s.region == a.region && s.begin <= a.address && a.address + a.size <= s.end);
    }
    CHECK(inside);
    for (const auto& b : r->placements) {
      if (&a == &b || a.region != b.region) continue;
      CHECK((a.address + a.size <= b.address || b.address + b.size <= a.address));
    }
  }
}

TEST_CASE("a global block is one for all programs, and they must agree about it") {
  Image p = program("p"), q = program("q");
  p.memory = {{"shared", Region::sram0, true, 0x40, 4, std::nullopt}};
  q.memory = p.memory;
  p.uses = q.uses = {{"shared", 0, ImportUse::Part::whole16, 0}};
  LinkInput in = input(p, {0});
  in.programs.push_back({&q, {1}});
  in.spaces = {{Region::sram0, 0x30, 0x1000}};
  auto r = image::link(in);
  REQUIRE(r);
  REQUIRE(r->placements.size() == 1);
  CHECK(r->placements[0].engine == -1);
  CHECK(r->programs[0].words[0] == 0xf0000cc005);
  CHECK(r->programs[1].words[0] == 0xf0000cc005);
  q.memory[0].size = 0x80;
  CHECK(first_code(image::link(in)) == "link-block-differs");
}

TEST_CASE("each engine has its own copy of a local block, and its own local memory") {
  Image p = program("p");
  p.memory = {{"own", Region::sram0, false, 0x10, 4, std::nullopt},
              {"lm", Region::local, false, 0x20, 4, std::nullopt}};
  p.uses = {{"own", 0, ImportUse::Part::whole16, 0}};
  p.inits = {{"own", 4, -1, {9}}, {"lm", 8, -1, {5, 6}}};
  LinkInput in = input(p, {0, 1});
  in.spaces = {{Region::sram0, 0x30, 0x1000}};
  const auto r = image::link(in);
  REQUIRE(r);
  CHECK(r->programs[0].words[0] == 0xf0000cc005);
  CHECK(r->programs[1].words[0] != r->programs[0].words[0]);
  REQUIRE(r->memory.size() == 4);
  for (const auto& write : r->memory) {
    if (write.region == Region::local) {
      CHECK(write.address == 8);  // both begin at 0 of their own memory
      CHECK(write.values == std::vector<uint32_t>{5, 6});
      CHECK(write.engine >= 0);
    }
  }
}

TEST_CASE("memory that is too small is an error with the numbers") {
  Image p = program("p");
  p.memory = {{"big", Region::scratch, false, 0x1001, 4, std::nullopt}};
  LinkInput in = input(p, {0});
  in.spaces = {{Region::scratch, 0, 0x1000}};
  const auto r = image::link(in);
  REQUIRE_FALSE(r);
  CHECK(first_code(r) == "link-no-room");
  CHECK(r.error().list()[0].text.find("4097") != std::string::npos);
  CHECK(r.error().list()[0].text.find("4096") != std::string::npos);
  in.spaces.clear();
  CHECK(first_code(image::link(in)) == "link-no-room");
}

TEST_CASE("a memory block without room is one error, however it is used") {
  Image p = program("p");
  p.memory = {{"m", Region::scratch, false, 64, 4, std::nullopt}};
  p.uses = {{"m", 0, ImportUse::Part::low16, 0}, {"m", 1, ImportUse::Part::high16, 0}};
  p.inits = {{"m", 0, -1, {1}}};
  const auto r = image::link(input(p, {0}));
  REQUIRE_FALSE(r);
  CHECK(r.error().size() == 1);
  CHECK(first_code(r) == "link-no-room");
}

TEST_CASE("initial values reach memory and the first life of a register") {
  Image p = program("p");
  p.registers = {{"x", image::RegisterKind::gpr, isa::Bank::b, 3, 0, 2},
                 {"x", image::RegisterKind::gpr, isa::Bank::a, 4, 2, 3},
                 {"@y", image::RegisterKind::gpr_absolute, isa::Bank::a, 16, 0, 3},
                 {"v[0]", image::RegisterKind::gpr, isa::Bank::a, 1, 0, 3},
                 {"v[1]", image::RegisterKind::gpr, isa::Bank::b, 7, 0, 3}};
  p.memory = {{"table", Region::dram, true, 64, 8, std::nullopt}};
  p.inits = {{"table", 8, -1, {1, 2, 3}}, {"x", 0, 5, {42}}, {"@y", 0, -1, {43}}, {"v", 0, -1, {44, 45}}};
  LinkInput in = input(p, {0, 1});
  in.spaces = {{Region::dram, 0x1000, 0x2000}};
  const auto r = image::link(in);
  REQUIRE(r);
  REQUIRE(r->memory.size() == 1);  // global: once
  CHECK(r->memory[0].address == 0x1008);
  CHECK(r->memory[0].values == std::vector<uint32_t>{1, 2, 3});
  const auto& registers = r->programs[1].registers;
  REQUIRE(registers.size() == 4);
  CHECK(registers[0].bank == isa::Bank::b);
  CHECK(registers[0].number == 3);
  CHECK(registers[0].context == 5);
  CHECK(registers[0].value == 42);
  CHECK(registers[1].kind == image::RegisterKind::gpr_absolute);
  CHECK(registers[1].context == -1);
  CHECK(registers[2].value == 44);
  CHECK(registers[3].number == 7);
  CHECK(registers[3].value == 45);

  p.inits = {{"table", 60, -1, {1, 2}}};
  CHECK(first_code(image::link(in)) == "link-init-outside");
  p.inits = {{"nobody", 0, -1, {1}}};
  CHECK(first_code(image::link(in)) == "link-init-unknown");
}

TEST_CASE("an engine takes one program") {
  const Image p = program("p"), q = program("q");
  LinkInput in = input(p, {0, 1});
  in.programs.push_back({&q, {1}});
  CHECK(first_code(image::link(in)) == "link-engine-twice");
}

TEST_CASE("a program can learn the number of its engine") {
  Image p = program("p");
  p.uses = {{"i$__UENGINE_ID", 0, ImportUse::Part::whole16, 0}};
  p.chip = "a-study";  // the name of the chip says nothing
  LinkInput in = input(p, {5});
  in.engine_numbers = {0, 1, 2, 3, 0x10, 0x11, 0x12, 0x13};  // isa.md 2.3, an IXP2400
  const auto r = image::link(in);
  REQUIRE(r);
  const auto insn = isa::decode(isa::Profile::me2, r->programs[0].words[0]);
  REQUIRE(insn);
  CHECK((*insn)[isa::Role::value] == 0x11);
}

TEST_CASE("blocks at fixed addresses stand there, and others go around them") {
  Image p = program("p");
  MemoryBlock fixed{"fixed", Region::scratch, true, 16, 4, 0x108},
      free{"free", Region::scratch, false, 12, 4, std::nullopt};
  p.memory = {free, fixed, MemoryBlock{"more", Region::scratch, false, 4, 4, std::nullopt}};
  LinkInput in = input(p, {0});
  in.spaces = {{Region::scratch, 0x100, 0x200}};
  const auto r = image::link(in);
  REQUIRE(r);
  std::map<std::string, uint64_t> at;
  for (const image::Placement& block : r->placements) at[block.name] = block.address;
  CHECK(at["fixed"] == 0x108);
  CHECK(at["free"] == 0x118);  // 12 bytes do not fit between 0x100 and 0x108
  CHECK(at["more"] == 0x124);
}

TEST_CASE("a fixed address needs no space of the project") {
  Image p = program("p");
  p.memory = {MemoryBlock{"m", Region::dram, true, 64, 8, 0x1000}};
  p.inits = {{"m", 8, -1, {5}}};
  const auto r = image::link(input(p, {3}));
  REQUIRE(r);
  REQUIRE(r->memory.size() == 1);
  CHECK(r->memory[0].address == 0x1008);
}

TEST_CASE("fixed blocks that lie over each other are an error") {
  Image p = program("p");
  p.memory = {MemoryBlock{"m", Region::sram0, true, 64, 4, 0x40}, MemoryBlock{"n", Region::sram0, true, 4, 4, 0x7c}};
  CHECK(first_code(image::link(input(p, {0}))) == "link-blocks-overlap");
  p.memory[1].address = 0x80;
  CHECK(image::link(input(p, {0})));
  p.memory[1].region = Region::sram1;
  p.memory[1].address = 0x40;
  CHECK(image::link(input(p, {0})));
  // A block that is not global is one per microengine: two of them cannot have one address.
  p.memory = {MemoryBlock{"m", Region::sram0, false, 64, 4, 0x40}};
  CHECK(first_code(image::link(input(p, {0, 1}))) == "link-blocks-overlap");
  p.memory[0].region = Region::local;
  CHECK(image::link(input(p, {0, 1})));
  p.memory[0].address = 2560 - 60;
  CHECK(first_code(image::link(input(p, {0}))) == "link-no-room");
}
