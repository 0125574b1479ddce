// Directives by name; modes, marks and raw words.
#include "resolver/directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parser/parser.h"
#include "source/recorder.h"
#include "source/suggest.h"

namespace weft::assembler {
using Arg = ast::DirectiveArg;

const std::vector<std::string>& assembler_directives() {
  static const std::vector<std::string> known{".begin",
                                              ".end",
                                              ".local",
                                              ".endlocal",
                                              ".reg",
                                              ".sig",
                                              ".xfer_order",
                                              ".xfer_order_rd",
                                              ".xfer_order_wr",
                                              ".set",
                                              ".set_rd",
                                              ".set_wr",
                                              ".use",
                                              ".use_rd",
                                              ".use_wr",
                                              ".set_sig",
                                              ".io_completed",
                                              ".io_completed_type",
                                              ".addr",
                                              ".subroutine",
                                              ".endsub",
                                              ".reentry",
                                              ".init",
                                              ".init_ctx",
                                              ".alloc_mem",
                                              ".local_mem",
                                              ".global_mem",
                                              ".block",
                                              ".stage",
                                              ".drop",
                                              ".exception",
                                              ".word",
                                              ".import_var",
                                              ".num_contexts",
                                              ".init_nn_mode",
                                              ".local_mem0_mode",
                                              ".local_mem1_mode",
                                              ".registers",
                                              ".if",
                                              ".elif",
                                              ".else",
                                              ".endif",
                                              ".while",
                                              ".endw",
                                              ".repeat",
                                              ".until",
                                              ".break",
                                              ".continue",
                                              ".if_unsigned",
                                              ".while_unsigned",
                                              ".until_unsigned",
                                              ".elif_unsigned"};
  return known;
}

void Directives::resolve(const ast::Directive& d) {
  const std::string& n = d.name;
  if (n == ".begin" || n == ".end" || n == ".local" || n == ".endlocal") return scope(d);
  if (n == ".reg") return declare_registers(d);
  if (n == ".sig") return declare_signals(d);
  if (n == ".xfer_order") return xfer_order(d, XferGroup::Side::both);
  if (n == ".xfer_order_rd") return xfer_order(d, XferGroup::Side::read);
  if (n == ".xfer_order_wr") return xfer_order(d, XferGroup::Side::write);
  if (n == ".set") return hint(d, Hint::Kind::set);
  if (n == ".set_rd") return hint(d, Hint::Kind::set_read);
  if (n == ".set_wr") return hint(d, Hint::Kind::set_write);
  if (n == ".use") return hint(d, Hint::Kind::use);
  if (n == ".use_rd") return hint(d, Hint::Kind::use_read);
  if (n == ".use_wr") return hint(d, Hint::Kind::use_write);
  if (n == ".set_sig") return hint(d, Hint::Kind::set_signal);
  if (n == ".io_completed") return hint(d, Hint::Kind::io_completed);
  if (n == ".io_completed_type") return unit_completed(d);
  if (n == ".addr") return address(d);
  if (n == ".subroutine" || n == ".endsub") return subroutine(d);
  if (n == ".reentry") {
    if (takes(d, 0, 0, ".reentry")) program_.reentry.push_back(program_.next_index());
    return;
  }
  if (n == ".init") return initialise(d);
  if (n == ".init_ctx") return initialise_context(d);
  if (n == ".alloc_mem" || n == ".local_mem" || n == ".global_mem") return memory(d);
  if (n == ".block" || n == ".stage" || n == ".drop" || n == ".exception") return mark(d);
  if (n == ".word") return raw_word(d);
  if (n == ".import_var") {
    if (!takes(d, 1, SIZE_MAX, ".import_var i$name ...")) return;
    for (const Arg& a : d.args) {
      const std::string name = sources_.names().key(a.text);
      if (a.kind != Arg::Kind::name || !name.starts_with("i$") || name.size() < 3) {
        report_.error("asm-directive", a.origin, "an import variable is named i$name");
      } else if (std::find(program_.imports.begin(), program_.imports.end(), name) == program_.imports.end()) {
        program_.imports.push_back(name);
        if (Recorder* recorder = sources_.recorder()) recorder->linked_name(name, a.origin, false, true);
      }
    }
    return;
  }
  if (n == ".operand_synonym") {
    report_.error("asm-directive", d.origin, ".operand_synonym is obsolete", "write #define name operand");
    return;
  }
  if (n == ".image_name" || n == ".entry" || n == ".ucode_size" || n == ".cpu_version") {
    report_.warning("asm-directive-ignored", d.origin, fmt::format("{} says nothing that this assembler uses", n),
                    "it belongs to .list files of the vendor's linker");
    return;
  }
  mode(d);
}

void Directives::mode(const ast::Directive& d) {
  const std::string& n = d.name;
  const auto word = [&](std::initializer_list<std::string_view> words) -> std::optional<size_t> {
    std::string form = n;
    size_t index = 0;
    for (std::string_view w : words) form += (index++ ? "|" : " ") + std::string(w);
    if (!takes(d, 1, 1, form)) return std::nullopt;
    index = 0;
    for (std::string_view w : words) {
      if (folded(d.args[0].text) == w) return index;
      ++index;
    }
    report_.error("asm-directive", d.args[0].origin, fmt::format("expected {}", form));
    return std::nullopt;
  };
  if (n == ".num_contexts") {
    if (!takes(d, 1, 1, ".num_contexts 4|8")) return;
    const auto value = number(d.args[0], 0, INT32_MAX, "number of contexts");
    if (!value) return;
    const bool eight = isa::sizes(program_.profile).contexts == 8;
    if (*value != 4 && (*value != 8 || !eight)) {
      report_.error("asm-directive", d.args[0].origin,
                    eight ? "a microengine runs 4 or 8 contexts"
                          : fmt::format("a microengine of {} runs 4 contexts", program_.chip));
    } else if (settles(d, *value)) {
      program_.contexts = static_cast<unsigned>(*value);
    }
  } else if (n == ".init_nn_mode" && isa::sizes(program_.profile).neighbors == 0) {
    report_.error("asm-directive", d.origin, fmt::format("{} has no neighbor registers", program_.chip));
  } else if (n.starts_with(".local_mem") && n.ends_with("_mode") && !isa::sizes(program_.profile).local_memory) {
    report_.error("asm-directive", d.origin, fmt::format("{} has no local memory", program_.chip));
  } else if (n == ".init_nn_mode") {
    const auto which = word({"self", "neighbor"});
    if (which && settles(d, static_cast<int64_t>(*which))) program_.nn_self = *which == 0;
  } else if (n == ".local_mem0_mode" || n == ".local_mem1_mode") {
    const auto which = word({"rel", "abs"});
    if (which && settles(d, static_cast<int64_t>(*which))) program_.lm_absolute[n[10] == '1' ? 1 : 0] = *which == 1;
  } else if (n == ".registers") {
    if (word({"physical"})) program_.physical = true;
  } else if (is_later_directive(n)) {
    report_.error("asm-later-directive", d.origin,
                  fmt::format("{} belongs to tools for later parts than {}", n, program_.chip),
                  n == ".init_csr" ? "write the CSR with local_csr_wr at the start of the program"
                                   : "leave it out with #if !IS_NFPTYPE(...)");
  } else {
    const auto near = suggestions(n, assembler_directives());
    fix_name(report_.error("asm-unknown-directive", d.origin, fmt::format("there is no directive '{}'", n),
                           near ? did_you_mean(near) : ""),
             sources_, d.origin, n, near);
  }
}

bool Directives::settles(const ast::Directive& d, int64_t value) {
  const auto [said, first] = modes_.try_emplace(d.name, SaidMode{value, d.origin});
  if (first || said->second.value == value) return true;
  report_
      .error("asm-directive", d.origin, fmt::format("{} says otherwise than before", d.name),
             "the whole program has one mode: leave out one of the two")
      .notes.push_back({sources_.range(said->second.origin), "it was said here"});
  return false;
}

bool Directives::takes(const ast::Directive& d, size_t min, size_t max, std::string_view form) {
  if (d.args.size() >= min && d.args.size() <= max) return true;
  const bool few = d.args.size() < min;
  report_.error("asm-directive", few ? d.origin : d.args[max].origin,
                fmt::format("{} has too {} arguments", d.name, few ? "few" : "many"), fmt::format("write {}", form));
  return false;
}

std::optional<int64_t> Directives::number(const Arg& arg, int64_t min, int64_t max, std::string_view what) {
  if (arg.kind != Arg::Kind::constant) {
    const std::string name = arg.kind == Arg::Kind::name ? sources_.names().key(arg.text) : "";
    if (symbols_.is_linked(name)) {
      report_.error("asm-directive", arg.origin,
                    fmt::format("the {} must be known when assembling; only the linker knows '{}'", what, arg.text),
                    "let the program store it: immed, immed_w1 and a write");
    } else {
      report_.error("asm-directive", arg.origin, fmt::format("expected a number for the {}", what));
    }
    return std::nullopt;
  }
  if (max > UINT32_MAX && arg.value.kind == ast::Expr::Kind::number) {  // a whole word has more bits than a constant
    const auto written = static_cast<uint64_t>(arg.value.value);
    if (written <= static_cast<uint64_t>(max)) return arg.value.value;
    report_.error("asm-directive", arg.origin,
                  fmt::format("the {} is {}; it must be {} to {}", what, written, min, max));
    return std::nullopt;
  }
  const auto value = operands_.constant(arg.value);
  if (!value) return std::nullopt;
  if (!is_known(*value)) {
    report_.error("asm-directive", arg.origin, fmt::format("the {} must be known when assembling", what));
    return std::nullopt;
  }
  if (value->number < min || value->number > max) {
    report_.error("asm-directive", arg.origin,
                  fmt::format("the {} is {}; it must be {} to {}", what, value->number, min, max));
    return std::nullopt;
  }
  return value->number;
}

void Directives::mark(const ast::Directive& d) {
  using Kind = image::Mark::Kind;
  if (d.rest.empty()) {
    report_.error("asm-directive", d.origin, fmt::format("{} needs a text", d.name),
                  fmt::format("write {} some words", d.name));
    return;
  }
  const Kind kind = d.name == ".block"   ? Kind::block
                    : d.name == ".stage" ? Kind::stage
                    : d.name == ".drop"  ? Kind::drop
                                         : Kind::exception;
  program_.marks.push_back({kind, d.rest, program_.next_index()});
  if (Recorder* recorder = sources_.recorder()) recorder->marked(program_.marks.back(), d.origin);
}

void Directives::raw_word(const ast::Directive& d) {
  if (!takes(d, 1, 1, ".word number")) return;
  const unsigned bits = isa::word_bits(program_.profile);
  const auto value = number(d.args[0], 0, (int64_t{1} << bits) - 1, "word");
  if (!value) return;
  program_.raw_words.emplace_back(program_.next_index(), static_cast<uint64_t>(*value));
  IrInsn nop;
  nop.insn.id = isa::InsnId::immed;
  instructions_.add(std::move(nop), d.origin);
}

}  // namespace weft::assembler
