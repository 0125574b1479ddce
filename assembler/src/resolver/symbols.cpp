// Registers and signals of the program: declared ones, and those that stand for names that nobody declared.
#include "resolver/symbols.h"

#include <fmt/format.h>

#include <algorithm>

#include "resolver/physical.h"
#include "source/recorder.h"
#include "source/suggest.h"

namespace weft::assembler {

std::optional<VregClass> class_of(std::string_view name) {
  if (name.starts_with("i$")) return std::nullopt;
  if (name.starts_with("n$")) return VregClass::neighbor;
  if (name.starts_with("$$")) return VregClass::xfer_d;
  if (name.starts_with("$")) return VregClass::xfer_s;
  if (name.starts_with("@")) return VregClass::gpr_absolute;
  return VregClass::gpr;
}

bool is_import_name(std::string_view name) {
  return (name.size() > 1 && fold(name[0]) == 'i' && name[1] == '$') || same_name(name, "__uengine_id") ||
         same_name(name, "__meid");
}

bool is_reserved_name(std::string_view name) {
  size_t digits = 0;
  if (name.empty() || fold(name[0]) != 'l') return false;
  while (digits + 1 < name.size() && name[digits + 1] >= '0' && name[digits + 1] <= '9') ++digits;
  return digits >= 3 && digits + 1 < name.size() && name[digits + 1] == '_';
}

bool Symbols::is_linked(std::string_view name) const { return is_import_name(name) || block(name) != nullptr; }

const image::MemoryBlock* Symbols::block(std::string_view name) const {
  const auto found = blocks_.find(name);
  return found == blocks_.end() ? nullptr : &program_.memory[found->second];
}

void Symbols::add_block(image::MemoryBlock block) {
  blocks_.emplace(block.name, program_.memory.size());
  program_.memory.push_back(std::move(block));
}

// --- scopes ---

void Symbols::open_scope(const Origin& origin, bool local) {
  scopes_.open(origin, local);
  if (Recorder* recorder = sources_.recorder()) recorder->scope_opened(origin);
}

bool Symbols::close_scope(bool local, const Origin& origin) {
  const auto symbols = scopes_.close(local);
  if (!symbols) return false;
  end(*symbols);
  if (Recorder* recorder = sources_.recorder()) recorder->scope_closed(origin);
  return true;
}

void Symbols::finish() {
  while (scopes_.depth() > 0) {
    report_.error("asm-scope", scopes_.innermost_origin(), "this scope is never closed", "add .end (or .endlocal)");
    auto symbols = scopes_.close(false);
    if (!symbols) symbols = scopes_.close(true);
    end(*symbols);
  }
  end(scopes_.outermost());
}

void Symbols::end(const std::vector<Symbol>& symbols) {
  for (const Symbol& s : symbols) {
    for (const int32_t id : s.ids) {
      if (s.kind == Symbol::Kind::reg) program_.vregs[static_cast<size_t>(id)].scope_end = program_.next_index();
      if (s.kind == Symbol::Kind::signal) program_.signals[static_cast<size_t>(id)].scope_end = program_.next_index();
    }
  }
}

// --- new symbols ---

namespace {

/// The number of what was added.
template <class T>
int32_t add_from(uint32_t index, std::vector<T>& all, std::string&& name, T attributes, const Origin& origin) {
  attributes.name = std::move(name);
  attributes.declared = origin;
  attributes.scope_begin = index;
  all.push_back(std::move(attributes));
  return static_cast<int32_t>(all.size() - 1);
}

}  // namespace

VregId Symbols::new_register(std::string name, Vreg attributes, const Origin& origin) {
  return add_from(program_.next_index(), program_.vregs, std::move(name), std::move(attributes), origin);
}

SignalId Symbols::new_signal(std::string name, Signal attributes, const Origin& origin) {
  return add_from(program_.next_index(), program_.signals, std::move(name), std::move(attributes), origin);
}

std::string Symbols::new_temporary(const Origin& origin) {
  std::string name = fmt::format("l{:03}_value", ++temporaries_);
  const Symbol* previous = nullptr;
  scopes_.add({Symbol::Kind::reg, name, {new_register(name, {}, origin)}, false, true, origin}, &previous);
  return name;
}

const Symbol* Symbols::stand_in(std::string_view name, Symbol::Kind kind, const Origin& origin) {
  Symbol guess{kind, std::string(name), {}, false, true, origin};
  if (kind == Symbol::Kind::reg) {
    Vreg attributes;
    attributes.cls = class_of(name).value_or(VregClass::gpr);
    guess.ids.push_back(new_register(guess.name, attributes, origin));
  } else {
    guess.ids.push_back(new_signal(guess.name, {}, origin));
  }
  const Symbol* added = nullptr;
  scopes_.add(std::move(guess), &added);
  return added;
}

// --- uses ---

const Symbol* Symbols::find(std::string_view name, Symbol::Kind kind, const Origin& origin, std::string_view where) {
  const bool reg = kind == Symbol::Kind::reg;
  const std::string_view what = reg ? "register" : "signal";
  if (const Symbol* s = scopes_.find(name, kind)) {
    if (Recorder* recorder = sources_.recorder()) recorder->used(*s, origin);
    return s;
  }
  if (const Symbol* s = scopes_.find(name, reg ? Symbol::Kind::signal : Symbol::Kind::reg)) {
    if (s->guessed) return nullptr;  // reported under its other kind
    report_
        .error(reg ? "asm-not-a-register" : "asm-not-a-signal", origin,
               fmt::format("'{}' is a {}, but a {} is needed here", name, reg ? "signal" : "register", what))
        .notes.push_back({sources_.range(s->origin), "it was declared here"});
    return nullptr;
  }
  if (std::find(lost_names_.begin(), lost_names_.end(), name) != lost_names_.end()) return stand_in(name, kind, origin);
  std::string remedy = program_.physical ? physical_range(program_, name, kind) : "";
  Suggestions near;
  if (!remedy.empty()) {
    // A number beyond the range: no declaration is missing.
  } else if (reg && physical_register(name)) {
    remedy = "physical names hold after .registers physical";
  } else if (report_.suggests() && (near = suggestions(name, scopes_.names(kind)))) {
    remedy = did_you_mean(near);
  } else {
    remedy = fmt::format("add {} {}", reg ? ".reg" : ".sig", name);
  }
  fix_name(report_.error(reg ? "asm-undeclared-register" : "asm-undeclared-signal", origin,
                         fmt::format("the {} '{}'{} is not declared", what, name,
                                     where.empty()                  ? ""
                                     : where.starts_with("operand") ? fmt::format(", {},", where)
                                                                    : fmt::format(" in {}", where)),
                         remedy),
           sources_, origin, name, near);
  const Symbol* guess = stand_in(name, kind, origin);
  if (Recorder* recorder = sources_.recorder()) recorder->used(*guess, origin);
  return guess;
}

std::optional<VregId> Symbols::element(const Symbol& s, const std::optional<int64_t>& index, const Origin& origin) {
  if (s.guessed) return s.ids[0];
  if (!s.array) {
    if (!index) return s.ids[0];
    report_.error("asm-index", origin, fmt::format("'{}' is not an array", s.name))
        .notes.push_back({sources_.range(s.origin), "it was declared here"});
    return std::nullopt;
  }
  if (!index) {
    report_.error("asm-index", origin,
                  fmt::format("'{}' is an array: its index must be a number known when assembling", s.name));
    return std::nullopt;
  }
  if (*index < 0 || *index >= static_cast<int64_t>(s.ids.size())) {
    report_
        .error("asm-index", origin, fmt::format("'{}' has elements 0 to {}, not {}", s.name, s.ids.size() - 1, *index))
        .notes.push_back({sources_.range(s.origin), "it was declared here"});
    return std::nullopt;
  }
  return s.ids[static_cast<size_t>(*index)];
}

}  // namespace weft::assembler
