// Declarations: scopes, registers, signals, orders of transfer registers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resolver/state.h"
#include "source/recorder.h"

namespace weft::assembler {

using Arg = ast::DirectiveArg;

namespace {
constexpr int64_t kLargestArray = 128;
constexpr size_t kMostRegisters = 200'000;  ///< of one program; loops of arrays would fill the memory of the host

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

void Resolver::end_symbols(const std::vector<Symbol>& symbols) {
  for (const Symbol& s : symbols) {
    for (int32_t id : s.ids) {
      if (s.kind == Symbol::Kind::reg) program_.vregs[static_cast<size_t>(id)].scope_end = here();
      if (s.kind == Symbol::Kind::signal) program_.signals[static_cast<size_t>(id)].scope_end = here();
    }
  }
}

/// The scopes of a directive that could not be read are opened and closed all the same, and its names count as
/// declared.
void Resolver::wrong_directive(const ast::Directive& d) {
  Recorder* recorder = sources_.recorder();
  if (d.name == ".begin" || d.name == ".local") {
    scopes_.open(d.origin, d.name == ".local");
    if (recorder != nullptr) recorder->scope_opened(d.origin);
  }
  if (d.name == ".end" || d.name == ".endlocal") {
    if (const auto symbols = scopes_.close(d.name == ".endlocal")) {
      end_symbols(*symbols);
      if (recorder != nullptr) recorder->scope_closed(d.origin);
    }
  }
  const bool block = d.name == ".alloc_mem" || d.name == ".local_mem" || d.name == ".global_mem";
  if (block && !d.args.empty()) return stand_in_block(d.args[0]);
  const bool signals = d.name == ".sig";
  if (!signals && d.name != ".reg" && d.name != ".local") return;
  for (const Arg& a : d.args) {
    const auto kind = signals ? Symbol::Kind::signal : Symbol::Kind::reg;
    if (scopes_.in_innermost(key(a.text), kind)) continue;
    const Symbol* guess = stand_in(key(a.text), kind, a.origin);
    if (recorder != nullptr) recorder->declared(*guess, a.origin);
  }
}

void Resolver::scope_directive(const ast::Directive& d) {
  Recorder* recorder = sources_.recorder();
  if (d.name == ".begin") {
    if (!takes(d, 0, 0, ".begin")) return;
    scopes_.open(d.origin, false);
    if (recorder != nullptr) recorder->scope_opened(d.origin);
    return;
  }
  if (d.name == ".local") {
    scopes_.open(d.origin, true);
    if (recorder != nullptr) recorder->scope_opened(d.origin);
    if (takes(d, 1, SIZE_MAX, ".local name ...")) declare_registers(d);
    return;
  }
  const bool local = d.name == ".endlocal";
  if (!takes(d, 0, 0, d.name)) return;
  if (const auto symbols = scopes_.close(local)) {
    end_symbols(*symbols);
    if (recorder != nullptr) recorder->scope_closed(d.origin);
  } else if (scopes_.depth() == 0) {
    error("asm-scope", d.origin, fmt::format("{} without {}", d.name, local ? ".local" : ".begin"));
  } else {
    error("asm-scope", d.origin, fmt::format("the innermost scope is closed by {}", local ? ".end" : ".endlocal"))
        .notes.push_back({sources_.range(scopes_.innermost_origin()), "it was opened here"});
  }
}

std::optional<VregClass> Resolver::class_of(std::string_view name) const {
  if (name.starts_with("i$")) return std::nullopt;
  if (name.starts_with("n$")) return VregClass::neighbor;
  if (name.starts_with("$$")) return VregClass::xfer_d;
  if (name.starts_with("$")) return VregClass::xfer_s;
  if (name.starts_with("@")) return VregClass::gpr_absolute;
  return VregClass::gpr;
}

void Resolver::declare_registers(const ast::Directive& d) {
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
    error("asm-directive", d.origin, fmt::format("{} names no register", d.name),
          "write .reg [volatile global visible read write extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = key(a.text);
    const auto cls = class_of(name);
    if (a.kind == Arg::Kind::constant && a.origin.expansion != 0 &&
        sources_.expansion(a.origin.expansion).kind == Expansion::Kind::define) {
      error("asm-declaration", a.origin,
            fmt::format("the define '{}' replaces the name of this register",
                        sources_.expansion(a.origin.expansion).name),
            case_remedy(written_at(a.origin), sources_.expansion(a.origin.expansion).name, "rename one of the two"));
      continue;
    }
    if (a.kind != Arg::Kind::name || a.address || a.offset || !cls || name.ends_with('$') || name == "@") {
      error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a register", a.text),
            "prefixes: none or @ (GPR), $ and $$ (transfer), n$ (neighbor)");
      continue;
    }
    if (*cls == VregClass::neighbor && isa::sizes(program_.profile).neighbors == 0) {
      error("asm-declaration", a.origin, fmt::format("{} has no neighbor registers", program_.chip),
            "pass values through scratch or SRAM");
      continue;
    }
    const bool transfer = *cls == VregClass::xfer_s || *cls == VregClass::xfer_d;
    if (!transfer && (read || write || attributes.is_remote || attributes.is_visible)) {
      error("asm-declaration", a.origin,
            fmt::format("'{}' is no transfer register: it cannot be {}", a.text,
                        read || write ? "read or write" : "visible or remote"));
      continue;
    }
    Symbol symbol{Symbol::Kind::reg, name, {}, false, false, a.origin, attributes.is_global};
    int64_t count = 1;
    if (a.index) {
      symbol.array = true;
      const auto size = constant(*a.index);
      if (!size) continue;
      if (!is_known(*size) || size->number < 1 || size->number > kLargestArray) {
        error("asm-declaration", a.origin,
              fmt::format("the size of '{}' must be a number from 1 to {}", a.text, kLargestArray));
        continue;
      }
      count = size->number;
    }
    if (program_.vregs.size() + static_cast<size_t>(count) > kMostRegisters) {
      if (scopes_.in_innermost(name, Symbol::Kind::reg)) continue;
      error("asm-declaration", a.origin,
            fmt::format("'{}' is one register too many: {} of them are declared", a.text, kMostRegisters),
            "a declaration in a loop counts with each pass: declare before the loop what all passes can share");
      stand_in(name, Symbol::Kind::reg, a.origin);
      continue;
    }
    const auto first = static_cast<VregId>(program_.vregs.size());
    for (int64_t i = 0; i < count; ++i) symbol.ids.push_back(first + static_cast<VregId>(i));
    const Symbol* previous = nullptr;
    if (!scopes_.add(symbol, &previous)) {
      if (previous->guessed || (is_extern && previous->global)) continue;
      error("asm-redeclared", a.origin, fmt::format("'{}' is declared twice in one scope", a.text),
            case_remedy(a.text, written_at(previous->origin)))
          .notes.push_back({sources_.range(previous->origin), "the first declaration is here"});
      continue;
    }
    for (int64_t i = 0; i < count; ++i) {
      Vreg v = attributes;
      v.name = symbol.array ? fmt::format("{}[{}]", name, i) : name;
      v.cls = *cls;
      v.read_side = transfer && (read || !write);
      v.write_side = transfer && (write || !read);
      v.declared = a.origin;
      v.scope_begin = here();
      program_.vregs.push_back(std::move(v));
      read_used_.push_back(false);
      write_used_.push_back(false);
      declared_side_.push_back(read || write);
    }
    if (Recorder* recorder = sources_.recorder()) recorder->declared(symbol, a.origin);
    if (transfer && symbol.array && count > 1) arrays_.emplace_back(static_cast<size_t>(first), symbol);
  }
}

void Resolver::declare_signals(const ast::Directive& d) {
  Signal attributes;
  bool is_extern = false;
  size_t at = 0;
  for (; at < d.args.size() && d.args[at].kind == Arg::Kind::name; ++at) {
    const std::string word = folded(d.args[at].text);
    is_extern = is_extern || word == "extern";
    if (!take_attribute(word, attributes)) break;
  }
  if (at == d.args.size()) {
    error("asm-directive", d.origin, ".sig names no signal",
          "write .sig [volatile global visible extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = key(a.text);
    if (a.kind != Arg::Kind::name || a.index || a.offset || a.address ||
        name.find_first_of("$@") != std::string::npos) {
      error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a signal", a.text));
      continue;
    }
    const auto id = static_cast<SignalId>(program_.signals.size());
    const Symbol* previous = nullptr;
    if (!scopes_.add({Symbol::Kind::signal, name, {id}, false, false, a.origin, attributes.is_global}, &previous)) {
      if (previous->guessed || (is_extern && previous->global)) continue;
      error("asm-redeclared", a.origin, fmt::format("'{}' is declared twice in one scope", a.text),
            case_remedy(a.text, written_at(previous->origin)))
          .notes.push_back({sources_.range(previous->origin), "the first declaration is here"});
      continue;
    }
    Signal s = attributes;
    s.name = name;
    s.declared = a.origin;
    s.scope_begin = here();
    program_.signals.push_back(std::move(s));
    if (Recorder* recorder = sources_.recorder()) recorder->declared(*previous, a.origin);
  }
}

void Resolver::xfer_order(const ast::Directive& d, XferGroup::Side side) {
  if (!takes(d, 1, SIZE_MAX, fmt::format("{} $a $b ...", d.name))) return;
  XferGroup group{side, {}, d.origin};
  std::optional<VregClass> cls;
  for (const Arg& a : d.args) {
    const std::string name = key(a.text);
    if (a.kind != Arg::Kind::name || !name.starts_with('$')) {
      error("asm-xfer-order", a.origin, fmt::format("'{}' is no transfer register", a.text));
      return;
    }
    if (a.index) {
      error("asm-xfer-order", a.origin, "an array stands in an order as a whole", fmt::format("write {}", a.text));
      return;
    }
    const Symbol* s = find_symbol(name, Symbol::Kind::reg, a.origin, d.name);
    if (!s || s->guessed) return;
    if (!s->global && !scopes_.in_innermost(name, Symbol::Kind::reg)) {
      error("asm-xfer-order", a.origin, fmt::format("'{}' was declared in an outer scope", a.text),
            fmt::format("{} stands in the scope of its registers", d.name))
          .notes.push_back({sources_.range(s->origin), "it was declared here"});
      return;
    }
    const VregClass its = program_.vregs[static_cast<size_t>(s->ids[0])].cls;
    if (cls && *cls != its) {
      error("asm-xfer-order", a.origin, "an order holds either $ or $$ registers");
      return;
    }
    cls = its;
    for (VregId id : s->ids) {
      if (ordered_.size() < program_.vregs.size()) ordered_.resize(program_.vregs.size());
      const bool twice = std::find(group.members.begin(), group.members.end(), id) != group.members.end();
      if (twice || (ordered_[static_cast<size_t>(id)] & sides(side)) != 0) {
        error("asm-xfer-order", a.origin, fmt::format("'{}' stands in an order already", a.text),
              "a transfer register can be in one order only");
        return;
      }
      group.members.push_back(id);
    }
  }
  for (VregId id : group.members) ordered_[static_cast<size_t>(id)] |= sides(side);
  program_.groups.push_back(std::move(group));
}

}  // namespace weft::assembler
