// A class for every token: from the parser's tree and the tables of the ISA, and for text that was not expanded from
// the same parser's reading of the line as it stands.
#include <algorithm>

#include "index/builder.h"
#include "parser/parser.h"
#include "resolver/matching.h"

namespace weft::assembler {
namespace {

using Form = ast::Operand::Kind;

bool is_physical(std::string_view name) {
  const auto digits = [&](size_t from) {
    return name.size() > from && suffix_number(name.substr(from), 127).has_value();
  };
  if (name.starts_with("$$")) return digits(2);
  if (name.starts_with("$")) return digits(1);
  if (name.starts_with("n$") || name.starts_with("@a") || name.starts_with("@b")) return digits(2);
  return (name.starts_with('a') || name.starts_with('b') || name.starts_with('s')) && digits(1);
}

TokenClass class_of(NameKind kind) {
  switch (kind) {
    case NameKind::reg: return TokenClass::reg;
    case NameKind::signal: return TokenClass::signal;
    case NameKind::label: return TokenClass::label;
    case NameKind::macro: return TokenClass::macro;
    case NameKind::define: return TokenClass::define;
    case NameKind::parameter: return TokenClass::parameter;
    case NameKind::import_variable: return TokenClass::import_variable;
    case NameKind::memory: return TokenClass::memory;
    case NameKind::mark: return TokenClass::mark;
    case NameKind::file: return TokenClass::file;
  }
  return TokenClass::name;
}

}  // namespace

void IndexBuilder::set(uint32_t file, const Token* t, TokenClass kind, bool force) {
  IndexFile& f = data_->files[file];
  const size_t at = f.index(t);
  if (f.known[at] && !force) return;
  f.known[at] = true;
  f.out[f.out_of[at]].kind = kind;
}

void IndexBuilder::set(const Origin& origin, TokenClass kind) {
  if (origin.file >= data_->file_of.size() || (define_of(origin) != 0 && !static_)) return;
  const uint32_t file = data_->file_of[origin.file];
  if (const Token* t = data_->files[file].token(origin.line, origin.column); t != nullptr && t->kind == TokenKind::name)
    set(file, t, kind);
}

/// All names of a stretch of one line.
void IndexBuilder::set_names(const Origin& origin, TokenClass kind) {
  if (origin.file >= data_->file_of.size() || define_of(origin) != 0) return;
  const uint32_t file = data_->file_of[origin.file];
  const IndexFile& f = data_->files[file];
  const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
  for (const Token* t = f.token(origin.line, origin.column);
       t != nullptr && t < end && t->origin.line == origin.line && t->origin.column < origin.column + origin.length;
       ++t)
    if (t->kind == TokenKind::name) set(file, t, kind);
}

/// The token of a reference takes the class of its name.
void IndexBuilder::paint(const IndexReference& r) {
  if (r.through_define) return;  // the place shows the define
  IndexFile& f = data_->files[r.place.file];
  const Token* t = f.token(r.place.line, r.place.column);
  if (t == nullptr || t->kind != TokenKind::name) return;
  const TokenClass kind = class_of(data_->names[r.name].kind);
  set(r.place.file, t, kind);
  IndexToken& out = f.out[f.out_of[f.index(t)]];
  if (out.kind != kind) return;
  out.definition = out.definition || r.definition;
  out.reads = out.reads || r.reads;
  out.writes = out.writes || r.writes;
  const IndexName& n = data_->names[r.name];
  if ((n.kind == NameKind::reg || n.kind == NameKind::signal) && n.id < 0) out.unresolved = true;
}

void IndexBuilder::statement(const ast::Line& l) {
  for (const ast::LabelDefinition& label : l.labels) set(label.origin, TokenClass::label);
  if (l.directive) {
    set(l.directive->origin, TokenClass::directive);
    for (const ast::DirectiveArg& arg : l.directive->args) {
      // The resolver knows which of them are names; what stays over are the words of the directive.
      if (arg.index) expression_words(*arg.index);
      if (arg.offset) expression_words(*arg.offset);
      if (arg.kind == ast::DirectiveArg::Kind::constant) expression_words(arg.value);
      if (arg.kind == ast::DirectiveArg::Kind::label) set(arg.origin, TokenClass::label);
    }
  }
  if (l.structured) {
    set(l.structured->origin, TokenClass::directive);
    if (l.structured->condition) expression_words(*l.structured->condition);
  }
  if (l.assignment) {
    expression_words(l.assignment->dest);
    expression_words(l.assignment->value);
  }
  if (!l.instruction) return;
  const ast::Instruction& i = *l.instruction;
  if (i.origin.file < data_->file_of.size() && define_of(i.origin) == 0) {
    const uint32_t file = data_->file_of[i.origin.file];
    const IndexFile& f = data_->files[file];
    const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
    size_t length = 0;
    // "br=byte" is three tokens.
    for (const Token* t = f.token(i.origin.line, i.origin.column);
         t != nullptr && t < end && length < i.mnemonic.size(); ++t) {
      length += t->text.size();
      set(file, t, TokenClass::instruction, t->kind != TokenKind::name);
    }
  }
  for (const ast::Operand& o : i.operands) operand_words(o);
  for (const ast::Modifier& m : i.modifiers) {
    set(m.origin, TokenClass::option);
    for (const ast::Operand& o : m.arguments) operand_words(o);
  }
}

void IndexBuilder::operand_words(const ast::Operand& o) {
  if (o.kind == Form::operation) set_names(o.origin, TokenClass::operation);
  if (o.kind == Form::shift) {
    const std::string name = o.expr.kind == ast::Expr::Kind::name ? folded(o.expr.text) : "";
    if (name == "indirect" || name.starts_with("rot")) set(o.expr.origin, TokenClass::constant);
  }
  if (o.kind == Form::shift || o.kind == Form::value) expression_words(o.expr);
}

void IndexBuilder::expression_words(const ast::Expr& e) {
  using Kind = ast::Expr::Kind;
  if (e.kind == Kind::call) set(e.origin, TokenClass::function);
  if (e.kind == Kind::label) set(e.origin, TokenClass::label);
  if (e.kind == Kind::deref) set_names(e.origin, TokenClass::constant);  // l$index0, $index: fixed names
  for (const ast::Expr& arg : e.args) {
    const std::string word = arg.kind == Kind::name ? folded(arg.text) : "";
    if (e.kind == Kind::element && (word == "read" || word == "write")) set(arg.origin, TokenClass::attribute);
    expression_words(arg);
  }
}

void IndexBuilder::instruction_words(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Form& form,
                                     size_t skip) {
  using isa::ArgClass;
  if (!info.subcommand.empty() && !i.operands.empty()) set(i.operands[0].origin, TokenClass::command);
  size_t position = skip;
  for (const isa::Arg& arg : form.args) {
    if (arg.cls == ArgClass::mul_step) continue;
    if (position >= i.operands.size()) break;
    const ast::Operand& o = i.operands[position++];
    const std::string word = plain_name(o);
    switch (arg.cls) {
      case ArgClass::alu_op:
      case ArgClass::shf_op: set_names(o.origin, TokenClass::operation); break;
      case ArgClass::input_state:
      case ArgClass::local_csr:
      case ArgClass::crc_type:
      case ArgClass::alu_output: set(o.origin, TokenClass::constant); break;
      case ArgClass::cap_csr:
        if (value_of(isa::cap_csrs(data_->profile), word)) set(o.origin, TokenClass::constant);
        break;
      case ArgClass::count:
        if (word.starts_with("max_")) set(o.origin, TokenClass::constant);
        break;
      case ArgClass::signal_list:
        for (--position; position < i.operands.size(); ++position) {
          const std::string name = plain_name(i.operands[position]);
          if (name == "voluntary" || name == "kill" || name == "bpt")
            set(i.operands[position].origin, TokenClass::constant);
        }
        break;
      default: break;
    }
  }
}

// --- what nothing has settled yet ---

namespace {

/// A line as it stands, with labels joined as the preprocessor does it.
TokenLine as_written(const LineRef& l, Sources& sources) {
  TokenLine line;
  for (const Token* t = l.begin; t != l.end(); ++t) {
    if (t->kind == TokenKind::other || is_join(*t)) return {};
    Token copy = *t;
    if (t->kind == TokenKind::name && is_label_name(t, l.end())) {
      copy.text = sources.keep(std::string(t->text) + "#");
      ++copy.origin.length;
      ++t;
    }
    line.tokens.push_back(copy);
  }
  if (!line.tokens.empty()) line.origin = line.tokens.front().origin;
  return line;
}

/// A word after .reg or .sig that says something of the names after it. A register may be called so; then it is known
/// already.
bool is_attribute(const Token& directive, const Token& word) {
  const std::string name = folded(word.text);
  const bool reg = is_name(directive, ".reg");
  if (!reg && !is_name(directive, ".sig")) return false;
  if (reg && (name == "read" || name == "write")) return true;
  return name == "volatile" || name == "global" || name == "visible" || name == "extern" || name == "remote";
}

/// Whether a word is a name of the program. A label's own word stands with a '#', so without it it is another one:
/// `write` in
/// ".reg write $x" is an attribute although there is a label write#.
bool names_something(const Index::Data& data, const std::string& word) {
  const auto at = data.by_name.find(word);
  return at != data.by_name.end() && std::any_of(at->second.begin(), at->second.end(),
                                                 [&](uint32_t id) { return data.names[id].kind != NameKind::label; });
}

}  // namespace

void IndexBuilder::by_spelling(uint32_t file, const Token* t, bool first) {
  IndexFile& f = data_->files[file];
  const std::string name = folded(t->text);
  const isa::Profile profile = data_->profile;
  if (name.starts_with('.')) return set(file, t, TokenClass::directive);
  if (first && (!isa::by_mnemonic(profile, name).empty() ||
                std::any_of(isa::aliases(profile).begin(), isa::aliases(profile).end(),
                            [&](const isa::Alias& a) { return a.spelling == name; })))
    return set(file, t, TokenClass::instruction);
  // A name that is declared somewhere, perhaps in a scope that this text would be expanded in.
  if (const auto at = data_->by_name.find(data_->key(t->text)); at != data_->by_name.end()) {
    for (const uint32_t id : at->second) {
      const IndexName& n = data_->names[id];
      const bool label = is_label_name(t, f.lexed.tokens.data() + f.lexed.tokens.size());
      if (n.kind == NameKind::parameter || n.kind == NameKind::file || n.kind == NameKind::mark ||
          (n.kind == NameKind::label) != label)
        continue;
      return set(file, t, class_of(n.kind));
    }
  }
  if (value_of(isa::alu_ops(), name)) return set(file, t, TokenClass::operation);
  if (isa::find_csr(profile, std::string_view(name)) || value_of(isa::cap_csrs(profile), name) ||
      value_of(isa::input_states(profile), name) || value_of(isa::crc_types(), name))
    return set(file, t, TokenClass::constant);
  if (name.starts_with("i$")) return set(file, t, TokenClass::import_variable);
  if (name[0] == '$' || name[0] == '@' || name.starts_with("n$") || is_physical(name)) {
    set(file, t, TokenClass::reg);
    f.out[f.out_of[f.index(t)]].unresolved = !is_physical(name);
    return;
  }
  set(file, t, TokenClass::name);
}

void IndexBuilder::rest_of_text() {
  static_ = true;
  for (uint32_t file = 0; file < data_->files.size(); ++file) {
    IndexFile& f = data_->files[file];
    TokenProgram program;
    std::vector<const LineRef*> lines;
    for (size_t i = 0; i < f.lexed.lines.size(); ++i) {
      const LineRef& l = f.lexed.lines[i];
      if (l.directive != Directive::none || (f.state[i] & IndexFile::kReached) != 0) continue;
      const bool open = std::any_of(l.begin, l.end(), [&](const Token& t) { return !f.known[f.index(&t)]; });
      if (!open) continue;
      TokenLine line = as_written(l, data_->sources);
      if (!line.tokens.empty()) program.lines.push_back(std::move(line));
    }
    Diagnostics discarded;
    const ast::Program tree = parse(program, data_->sources, discarded);
    for (const ast::Line& line : tree.lines) {
      data_->sources.checkpoint();
      statement(line);
      if (!line.instruction) continue;
      const ast::Instruction& i = *line.instruction;
      const std::string command = i.operands.empty() ? "" : plain_name(i.operands[0]);
      for (const isa::InsnId id : isa::by_mnemonic(data_->profile, i.mnemonic)) {
        const isa::InsnInfo& info = isa::info(id);
        if (!info.subcommand.empty() && info.subcommand != command) continue;
        const size_t skip = info.subcommand.empty() ? 0 : 1;
        for (const isa::Form& form : info.forms) {
          if (form.args.size() + skip < i.operands.size()) continue;
          instruction_words(i, info, form, skip);
          break;
        }
        break;
      }
    }
    for (const LineRef& l : f.lexed.lines) {
      const Token* first = l.begin;
      while (l.end() - first >= 3 && is_label_name(first, l.end()) && is_punct(first[2], ':')) first += 3;
      bool attributes = false;  // the words of a directive that named nothing
      for (const Token* t = l.begin; t != l.end(); ++t) {
        if (t == first) attributes = t->text[0] == '.';
        if (f.known[f.index(t)]) continue;
        if (is_label_name(t, l.end())) {
          set(file, t, TokenClass::label);
          f.out[f.out_of[f.index(t)]].unresolved =
              l.directive == Directive::none && !f.out[f.out_of[f.index(t)]].in_macro;
        } else if (attributes && t != first &&
                   std::all_of(t->text.begin(), t->text.end(),
                               [](char c) {
                                 return c == '_' || (fold(c) >= 'a' && fold(c) <= 'z') || (c >= '0' && c <= '9');
                               }) &&
                   (is_attribute(*first, *t) || !names_something(*data_, data_->key(t->text)))) {
          set(file, t, TokenClass::attribute);
        } else {
          by_spelling(file, t, t == first);
        }
      }
    }
  }
  static_ = false;
}

}  // namespace weft::assembler
