// The preprocessor directives but those of macros and loops.
#include <filesystem>

#include "preprocessor/context.h"
#include "preprocessor/state.h"
#include "source/recorder.h"
#include "source/suggest.h"
#include "weft/base/files.h"
#include "weft/base/json.h"
#include "weft/base/paths.h"

namespace weft::assembler {

void Preprocessor::directive_line(const LineRef& line) {
  // These need the line as it stands in the file.
  switch (line.directive) {
    case Directive::macro: return define_macro(line);
    case Directive::repeat:
    case Directive::while_:
    case Directive::for_: return begin_loop(line);
    default: break;
  }
  out_.warnings.note(line.begin->origin);
  const Frame& frame = *frames_.back();
  const TokenSpan span = fetch(line, frame.arguments.get(), frame.expansion, line_storage_);
  const Origin& place = span.end - span.begin > 1 ? span.begin[1].origin : span.begin->origin;
  switch (line.directive) {
    case Directive::include_: return include(span);
    case Directive::define: return keep_name(span, &Preprocessor::define);
    case Directive::define_eval: return keep_name(span, &Preprocessor::define_eval);
    case Directive::undef: return undef(span);
    case Directive::if_:
    case Directive::ifdef:
    case Directive::ifndef: return open_conditional(line);
    case Directive::elif:
    case Directive::else_:
    case Directive::endif: return else_or_endif(line);
    case Directive::error:
    case Directive::warning:
    case Directive::info: return message(line, span);
    case Directive::pragma: return pragma(span);
    case Directive::protect_macro_locals: return protect_macro_locals(span);
    case Directive::endm:
      if (frames_.back()->unknown == 0) error("pp-unmatched-directive", place, "#endm without #macro");
      return;
    case Directive::endloop:
      if (loose_ends_ > 0)
        --loose_ends_;
      else if (frames_.back()->unknown == 0)
        error("pp-unmatched-directive", place, "#endloop without #repeat, #while or #for");
      return;
    default: break;
  }
  if (span.end - span.begin == 1) return;  // a '#' alone
  const std::string name(span.begin[1].text);
  const auto near = nearest(name, directive_names());
  ++frames_.back()->unknown;
  if (near && near->starts_with("define")) keep_name(span, nullptr);
  if (near && *near == "macro" && span.end - span.begin > 2 && span.begin[2].kind == TokenKind::name)
    broken_macro(span.begin[2]);
  Diagnostic d =
      sources_.diagnostic(Severity::error, "pp-unknown-directive", place, "there is no directive '#" + name + "'",
                          near ? "did you mean '#" + *near + "'?" : "");
  if (near) fix_name(d, sources_, place, name, {{std::string(*near)}, true});
  out_.diagnostics.add(std::move(d));
}

/// Of a define that cannot be, the name: its uses are not reported as well.
void Preprocessor::keep_name(TokenSpan line, void (Preprocessor::*read)(TokenSpan)) {
  const std::string name = line.end - line.begin > 2 ? sources_.names().key(line.begin[2].text) : std::string();
  const size_t before = out_.diagnostics.error_count();
  if (read) (this->*read)(line);
  if (!name.empty() && (!read || out_.diagnostics.error_count() > before)) out_.program.lost_names.push_back(name);
}

const Token* Preprocessor::name_after(TokenSpan line, std::string_view directive) {
  const Token* t = line.begin + 2;
  if (t < line.end && t->kind == TokenKind::name && !(t->text[0] >= '0' && t->text[0] <= '9')) return t;
  error("pp-expected-name", t < line.end ? t->origin : line.begin[1].origin,
        "#" + std::string(directive) + " needs a name");
  return nullptr;
}

void Preprocessor::include(TokenSpan line) {
  const Origin place = line.begin[1].origin;
  std::vector<Token> tokens;
  if (!expander_.expand(line.begin + 2, line.end, Expander::Mode::expression, tokens)) return;
  std::string name;
  bool angled = false;
  if (!tokens.empty() && (tokens[0].kind == TokenKind::string || tokens[0].kind == TokenKind::quoted)) {
    name = tokens[0].text.substr(1, tokens[0].text.size() - 2);
  } else if (tokens.size() > 2 && is_punct(tokens.front(), '<') && is_punct(tokens.back(), '>')) {
    angled = true;
    for (size_t i = 1; i + 1 < tokens.size(); ++i)
      name += (i > 1 && tokens[i].space_before ? " " : "") + std::string(tokens[i].text);
  }
  if (name.empty()) {
    error("pp-include-name", tokens.empty() ? place : tokens[0].origin, "#include needs a file name",
          "write #include \"file.uc\"");
    return;
  }
  if (!angled && tokens.size() > 1)
    error("pp-trailing-words", tokens[1].origin, "nothing may follow the file name of #include",
          "write one #include for each file");
  const Origin at = tokens[0].origin;
  if (include_depth_ >= settings_.include_depth) {
    return stop("pp-include-too-deep", at, "files include each other " + std::to_string(include_depth_) + " deep",
                "guard the file with #ifndef ... #define ... #endif");
  }

  namespace fs = std::filesystem;
  std::vector<std::string> candidates;
  const auto join = [&name](const std::string& folder) { return tidy(fs::path(folder) / name).string(); };
  if (fs::path(name).is_absolute()) {
    candidates.push_back(name);
  } else {
    const std::string& from = sources_.file(line.begin->origin.file)->name();
    const bool is_main = !options_.main_folder.empty() && from == out_.files.front();
    const std::string own = join(is_main ? options_.main_folder : fs::path(from).parent_path().string());
    if (!angled) candidates.push_back(own);
    for (const std::string& folder : options_.include_dirs) candidates.push_back(join(folder));
    if (angled) candidates.push_back(own);
  }
  // What the file would have defined is missing everywhere from here on; an index shows the rest all the same.
  const auto give_up = [&](const std::string& code, const std::string& text, const std::string& remedy) {
    if (sources_.recorder() != nullptr)
      error(code, at, text, remedy);
    else
      stop(code, at, text, remedy);
  };
  std::optional<Diagnostic> unreadable;  // it is there, but a folder, or closed to the reader
  for (const std::string& path : candidates) {
    Result<SourceFilePtr> file = options_.read ? options_.read(path) : read_source(path);
    if (!file) {
      const Diagnostic& why = file.error().list().front();
      if (why.code == "input-limit") return give_up(why.code, why.text, why.remedy);
      if (why.code != "file-missing" && !unreadable) unreadable = why;
      continue;
    }
    if (seen_files_.insert((*file)->name()).second) out_.files.push_back((*file)->name());
    return push_file(std::move(*file), at);
  }
  if (unreadable) return give_up("pp-include-missing", unreadable->text, unreadable->remedy);
  std::string searched;
  for (size_t i = 0; i < candidates.size() && i < 4; ++i) searched += (i == 0 ? "searched: " : ", ") + candidates[i];
  if (candidates.size() > 4) searched += " and " + std::to_string(candidates.size() - 4) + " more";
  give_up("pp-include-missing", "cannot read the file '" + name + "'", searched + "; add its folder with -I");
}

void Preprocessor::define(TokenSpan line) {
  const Token* name = name_after(line, "define");
  if (!name) return;
  const Token* t = name + 1;
  Define d;
  d.name = name->text;
  d.definition = name->origin;
  d.predefined = built_in_;
  if (t < line.end && is_punct(*t, '(') && !t->space_before) {
    d.function_like = true;
    const Token* close = matching_close(t, line.end);
    if (close == line.end) {
      error("pp-missing-parenthesis", t->origin, "the parameter list has no closing parenthesis");
      return;
    }
    for (const TokenSpan& p : split_at_commas(t + 1, close)) {
      if (p.end - p.begin != 1 || p.begin->kind != TokenKind::name) {
        error("pp-parameter", p.empty() ? t->origin : p.begin->origin, "a parameter is one name");
        return;
      }
      d.parameters.push_back(name_id(*p.begin));
    }
    t = close + 1;
  }
  d.body.assign(t, line.end);
  if (d.function_like) {
    for (const Token& token : d.body) {
      int16_t parameter = -1;
      for (size_t i = 0; i < d.parameters.size() && token.kind == TokenKind::name; ++i)
        if (d.parameters[i] == name_id(token)) parameter = static_cast<int16_t>(i);
      d.parameter_of.push_back(parameter);
    }
  }
  const uint32_t id = name_id(*name);
  if (is_name(*name, "defined")) {
    error("pp-reserved-name", name->origin, "'defined' cannot be defined");
    return;
  }
  if (macros_.macros(id)) {
    error("pp-name-in-use", name->origin, "'" + std::string(name->text) + "' is a macro",
          case_remedy(macros_.macros(id)->front()->name, name->text));
    return;
  }
  if (const Define* old = macros_.define(id)) {
    const auto text = [](const Define& x) { return spelling(x.body.data(), x.body.data() + x.body.size()); };
    if (!old->evaluated && text(*old) != text(d)) {
      Diagnostic warning = sources_.diagnostic(Severity::warning, "pp-redefined", name->origin,
                                               "'" + std::string(name->text) + "' is defined again with another text",
                                               case_remedy(old->name, name->text, "#undef it first"));
      warning.notes.insert(warning.notes.begin(), {sources_.range(old->definition), "defined here before"});
      out_.diagnostics.add(std::move(warning));
    }
  }
  macros_.set_define(id, std::move(d));
}

void Preprocessor::set_define(const Token& name, std::vector<Token> body, bool evaluated) {
  if (macros_.macros(name_id(name))) {
    error("pp-name-in-use", name.origin, "'" + std::string(name.text) + "' is a macro",
          case_remedy(macros_.macros(name_id(name))->front()->name, name.text));
    return;
  }
  Define d;
  d.name = name.text;
  d.definition = name.origin;
  d.evaluated = evaluated;
  d.body = std::move(body);
  macros_.set_define(name_id(name), std::move(d));
}

namespace {

/// Text that #define_eval takes as it is although it is not an expression: one operand, or a list.
bool is_operand_or_list(const std::vector<Token>& tokens) {
  if (tokens.size() == 1) return true;
  const bool in_brackets = is_punct(tokens.front(), '(') && is_punct(tokens.back(), ')');
  if (tokens.size() == 3 && in_brackets && tokens[1].kind == TokenKind::name) return true;
  int depth = 0;
  bool bare = true;  // names, marks of operands and brackets only, at the outermost level
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    if (depth == 0 && is_punct(t, ',')) return true;
    if (is_punct(t, '(') || is_punct(t, '[')) ++depth;
    if (is_punct(t, ')') || is_punct(t, ']')) --depth;
    if (depth > 0 || is_punct(t, ']')) continue;
    const bool sign = is_punct(t, '+') || is_punct(t, '-');
    const bool paired =
        sign && ((i + 1 < tokens.size() && tokens[i + 1].text == t.text && !tokens[i + 1].space_before) ||
                 (i > 0 && tokens[i - 1].text == t.text && !t.space_before));
    const bool operand = t.kind == TokenKind::name && i <= 1;
    const bool star = (is_punct(t, '*') || is_punct(t, '&')) && i == 0;
    const bool label = is_punct(t, '#') && i > 0 && !t.space_before;
    bare = bare && (paired || operand || star || label);
  }
  return bare && !is_punct(tokens[0], '(');
}

}  // namespace

void Preprocessor::define_eval(TokenSpan line) {
  const Token* found = name_after(line, "define_eval");
  if (!found) return;
  const Token name = *found;
  std::vector<Token> tokens;
  if (!expander_.expand(found + 1, line.end, Expander::Mode::expression, tokens)) return;
  if (tokens.empty()) return set_define(name, {}, true);

  Origin origin = name.origin;
  if (tokens.front().origin.line) origin = tokens.front().origin;
  Context context(*this);
  const Evaluation value = evaluate(tokens.data(), tokens.data() + tokens.size(), context, name.origin);
  std::vector<Token> body;
  bool space_before = false, space_after = false;
  if (!value) {
    if (!is_operand_or_list(tokens)) {
      report(value.error());
      return;
    }
    body = std::move(tokens);
  } else if (const int64_t* n = std::get_if<int64_t>(&*value)) {
    // A negative number is a minus and a number, as it would be in a source line.
    const uint64_t magnitude = *n < 0 ? 0 - static_cast<uint64_t>(*n) : static_cast<uint64_t>(*n);
    const std::string text = (*n < 0 ? "-" : "") + std::to_string(magnitude);
    lex_text(sources_, sources_.keep(text), origin, false, body);
  } else {
    const std::string& text = std::get<std::string>(*value);
    if (text.size() > max_text) {
      stop("pp-text-too-long", name.origin,
           "the text of '" + std::string(name.text) + "' grows beyond " + std::to_string(max_text) + " characters");
      return;
    }
    if (!budget_.spend(text.size() / 16)) return;
    if (tokens.size() == 1 && tokens[0].kind == TokenKind::string) {
      body = std::move(tokens);  // "text" stays a string
    } else {
      lex_text(sources_, sources_.keep(text), origin, false, body);
      const auto blank = [](char c) { return c == ' ' || c == '\t'; };
      space_before = !text.empty() && blank(text.front());
      space_after = !text.empty() && blank(text.back());
    }
  }
  if (!body.empty()) body.front().space_before = false;
  set_define(name, std::move(body), true);
  if (Define* d = macros_.define(name_id(name))) d->space_before = space_before, d->space_after = space_after;
}

void Preprocessor::undef(TokenSpan line) {
  const Token* name = name_after(line, "undef");
  if (!name) return;
  only_name(name, line.end, "undef", "write one #undef for each name");
  macros_.remove(name_id(*name));
}

void Preprocessor::only_name(const Token* name, const Token* end, const std::string& directive, std::string remedy) {
  if (name + 1 != end)
    error("pp-trailing-words", name[1].origin, "#" + directive + " takes one name", std::move(remedy));
}

/// Old sources say after #else and what ends a construct, without marks of a comment, what they belong to.
void Preprocessor::only_directive(const LineRef& line) {
  if (line.count < 3) return;
  Origin place = line.begin[2].origin;
  place.expansion = frames_.back()->expansion;
  out_.warnings.note(place);
  const std::string directive(line.begin[1].text);
  warn("pp-trailing-words", place, "what follows #" + directive + " in its line is ignored",
       line.directive == Directive::else_ ? "write #elif for a further condition, // before a comment"
                                          : "write // before a comment");
}

bool Preprocessor::condition(const LineRef& line) {
  const Frame& frame = *frames_.back();
  const TokenSpan span = fetch(line, frame.arguments.get(), frame.expansion, line_storage_);
  const Origin place = span.begin[1].origin;
  if (line.directive == Directive::if_ || line.directive == Directive::elif) {
    const std::vector<Token> tokens(span.begin + 2, span.end);
    const auto value = number(tokens.data(), tokens.data() + tokens.size(), place);
    // For an index a condition that is being written hides nothing.
    return value ? *value != 0 : sources_.recorder() != nullptr;
  }
  const std::string directive = line.directive == Directive::ifdef ? "ifdef" : "ifndef";
  const Token* name = name_after(span, directive);
  if (!name) return false;
  only_name(name, span.end, directive, "#if takes several: #if defined(A) && defined(B)");
  return macros_.is_defined(name_id(*name)) == (line.directive == Directive::ifdef);
}

void Preprocessor::open_conditional(const LineRef& line) {
  Frame& frame = *frames_.back();
  Conditional c;
  c.opened = line.begin[1].origin;
  c.opened.expansion = frame.expansion;
  c.taken = condition(line);
  frame.conditionals.push_back(c);
  if (!c.taken) skip_branches(frame);
}

void Preprocessor::else_or_endif(const LineRef& line) {
  Frame& frame = *frames_.back();
  if (frame.conditionals.empty()) {
    if (frame.unknown > 0) return;
    Origin place = line.begin[1].origin;
    place.expansion = frame.expansion;
    error("pp-unmatched-directive", place, "#" + std::string(line.begin[1].text) + " without #if",
          frame.kind == Frame::Kind::file ? "" : "an #if and its #endif stand in the same macro or loop");
    return;
  }
  if (line.directive == Directive::endif) {
    only_directive(line);
    frame.conditionals.pop_back();
    return;
  }
  // Coming here from above, so the branch before this line was the one that is taken.
  --frame.next;
  skip_branches(frame);
}

/// Goes on to the branch that is taken, or past the #endif.
void Preprocessor::skip_branches(Frame& frame) {
  Conditional& c = frame.conditionals.back();
  int depth = 0;
  while (frame.next < frame.count) {
    const LineRef& line = frame.lines[frame.next++];
    sources_.checkpoint();
    if (Recorder* recorder = sources_.recorder()) {
      const bool own = depth == 0 && (line.directive == Directive::elif || line.directive == Directive::else_ ||
                                      line.directive == Directive::endif);
      own ? recorder->reached(line) : recorder->skipped(line);
    }
    switch (line.directive) {
      case Directive::if_:
      case Directive::ifdef:
      case Directive::ifndef: ++depth; break;
      case Directive::endif:
        if (depth-- == 0) {
          only_directive(line);
          frame.conditionals.pop_back();
          return;
        }
        break;
      case Directive::elif:
      case Directive::else_: {
        if (depth != 0) break;
        if (line.directive == Directive::else_) only_directive(line);
        if (c.had_else) {
          Origin place = line.begin[1].origin;
          place.expansion = frame.expansion;
          error("pp-unmatched-directive", place, "#" + std::string(line.begin[1].text) + " after #else");
          break;
        }
        c.had_else = line.directive == Directive::else_;
        if (c.taken) break;
        c.taken = c.had_else || condition(line);
        if (c.taken) return;
        break;
      }
      default: break;
    }
  }
}

void Preprocessor::message(const LineRef& line, TokenSpan span) {
  const Origin place = span.begin[1].origin;
  std::vector<Token> tokens;
  if (!expander_.expand(span.begin + 2, span.end, Expander::Mode::expression, tokens)) return;
  size_t first = 0;
  if (tokens.size() > 1 && tokens[0].kind == TokenKind::number && tokens[0].value >= 0 && tokens[0].value <= 4)
    first = 1;
  std::string text;
  for (size_t i = first; i < tokens.size(); ++i) {
    const Token& t = tokens[i];
    if (i > first && t.space_before) text += ' ';
    const bool quoted = t.kind == TokenKind::string || t.kind == TokenKind::quoted;
    for (const char c : quoted ? t.text.substr(1, t.text.size() - 2) : t.text) {
      // A continued string: the line end and the blanks around it are one blank.
      const bool blank = c == '\n' || c == '\r' || c == '\\' || c == ' ' || c == '\t';
      if (!blank) {
        text += c;
      } else if (!text.empty() && text.back() != ' ') {
        text += ' ';
      }
    }
  }
  if (text.empty()) text = "(no text)";
  if (line.directive == Directive::error) {
    error("pp-error", place, std::move(text));
  } else if (line.directive == Directive::warning) {
    warn("pp-warning", place, std::move(text));
  } else {
    out_.diagnostics.add(sources_.diagnostic(Severity::info, "pp-info", place, std::move(text)));
  }
}

void Preprocessor::pragma(TokenSpan line) {
  const Token* t = line.begin + 2;
  const Origin place = line.begin[1].origin;
  if (t < line.end && is_name(*t, "warning")) {
    if (auto fault = out_.warnings.pragma(t + 1, line.end, place)) {
      warn("pp-pragma", fault->origin, std::move(fault->text), std::move(fault->remedy));
    }
  } else if (t < line.end && is_name(*t, "optimize")) {
    // optimize("letters", on|off): the letters name passes of another tool, so any of them means all.
    const bool off = line.end - t >= 4 && is_name(line.end[-2], "off");
    if (!off && !(line.end - t >= 4 && is_name(line.end[-2], "on"))) {
      warn("pp-pragma", t->origin, "this pragma is not understood", "write #pragma optimize(\"\", on) or off");
    } else {
      optimize_ = !off;
    }
  } else if (t >= line.end || !is_name(*t, "init_csr")) {
    warn("pp-pragma", t < line.end ? t->origin : place, "this pragma is not known and is ignored");
    return;
  }
  out_.pragmas.push_back({place, spelling(t, line.end), out_.program.lines.size()});
}

void Preprocessor::protect_macro_locals(TokenSpan line) {
  const Token* t = line.begin + 2;
  if (t < line.end && is_name(*t, "on")) {
    ++protect_depth_;
  } else if (t < line.end && is_name(*t, "off")) {
    if (protect_depth_ == 0) warn("pp-protect-macro-locals", t->origin, "#protect_macro_locals off without on");
    if (protect_depth_ > 0) --protect_depth_;
  } else {
    error("pp-protect-macro-locals", line.begin[1].origin, "#protect_macro_locals takes on or off");
    return;
  }
  if (t + 1 < line.end)
    error("pp-trailing-words", t[1].origin, "nothing may follow on or off of #protect_macro_locals",
          "write // before a comment");
}

}  // namespace weft::assembler
