// What the text itself and the preprocessor say: lines, macros, defines, parameters, included files.
#include <fmt/format.h>

#include <algorithm>

#include "index/builder.h"
#include "preprocessor/expander.h"
#include "preprocessor/expression.h"

namespace weft::assembler {

void IndexBuilder::lay_out(IndexFile& f) {
  const auto& tokens = f.lexed.tokens;
  const uint32_t lines = f.source->line_count() + 2;
  f.known.assign(tokens.size(), false);
  f.out_of.resize(tokens.size());
  f.state.assign(f.lexed.lines.size(), 0);
  f.out.reserve(tokens.size() + f.lexed.comments.size());
  const auto before = [](const Origin& a, const Origin& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  };
  size_t comment = 0;
  const auto put = [&f](const Token& t, TokenClass kind) {
    IndexToken out;
    out.line = t.origin.line;
    out.column = t.origin.column;
    out.length = t.origin.length;
    out.kind = kind;
    f.out.push_back(out);
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    while (comment < f.lexed.comments.size() && before(f.lexed.comments[comment].origin, tokens[i].origin))
      put(f.lexed.comments[comment++], TokenClass::comment);
    f.out_of[i] = static_cast<uint32_t>(f.out.size());
    put(tokens[i], TokenClass::name);
  }
  while (comment < f.lexed.comments.size()) put(f.lexed.comments[comment++], TokenClass::comment);
  f.first_token.assign(lines + 1, static_cast<uint32_t>(tokens.size()));
  for (size_t i = tokens.size(); i-- > 0;)
    if (tokens[i].origin.line < f.first_token.size()) f.first_token[tokens[i].origin.line] = static_cast<uint32_t>(i);
  for (size_t l = lines; l-- > 0;) f.first_token[l] = std::min(f.first_token[l], f.first_token[l + 1]);
  f.first_line.assign(lines + 1, static_cast<uint32_t>(f.lexed.lines.size()));
  for (size_t i = f.lexed.lines.size(); i-- > 0;) {
    const uint32_t line = f.lexed.lines[i].begin->origin.line;
    if (line < f.first_line.size()) f.first_line[line] = static_cast<uint32_t>(i);
  }
  for (size_t l = lines; l-- > 0;) f.first_line[l] = std::min(f.first_line[l], f.first_line[l + 1]);
}

const Token* IndexFile::token(uint32_t line, uint32_t column) const {
  if (line >= first_token.size()) return nullptr;
  for (size_t i = first_token[line]; i < lexed.tokens.size() && lexed.tokens[i].origin.line == line; ++i) {
    if (lexed.tokens[i].origin.column == column) return &lexed.tokens[i];
    if (lexed.tokens[i].origin.column > column) return nullptr;
  }
  return nullptr;
}

const LineRef* IndexFile::line(uint32_t line) const {
  if (line >= first_line.size() || first_line[line] >= lexed.lines.size()) return nullptr;
  const LineRef& l = lexed.lines[first_line[line]];
  return l.begin->origin.line == line ? &l : nullptr;
}

std::optional<IndexPlace> Index::Data::place(const Origin& origin) const {
  if (origin.file >= file_of.size() || origin.line == 0) return std::nullopt;
  const uint32_t file = file_of[origin.file];
  const IndexFile& f = files[file];
  const Token* t = f.token(origin.line, origin.column);
  const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
  while (t != nullptr && t + 1 < end && (is_punct(*t, '&') || is_punct(*t, '*'))) ++t;
  if (t != nullptr) return IndexPlace{file, t->origin.line, t->origin.column, t->origin.length};
  return IndexPlace{file, origin.line, origin.column, origin.length};
}

std::string_view Index::Data::text(const IndexPlace& p) const {
  const std::string_view line = files[p.file].source->line(p.line);
  return p.column == 0 || p.column > line.size() ? std::string_view() : line.substr(p.column - 1, p.length);
}

const MacroBody* Index::Data::macro_at(uint32_t file, uint32_t line) const {
  const MacroBody* innermost = nullptr;
  any_macro_at(file, line, [&](const MacroBody& m) {
    innermost = &m;
    return true;
  });
  return innermost;
}

void Index::Data::add(MacroBody macro) {
  if (macro.file >= macros_of.size()) macros_of.resize(macro.file + 1);
  std::vector<MacroOrder>& order = macros_of[macro.file];
  auto at = std::upper_bound(order.begin(), order.end(), macro.first,
                             [&](uint32_t first, const MacroOrder& m) { return first < macros[m.macro].first; });
  at = order.insert(at, {static_cast<uint32_t>(macros.size()), 0});
  macros.push_back(std::move(macro));
  for (uint32_t last = at == order.begin() ? 0 : std::prev(at)->last; at != order.end(); ++at)
    at->last = last = std::max(last, macros[at->macro].last);
}

void IndexBuilder::base_classes(uint32_t file) {
  IndexFile& f = data_->files[file];
  for (const Token& t : f.lexed.tokens) {
    switch (t.kind) {
      case TokenKind::number: set(file, &t, TokenClass::number); break;
      case TokenKind::string: set(file, &t, TokenClass::string); break;
      case TokenKind::quoted: set(file, &t, TokenClass::quoted); break;
      case TokenKind::other: set(file, &t, TokenClass::error); break;
      case TokenKind::punct: {
        const bool mark = t.text.size() == 1 && std::string_view("[](),:#;").find(t.text[0]) != std::string_view::npos;
        set(file, &t, mark ? TokenClass::punctuation : TokenClass::operation);
        break;
      }
      case TokenKind::name: break;
    }
  }
  for (const LineRef& l : f.lexed.lines) {
    if (l.directive == Directive::none) continue;
    set(file, l.begin, TokenClass::directive, true);
    if (l.count > 1 && l.begin[1].kind == TokenKind::name) set(file, l.begin + 1, TokenClass::directive, true);
  }
}

uint32_t IndexBuilder::define_name(std::string_view text, bool make) {
  const auto at = defines_.find(data_->key(text));
  if (at != defines_.end()) return at->second;
  if (!make) return UINT32_MAX;
  const uint32_t name = add_name(NameKind::define, data_->key(text), text);
  defines_[data_->key(text)] = name;
  return name;
}

void IndexBuilder::find_definitions(uint32_t file) {
  IndexFile& f = data_->files[file];
  for (size_t i = 0; i < f.lexed.lines.size(); ++i) {
    const LineRef& l = f.lexed.lines[i];
    if (l.count < 3 || l.begin[2].kind != TokenKind::name) continue;
    if (l.directive == Directive::define || l.directive == Directive::define_eval || l.directive == Directive::for_)
      define_line(file, i);
    if (l.directive == Directive::macro) macro_line(file, i);
  }
}

void IndexBuilder::define_line(uint32_t file, size_t line) {
  IndexFile& f = data_->files[file];
  const LineRef& l = f.lexed.lines[line];
  const Token& name = l.begin[2];
  const uint32_t id = define_name(name.text, true);
  IndexReference* r = refer(id, file, name, true);
  r->unexpanded = (f.state[line] & IndexFile::kReached) == 0;
  const bool first = data_->names[id].detail.empty();
  if (first && l.directive != Directive::for_) data_->names[id].detail = spelling(l.begin + 3, l.end());
  set(file, &name, TokenClass::define);
  f.out[f.out_of[f.index(&name)]].definition = true;
}

void IndexBuilder::macro_line(uint32_t file, size_t line) {
  IndexFile& f = data_->files[file];
  const LineRef& l = f.lexed.lines[line];
  MacroBody m;
  m.file = file;
  m.head = line;
  int depth = 0;
  m.end = f.lexed.lines.size();
  for (size_t i = line + 1; i < f.lexed.lines.size(); ++i) {
    if (f.lexed.lines[i].directive == Directive::macro) ++depth;
    if (f.lexed.lines[i].directive == Directive::endm && depth-- == 0) {
      m.end = i;
      break;
    }
  }
  const bool open = m.end == f.lexed.lines.size();
  // As the preprocessor cuts off a macro that is being written.
  if (open)
    for (m.end = line + 1; m.end < f.lexed.lines.size() && f.lexed.lines[m.end].directive != Directive::macro;) ++m.end;
  m.first = l.begin->origin.line;
  m.last =
      m.end == f.lexed.lines.size() ? f.source->line_count() : f.lexed.lines[m.end].begin->origin.line - (open ? 1 : 0);
  const Token& name = l.begin[2];
  m.name = add_name(NameKind::macro, data_->key(name.text), name.text);
  macro_names_[data_->key(name.text)].push_back(m.name);
  macro_places_[place_key(file, name.origin.line, name.origin.column)] = m.name;
  refer(m.name, file, name, true)->unexpanded = (f.state[line] & IndexFile::kReached) == 0;
  set(file, &name, TokenClass::macro);
  f.out[f.out_of[f.index(&name)]].definition = true;
  if (l.count > 3) {
    data_->names[m.name].detail = spelling(l.begin + 3, l.end());
    for (const TokenSpan& p :
         split_at_commas(l.begin + 4, std::max(l.begin + 4, matching_close(l.begin + 3, l.end())))) {
      if (p.end - p.begin != 1 || p.begin->kind != TokenKind::name) continue;
      const uint32_t parameter = add_name(NameKind::parameter, data_->key(p.begin->text), p.begin->text);
      data_->names[parameter].detail = std::string(name.text);
      refer(parameter, file, *p.begin, true);
      set(file, p.begin, TokenClass::parameter);
      f.out[f.out_of[f.index(p.begin)]].definition = true;
      m.parameters.emplace_back(p.begin->text, parameter);
    }
  }
  data_->add(std::move(m));
}

// --- uses ---

bool IndexBuilder::parameter_use(uint32_t file, const Token* t, const Token* end) {
  return data_->any_macro_at(file, t->origin.line, [&](const MacroBody& m) {
    if (t->origin.line == m.first) return false;
    for (const auto& [written, name] : m.parameters) {
      if (!data_->sources.names().same(written, t->text) || (is_label_name(t, end) && written != t->text)) continue;
      refer(name, file, *t, false);
      set(file, t, TokenClass::parameter);
      return true;
    }
    return false;
  });
}

/// Parameters inside 'quotes' of a macro's body.
void IndexBuilder::quoted_uses(uint32_t file, const Token& quoted) {
  const auto is_word = [](char c) {
    return c == '_' || c == '$' || c == '@' || (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z');
  };
  const std::string_view text = quoted.text;
  for (size_t at = 1; at + 1 < text.size();) {
    size_t end = at;
    while (end + 1 < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    Token word;
    word.kind = TokenKind::name;
    word.text = text.substr(at, end - at);
    word.origin = quoted.origin;
    word.origin.column += static_cast<uint32_t>(at);
    word.origin.length = static_cast<uint32_t>(end - at);
    data_->any_macro_at(file, word.origin.line, [&](const MacroBody& m) {
      if (word.origin.line == m.first) return false;
      for (const auto& [written, name] : m.parameters)
        if (data_->sources.names().same(written, word.text)) refer(name, file, word, false);
      return false;
    });
    at = end;
  }
}

void IndexBuilder::define_uses(uint32_t file, size_t, const Token* begin, const Token* end, bool unexpanded) {
  for (const Token* t = begin; t != end; ++t) {
    if (t->kind != TokenKind::name || data_->files[file].known[data_->files[file].index(t)]) continue;
    if (const uint32_t define = define_name(t->text, false); define != UINT32_MAX) {
      if (is_label_name(t, end) && data_->names[define].written != t->text) continue;
      refer(define, file, *t, false)->unexpanded = unexpanded;
      set(file, t, TokenClass::define);
    } else if (const auto at = macro_names_.find(data_->key(t->text));
               at != macro_names_.end() && (t == begin || t[-1].text == ":")) {
      for (const uint32_t macro : at->second) refer(macro, file, *t, false)->unexpanded = unexpanded;
      set(file, t, TokenClass::macro);
    }
  }
}

void IndexBuilder::find_uses(uint32_t file) {
  for (size_t i = 0; i < data_->files[file].lexed.lines.size(); ++i) line_uses(file, i);
}

void IndexBuilder::line_uses(uint32_t file, size_t line) {
  IndexFile& f = data_->files[file];
  const LineRef& l = f.lexed.lines[line];
  const MacroBody* macro = data_->macros.empty() ? nullptr : data_->macro_at(file, l.begin->origin.line);
  const bool body = macro != nullptr && l.begin->origin.line > macro->first;
  const bool reached = (f.state[line] & IndexFile::kReached) != 0;
  const bool skipped = (f.state[line] & IndexFile::kSkipped) != 0;
  const bool ends_macro = l.directive == Directive::endm;
  for (const Token* t = l.begin; t != l.end(); ++t) {
    IndexToken& out = f.out[f.out_of[f.index(t)]];
    out.in_macro = body && !ends_macro;
    out.inactive = !reached && (skipped || macro == nullptr) && !ends_macro && l.directive != Directive::endloop;
    if (!body) continue;
    if (t->kind == TokenKind::name && !f.known[f.index(t)]) parameter_use(file, t, l.end());
    if (t->kind == TokenKind::quoted) quoted_uses(file, *t);
  }
  switch (l.directive) {
    case Directive::none:
      if (!reached) define_uses(file, line, l.begin, l.end(), true);
      return;
    case Directive::define: {
      if (l.count < 4) return;
      const Token* t = l.begin + 3;
      std::vector<std::pair<std::string_view, uint32_t>> parameters;
      if (is_punct(*t, '(') && !t->space_before) {
        const Token* close = matching_close(t, l.end());
        for (const TokenSpan& p : split_at_commas(t + 1, std::max(t + 1, close))) {
          if (p.end - p.begin != 1 || p.begin->kind != TokenKind::name) continue;
          const uint32_t parameter = add_name(NameKind::parameter, data_->key(p.begin->text), p.begin->text);
          data_->names[parameter].detail = std::string(l.begin[2].text);
          refer(parameter, file, *p.begin, true);
          set(file, p.begin, TokenClass::parameter, true);
          f.out[f.out_of[f.index(p.begin)]].definition = true;
          parameters.emplace_back(p.begin->text, parameter);
        }
        t = close;
      }
      for (; t < l.end(); ++t) {
        for (const auto& [written, name] : parameters) {
          if (t->kind != TokenKind::name || !data_->sources.names().same(written, t->text) ||
              (is_label_name(t, l.end()) && written != t->text))
            continue;
          refer(name, file, *t, false);
          set(file, t, TokenClass::parameter, true);
        }
      }
      define_uses(file, line, l.begin + 3, l.end(), false);
      break;
    }
    case Directive::ifdef:
    case Directive::ifndef:
    case Directive::undef:
      if (l.count > 2 && l.begin[2].kind == TokenKind::name) {
        if (const auto at = macro_names_.find(data_->key(l.begin[2].text)); at != macro_names_.end()) {
          for (const uint32_t name : at->second) refer(name, file, l.begin[2], false);
          set(file, l.begin + 2, TokenClass::macro);
        } else {
          // Names that are only asked for are known from the command line, or not at all.
          refer(define_name(l.begin[2].text, true), file, l.begin[2], false);
          set(file, l.begin + 2, TokenClass::define);
        }
      }
      break;
    default:
      if (l.count > 2) define_uses(file, line, l.begin + 2, l.end(), !reached);
      break;
  }
  directive_words(file, l);
}

void IndexBuilder::directive_words(uint32_t file, const LineRef& l) {
  for (const Token* t = l.begin + 2; t < l.end(); ++t) {
    if (t->kind != TokenKind::name) {
      if (l.directive == Directive::include_ && (t->kind == TokenKind::string || t->kind == TokenKind::quoted))
        set(file, t, TokenClass::file, true);
      continue;
    }
    switch (l.directive) {
      case Directive::include_: set(file, t, TokenClass::file); break;
      case Directive::error:
      case Directive::warning:
      case Directive::info: set(file, t, TokenClass::string); break;
      case Directive::pragma:
      case Directive::protect_macro_locals: set(file, t, TokenClass::attribute); break;
      default:
        if (is_function_name(t->text) || is_name(*t, "defined")) set(file, t, TokenClass::function);
        break;
    }
  }
}

/// Uses of defines, calls of macros and includes, as the preprocessor followed them.
void IndexBuilder::expansions() {
  Index::Data& d = *data_;
  for (uint32_t i = 1; i < d.sources.expansion_count(); ++i) {
    if (i % 1024 == 0) d.sources.checkpoint();
    const Expansion& e = d.sources.expansion(i);
    if (e.kind != Expansion::Kind::macro && e.kind != Expansion::Kind::define) continue;
    if (e.call.line == 0 || define_of(e.call) != 0)
      continue;  // inside the text of another define, where it is found too
    const uint32_t file = d.file_of[e.call.file];
    const Token* t = d.files[file].token(e.call.line, e.call.column);
    if (t == nullptr || t->kind != TokenKind::name) continue;
    uint32_t name = UINT32_MAX;
    if (e.kind == Expansion::Kind::define) {
      name = define_name(e.name, false);
    } else {
      const auto at =
          macro_places_.find(place_key(d.file_of[e.definition.file], e.definition.line, e.definition.column));
      if (at != macro_places_.end()) name = at->second;
    }
    if (name == UINT32_MAX) continue;
    if (e.kind == Expansion::Kind::macro) d.calls[{file, t->origin.line, t->origin.column}].push_back(i);
    IndexReference* r = refer(name, file, *t, false, e.call.expansion);
    r->made = !d.sources.names().same(t->text, e.name);
    set(file, t, e.kind == Expansion::Kind::define ? TokenClass::define : TokenClass::macro);
  }
  std::unordered_map<uint32_t, uint32_t> names;
  for (uint32_t i = 0; i < d.file_of.size(); ++i) {
    const Origin& from = d.sources.included_from(i);
    if (from.line == 0) continue;
    const uint32_t file = d.file_of[i];
    const auto [at, fresh] = names.try_emplace(file, 0);
    if (fresh) {
      at->second = add_name(NameKind::file, d.paths[file], d.paths[file]);
      IndexReference first;
      first.name = at->second;
      first.place = {file, 1, 1, 0};
      first.definition = true;
      add(first);
    }
    if (IndexReference* r = refer(at->second, from, false)) r->made = false;
  }
}

}  // namespace weft::assembler
