// Declarations: scopes, registers, signals, orders of transfer registers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/directives.h"
#include "source/recorder.h"

namespace weft::assembler {

using Arg = ast::DirectiveArg;

namespace {
constexpr int64_t kLargestArray = 128;
constexpr size_t kMaxRegisters = 200'000;  ///< of one program; loops of arrays would fill the memory of the host

/// The attribute words that registers and signals share; false if `word` is none of them, and is the first name then.
template <class Declared>
bool take_attribute(std::string_view word, Declared& attributes) {
  if (word == "volatile")
    attributes.is_volatile = true;
  else if (word == "global" || word == "extern")
    attributes.is_global = true;
  else if (word == "visible")
    attributes.is_visible = true;
  else if (word == "remote")
    attributes.is_remote = true;
  else
    return false;
  return true;
}
}  // namespace

/// The scopes of a directive that could not be read are opened and closed all the same, and its names count as
/// declared.
void Directives::wrong(const ast::Directive& d) {
  if (d.name == ".begin" || d.name == ".local") symbols_.open_scope(d.origin, d.name == ".local");
  if (d.name == ".end" || d.name == ".endlocal") symbols_.close_scope(d.name == ".endlocal", d.origin);
  const bool block = d.name == ".alloc_mem" || d.name == ".local_mem" || d.name == ".global_mem";
  if (block && !d.args.empty()) return stand_in_block(d.args[0]);
  const bool signals = d.name == ".sig";
  if (!signals && d.name != ".reg" && d.name != ".local") return;
  for (const Arg& a : d.args) {
    const auto kind = signals ? Symbol::Kind::signal : Symbol::Kind::reg;
    const std::string name = sources_.names().key(a.text);
    if (symbols_.scopes().in_innermost(name, kind)) continue;
    const Symbol* guess = symbols_.stand_in(name, kind, a.origin);
    if (Recorder* recorder = sources_.recorder()) recorder->declared(*guess, a.origin);
  }
}

void Directives::scope(const ast::Directive& d) {
  if (d.name == ".begin") {
    if (takes(d, 0, 0, ".begin")) symbols_.open_scope(d.origin, false);
    return;
  }
  if (d.name == ".local") {
    symbols_.open_scope(d.origin, true);
    if (takes(d, 1, SIZE_MAX, ".local name ...")) declare_registers(d);
    return;
  }
  const bool local = d.name == ".endlocal";
  if (!takes(d, 0, 0, d.name) || symbols_.close_scope(local, d.origin)) return;
  if (symbols_.scopes().depth() == 0) {
    report_.error("asm-scope", d.origin, fmt::format("{} without {}", d.name, local ? ".local" : ".begin"));
  } else {
    report_
        .error("asm-scope", d.origin, fmt::format("the innermost scope is closed by {}", local ? ".end" : ".endlocal"))
        .notes.push_back({sources_.range(symbols_.scopes().innermost_origin()), "it was opened here"});
  }
}

void Directives::declare_registers(const ast::Directive& d) {
  Vreg attributes;
  bool read = false, write = false, is_extern = false;
  size_t at = 0;
  for (; at < d.args.size() && d.args[at].kind == Arg::Kind::name && !d.args[at].index; ++at) {
    const std::string word = folded(d.args[at].text);
    is_extern = is_extern || word == "extern";
    if (word == "read")
      read = true;
    else if (word == "write")
      write = true;
    else if (!take_attribute(word, attributes))
      break;
  }
  if (at == d.args.size()) {
    report_.error("asm-directive", d.origin, fmt::format("{} names no register", d.name),
                  "write .reg [volatile global visible read write extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = sources_.names().key(a.text);
    const auto cls = class_of(name);
    if (a.kind == Arg::Kind::constant && a.origin.expansion != 0 &&
        sources_.expansion(a.origin.expansion).kind == Expansion::Kind::define) {
      report_.error("asm-declaration", a.origin,
                    fmt::format("the define '{}' replaces the name of this register",
                                sources_.expansion(a.origin.expansion).name),
                    case_remedy(report_.source_text(a.origin), sources_.expansion(a.origin.expansion).name,
                                "rename one of the two"));
      continue;
    }
    if (a.kind != Arg::Kind::name || a.address || a.offset || !cls || name.ends_with('$') || name == "@") {
      report_.error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a register", a.text),
                    "prefixes: none or @ (GPR), $ and $$ (transfer), n$ (neighbor)");
      continue;
    }
    if (is_reserved(a, Symbol::Kind::reg)) continue;
    if (*cls == VregClass::neighbor && isa::sizes(program_.profile).neighbors == 0) {
      report_.error("asm-declaration", a.origin, fmt::format("{} has no neighbor registers", program_.chip),
                    "pass values through scratch or SRAM");
      continue;
    }
    const bool transfer = *cls == VregClass::xfer_s || *cls == VregClass::xfer_d;
    if (!transfer && (read || write || attributes.is_remote || attributes.is_visible)) {
      report_.error("asm-declaration", a.origin,
                    fmt::format("'{}' is not a transfer register: it cannot be {}", a.text,
                                read || write ? "read or write" : "visible or remote"));
      continue;
    }
    Symbol symbol{Symbol::Kind::reg, name, {}, false, false, a.origin, attributes.is_global};
    int64_t count = 1;
    if (a.index) {
      symbol.array = true;
      const auto size = operands_.constant(*a.index);
      if (!size) continue;
      if (!is_known(*size) || size->number < 1 || size->number > kLargestArray) {
        report_.error("asm-declaration", a.origin,
                      fmt::format("the size of '{}' must be a number from 1 to {}", a.text, kLargestArray));
        continue;
      }
      count = size->number;
    }
    if (program_.vregs.size() + static_cast<size_t>(count) > kMaxRegisters) {
      if (symbols_.scopes().in_innermost(name, Symbol::Kind::reg)) continue;
      report_.error("asm-declaration", a.origin,
                    fmt::format("'{}' is one register too many: {} of them are declared", a.text, kMaxRegisters),
                    "a declaration in a loop counts with each pass: declare before the loop what all passes can share");
      symbols_.stand_in(name, Symbol::Kind::reg, a.origin);
      continue;
    }
    for (int64_t i = 0; i < count; ++i)
      symbol.ids.push_back(static_cast<VregId>(program_.vregs.size()) + static_cast<VregId>(i));
    const Symbol* previous = nullptr;
    if (!symbols_.add(symbol, &previous)) {
      if (!previous->guessed && !(is_extern && previous->global)) redeclared(a, *previous);
      continue;
    }
    for (int64_t i = 0; i < count; ++i) {
      Vreg v = attributes;
      v.cls = *cls;
      v.read_side = transfer && (read || !write);
      v.write_side = transfer && (write || !read);
      const VregId id = symbols_.new_register(symbol.array ? fmt::format("{}[{}]", name, i) : name, v, a.origin);
      if (read || write) transfers_.declare_sides(id);
    }
    if (Recorder* recorder = sources_.recorder()) recorder->declared(symbol, a.origin);
    if (transfer && symbol.array && count > 1) transfers_.add_array(symbol);
  }
}

/// A structured block would take the register for one of its own.
bool Directives::is_reserved(const Arg& a, Symbol::Kind kind) {
  const std::string name = sources_.names().key(a.text);
  if (!is_reserved_name(name)) return false;
  report_.error("asm-declaration", a.origin, fmt::format("'{}' is a name as structured blocks make them", a.text),
                "names l<number>_ are reserved");
  if (!symbols_.scopes().in_innermost(name, kind)) symbols_.stand_in(name, kind, a.origin);
  return true;
}

void Directives::redeclared(const Arg& name, const Symbol& first) {
  report_
      .error("asm-redeclared", name.origin, fmt::format("'{}' is declared twice in one scope", name.text),
             case_remedy(name.text, report_.source_text(first.origin)))
      .notes.push_back({sources_.range(first.origin), "the first declaration is here"});
}

void Directives::declare_signals(const ast::Directive& d) {
  Signal attributes;
  bool is_extern = false;
  size_t at = 0;
  for (; at < d.args.size() && d.args[at].kind == Arg::Kind::name; ++at) {
    const std::string word = folded(d.args[at].text);
    is_extern = is_extern || word == "extern";
    if (!take_attribute(word, attributes)) break;
  }
  if (at == d.args.size()) {
    report_.error("asm-directive", d.origin, ".sig names no signal",
                  "write .sig [volatile global visible extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = sources_.names().key(a.text);
    if (a.kind != Arg::Kind::name || a.index || a.offset || a.address ||
        name.find_first_of("$@") != std::string::npos) {
      report_.error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a signal", a.text));
      continue;
    }
    if (is_reserved(a, Symbol::Kind::signal)) continue;
    const auto id = static_cast<SignalId>(program_.signals.size());
    const Symbol* previous = nullptr;
    if (!symbols_.add({Symbol::Kind::signal, name, {id}, false, false, a.origin, attributes.is_global}, &previous)) {
      if (!previous->guessed && !(is_extern && previous->global)) redeclared(a, *previous);
      continue;
    }
    symbols_.new_signal(name, attributes, a.origin);
    if (Recorder* recorder = sources_.recorder()) recorder->declared(*previous, a.origin);
  }
}

void Directives::xfer_order(const ast::Directive& d, XferGroup::Side side) {
  if (!takes(d, 1, SIZE_MAX, fmt::format("{} $a $b ...", d.name))) return;
  XferGroup group{side, {}, d.origin};
  std::optional<VregClass> cls;
  for (const Arg& a : d.args) {
    const std::string name = sources_.names().key(a.text);
    if (a.kind != Arg::Kind::name || !name.starts_with('$')) {
      report_.error("asm-xfer-order", a.origin, fmt::format("'{}' is not a transfer register", a.text));
      return;
    }
    if (a.index) {
      report_.error("asm-xfer-order", a.origin, "an array stands in an order as a whole",
                    fmt::format("write {}", a.text));
      return;
    }
    const Symbol* s = symbols_.find(name, Symbol::Kind::reg, a.origin, d.name);
    if (!s || s->guessed) return;
    if (!s->global && !symbols_.scopes().in_innermost(name, Symbol::Kind::reg)) {
      report_
          .error("asm-xfer-order", a.origin, fmt::format("'{}' was declared in an outer scope", a.text),
                 fmt::format("{} stands in the scope of its registers", d.name))
          .notes.push_back({sources_.range(s->origin), "it was declared here"});
      return;
    }
    const VregClass its = program_.vregs[static_cast<size_t>(s->ids[0])].cls;
    if (cls && *cls != its) {
      report_.error("asm-xfer-order", a.origin, "an order holds either $ or $$ registers");
      return;
    }
    cls = its;
    for (VregId id : s->ids) {
      const bool twice = std::find(group.members.begin(), group.members.end(), id) != group.members.end();
      if (twice || transfers_.is_ordered(id, side)) {
        report_.error("asm-xfer-order", a.origin, fmt::format("'{}' stands in an order already", a.text),
                      "a transfer register can be in one order only");
        return;
      }
      group.members.push_back(id);
    }
  }
  transfers_.add_order(std::move(group));
}

}  // namespace weft::assembler
