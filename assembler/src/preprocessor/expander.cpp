#include "preprocessor/expander.h"

#include <algorithm>

namespace weft::assembler {
namespace {

constexpr int max_depth = 100;  ///< of defines inside arguments inside defines
constexpr int max_join_rounds = 64;
constexpr int64_t painted = int64_t{1} << 32;  ///< in Token::value of a name: met inside its own expansion

bool opens(const Token& t) { return is_punct(t, '(') || is_punct(t, '['); }
bool closes(const Token& t) { return is_punct(t, ')') || is_punct(t, ']'); }
std::string_view unquoted(const Token& t) {
  return t.kind == TokenKind::quoted ? t.text.substr(1, t.text.size() - 2) : t.text;
}

Token comma_at(const Token& use) {
  Token t;
  t.kind = TokenKind::punct;
  t.text = ",";
  t.origin = use.origin;
  return t;
}

}  // namespace

std::vector<TokenSpan> split_at_commas(const Token* begin, const Token* end) {
  std::vector<TokenSpan> parts;
  if (begin == end) return parts;
  int depth = 0;
  const Token* first = begin;
  for (const Token* t = begin; t != end; ++t) {
    if (opens(*t)) ++depth;
    if (closes(*t)) --depth;
    if (depth == 0 && is_punct(*t, ',')) {
      parts.push_back({first, t});
      first = t + 1;
    }
  }
  parts.push_back({first, end});
  return parts;
}

const Token* matching_close(const Token* open, const Token* end) {
  int depth = 0;
  for (const Token* t = open; t != end; ++t) {
    if (opens(*t)) ++depth;
    if (closes(*t) && --depth == 0) return t;
  }
  return end;
}

/// The tokens still to be read: the line itself, and on top of it the texts of the defines being expanded.
struct Expander::Stream {
  struct Source {
    const Token* at;
    const Token* end;
    Define* define;  ///< null for the line itself
    Origin use;      ///< of the define's name
    uint32_t expansion;
    bool keep_origins;  ///< tokens already have their places (arguments are among them)
  };
  std::vector<Source> sources;
  std::deque<std::vector<Token>> owned;
  bool pending_space = false;  ///< an expansion was empty, or ended in a blank: the next token gets it

  ~Stream() {
    for (Source& s : sources)
      if (s.define) s.define->active = false;
  }
  void push(Source s) {
    if (s.define) s.define->active = true;
    sources.push_back(s);
  }
  void drop_finished() {
    while (!sources.empty() && sources.back().at == sources.back().end) {
      if (Define* define = sources.back().define) {
        define->active = false;
        pending_space = pending_space || define->space_after;
      }
      sources.pop_back();
    }
  }
  bool next(Token& t) {
    drop_finished();
    if (sources.empty()) return false;
    Source& s = sources.back();
    t = *s.at++;
    if (s.define && !s.keep_origins) {
      t.origin = s.use;
      t.origin.expansion = s.expansion;
    }
    return true;
  }
  /// The next token without taking it; the texts of defines that are at their end stay active.
  const Token* peek() const {
    for (size_t i = sources.size(); i-- > 0;)
      if (sources[i].at != sources[i].end) return sources[i].at;
    return nullptr;
  }
};

bool Expander::fail(std::string code, const Origin& origin, std::string text, std::string remedy) {
  diagnostics_.add(sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
  return false;
}

bool Expander::too_long(const Origin& origin, std::string text, std::string remedy) {
  if (gave_up_) return false;
  gave_up_ = true;
  if (budget_.left == 0) return fail("pp-too-much-work", origin, "preprocessing does not come to an end");
  return fail("pp-line-too-long", origin, std::move(text), std::move(remedy));
}

bool Expander::is_plain(const Token* begin, const Token* end) {
  for (const Token* t = begin; t != end; ++t) {
    if (t->kind == TokenKind::name) {
      if (macros_.define(name_id(*t))) return false;
    } else if (t->kind == TokenKind::quoted || is_join(*t)) {
      return false;
    }
  }
  return true;
}

bool Expander::expand(const Token* begin, const Token* end, Mode mode, std::vector<Token>& out) {
  if (is_plain(begin, end)) {
    out.insert(out.end(), begin, end);
    return true;
  }
  if (depth_ >= max_depth) return fail("pp-expansion-too-deep", begin->origin, "defines are nested too deeply here");
  ++depth_;
  std::vector<Token> done, next;
  bool has_join = false;
  bool ok = round(begin, end, mode, done, has_join);
  for (int i = 0; ok && has_join; ++i) {
    if (i == max_join_rounds) {
      ok = fail("pp-endless-join", begin->origin, "joining with empty comments never comes to an end here",
                "a define whose name comes out of its own text is expanded again and again");
      break;
    }
    join(done);
    if (gave_up_) {
      ok = false;
      break;
    }
    next.clear();
    has_join = false;
    ok = round(done.data(), done.data() + done.size(), mode, next, has_join);
    done.swap(next);
  }
  --depth_;
  out.insert(out.end(), done.begin(), done.end());
  return ok;
}

bool Expander::round(const Token* begin, const Token* end, Mode mode, std::vector<Token>& out, bool& has_join) {
  Stream stream;
  stream.push({begin, end, nullptr, {}, 0, true});
  int leave_alone = 0;  // tokens after `defined`
  Token t;
  while (stream.next(t)) {
    if (out.size() >= max_line_tokens || !budget_.spend(1)) {
      return too_long(begin->origin,
                      "the expansion of this line has more than " + std::to_string(max_line_tokens) + " parts",
                      "look for defines that contain each other several times");
    }
    if (stream.pending_space) t.space_before = true;
    stream.pending_space = false;
    if (leave_alone > 0 && (--leave_alone, t.kind == TokenKind::name)) {
      leave_alone = 0;
      out.push_back(t);
      continue;
    }
    if (t.kind == TokenKind::name) {
      if (mode == Mode::expression && is_name(t, "defined")) leave_alone = 2;  // perhaps '(' and then the name
      Define* define = macros_.define(name_id(t));
      if (define && define->name != t.text) {
        const Token* mark = stream.peek();
        if (mark && is_punct(*mark, '#') && !mark->space_before) define = nullptr;
      }
      if (!define || (t.value & painted)) {
        out.push_back(t);
      } else if (define->active) {
        t.value |= painted;
        out.push_back(t);
      } else if (define->function_like) {
        const Token* open = stream.peek();
        if (!open || !is_punct(*open, '(')) {
          out.push_back(t);
        } else if (!function_like(stream, *define, t, mode)) {
          return false;
        }
      } else if (define->body.empty()) {
        stream.pending_space = t.space_before || define->space_before;
      } else {
        if (stream.sources.size() > max_line_tokens) return too_long(t.origin, "too many defines inside each other");
        Expansion e;
        e.kind = Expansion::Kind::define;
        e.name = define->name;
        e.call = t.origin;
        e.definition = define->definition;
        const uint32_t expansion = sources_.add_expansion(std::move(e));
        // The first token takes the blank before the name; it is handled here, the others come from the stream.
        stream.push(
            {define->body.data(), define->body.data() + define->body.size(), define, t.origin, expansion, false});
        if (t.space_before || define->space_before) {
          stream.pending_space = true;
        } else if (define->body[0].space_before) {
          stream.owned.emplace_back(define->body);
          stream.owned.back()[0].space_before = false;
          stream.sources.back().at = stream.owned.back().data();
          stream.sources.back().end = stream.sources.back().at + define->body.size();
        }
      }
    } else if (t.kind == TokenKind::quoted) {
      const std::string text = quoted_text(t);
      if (!budget_.spend(text.size() / 16)) return too_long(t.origin, "this text grows without end");
      if (mode == Mode::expression) {
        t.text = sources_.keep("'" + text + "'");
        out.push_back(t);
      } else {
        lex_text(sources_, sources_.keep(text), t.origin, t.space_before, out);
      }
    } else {
      has_join = has_join || is_join(t);
      out.push_back(t);
    }
  }
  return true;
}

bool Expander::collect_arguments(Stream& stream, const Token& use, std::vector<std::vector<Token>>& arguments) {
  int depth = 0;
  Token t;
  while (stream.next(t)) {
    if (!budget_.spend(1)) break;
    if (opens(t) && ++depth == 1) {
      arguments.emplace_back();
      continue;
    }
    if (closes(t) && --depth == 0) return true;
    if (depth == 1 && is_punct(t, ',')) {
      arguments.emplace_back();
    } else {
      arguments.back().push_back(t);
    }
  }
  return fail("pp-missing-parenthesis", use.origin,
              "the arguments of '" + std::string(use.text) + "' have no closing parenthesis");
}

bool Expander::function_like(Stream& stream, Define& define, const Token& use, Mode mode) {
  std::vector<std::vector<Token>> arguments;
  if (!collect_arguments(stream, use, arguments)) return false;
  const size_t wanted = define.parameters.size();
  if (wanted == 0 && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
  if (arguments.size() != wanted && !arguments.empty()) {
    // A define among the arguments may stand for several of them.
    std::vector<Token> all, separated;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (i > 0) all.push_back(comma_at(use));
      all.insert(all.end(), arguments[i].begin(), arguments[i].end());
    }
    if (!expand(all.data(), all.data() + all.size(), Mode::expression, separated)) return false;
    const std::vector<TokenSpan> parts = split_at_commas(separated.data(), separated.data() + separated.size());
    if (parts.size() == wanted) {
      arguments.clear();
      for (const TokenSpan& part : parts) arguments.emplace_back(part.begin, part.end);
    }
  }
  if (arguments.size() != wanted) {
    return fail("pp-define-arguments", use.origin,
                "'" + std::string(define.name) + "' takes " + std::to_string(wanted) +
                    (wanted == 1 ? " argument" : " arguments") + ", not " + std::to_string(arguments.size()));
  }
  Expansion e;
  e.kind = Expansion::Kind::define;
  e.name = define.name;
  e.call = use.origin;
  e.definition = define.definition;
  for (const auto& a : arguments) {
    if (e.arguments.size() < max_shown_arguments)
      e.arguments.push_back(spelling(a.data(), a.data() + a.size(), max_shown_argument));
  }
  const uint32_t expansion = sources_.add_expansion(std::move(e));

  std::vector<std::vector<Token>> expanded(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!expand(arguments[i].data(), arguments[i].data() + arguments[i].size(),
                mode == Mode::text ? Mode::expression : mode, expanded[i]))
      return false;
  }
  std::vector<Token>& body = stream.owned.emplace_back();
  bool pending_space = use.space_before;
  bool first = true;
  const auto add = [&](Token t, bool space) {
    t.space_before = space || pending_space;
    pending_space = false;
    first = false;
    body.push_back(t);
  };
  for (size_t i = 0; i < define.body.size(); ++i) {
    const Token& t = define.body[i];
    const bool space = t.space_before && !first;
    const int16_t p = define.parameter_of[i];
    if (p < 0) {
      Token copy = t;
      copy.origin = use.origin;
      copy.origin.expansion = expansion;
      if (t.kind == TokenKind::quoted) substitute(copy, define.parameters, expanded);
      add(copy, space);
      continue;
    }
    const std::vector<Token>& argument = expanded[static_cast<size_t>(p)];
    if (argument.empty()) pending_space = pending_space || space;
    for (size_t k = 0; k < argument.size(); ++k) add(argument[k], k == 0 ? space : argument[k].space_before);
    if (!budget_.spend(argument.size()) || body.size() > max_line_tokens)
      return too_long(use.origin, "the expansion of '" + std::string(define.name) + "' is too long");
  }
  if (body.empty()) {
    stream.pending_space = pending_space;
    stream.owned.pop_back();
  } else {
    stream.push({body.data(), body.data() + body.size(), &define, use.origin, expansion, true});
  }
  return true;
}

std::string Expander::quoted_text(const Token& quoted) {
  const std::string_view inner = quoted.text.substr(1, quoted.text.size() - 2);
  std::vector<Token> tokens, expanded;
  lex_text(sources_, inner, quoted.origin, false, tokens);
  if (!expand(tokens.data(), tokens.data() + tokens.size(), Mode::expression, expanded)) return {};
  // Positions in a text that was cut out of another one count its blanks.
  const auto cut_out = [&](const Token& t) { return t.kind == TokenKind::name ? macros_.define(name_id(t)) : nullptr; };
  const Define* front = tokens.empty() ? nullptr : cut_out(tokens.front());
  const Define* back = tokens.empty() ? nullptr : cut_out(tokens.back());
  std::string text = front != nullptr && front->space_before ? " " : "";
  bool first = true;
  for (const Token& t : expanded) {
    if (!first && t.space_before) text += ' ';
    first = false;
    text += unquoted(t);
    if (text.size() > max_text) {
      if (!gave_up_)
        fail("pp-text-too-long", quoted.origin, "this text grows beyond " + std::to_string(max_text) + " characters");
      gave_up_ = true;
      return {};
    }
  }
  if (back != nullptr && back->space_after && !expanded.empty()) text += ' ';
  return text;
}

void Expander::substitute(Token& quoted, const std::vector<uint32_t>& parameters,
                          const std::vector<std::vector<Token>>& arguments) {
  std::vector<Token> tokens;
  lex_text(sources_, quoted.text.substr(1, quoted.text.size() - 2), quoted.origin, false, tokens);
  std::string text = "'";
  bool changed = false;
  for (const Token& t : tokens) {
    if (t.space_before) text += ' ';
    const auto found =
        t.kind == TokenKind::name ? std::find(parameters.begin(), parameters.end(), name_id(t)) : parameters.end();
    if (found == parameters.end()) {
      text += t.text;
      continue;
    }
    changed = true;
    bool first = true;
    for (const Token& a : arguments[static_cast<size_t>(found - parameters.begin())]) {
      if (!first && a.space_before) text += ' ';
      first = false;
      text += unquoted(a);
    }
  }
  if (!changed) return;
  text += '\'';
  budget_.spend(text.size() / 16);
  quoted.text = sources_.keep(std::move(text));
}

void Expander::join(std::vector<Token>& tokens) {
  std::vector<Token> out;
  out.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!is_join(tokens[i])) {
      out.push_back(tokens[i]);
      continue;
    }
    // Everything that touches this mark, over further marks, is one text.
    const bool touches_left = !tokens[i].space_before && !out.empty();
    bool space = tokens[i].space_before;
    std::string text;
    Origin origin = tokens[i].origin;
    bool first_space = space;
    if (touches_left) {
      text = out.back().text;
      origin = out.back().origin;
      first_space = out.back().space_before;
      out.pop_back();
      // A prefix of more than one mark: "$$" or "n$".
      while (text[0] == '$' && !first_space && !out.empty()) {
        text.insert(0, out.back().text);
        origin = out.back().origin;
        first_space = out.back().space_before;
        out.pop_back();
      }
    }
    bool any_right = false;
    while (i < tokens.size() && is_join(tokens[i])) {
      size_t next = i + 1;
      if (next < tokens.size() && !is_join(tokens[next]) && !tokens[next].space_before) {
        text += tokens[next].text;
        if (!touches_left && !any_right) origin = tokens[next].origin;
        any_right = true;
        ++next;
      }
      i = next;
      if (i < tokens.size() && is_join(tokens[i]) && tokens[i].space_before) break;
    }
    --i;
    if (text.size() > max_text || !budget_.spend(text.size() / 16)) {
      too_long(origin, "this text grows beyond " + std::to_string(max_text) + " characters");
      return;
    }
    if (!text.empty()) lex_text(sources_, sources_.keep(std::move(text)), origin, first_space, out);
  }
  tokens = std::move(out);
}

}  // namespace weft::assembler
