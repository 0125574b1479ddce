// The walk over the lines, labels, and what is checked when everything is known.
#include "resolver/resolver.h"

#include <fmt/format.h>

#include <algorithm>

#include "resolver/state.h"
#include "source/message_limits.h"
#include "source/recorder.h"
#include "weft/base/json.h"

namespace weft::assembler {

Resolver::Resolver(const TokenProgram& tokens, const Sources& sources, const Options& options, Diagnostics& diagnostics)
    : tokens_(tokens), sources_(sources), options_(options), diagnostics_(diagnostics), structured_(*this) {
  reported_.insert(tokens.lost_names.begin(), tokens.lost_names.end());
  program_.profile = options.profile;
  program_.chip = options.chip;
  program_.control_store = options.control_store;
  program_.lost = options.lost.value_or(isa::default_lost(options.profile));
  program_.cancellation = options.cancellation;
  program_.contexts = isa::sizes(options.profile).contexts;
}

Diagnostic& Resolver::error(std::string code, const Origin& origin, std::string text, std::string remedy) {
  if (++faults_ >= kMostFaults && !given_up_) {
    given_up_ = true;
    diagnostics_.add(too_many_faults(sources_, origin));
  }
  return diagnostics_.add(
      sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
}

Diagnostic& Resolver::warning(std::string code, const Origin& origin, std::string text, std::string remedy) {
  return diagnostics_.add(
      sources_.diagnostic(Severity::warning, std::move(code), origin, std::move(text), std::move(remedy)));
}

std::string_view Resolver::written_at(const Origin& origin) const {
  if (origin.line == 0 || origin.file >= sources_.file_count()) return {};
  const std::string_view line = sources_.file(origin.file)->line(origin.line);
  return line.substr(std::min<size_t>(origin.column - 1, line.size()), origin.length);
}

std::string Resolver::case_remedy(std::string_view a, std::string_view b, std::string remedy) const {
  if (a == b || !same_name(a, b)) return remedy;
  return std::string(kCaseRemedy);
}

void Resolver::report(std::string code, const Origin& origin, std::string text, std::string remedy) {
  error(std::move(code), origin, std::move(text), std::move(remedy));
}

Program Resolver::run(const ast::Program& ast) {
  for (const ast::Line& l : ast.lines) {
    sources_.checkpoint();
    for (const ast::LabelDefinition& definition : l.labels) {
      const std::string name = key(definition.name);
      if (const auto at = labels_.find(name); at != labels_.end()) {
        error("asm-duplicate-label", definition.origin, fmt::format("the label '{}' is defined twice", definition.name),
              case_remedy(definition.name, written_at(program_.labels[static_cast<size_t>(at->second)].origin)))
            .notes.push_back({sources_.range(program_.labels[static_cast<size_t>(at->second)].origin),
                              "the first definition is here"});
        continue;
      }
      const auto id = static_cast<LabelId>(program_.labels.size());
      if (Recorder* recorder = sources_.recorder()) recorder->label_defined(id, name, definition.origin);
      labels_.emplace(name, id);
      program_.labels.push_back({name, 0, definition.origin, false});
    }
  }
  program_.insns.reserve(ast.lines.size());
  label_placed_.assign(program_.labels.size(), false);
  label_used_.assign(program_.labels.size(), std::nullopt);
  for (const ast::Line& l : ast.lines) {
    line(l);
    if (given_up_) return std::move(program_);
  }
  finish();
  return std::move(program_);
}

void Resolver::line(const ast::Line& l) {
  line_ = l.index;
  sources_.checkpoint();
  if (Recorder* recorder = sources_.recorder()) recorder->line(l);
  for (const ast::LabelDefinition& definition : l.labels) {
    const std::string name = key(definition.name);
    const LabelId id = labels_.find(name)->second;
    if (!label_placed_[static_cast<size_t>(id)]) place_label(name);
  }
  if (l.directive) l.wrong ? wrong_directive(*l.directive) : directive(*l.directive);
  if (l.structured) structured_.keyword(*l.structured);
  if (l.assignment) structured_.assign(*l.assignment);
  if (l.instruction) instruction(*l.instruction);
}

void Resolver::finish() {
  blocks_closed_ = structured_.finish();
  while (scopes_.depth() > 0) {
    error("asm-scope", scopes_.innermost_origin(), "this scope is never closed", "add .end (or .endlocal)");
    auto symbols = scopes_.close(false);
    if (!symbols) symbols = scopes_.close(true);
    end_symbols(*symbols);
  }
  end_symbols(scopes_.outermost());
  if (subroutine_) error("asm-subroutine", subroutine_->origin, "this .subroutine has no .endsub");
  finish_groups();
  check_labels();
  for (size_t i = 0; i < program_.vregs.size(); ++i) {
    Vreg& v = program_.vregs[i];
    if (v.cls != VregClass::xfer_s && v.cls != VregClass::xfer_d) continue;
    // Without an attribute the uses tell which side is meant; a name that is only taken by `&` may be either.
    if (!declared_side_[i] && (read_used_[i] || write_used_[i])) {
      v.read_side = read_used_[i];
      v.write_side = write_used_[i];
    }
  }
}

void Resolver::finish_groups() {
  using Side = XferGroup::Side;
  ordered_.resize(program_.vregs.size());
  for (const auto& [first, symbol] : arrays_) {
    const uint8_t have = ordered_[first];
    if (have == 3) continue;
    program_.groups.push_back({have == 0   ? Side::both
                               : have == 1 ? Side::write
                                           : Side::read,
                               symbol.ids, symbol.origin});
  }
  // Groups do not overlap on one side, so a register has one place at most there.
  struct Place {
    const XferGroup* group = nullptr;
    size_t place = 0;
  };
  std::array<std::vector<Place>, 2> places{std::vector<Place>(program_.vregs.size()),
                                           std::vector<Place>(program_.vregs.size())};  // read, write
  for (const XferGroup& g : program_.groups) {
    for (size_t i = 0; i < g.members.size(); ++i) {
      const auto v = static_cast<size_t>(g.members[i]);
      if (g.side != Side::write) places[0][v] = {&g, i};
      if (g.side != Side::read) places[1][v] = {&g, i};
    }
  }
  for (const LateCheck& check : order_checks_) {
    const auto [found, place] = places[check.read ? 0 : 1][static_cast<size_t>(check.first)];
    const size_t available = found ? found->members.size() - place : 1;
    if (available < check.longwords) {
      error("asm-xfer-order", check.origin,
            fmt::format("the command uses {} consecutive transfer registers from '{}' on, but only {} {} known to be "
                        "consecutive",
                        check.longwords, program_.vregs[static_cast<size_t>(check.first)].name, available,
                        available == 1 ? "is" : "are"),
            "name them all, in this order, in .xfer_order, or declare an array");
      continue;
    }
    for (size_t i = 0; found && i < check.longwords; ++i) {
      const auto v = static_cast<size_t>(found->members[place + i]);
      (check.read ? read_used_ : write_used_)[v] = true;
      program_.vregs[v].used = true;
    }
  }
}

void Resolver::check_labels() {
  if (diagnostics_.has_errors()) return;  // an instruction that was refused may be the one that is missing
  for (size_t i = 0; i < program_.labels.size(); ++i) {
    const Label& l = program_.labels[i];
    if (!label_used_[i] || l.index < program_.insns.size()) continue;
    if (l.generated && !blocks_closed_) continue;  // reported as open
    if (l.generated) {
      error("asm-block-at-end", l.origin, "an instruction must follow this block, for its branches to lead to",
            "add a nop, or whatever comes next");
    } else {
      error("asm-label-at-end", l.origin, fmt::format("no instruction follows the label '{}'", l.name),
            "add a nop, or whatever comes next");
    }
  }
}

// --- what structured blocks ask for ---

void Resolver::emit(const ast::Instruction& i) { instruction(i); }

std::string_view Resolver::new_label(std::string text, const Origin& origin) {
  const auto [at, fresh] = labels_.try_emplace(text, static_cast<LabelId>(program_.labels.size()));
  if (!fresh) {
    error("asm-reserved-label", program_.labels[static_cast<size_t>(at->second)].origin,
          fmt::format("the label '{}' belongs to a structured block", text), "names l<number>_ are reserved");
    return at->first;
  }
  program_.labels.push_back({std::move(text), 0, origin, true});
  label_placed_.push_back(false);
  label_used_.emplace_back();
  return at->first;
}

void Resolver::place_label(std::string_view name) {
  const auto id = static_cast<size_t>(labels_.find(name)->second);
  program_.labels[id].index = here();
  label_placed_[id] = true;
}

std::optional<int64_t> Resolver::constant_value(const ast::Expr& expr) {
  using Kind = ast::Expr::Kind;
  const auto numbers_only = [&](auto&& self, const ast::Expr& e) -> bool {
    switch (e.kind) {
      case Kind::number: return true;
      case Kind::call: return folded(e.text) == "log2" && self(self, e.args.empty() ? e : e.args[0]);
      case Kind::unary:
      case Kind::binary:
      case Kind::conditional:
        for (const ast::Expr& arg : e.args) {
          if (!self(self, arg)) return false;
        }
        return true;
      default: return false;
    }
  };
  if (expr.kind == Kind::call && expr.args.empty()) return std::nullopt;
  if (!numbers_only(numbers_only, expr)) return std::nullopt;
  const auto value = constant(expr);
  if (!value || !is_known(*value)) return std::nullopt;
  return value->number;
}

bool Resolver::is_import(const ast::Expr& e) {
  if (e.kind != ast::Expr::Kind::name) return false;
  const std::string name = key(e.text);
  return is_import_name(name) || block(name) != nullptr;
}

bool Resolver::is_register(const ast::Expr& expr) { return names_register(expr); }

std::optional<std::string_view> Resolver::new_temporary(const Origin& origin) {
  if (physical_) return std::nullopt;
  const std::string name = fmt::format("l{:03}_value", ++generated_);
  const auto id = static_cast<VregId>(program_.vregs.size());
  Vreg v;
  v.name = name;
  v.declared = origin;
  v.scope_begin = here();
  program_.vregs.push_back(std::move(v));
  read_used_.push_back(false);
  write_used_.push_back(false);
  declared_side_.push_back(false);
  const Symbol* previous = nullptr;
  scopes_.add({Symbol::Kind::reg, name, {id}, false, true, origin}, &previous);
  words_.push_back(name);
  return words_.back();
}

Program resolve(const ast::Program& ast, const TokenProgram& tokens, const Sources& sources, const Options& options,
                Diagnostics& diagnostics) {
  return Resolver(tokens, sources, options, diagnostics).run(ast);
}

}  // namespace weft::assembler
