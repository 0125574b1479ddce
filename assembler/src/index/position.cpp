// What stands before the cursor and what may come next. Text that is being written has no tree, so this looks at the
// tokens of the statement up to the position; which forms there are is asked of the ISA's tables.
#include <algorithm>
#include <array>
#include <set>

#include "expander.h"
#include "expression.h"
#include "index/data.h"
#include "index/position.h"
#include "matching.h"
#include "resolver.h"

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
  for (const Token* t = l.begin; t != l.end() && Position{t->origin.line, t->origin.column} < p; ++t) out.tokens.push_back(*t);
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
    out.in_text = p.line == last.origin.line && p.column < last.origin.column + last.origin.length + (last.kind == TokenKind::other ? 1 : 0);
  }
  // Labels before the statement.
  auto& t = out.tokens;
  while (t.size() >= 3 && t[0].kind == TokenKind::name && is_punct(t[1], '#') && is_punct(t[2], ':')) t.erase(t.begin(), t.begin() + 3);
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
        if (position == c.argument || (arg.cls == ArgClass::signal_list && position < c.argument)) out.push_back({&info, &form, &arg});
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
    if (is_punct(t[0], '#')) c.head = t.size() > 1 ? "#" + folded(t[1].text) : "#";
    else c.head = folded(t[0].text);
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
  if (depth == 0) return c;  // behind the bracket, before a comma
  c.kind = macro ? Kind::macro_argument : Kind::argument;
  if (macro) return c;
  for (const Choice& choice : choices(d, c, s)) {
    const std::string name(choice.arg == nullptr ? "command" : class_name(choice.arg->cls));
    if (std::find(c.classes.begin(), c.classes.end(), name) == c.classes.end()) c.classes.push_back(name);
    const bool dest = choice.arg != nullptr && (choice.arg->cls == ArgClass::ur_dest || choice.arg->cls == ArgClass::re_dest);
    const bool absent = choice.arg != nullptr && (choice.arg->optional || (dest && isa::check_operand(d.profile, *choice.arg, {}).has_value()));
    if (absent && std::find(c.classes.begin(), c.classes.end(), "--") == c.classes.end()) c.classes.emplace_back("--");
  }
  return c;
}

IndexContext Index::context_at(uint32_t file, Position p) const {
  IndexContext c = context_of(*data_, statement_at(data_->files[file], p));
  c.scope = scope_at(file, p);
  return c;
}

// --- completion ---

namespace {

isa::OperandKind operand_kind(std::string_view name) {
  if (name.starts_with("$$")) return isa::OperandKind::xfer_d;
  if (name.starts_with("$")) return isa::OperandKind::xfer_s;
  if (name.starts_with("n$")) return isa::OperandKind::neighbor;
  if (name.starts_with("@")) return isa::OperandKind::gpr_absolute;
  return isa::OperandKind::gpr;
}

class Completions {
 public:
  Completions(const Index::Data& d, const IndexContext& c, uint32_t file, Position p) : d_(d), c_(c), file_(file), p_(p) {}

  std::vector<IndexCompletion> take() {
    std::sort(out_.begin(), out_.end(), [](const auto& a, const auto& b) { return std::tie(a.kind, a.text, a.detail) < std::tie(b.kind, b.text, b.detail); });
    return std::move(out_);
  }
  void offer(std::string_view text, std::string_view kind, std::string detail = {}) {
    if (text.size() < c_.prefix.size() || !same_name(text.substr(0, c_.prefix.size()), c_.prefix)) return;
    if (seen_.insert({std::string(kind), std::string(text)}).second) out_.push_back({std::string(text), std::string(kind), std::move(detail)});
  }
  template <class Accept>
  void names(NameKind kind, Accept accept) {
    for (const IndexName& n : d_.names) {
      if (n.kind != kind || !accept(n) || !visible(n)) continue;
      offer(kind == NameKind::label ? n.written + "#" : n.written, name_of(kind), n.detail);
    }
  }
  void names(NameKind kind) {
    names(kind, [](const IndexName&) { return true; });
  }
  void constants() {
    names(NameKind::define);
    names(NameKind::import_variable);
    names(NameKind::memory);
  }
  template <class Values>
  void words(const Values& values, std::string_view kind) {
    for (const auto& v : values) offer(folded(v.name), kind);
  }
  /// Parameters of the macro around the position may stand for anything.
  void parameters() {
    for (const MacroBody& m : d_.macros) {
      if (m.file != file_ || p_.line <= m.first || p_.line > m.last) continue;
      for (const auto& [written, name] : m.parameters) offer(written, name_of(NameKind::parameter), std::string(d_.names[m.name].written));
    }
  }
  void argument(const Choice& choice) {
    if (choice.arg == nullptr) return offer(choice.info->subcommand, "command", std::string(choice.info->summary));
    const isa::Arg& arg = *choice.arg;
    const bool dest = arg.cls == ArgClass::ur_dest || arg.cls == ArgClass::re_dest;
    if (arg.optional || (dest && isa::check_operand(d_.profile, arg, {}))) offer("--", "operation");
    switch (arg.cls) {
      case ArgClass::label: return names(NameKind::label);
      case ArgClass::signal:
        words(isa::signal_names(d_.profile), "signal");
        return names(NameKind::signal);
      case ArgClass::signal_list:
        words(isa::signal_names(d_.profile), "signal");
        for (const char* word : {"voluntary", "kill", "bpt"}) offer(word, "constant");
        return names(NameKind::signal);
      case ArgClass::alu_op:
      case ArgClass::shf_op:
        for (const isa::NamedValue& v : isa::alu_ops()) {
          using isa::AluOp;
          static constexpr std::array logical{AluOp::b, AluOp::not_b, AluOp::and_, AluOp::not_and, AluOp::and_not, AluOp::or_};
          if (arg.cls == ArgClass::alu_op || std::find(logical.begin(), logical.end(), static_cast<AluOp>(v.value)) != logical.end())
            offer(v.name, "operation");
        }
        return;
      case ArgClass::input_state: return words(isa::input_states(d_.profile), "constant");
      case ArgClass::crc_type: return words(isa::crc_types(), "constant");
      case ArgClass::local_csr: return words(isa::csrs(d_.profile), "constant");
      case ArgClass::cap_csr: return words(isa::cap_csrs(d_.profile), "constant");
      case ArgClass::alu_output: return offer("alu", "constant");
      case ArgClass::none_only: return offer("--", "operation");
      case ArgClass::constant:
      case ArgClass::count:
      case ArgClass::context:
      case ArgClass::byte_mask:
      case ArgClass::immediate: return constants();
      case ArgClass::shift:
      case ArgClass::right_shift:
      case ArgClass::byte_shift:
      case ArgClass::mul_step: return;
      default: break;
    }
    const bool transfer = is_transfer(arg.cls);
    const isa::OperandKind wanted = choice.info->unit == isa::Unit::dram ? isa::OperandKind::xfer_d : isa::OperandKind::xfer_s;
    names(NameKind::reg, [&](const IndexName& n) {
      isa::Operand o;
      o.kind = operand_kind(n.name);
      if (transfer && o.kind != wanted) return false;
      if (o.is_gpr()) o.bank = isa::Bank::a;
      if (!isa::check_operand(d_.profile, arg, o)) return false;
      const bool takes = arg.cls == ArgClass::xfer_write || (!transfer && arg.role == isa::Role::dest);
      const bool read_only = n.detail.find("read") != std::string::npos, write_only = n.detail.find("write") != std::string::npos;
      if (o.kind != isa::OperandKind::xfer_s && o.kind != isa::OperandKind::xfer_d) return true;
      return takes ? !read_only : !write_only;
    });
    isa::Operand constant;
    constant.kind = isa::OperandKind::constant;
    if (isa::check_operand(d_.profile, arg, constant)) constants();
  }

 private:
  bool visible(const IndexName& n) const {
    if (n.references.empty()) return false;
    const IndexReference& first = d_.references[n.references.front()];
    if (n.kind == NameKind::label) return first.definition && (first.expansion == 0 || d_.macro_at(file_, p_.line) != nullptr);
    if (n.kind == NameKind::define && first.place.file < d_.paths.size() && d_.paths[first.place.file] == "<built-in>") return true;
    if (n.kind != NameKind::reg && n.kind != NameKind::signal) return true;
    if (n.id < 0 || !d_.in_scope(n, c_.scope)) return false;
    return first.place.file != file_ || first.expansion != 0 || first.place.line < p_.line;
  }

  const Index::Data& d_;
  const IndexContext& c_;
  uint32_t file_;
  Position p_;
  std::vector<IndexCompletion> out_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

std::vector<IndexCompletion> Index::completions_at(uint32_t file, Position p) const {
  const Statement s = statement_at(data_->files[file], p);
  IndexContext c = context_of(*data_, s);
  c.scope = scope_at(file, p);
  Completions out(*data_, c, file, p);
  const auto directives = [&] {
    for (const std::string& d : assembler_directives()) out.offer(d, "directive");
  };
  switch (c.kind) {
    case Kind::none: break;
    case Kind::statement:
      for (const isa::InsnInfo& info : isa::all_instructions())
        if (isa::enabled(data_->profile, info.id)) out.offer(info.mnemonic, "instruction", info.subcommand.empty() ? std::string(info.summary) : "");
      for (const isa::Alias& alias : isa::aliases(data_->profile)) out.offer(alias.spelling, "instruction");
      out.names(NameKind::macro);
      directives();
      break;
    case Kind::directive:
      if (c.head == "#") {
        for (const std::string& word : directive_names()) out.offer(word, "directive");
      } else if (c.head.empty()) {
        directives();
      } else if (c.head.starts_with('#')) {
        out.names(NameKind::define);
        if (c.head == "#ifdef" || c.head == "#ifndef" || c.head == "#undef") out.names(NameKind::macro);
        out.parameters();
      } else if (c.head == ".reg") {
        for (const char* word : {"volatile", "global", "visible", "read", "write", "extern", "remote"}) out.offer(word, "attribute");
      } else if (c.head == ".sig") {
        for (const char* word : {"volatile", "global", "visible", "extern", "remote"}) out.offer(word, "attribute");
      } else if (c.head.starts_with(".set") || c.head.starts_with(".use") || c.head == ".io_completed" || c.head == ".addr") {
        if (c.head != ".set_sig") out.names(NameKind::reg);
        out.names(NameKind::signal);
        out.parameters();
      } else if (c.head.starts_with(".xfer_order")) {
        out.names(NameKind::reg, [](const IndexName& n) { return n.name.starts_with('$'); });
        out.parameters();
      } else if (c.head.starts_with(".if") || c.head.starts_with(".elif") || c.head.starts_with(".while") || c.head.starts_with(".until")) {
        out.names(NameKind::reg);
        out.constants();
        out.parameters();
      }
      break;
    case Kind::option:
      if (c.argument == UINT32_MAX) {
        IndexContext whole = c;
        whole.argument = 1;
        for (const Choice& choice : choices(*data_, whole, s))
          for (const isa::TokenId token : choice.info->tokens) out.offer(isa::token_name(token), "option");
      } else if (c.classes == std::vector<std::string>{"signal"}) {
        out.names(NameKind::signal);
      } else if (c.classes == std::vector<std::string>{"label"}) {
        out.names(NameKind::label);
      } else {
        out.constants();
      }
      out.parameters();
      break;
    case Kind::argument:
      for (const Choice& choice : choices(*data_, c, s)) out.argument(choice);
      out.parameters();
      break;
    case Kind::macro_argument:
      for (const NameKind kind : {NameKind::reg, NameKind::signal, NameKind::label}) out.names(kind);
      out.constants();
      out.parameters();
      break;
  }
  return out.take();
}

}  // namespace weft::assembler
