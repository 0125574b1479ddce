// What stands before the cursor and what may come next. Text that is being written has no tree, so this looks at the
// tokens of the statement up to the position; which forms there are is asked of the ISA's tables.
#include "index/position.h"

#include <algorithm>

#include "index/data.h"
#include "preprocessor/expander.h"
#include "preprocessor/expression.h"

namespace weft::assembler {

using isa::ArgClass;
using Kind = IndexContext::Kind;

std::string_view class_name(ArgClass cls) {
  switch (cls) {
    case ArgClass::ur_dest:
    case ArgClass::re_dest: return "destination";
    case ArgClass::ur_source:
    case ArgClass::re_source: return "source";
    case ArgClass::re_register:
    case ArgClass::ur_register: return "register";
    case ArgClass::address: return "address";
    case ArgClass::xfer_read: return "read transfer register";
    case ArgClass::xfer_write: return "write transfer register";
    case ArgClass::xfer_both: return "transfer register";
    case ArgClass::alu_op: return "operator";
    case ArgClass::shf_op: return "operator beside a shift";
    case ArgClass::shift:
    case ArgClass::right_shift:
    case ArgClass::byte_shift: return "shift";
    case ArgClass::byte_mask: return "byte mask";
    case ArgClass::constant: return "number";
    case ArgClass::immediate: return "value";
    case ArgClass::label: return "label";
    case ArgClass::signal: return "signal";
    case ArgClass::signal_list: return "signals";
    case ArgClass::context: return "context number";
    case ArgClass::input_state: return "input state";
    case ArgClass::local_csr: return "local CSR";
    case ArgClass::cap_csr: return "CAP CSR";
    case ArgClass::count: return "count";
    case ArgClass::crc_type: return "CRC type";
    case ArgClass::mul_step: return "multiplication step";
    case ArgClass::none_only: return "--";
    case ArgClass::alu_output: return "alu";
  }
  return "";
}

Statement statement_at(const IndexFile& f, Position p) {
  Statement out;
  const auto& lines = f.lexed.lines;
  const auto after = std::upper_bound(lines.begin(), lines.end(), p, [](Position at, const LineRef& l) {
    return at < Position{l.begin->origin.line, l.begin->origin.column};
  });
  if (after == lines.begin()) return out;
  const LineRef& l = *std::prev(after);
  for (const Token* t = l.begin; t != l.end() && Position{t->origin.line, t->origin.column} < p; ++t)
    out.tokens.push_back(*t);
  if (out.tokens.empty()) return out;  // where the line begins
  const Token& last = out.tokens.back();
  const bool goes_on = is_punct(last, ',') || is_punct(last, '(') || is_punct(last, '[');
  if (last.origin.line < p.line && !goes_on) {
    out.tokens.clear();
    return out;
  }
  if (last.origin.line == p.line && p.column <= last.origin.column + last.origin.length &&
      (last.kind == TokenKind::name || last.kind == TokenKind::number)) {
    out.prefix = std::string(last.text.substr(0, p.column - last.origin.column));
    out.tokens.pop_back();
  } else if (last.kind == TokenKind::string || last.kind == TokenKind::quoted || last.kind == TokenKind::other) {
    out.in_text = p.line == last.origin.line &&
                  p.column < last.origin.column + last.origin.length + (last.kind == TokenKind::other ? 1 : 0);
  }
  // Labels before the statement.
  auto& t = out.tokens;
  while (t.size() >= 3 && t[0].kind == TokenKind::name && is_punct(t[1], '#') && is_punct(t[2], ':'))
    t.erase(t.begin(), t.begin() + 3);
  return out;
}

std::vector<Choice> choices(const Index::Data& d, const IndexContext& c, const Statement& s) {
  std::vector<Choice> out;
  std::string command;
  for (size_t i = 0; i + 1 < s.tokens.size(); ++i) {
    if (!is_punct(s.tokens[i], '[')) continue;
    if (s.tokens[i + 1].kind == TokenKind::name) command = folded(s.tokens[i + 1].text);
    break;
  }
  const auto take = [&](isa::InsnId id) {
    const isa::InsnInfo& info = isa::info(id);
    const size_t skip = info.subcommand.empty() ? 0 : 1;
    if (skip != 0 && c.argument > 0 && info.subcommand != command) return;
    for (const isa::Form& form : info.forms) {
      if (skip != 0 && c.argument == 0) {
        out.push_back({&info, &form, nullptr});
        continue;
      }
      size_t position = skip;
      for (const isa::Arg& arg : form.args) {
        if (arg.cls == ArgClass::mul_step) continue;
        if (position == c.argument || (arg.cls == ArgClass::signal_list && position < c.argument))
          out.push_back({&info, &form, &arg});
        ++position;
      }
    }
  };
  const auto ids = isa::by_mnemonic(d.profile, c.head);
  for (const isa::InsnId id : ids) take(id);
  if (ids.empty())
    for (const isa::Alias& alias : isa::aliases(d.profile))
      if (alias.spelling == c.head && c.head != "nop" && c.head != "halt") take(alias.instruction.id);
  return out;
}

IndexContext context_of(const Index::Data& d, const Statement& s) {
  IndexContext c;
  c.prefix = s.prefix;
  if (s.in_text) return c;
  const auto& t = s.tokens;
  if (t.empty()) {
    c.kind = s.prefix.starts_with('.') ? Kind::directive : Kind::statement;
    return c;
  }
  if (is_punct(t[0], '#') || t[0].text[0] == '.') {
    c.kind = Kind::directive;
    if (is_punct(t[0], '#'))
      c.head = t.size() > 1 ? "#" + folded(t[1].text) : "#";
    else
      c.head = folded(t[0].text);
    const size_t first = is_punct(t[0], '#') ? 2 : 1;
    for (size_t i = first; i < t.size(); ++i)
      if (t[i].kind == TokenKind::name || t[i].kind == TokenKind::number) ++c.argument;
    return c;
  }
  size_t i = 0;
  for (; i < t.size() && !is_punct(t[i], '[') && !is_punct(t[i], '('); ++i) c.head += folded(t[i].text);
  if (i == t.size()) return c;  // a word and then something: arithmetic, or not yet clear
  const bool macro = d.find(c.head, NameKind::macro) != nullptr;
  int depth = 0;
  bool closed = false;
  for (; i < t.size(); ++i) {
    if (is_punct(t[i], '[') || is_punct(t[i], '(')) {
      if (closed && depth == 0) {  // ctx_swap[
        c.kind = Kind::option;
        c.head = folded(t[i - 1].text);
        c.argument = 0;
        ++depth;
        continue;
      }
      ++depth;
    } else if (is_punct(t[i], ']') || is_punct(t[i], ')')) {
      if (--depth == 0) closed = true;
    } else if (is_punct(t[i], ',') && depth == 1) {
      ++c.argument;
    } else if (is_punct(t[i], ',') && depth == 0) {
      c.kind = Kind::option;
    }
  }
  if (c.kind == Kind::option) {
    if (depth == 0) {  // between options: the head is the instruction
      c.head.clear();
      for (size_t k = 0; k < t.size() && !is_punct(t[k], '['); ++k) c.head += folded(t[k].text);
      c.argument = UINT32_MAX;
    } else if (c.head == "ctx_swap" || c.head == "sig_done") {
      c.classes = {"signal"};
    } else if (c.head == "br" || c.head == "targets") {
      c.classes = {"label"};
    } else {
      c.classes = {"number"};
    }
    return c;
  }
  if (depth == 0) return c;  // after the bracket, before a comma
  c.kind = macro ? Kind::macro_argument : Kind::argument;
  if (macro) return c;
  for (const Choice& choice : choices(d, c, s)) {
    const std::string name(choice.arg == nullptr ? "command" : class_name(choice.arg->cls));
    if (std::find(c.classes.begin(), c.classes.end(), name) == c.classes.end()) c.classes.push_back(name);
    const bool dest =
        choice.arg != nullptr && (choice.arg->cls == ArgClass::ur_dest || choice.arg->cls == ArgClass::re_dest);
    const bool absent = choice.arg != nullptr &&
                        (choice.arg->optional || (dest && isa::check_operand(d.profile, *choice.arg, {}).has_value()));
    if (absent && std::find(c.classes.begin(), c.classes.end(), "--") == c.classes.end()) c.classes.emplace_back("--");
  }
  return c;
}

IndexContext Index::context_at(uint32_t file, Position p) const {
  IndexContext c = context_of(*data_, statement_at(data_->files[file], p));
  c.scope = scope_at(file, p);
  return c;
}

}  // namespace weft::assembler
