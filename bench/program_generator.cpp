// The generator: blocks of declarations and statements until there are words enough.
#include "program_generator.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "weft/base/random.h"

namespace weft::bench {
namespace {

constexpr std::string_view kLibrary = R"(
#define FIELD_SHIFT 8
#define FIELD_MASK  0xff
#define_eval FIELD_TOP (FIELD_SHIFT + 16)

// One of the forms of an immediate, by the value.
#macro load_const(out, value)
    #if (is_ct_const(value) && (value) >= 0 && (value) <= 0xffff)
        immed[out, (value)]
    #else
        immed[out, ((value) & 0xffff)]
        immed_w1[out, (((value) >> 16) & 0xffff)]
    #endif
#endm

#macro take_field(out, in, shift)
    #if (streq('shift', 'none'))
        alu[out, in, AND, FIELD_MASK]
    #else
        alu_shf[out, FIELD_MASK, AND, in, >>shift]
    #endif
#endm

#macro add_steps(out, in, count)
    #define_eval _STEP 0
    #while (_STEP < count)
        alu[out, out, +, in]
        #define_eval _STEP (_STEP + 1)
    #endloop
    #undef _STEP
#endm

#macro saturate(io, other, limit)
.begin
    .reg bound
    load_const(bound, limit)
    alu[--, io, -, bound]
    ble[fits#]
    alu[io, --, B, bound]
fits#:
    alu[io, io, OR, other]
.end
#endm

#macro memory_read(unit, first, address, count, sig)
    #ifdef NEVER_DEFINED
        #error 'not this way'
    #else
        unit[read, first, address, 0, count], ctx_swap[sig]
    #endif
#endm

#macro checked(io, other, shift, limit)
    take_field(io, other, shift)
    add_steps(io, other, 3)
    saturate(io, other, limit)
#endm
)";

class Generator {
 public:
  explicit Generator(const ProgramShape& shape) : shape_(shape), random_(shape.seed) {}

  std::string run() {
    if (shape_.macros) out_ += kLibrary;
    line(".sig last");
    line(".reg $out");
    line(".reg gl0 gl1 gr0 gr1");
    for (const char* name : {"gl0", "gl1", "gr0", "gr1"}) insn("immed[{}, {}]", name, random_.below(65536));
    while (words_ < shape_.words) block();
    insn("alu[gl0, gl0, +, gr1]");
    insn("alu[$out, gl1, +, gr0]");
    insn("sram[write, $out, gl0, gr0, 1], ctx_swap[last]");
    insn("ctx_arb[kill]");
    return std::move(out_);
  }

 private:
  void line(std::string_view text) { (out_ += text) += '\n'; }
  template <class... Args>
  void insn(fmt::format_string<Args...> form, Args&&... args) {
    line("    " + fmt::format(form, std::forward<Args>(args)...));
    ++words_;
  }
  std::string_view pick(std::initializer_list<std::string_view> list) {
    return *(list.begin() + static_cast<std::ptrdiff_t>(random_.below(list.size())));
  }
  std::string left() {
    return random_.chance(1, 5) ? std::string(pick({"gl0", "gl1"})) : fmt::format("l{}", random_.below(3));
  }
  std::string right() {
    return random_.chance(1, 5) ? std::string(pick({"gr0", "gr1"})) : fmt::format("r{}", random_.below(3));
  }
  std::string any() { return random_.chance(1, 2) ? left() : right(); }

  void block() {
    line(".begin");
    line("    .reg l0 l1 l2 r0 r1 r2");
    line("    .reg $in0 $in1 $out0 $out1");
    line("    .xfer_order $in0 $in1");
    line("    .xfer_order $out0 $out1");
    line("    .sig done");
    for (int i = 0; i < 3; ++i) {
      insn("immed[l{}, {}]", i, random_.below(0x10000));
      insn("alu[r{}, --, B, {}]", i, pick({"gl0", "gl1", "gr0", "gr1"}));
    }
    const uint64_t statements = random_.between(12, 28);
    for (uint64_t i = 0; i < statements; ++i) shape_.macros&& random_.chance(1, 2) ? call() : statement();
    // What was computed must matter to somebody.
    for (int i = 0; i < 3; ++i) insn("alu[gl{}, l{}, XOR, r{}]", i & 1, i, i);
    line(".end");
  }

  void call() {
    switch (random_.below(6)) {
      case 0:
        line(fmt::format("    load_const({}, {:#x})", any(), random_.next32()));
        words_ += 2;
        break;
      case 1:
        line(fmt::format("    take_field({}, {}, {})", any(), any(), pick({"none", "4", "FIELD_TOP"})));
        words_ += 1;
        break;
      case 2:
        line(fmt::format("    add_steps({}, {}, 4)", left(), right()));
        words_ += 4;
        break;
      case 3:
        line(fmt::format("    saturate({}, {}, {:#x})", left(), right(), random_.below(65536)));
        words_ += 5;
        break;
      case 4:
        line(fmt::format("    memory_read(sram, $in0, {}, 2, done)", right()));
        line(fmt::format("    take_field({}, $in0, {})", left(), pick({"none", "8"})));
        words_ += 2;
        break;
      default:
        line(fmt::format("    checked({}, {}, {}, {:#x})", left(), right(), pick({"none", "4"}), random_.below(65536)));
        words_ += 9;
    }
  }

  void alu() {
    static constexpr std::array<std::string_view, 16> kOps{"B",  "B", "B", "B",   "+",   "+",    "+",   "OR",
                                                           "OR", "-", "-", "AND", "AND", "AND~", "XOR", "~B"};
    const std::string_view op = kOps[random_.below(kOps.size())];
    if (op == "B" || op == "~B") {
      insn("alu[{}, --, {}, {}]", any(), op, any());
    } else if (random_.chance(1, 3)) {
      insn("alu[{}, {}, {}, {}]", any(), left(), op, random_.below(32));
    } else {
      insn("alu[{}, {}, {}, {}]", any(), left(), op, right());
    }
  }

  void statement() {
    const uint64_t kind = random_.below(100);
    if (kind < 44) return alu();
    if (kind < 52) return insn("immed[{}, {:#x}]", any(), random_.below(65536));
    if (kind < 57)
      return insn("alu_shf[{}, {}, {}, {}, <<{}]", any(), left(), pick({"AND", "OR", "AND~"}), right(),
                  random_.between(1, 31));
    if (kind < 60) return insn("local_csr_wr[{}, {}]", pick({"T_INDEX", "CRC_REMAINDER", "SAME_ME_SIGNAL"}), any());
    if (kind < 63) return insn("nop");
    if (kind < 68)
      return insn("ld_field[{}, {}, {}, >>{}]", left(), pick({"0011", "1100", "0001", "0111"}), right(),
                  random_.between(1, 3) * 8);
    if (kind < 75) return read();
    if (kind < 80) return write();
    if (kind < 86) return skip();
    if (kind < 90) return test_bit();
    if (kind < 95) return structured();
    if (kind < 97) return loop();
    insn("dbl_shf[{}, {}, {}, >>{}]", any(), left(), right(), random_.between(1, 31));
  }

  void read() {
    const std::string_view unit = pick({"sram", "scratch"});
    if (random_.chance(1, 2)) {
      insn("{}[read, $in0, {}, {}, 2], ctx_swap[done]", unit, right(), random_.below(16) * 4);
    } else {
      insn("{}[read, $in0, {}, 0, 2], sig_done[done]", unit, right());
      alu();
      insn("ctx_arb[done]");
    }
    insn("alu[{}, {}, +, $in0]", any(), left());
    insn("alu[{}, --, B, $in1]", any());
  }
  void write() {
    insn("alu[$out0, {}, +, {}]", left(), right());
    insn("alu[$out1, --, B, {}]", any());
    insn("{}[write, $out0, {}, {}, 2], ctx_swap[done]", pick({"sram", "scratch"}), left(), right());
  }
  void skip() {
    const uint32_t label = ++labels_;
    insn("alu[--, {}, -, {}]", left(), right());
    insn("{}[skip_{}#]", pick({"beq", "bne", "bmi", "bge", "bgt", "ble"}), label);
    alu();
    alu();
    line(fmt::format("skip_{}#:", label));
  }
  void test_bit() {
    const uint32_t label = ++labels_;
    insn("{}[{}, {}, bit_{}#]", pick({"br_bset", "br_bclr"}), any(), random_.below(31), label);
    alu();
    line(fmt::format("bit_{}#:", label));
  }
  void structured() {
    line(fmt::format("    .if ({} {} {})", left(), pick({"==", "!=", ">", "<="}), right()));
    words_ += 2;
    alu();
    alu();
    if (random_.chance(1, 2)) {
      line("    .else");
      ++words_;
      alu();
    }
    line("    .endif");
  }
  void loop() {
    const uint32_t label = ++labels_;
    line(fmt::format("loop_{}#:", label));
    alu();
    alu();
    insn("alu[l0, l0, -, 1]");
    insn("bne[loop_{}#]", label);
  }

  ProgramShape shape_;
  Random random_;
  std::string out_;
  uint32_t words_ = 0, labels_ = 0;
};

}  // namespace

std::string generate_program(const ProgramShape& shape) { return Generator(shape).run(); }

}  // namespace weft::bench
