// Directives: declarations, liveness hints, memory, modes, marks.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "resolver_state.h"
#include "weft/base/json.h"

namespace weft::assembler {
namespace {

using Arg = ast::DirectiveArg;

constexpr int64_t kLargestArray = 128;

/// Known to later tools for later parts; we say so instead of guessing.
constexpr std::array<std::string_view, 15> kLaterDirectives{
    ".endian",          ".dram_signals",   ".indirect_ref_mode", ".third_party_addressing_32bit", ".init_csr",
    ".declare_resource", ".alloc_resource", ".load_mu_qdesc",     ".init_mu_ring",                 ".assert",
    ".app_metadata",    ".reg_addr",       ".io_completed_type", ".third_party",                  ".load_mu_ring"};

}  // namespace

void Resolver::directive(const ast::Directive& d) {
  const std::string& n = d.name;
  if (n == ".begin" || n == ".end" || n == ".local" || n == ".endlocal") return scope_directive(d);
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
  if (n == ".addr") return address(d);
  if (n == ".subroutine" || n == ".endsub") return subroutine(d);
  if (n == ".reentry") {
    if (takes(d, 0, 0, ".reentry")) program_.reentry.push_back(here());
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
      const std::string name = folded(a.text);
      if (a.kind != Arg::Kind::name || !name.starts_with("i$") || name.size() < 3) {
        error("asm-directive", a.origin, "an import variable is named i$name");
      } else if (std::find(program_.imports.begin(), program_.imports.end(), name) == program_.imports.end()) {
        program_.imports.push_back(name);
      }
    }
    return;
  }
  if (n == ".operand_synonym") {
    error("asm-directive", d.origin, ".operand_synonym is obsolete", "write #define name operand");
    return;
  }
  if (n == ".image_name" || n == ".entry" || n == ".ucode_size" || n == ".cpu_version") {
    warning("asm-directive-ignored", d.origin, fmt::format("{} says nothing that this assembler uses", n),
            "it belongs to .list files of the vendor's linker");
    return;
  }
  mode(d);
}

void Resolver::mode(const ast::Directive& d) {
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
    error("asm-directive", d.args[0].origin, fmt::format("expected {}", form));
    return std::nullopt;
  };
  if (n == ".num_contexts") {
    if (!takes(d, 1, 1, ".num_contexts 4|8")) return;
    const auto value = number(d.args[0], 0, INT32_MAX, "number of contexts");
    if (!value) return;
    if (*value != 4 && *value != 8) {
      error("asm-directive", d.args[0].origin, "a microengine runs 4 or 8 contexts");
    } else {
      program_.contexts = static_cast<unsigned>(*value);
    }
  } else if (n == ".init_nn_mode") {
    if (const auto which = word({"self", "neighbor"})) program_.nn_self = *which == 0;
  } else if (n == ".local_mem0_mode" || n == ".local_mem1_mode") {
    if (const auto which = word({"rel", "abs"})) program_.lm_absolute[n[10] == '1' ? 1 : 0] = *which == 1;
  } else if (n == ".registers") {
    if (word({"physical"})) physical_ = program_.physical = true;
  } else if (n == ".local_mem2_mode" || n == ".local_mem3_mode" ||
             std::find(kLaterDirectives.begin(), kLaterDirectives.end(), n) != kLaterDirectives.end()) {
    error("asm-later-directive", d.origin, fmt::format("{} belongs to tools for later parts than {}", n, program_.chip));
  } else {
    static const std::vector<std::string> known{
        ".begin", ".end", ".local", ".endlocal", ".reg", ".sig", ".xfer_order", ".xfer_order_rd", ".xfer_order_wr",
        ".set", ".set_rd", ".set_wr", ".use", ".use_rd", ".use_wr", ".set_sig", ".io_completed", ".addr",
        ".subroutine", ".endsub", ".reentry", ".init", ".init_ctx", ".alloc_mem", ".local_mem", ".global_mem", ".block",
        ".stage", ".drop", ".exception", ".word", ".import_var", ".num_contexts", ".init_nn_mode", ".local_mem0_mode",
        ".local_mem1_mode", ".registers", ".if", ".elif", ".else", ".endif", ".while", ".endw", ".repeat", ".until",
        ".break", ".continue", ".if_unsigned", ".while_unsigned", ".until_unsigned", ".elif_unsigned"};
    const auto near = nearest(n, known);
    error("asm-unknown-directive", d.origin, fmt::format("there is no directive {}", n),
          near ? fmt::format("did you mean {}?", *near) : "");
  }
}

bool Resolver::takes(const ast::Directive& d, size_t least, size_t most, std::string_view form) {
  if (d.args.size() >= least && d.args.size() <= most) return true;
  const bool few = d.args.size() < least;
  error("asm-directive", few ? d.origin : d.args[most].origin,
        fmt::format("{} has too {} arguments", d.name, few ? "few" : "many"), fmt::format("write {}", form));
  return false;
}

std::optional<int64_t> Resolver::number(const Arg& arg, int64_t min, int64_t max, std::string_view what) {
  if (arg.kind != Arg::Kind::constant) {
    error("asm-directive", arg.origin, fmt::format("expected a number for the {}", what));
    return std::nullopt;
  }
  const auto value = constant(arg.value);
  if (!value) return std::nullopt;
  if (!is_known(*value)) {
    error("asm-directive", arg.origin, fmt::format("the {} must be known when assembling", what));
    return std::nullopt;
  }
  if (value->number < min || value->number > max) {
    error("asm-directive", arg.origin, fmt::format("the {} is {}; it must be {} to {}", what, value->number, min, max));
    return std::nullopt;
  }
  return value->number;
}

// --- scopes and declarations ---

void Resolver::end_symbols(const std::vector<Symbol>& symbols) {
  for (const Symbol& s : symbols) {
    for (int32_t id : s.ids) {
      if (s.kind == Symbol::Kind::reg) program_.vregs[static_cast<size_t>(id)].scope_end = here();
      if (s.kind == Symbol::Kind::signal) program_.signals[static_cast<size_t>(id)].scope_end = here();
    }
  }
}

void Resolver::scope_directive(const ast::Directive& d) {
  if (d.name == ".begin") {
    if (takes(d, 0, 0, ".begin")) scopes_.open(d.origin, false);
    return;
  }
  if (d.name == ".local") {
    scopes_.open(d.origin, true);
    if (takes(d, 1, SIZE_MAX, ".local name ...")) declare_registers(d);
    return;
  }
  const bool local = d.name == ".endlocal";
  if (!takes(d, 0, 0, d.name)) return;
  if (const auto symbols = scopes_.close(local)) {
    end_symbols(*symbols);
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
  bool read = false, write = false;
  size_t at = 0;
  for (; at < d.args.size() && d.args[at].kind == Arg::Kind::name && !d.args[at].index; ++at) {
    const std::string word = folded(d.args[at].text);
    if (word == "volatile") attributes.is_volatile = true;
    else if (word == "global" || word == "extern") attributes.is_global = true;
    else if (word == "visible") attributes.is_visible = true;
    else if (word == "remote") attributes.is_remote = true;
    else if (word == "read") read = true;
    else if (word == "write") write = true;
    else break;
  }
  if (at == d.args.size()) {
    error("asm-directive", d.origin, fmt::format("{} names no register", d.name),
          "write .reg [volatile global visible read write extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = folded(a.text);
    const auto cls = class_of(name);
    if (a.kind == Arg::Kind::constant && a.origin.expansion != 0 &&
        sources_.expansion(a.origin.expansion).kind == Expansion::Kind::define) {
      error("asm-declaration", a.origin,
            fmt::format("the define '{}' replaces the name of this register", sources_.expansion(a.origin.expansion).name),
            "names do not differ by case alone: rename one of the two");
      continue;
    }
    if (a.kind != Arg::Kind::name || a.address || a.offset || !cls || name.ends_with('$') || name == "@") {
      error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a register", a.text),
            "prefixes: none or @ (GPR), $ and $$ (transfer), n$ (neighbor)");
      continue;
    }
    const bool transfer = *cls == VregClass::xfer_s || *cls == VregClass::xfer_d;
    if (!transfer && (read || write || attributes.is_remote || attributes.is_visible)) {
      error("asm-declaration", a.origin,
            fmt::format("'{}' is no transfer register: it cannot be {}", a.text,
                        read || write ? "read or write" : "visible or remote"));
      continue;
    }
    Symbol symbol{Symbol::Kind::reg, name, {}, false, false, a.origin};
    int64_t count = 1;
    if (a.index) {
      symbol.array = true;
      const auto size = constant(*a.index);
      if (!size) continue;
      if (!is_known(*size) || size->number < 1 || size->number > kLargestArray) {
        error("asm-declaration", a.origin, fmt::format("the size of '{}' must be a number from 1 to {}", a.text,
                                                       kLargestArray));
        continue;
      }
      count = size->number;
    }
    const auto first = static_cast<VregId>(program_.vregs.size());
    for (int64_t i = 0; i < count; ++i) symbol.ids.push_back(first + static_cast<VregId>(i));
    const Symbol* previous = nullptr;
    if (!scopes_.add(symbol, &previous)) {
      if (previous->guessed) continue;
      error("asm-redeclared", a.origin, fmt::format("'{}' is declared twice in one scope", a.text))
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
    if (transfer && symbol.array && count > 1) arrays_.emplace_back(static_cast<size_t>(first), symbol);
  }
}

void Resolver::declare_signals(const ast::Directive& d) {
  Signal attributes;
  size_t at = 0;
  for (; at < d.args.size() && d.args[at].kind == Arg::Kind::name; ++at) {
    const std::string word = folded(d.args[at].text);
    if (word == "volatile") attributes.is_volatile = true;
    else if (word == "global" || word == "extern") attributes.is_global = true;
    else if (word == "visible") attributes.is_visible = true;
    else if (word == "remote") attributes.is_remote = true;
    else break;
  }
  if (at == d.args.size()) {
    error("asm-directive", d.origin, ".sig names no signal", "write .sig [volatile global visible extern remote] name ...");
    return;
  }
  for (; at < d.args.size(); ++at) {
    const Arg& a = d.args[at];
    const std::string name = folded(a.text);
    if (a.kind != Arg::Kind::name || a.index || a.offset || a.address ||
        name.find_first_of("$@") != std::string::npos) {
      error("asm-declaration", a.origin, fmt::format("'{}' cannot be the name of a signal", a.text));
      continue;
    }
    const auto id = static_cast<SignalId>(program_.signals.size());
    const Symbol* previous = nullptr;
    if (!scopes_.add({Symbol::Kind::signal, name, {id}, false, false, a.origin}, &previous)) {
      if (previous->guessed) continue;
      error("asm-redeclared", a.origin, fmt::format("'{}' is declared twice in one scope", a.text))
          .notes.push_back({sources_.range(previous->origin), "the first declaration is here"});
      continue;
    }
    Signal s = attributes;
    s.name = name;
    s.declared = a.origin;
    s.scope_begin = here();
    program_.signals.push_back(std::move(s));
  }
}

void Resolver::xfer_order(const ast::Directive& d, XferGroup::Side side) {
  if (!takes(d, 1, SIZE_MAX, fmt::format("{} $a $b ...", d.name))) return;
  XferGroup group{side, {}, d.origin};
  std::optional<VregClass> cls;
  const auto overlaps = [&](XferGroup::Side other) {
    return side == XferGroup::Side::both || other == XferGroup::Side::both || side == other;
  };
  for (const Arg& a : d.args) {
    const std::string name = folded(a.text);
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
    if (!scopes_.in_innermost(name)) {
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
      bool taken = std::find(group.members.begin(), group.members.end(), id) != group.members.end();
      for (const XferGroup& g : program_.groups) {
        taken = taken || (overlaps(g.side) && std::find(g.members.begin(), g.members.end(), id) != g.members.end());
      }
      if (taken) {
        error("asm-xfer-order", a.origin, fmt::format("'{}' stands in an order already", a.text),
              "a transfer register can be in one order only");
        return;
      }
      group.members.push_back(id);
    }
  }
  program_.groups.push_back(std::move(group));
}

// --- liveness, pinning ---

void Resolver::hint(const ast::Directive& d, Hint::Kind kind) {
  if (!takes(d, 1, SIZE_MAX, fmt::format("{} name ...", d.name))) return;
  for (const Arg& a : d.args) {
    const std::string name = folded(a.text);
    if (a.kind != Arg::Kind::name) {
      error("asm-directive", a.origin, fmt::format("{} takes names of registers or signals", d.name));
      continue;
    }
    const Symbol* any = scopes_.find(name);
    const bool as_signal = kind == Hint::Kind::set_signal || (any && any->kind == Symbol::Kind::signal);
    const Symbol* s = find_symbol(name, as_signal ? Symbol::Kind::signal : Symbol::Kind::reg, a.origin, d.name);
    if (!s || s->guessed) continue;
    if (as_signal) {
      program_.hints.push_back({kind, here(), -1, s->ids[0], a.origin});
      continue;
    }
    std::vector<VregId> ids = s->ids;
    if (a.index) {
      const auto index = constant(*a.index);
      if (!index) continue;
      const auto one = element(*s, is_known(*index) ? std::optional(index->number) : std::nullopt, a.origin);
      if (!one) continue;
      ids = {*one};
    }
    const bool sided = kind == Hint::Kind::set_read || kind == Hint::Kind::set_write ||
                       kind == Hint::Kind::use_read || kind == Hint::Kind::use_write;
    const VregClass cls = program_.vregs[static_cast<size_t>(ids[0])].cls;
    if (sided && cls != VregClass::xfer_s && cls != VregClass::xfer_d) {
      error("asm-directive", a.origin, fmt::format("'{}' is no transfer register", a.text));
      continue;
    }
    for (VregId id : ids) program_.hints.push_back({kind, here(), id, -1, a.origin});
  }
}

void Resolver::address(const ast::Directive& d) {
  if (!takes(d, 2, 3, ".addr name number [a|b]")) return;
  const Arg& a = d.args[0];
  const std::string name = folded(a.text);
  if (a.kind != Arg::Kind::name) {
    error("asm-directive", a.origin, ".addr takes the name of a register or signal first");
    return;
  }
  const Symbol* any = scopes_.find(name);
  const bool as_signal = any && any->kind == Symbol::Kind::signal;
  const Symbol* s = find_symbol(name, as_signal ? Symbol::Kind::signal : Symbol::Kind::reg, a.origin, d.name);
  if (!s || s->guessed) return;
  if (as_signal) {
    if (const auto value = number(d.args[1], 1, 15, "signal number")) {
      program_.signals[static_cast<size_t>(s->ids[0])].pinned = static_cast<uint32_t>(*value);
    }
    return;
  }
  const VregClass cls = program_.vregs[static_cast<size_t>(s->ids[0])].cls;
  const bool gpr = cls == VregClass::gpr || cls == VregClass::gpr_absolute;
  const auto value = number(d.args[1], 0, cls == VregClass::gpr_absolute || cls == VregClass::neighbor ? 127 : 31,
                            "register number");
  if (!value) return;
  isa::Bank bank = isa::Bank::none;
  if (gpr) {
    const std::string letter = d.args.size() == 3 ? folded(d.args[2].text) : "";
    if (letter != "a" && letter != "b") {
      error("asm-directive", a.origin, fmt::format("the bank of '{}' is missing", a.text), "write .addr name number a|b");
      return;
    }
    bank = letter == "a" ? isa::Bank::a : isa::Bank::b;
  } else if (d.args.size() == 3) {
    error("asm-directive", d.args[2].origin, "only GPRs have a bank");
    return;
  }
  uint32_t next = static_cast<uint32_t>(*value);
  for (VregId id : s->ids) {
    program_.vregs[static_cast<size_t>(id)].pinned = next++;
    program_.vregs[static_cast<size_t>(id)].pinned_bank = bank;
  }
}

void Resolver::subroutine(const ast::Directive& d) {
  if (d.name == ".subroutine") {
    if (subroutine_) {
      error("asm-subroutine", d.origin, "subroutines do not nest")
          .notes.push_back({sources_.range(subroutine_->origin), "this one is still open"});
      return;
    }
    subroutine_ = OpenSubroutine{here(), d.origin};
    return;
  }
  if (!subroutine_) {
    error("asm-subroutine", d.origin, ".endsub without .subroutine");
    return;
  }
  Subroutine s{-1, subroutine_->begin, here()};
  for (size_t i = 0; i < program_.labels.size() && s.entry < 0; ++i) {
    if (label_placed_[i] && program_.labels[i].index == s.begin) s.entry = static_cast<LabelId>(i);
  }
  if (s.entry < 0 || s.begin == s.end) {
    error("asm-subroutine", subroutine_->origin, "a subroutine begins with a label and holds instructions");
  } else {
    program_.subroutines.push_back(s);
  }
  subroutine_.reset();
}

// --- initial values and memory ---

void Resolver::initialise(const ast::Directive& d) {
  if (!takes(d, 2, SIZE_MAX, ".init name[+offset] value ...")) return;
  const Arg& a = d.args[0];
  if (a.kind != Arg::Kind::name) {
    error("asm-directive", a.origin, ".init takes the name of a register or memory block first");
    return;
  }
  image::Init init;
  init.name = folded(a.text);
  for (size_t i = 1; i < d.args.size(); ++i) {
    const auto value = number(d.args[i], INT32_MIN, UINT32_MAX, "initial value");
    if (!value) return;
    init.values.push_back(static_cast<uint32_t>(*value));
  }
  const auto block = std::find_if(program_.memory.begin(), program_.memory.end(),
                                  [&](const image::MemoryBlock& m) { return m.name == init.name; });
  if (block != program_.memory.end()) {
    if (a.offset) {
      const auto offset = constant(*a.offset);
      if (!offset) return;
      if (!is_known(*offset) || offset->number < 0 || offset->number % 4 != 0) {
        error("asm-directive", a.origin, "the offset must be a multiple of 4");
        return;
      }
      init.offset = static_cast<uint32_t>(offset->number);
    }
    if (init.offset + 4 * init.values.size() > block->size) {
      error("asm-directive", a.origin, fmt::format("the values do not fit into the {} bytes of '{}'", block->size, a.text));
      return;
    }
    program_.inits.push_back(std::move(init));
    return;
  }
  const Symbol* s = find_symbol(init.name, Symbol::Kind::reg, a.origin, d.name);
  if (!s || s->guessed) return;
  if (init.values.size() > s->ids.size()) {
    error("asm-directive", d.args[1 + s->ids.size()].origin,
          fmt::format("'{}' holds {} longword{}", a.text, s->ids.size(), s->ids.size() == 1 ? "" : "s"));
    return;
  }
  for (size_t i = 0; i < init.values.size(); ++i) {
    Vreg& v = program_.vregs[static_cast<size_t>(s->ids[i])];
    v.initial = init.values[i];
    v.used = true;
    program_.inits.push_back({v.name, 0, -1, {init.values[i]}});
  }
}

void Resolver::initialise_context(const ast::Directive& d) {
  if (!takes(d, 3, 3, ".init_ctx context register value")) return;
  const auto context = number(d.args[0], 0, 7, "context");
  const auto value = number(d.args[2], INT32_MIN, UINT32_MAX, "initial value");
  const Arg& a = d.args[1];
  if (a.kind != Arg::Kind::name) {
    error("asm-directive", a.origin, ".init_ctx takes the name of a register");
    return;
  }
  const Symbol* s = find_symbol(folded(a.text), Symbol::Kind::reg, a.origin, d.name);
  if (!context || !value || !s || s->guessed) return;
  Vreg& v = program_.vregs[static_cast<size_t>(s->ids[0])];
  if (v.cls == VregClass::gpr_absolute) {
    error("asm-directive", a.origin, fmt::format("'{}' is one register for all contexts", a.text), "use .init");
    return;
  }
  if (!v.initial) v.initial = 0;
  v.used = true;
  program_.inits.push_back({v.name, 0, static_cast<int32_t>(*context), {static_cast<uint32_t>(*value)}});
}

void Resolver::memory(const ast::Directive& d) {
  using image::Region;
  const bool alloc = d.name == ".alloc_mem";
  const std::string form = alloc ? ".alloc_mem name region local|global size [align]" : d.name + " name region size [align]";
  if (!takes(d, alloc ? 4 : 3, alloc ? 5 : 4, form)) return;
  if (d.args[0].kind != Arg::Kind::name || d.args[1].kind != Arg::Kind::name) {
    error("asm-directive", d.args[0].origin, fmt::format("{} takes a name and a region", d.name), "write " + form);
    return;
  }
  image::MemoryBlock block;
  block.name = folded(d.args[0].text);
  const std::string region = folded(d.args[1].text);
  static constexpr std::array<std::pair<std::string_view, Region>, 10> regions{{
      {"scratch", Region::scratch}, {"sram", Region::sram0},   {"sram0", Region::sram0}, {"sram1", Region::sram1},
      {"sram2", Region::sram2},     {"sram3", Region::sram3},  {"dram", Region::dram},   {"local", Region::local},
      {"lmem", Region::local},      {"local_mem", Region::local}}};
  const auto at = std::find_if(regions.begin(), regions.end(), [&](const auto& r) { return r.first == region; });
  if (at == regions.end()) {
    error("asm-directive", d.args[1].origin, fmt::format("there is no memory region '{}'", d.args[1].text),
          "regions: scratch, sram0 to sram3, dram, local");
    return;
  }
  block.region = at->second;
  if (d.args[1].offset) {
    error("asm-directive", d.args[1].origin, "memory blocks at fixed places are not supported",
          "leave the offset out: the linker places the block");
    return;
  }
  size_t size_at = 2;
  block.global = d.name == ".global_mem";
  if (alloc) {
    const std::string scope = folded(d.args[2].text);
    if (d.args[2].kind != Arg::Kind::name || (scope != "local" && scope != "me" && scope != "global" && scope != "island")) {
      error("asm-directive", d.args[2].origin, "the scope of a memory block is local or global", "write " + form);
      return;
    }
    block.global = scope == "global" || scope == "island";
    size_at = 3;
  }
  const auto size = number(d.args[size_at], 1, int64_t{1} << 31, "size");
  if (!size) return;
  block.size = static_cast<uint64_t>(*size);
  if (d.args.size() > size_at + 1) {
    const auto align = number(d.args[size_at + 1], 1, int64_t{1} << 31, "alignment");
    if (!align) return;
    if ((*align & (*align - 1)) != 0) {
      error("asm-directive", d.args[size_at + 1].origin, "the alignment must be a power of two");
      return;
    }
    block.align = std::max<uint64_t>(4, static_cast<uint64_t>(*align));
  }
  for (const image::MemoryBlock& m : program_.memory) {
    if (m.name == block.name) {
      error("asm-redeclared", d.args[0].origin, fmt::format("the memory block '{}' is declared twice", d.args[0].text));
      return;
    }
  }
  program_.memory.push_back(std::move(block));
}

// --- ours ---

void Resolver::mark(const ast::Directive& d) {
  using Kind = image::Mark::Kind;
  if (d.rest.empty()) {
    error("asm-directive", d.origin, fmt::format("{} needs a text", d.name), fmt::format("write {} some words", d.name));
    return;
  }
  const Kind kind = d.name == ".block" ? Kind::block
                    : d.name == ".stage" ? Kind::stage
                    : d.name == ".drop"  ? Kind::drop
                                         : Kind::exception;
  program_.marks.push_back({kind, d.rest, here()});
}

void Resolver::raw_word(const ast::Directive& d) {
  if (!takes(d, 1, 1, ".word number")) return;
  const unsigned bits = isa::word_bits(program_.profile);
  const auto value = number(d.args[0], 0, (int64_t{1} << bits) - 1, "word");
  if (!value) return;
  program_.raw_words.emplace_back(here(), static_cast<uint64_t>(*value));
  IrInsn nop;
  nop.insn.id = isa::InsnId::immed;
  add(std::move(nop), d.origin);
}

}  // namespace weft::assembler
