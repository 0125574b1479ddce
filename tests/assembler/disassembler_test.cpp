// Words to text and back.
#include <catch2/catch.hpp>

#include "weft/assembler/assembler.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/image/link.h"

using namespace weft;
using namespace weft::assembler;

namespace {

std::vector<uint64_t> reassemble(const std::string& text) {
  Options options;
  options.control_store = 100'000;
  const Assembly a = assemble(make_source("dis.uc", text), options);
  INFO(render_text(a.diagnostics).substr(0, 3000));
  CHECK_FALSE(a.diagnostics.has_errors());
  return a.image ? a.image->words : std::vector<uint64_t>{};
}

void compare(const std::vector<uint64_t>& before) {
  const std::string text = disassemble(isa::Profile::me2, before);
  const std::vector<uint64_t> after = reassemble(text);
  REQUIRE(after.size() == before.size());
  for (size_t i = 0; i < before.size(); ++i) {
    CAPTURE(i, before[i], after[i]);
    REQUIRE(after[i] == before[i]);
  }
}

constexpr uint64_t kHalt = 0xe000020000;

image::Image assembled(const std::string& text) {
  Assembly a = assemble(make_source("linked.uc", text), Options{});
  INFO(text << render_text(a.diagnostics).substr(0, 3000));
  REQUIRE(a.image);
  return std::move(*a.image);
}

/// What the engine starts with: words, registers, memory.
std::vector<std::string> loaded(const image::Image& image) {
  image::LinkInput input;
  input.programs.push_back({&image, {1}});
  input.engine_numbers = {0, 0x12};
  input.spaces = {{image::Region::sram0, 0x1000, 0x2000}};
  input.constants["limit"] = 0x1234;
  const auto linked = image::link(input);
  INFO((linked ? std::string() : render_text(linked.error())));
  REQUIRE(linked.has_value());
  std::vector<std::string> out;
  for (const uint64_t word : linked->programs.at(0).words) out.push_back(std::to_string(word));
  const auto add = [&](std::initializer_list<uint64_t> numbers) {
    std::string line;
    for (const uint64_t number : numbers) line += std::to_string(number) + " ";
    out.push_back(line);
  };
  for (const image::RegisterWrite& r : linked->programs.at(0).registers)
    add({static_cast<uint64_t>(r.kind), static_cast<uint64_t>(r.bank), r.number, static_cast<uint32_t>(r.context),
         r.value});
  for (const image::MemoryWrite& m : linked->memory)
    for (const uint32_t value : m.values) add({static_cast<uint64_t>(m.region), m.address, value});
  return out;
}

/// Whatever the word says, as the canonical word of the same reading; nothing when it has none.
std::optional<uint64_t> canonical(uint64_t word) {
  const auto insn = isa::decode(isa::Profile::me2, word);
  if (!insn) return std::nullopt;
  const auto again = isa::encode(isa::Profile::me2, *insn);
  if (!again || !isa::is_canonical(isa::Profile::me2, *again)) return std::nullopt;
  return *again;
}

}  // namespace

TEST_CASE("the text begins with its mode and names targets by labels") {
  // beq to word 2; br to word 0; halt. Words made by the formats of isa.md 3.7.
  const std::vector<uint64_t> words = {0xd800800100, 0xd800000018, kHalt};
  const std::string text = disassemble(isa::Profile::me2, words);
  CHECK(text.starts_with(".registers physical\n"));
  CHECK(text.find("l0#:") != std::string::npos);
  CHECK(text.find("l2#:") != std::string::npos);
  CHECK(text.find("beq[l2#]") != std::string::npos);
  CHECK(text.find("br[l0#]") != std::string::npos);
  CHECK(text.find("halt") != std::string::npos);
}

TEST_CASE("words that no instruction makes stand as .word") {
  const uint64_t hole = 0x3800000000;  // bits 39:32 = 00111000: not assigned (isa.md 3.1)
  const std::string text = disassemble(isa::Profile::me2, {hole, kHalt});
  CHECK(text.find(".word 0x3800000000") != std::string::npos);
  // A nop with a reserved bit is readable, but not what the assembler writes.
  const std::string odd = disassemble(isa::Profile::me2, {0xf1000c0300, kHalt});
  CHECK(odd.find(".word 0xf1000c0300  ; nop") != std::string::npos);
  compare({hole, 0xf1000c0300, kHalt});
}

TEST_CASE("words with registers of four contexts say so") {
  const uint64_t a16 = 0xf0000c0410;  // immed[a16, 1]
  const std::string text = disassemble(isa::Profile::me2, {a16, kHalt});
  CHECK(text.starts_with(".registers physical\n.num_contexts 4\n"));
  compare({a16, kHalt});
  // An Image of eight contexts has no such register.
  image::Image image;
  image.words = {a16, kHalt};
  CHECK(disassemble(image).find(".word 0xf0000c0410  ; immed[a16") != std::string::npos);
}

TEST_CASE("words of commands that run past the registers of a context") {
  const auto command = [](uint32_t first) {
    isa::Instruction insn;
    insn.id = isa::InsnId::sram_read;
    insn.xfer.kind = isa::OperandKind::xfer_s;
    insn.xfer.value = first;
    insn.left.kind = insn.right.kind = isa::OperandKind::gpr;
    insn.left.bank = isa::Bank::a;
    insn.right.bank = isa::Bank::b;
    insn[isa::Role::count] = 4;
    const auto word = isa::encode(isa::Profile::me2, insn);
    REQUIRE(word.has_value());
    return *word;
  };
  // $13 to $16 are registers of one of four contexts, $30 to $33 of none.
  CHECK(disassemble(isa::Profile::me2, {command(13), kHalt}).starts_with(".registers physical\n.num_contexts 4\n"));
  CHECK_FALSE(disassemble(isa::Profile::me2, {command(12), kHalt}).starts_with(".registers physical\n.num"));
  CHECK(disassemble(isa::Profile::me2, {command(30), kHalt}).find(".word 0x") != std::string::npos);
  for (const uint32_t first : {12U, 13U, 28U, 30U}) compare({command(first), kHalt});
  image::Image image;
  image.words = {command(13), kHalt};
  CHECK(disassemble(image).find(".word 0x") != std::string::npos);
}

TEST_CASE("what the linker puts into a program survives the way through text") {
  const image::Image image = assembled(R"(.import_var i$limit
.alloc_mem table sram0 global 64 8
.alloc_mem fixed scratch+0x100 local 16
.init table+8 1 2 0xffffffff
.init fixed 3
.reg total list[2] @all base me
.reg write $out
.reg read $in
.sig s
.init total 5
.init_ctx 3 total 7
.init list 10 11
.init @all 9
.init $in 12
immed[base, (table & 0xffff)]
immed_w1[base, (table >> 16)]
alu[total, total, +, list[0]]
alu[total, total, +, list[1]]
alu[total, total, +, $in]
alu[me, --, B, @all]
alu[total, total, +, me]
immed_w0[list[0], (i$limit + 4)]
immed_w1[list[0], ((i$limit + 4) >> 16)]
alu[total, total, +, list[0]]
immed[list[1], (i$limit - 1)]
alu[total, total, +, list[1]]
immed[me, (__MEID)]
alu[$out, total, +, me]
scratch[write, $out, base, 0, 1], ctx_swap[s]
ctx_arb[kill]
)");
  const std::string text = disassemble(image);
  INFO(text);
  for (const char* line :
       {".import_var i$limit\n", ".alloc_mem table sram0 global 64 8\n", ".alloc_mem fixed scratch+0x100 local 16 4\n",
        ".init table+8 1 2 4294967295\n", "  ; @all\n", ", (table & 0xffff)]\n", ", table]\n", ", (i$limit + 4)]\n",
        ", (i$limit - 1)]\n", ", i$__meid]\n"})
    CHECK(text.find(line) != std::string::npos);
  const image::Image again = assembled(text);
  CHECK(again.words == image.words);
  CHECK(again.imports == image.imports);
  REQUIRE(again.uses.size() == image.uses.size());
  for (size_t i = 0; i < image.uses.size(); ++i) {
    CHECK(again.uses[i].name == image.uses[i].name);
    CHECK(again.uses[i].address == image.uses[i].address);
    CHECK(again.uses[i].part == image.uses[i].part);
    CHECK(again.uses[i].addend == image.uses[i].addend);
  }
  CHECK(loaded(again) == loaded(image));
}

TEST_CASE("what of an Image is no text is a comment") {
  image::Image image;
  image.words = {kHalt};
  image.imports = {"limit\n.end"};
  image.inits = {{"gone", 0, -1, {3}}};
  image.uses = {{"i$limit", 0, image::ImportUse::Part::low16, 0}};
  const std::string text = disassemble(image);
  INFO(text);
  CHECK(text.find("; an import variable with the name 'limit\\n.end'\n") != std::string::npos);
  CHECK(text.find("; the initial value 3 of 'gone' has no register at the start\n") != std::string::npos);
  CHECK(text.find("halt  ; the linker puts 'i$limit' here\n") != std::string::npos);
  CHECK(assembled(text).words == image.words);
}

TEST_CASE("public words survive the way through text") {
  // isa.md 4.1 and 4.2; branches and what must follow something are tested in programs of their own.
  compare({0xf0000c0300, 0xb440f03b1f, 0xf0000cc005, 0xb0c0300f01, 0xf4440c0005, 0xa470000f20, 0xf000003b00,
           0xa4300c0406, 0xf000000f40, 0xac40602600, 0xf0000c0402, 0xac20002806, 0xf0000c0200, 0xa0601c0001,
           0xf00ff033ff, 0xa000080400, 0xf001801f00, 0xaaf0001401, 0xf0000c0080, 0xaab0000f40, 0xf000028300,
           0xba80420180, 0xf0000c0181, 0xb0c9024301, 0xfc044c0000, 0xf0000c0402, 0xb0406c00a0, 0xfc06600b00,
           0xf0000c0300, 0xaa002c0802, 0xfc10ac2308, 0xa4180c7d80, 0xfc10ae2388, 0xaaf00d8080, 0x8ac0503e05,
           0x84f2020121, 0x9ae0003e05, 0x81f2020100, 0x91b0200e00, 0x8ae2081e21, 0x848202013b, 0x9b007a9204,
           0x9500c601ff, 0x8b88081e02, 0x85804201ff, 0xe000000010, 0xe000000030, 0x1940100420, 0x1a40000424,
           0x0042108002, 0x014200a002, 0x0044008080, 0x3c400004e0, 0x3d00040320, 0x3d42001c20, 0xaaf0001401,
           0x6a4e001300, 0xaaf0001401, 0x6b4e008303, 0x3300012f20, 0xf0400c0000, 0xf040000300, 0xf4400c0000,
           0xf440000300, 0xf000400300, 0xf000000380, 0xfc066c0001, 0xf0000c0300, 0xa0610c0000, 0xa021000000,
           0xa0643c0000, 0xbac0000301, 0xa0580c0000, 0xa05c0c0000, 0xa0400c0000, 0xb0400c0000, 0xe000020000});
}

TEST_CASE("random words survive the way through text") {
  Random random(20240607);
  std::vector<uint64_t> words;
  for (int i = 0; i < 4000; ++i) words.push_back(random.next64() & 0xff'ffff'ffff);
  words.push_back(kHalt);
  compare(words);
}

TEST_CASE("canonical words survive one by one, as instructions and not as .word") {
  // Each word is judged on its own, between a nop and halts, so that rules between instructions do not matter: where
  // the checker refuses the surroundings the word is left out, and enough must remain.
  Random random(7);
  std::vector<uint64_t> words;
  while (words.size() < 1500) {
    const auto word = canonical(random.next64() & 0xff'ffff'ffff);
    if (!word) continue;
    const auto insn = isa::decode(isa::Profile::me2, *word);
    const bool alone = (*insn)[isa::Role::defer] == 0 && (*insn)[isa::Role::indirect] == 0 &&
                       isa::info(insn->id).group == isa::Group::compute && insn->id != isa::InsnId::asr &&
                       insn->id != isa::InsnId::mul_step;
    const auto shift = static_cast<isa::ShiftKind>((*insn)[isa::Role::shift]);
    const bool indirect = shift == isa::ShiftKind::left_indirect || shift == isa::ShiftKind::right_indirect;
    if (alone && !indirect) words.push_back(*word);
  }
  words.push_back(kHalt);
  const std::string text = disassemble(isa::Profile::me2, words);
  CHECK(text.find(".word") == std::string::npos);
  compare(words);
}
