// #macro and its calls, #repeat, #while and #for.
#include <algorithm>

#include "preprocessor/state.h"

namespace weft::assembler {

/// Index of the line that ends the construct whose body begins at frame.next; frame.count if there is none.
size_t Preprocessor::find_end(const Frame& frame, Directive end) const {
  int depth = 0;
  for (size_t i = frame.next; i < frame.count; ++i) {
    const Directive d = frame.lines[i].directive;
    const bool begins = end == Directive::endm
                            ? d == Directive::macro
                            : d == Directive::repeat || d == Directive::while_ || d == Directive::for_;
    if (begins) ++depth;
    if (d == end && depth-- == 0) return i;
  }
  return frame.count;
}

bool Preprocessor::macro_parameters(TokenSpan line, Macro& macro) {
  const Token* name = name_after(line, "macro");
  if (!name) return false;
  macro.name = name->text;
  macro.definition = name->origin;
  const Token* t = name + 1;
  if (t == line.end) return true;
  const Token* close = matching_close(t, line.end);
  if (!(is_punct(*t, '(') || is_punct(*t, '[')) || close == line.end)
    return error("pp-macro-parameters", t->origin, "the parameters of a macro stand in parentheses or brackets");
  if (close + 1 != line.end)
    return error("pp-macro-parameters", close[1].origin, "nothing may follow the parameters of a macro");
  for (const TokenSpan& p : split_at_commas(t + 1, close)) {
    if (p.end - p.begin != 1 || p.begin->kind != TokenKind::name)
      return error("pp-parameter", p.empty() ? t->origin : p.begin->origin, "a parameter is one name");
    for (size_t i = 0; i < macro.parameters.size(); ++i)
      if (macro.parameters[i] == name_id(*p.begin))
        return error("pp-parameter", p.begin->origin,
                     "two parameters have the name '" + std::string(p.begin->text) + "'",
                     case_remedy(macro.parameter_names[i], p.begin->text, ""));
    macro.parameters.push_back(name_id(*p.begin));
    macro.parameter_names.push_back(p.begin->text);
  }
  return true;
}

/// A macro whose #macro was misspelt: its body is passed over, and its calls say nothing.
void Preprocessor::broken_macro(const Token& name) {
  broken_macros_.insert(name_id(name));
  Frame& frame = *frames_.back();
  const size_t end = find_end(frame, Directive::endm);
  if (end != frame.count) frame.next = end + 1;
}

void Preprocessor::define_macro(const LineRef& line) {
  Frame& frame = *frames_.back();
  const TokenSpan span = fetch(line, frame.arguments.get(), frame.expansion, line_storage_);
  const Origin place = span.begin[1].origin;
  size_t end = find_end(frame, Directive::endm);
  const size_t first = frame.next;
  const bool open = end == frame.count;
  frame.next = open ? end : end + 1;
  if (open) {
    error("pp-missing-endm", place, "this macro has no #endm");
    if (sources_.recorder() == nullptr) {
      frame.conditionals.clear();  // their ends are in what was taken for the macro
      return;
    }
    // For an index the macro that is being written ends before the next one.
    for (end = first; end < frame.count && frame.lines[end].directive != Directive::macro;) ++end;
    frame.next = end;
  } else {
    only_directive(frame.lines[end]);
  }
  Macro macro;
  if (!macro_parameters(span, macro)) {
    if (open) frame.next = first;
    if (span.end - span.begin > 2 && span.begin[2].kind == TokenKind::name)
      broken_macros_.insert(name_id(span.begin[2]));
    return;
  }
  const uint32_t id = sources_.names().id(macro.name);
  if (const Define* define = macros_.define(id)) {
    error("pp-name-in-use", macro.definition, "'" + std::string(macro.name) + "' is a define",
          case_remedy(define->name, macro.name));
    return;
  }
  macro.lines.assign(frame.lines + first, frame.lines + end);
  if (frame.arguments && !frame.arguments->macro->parameters.empty()) {
    // A macro made by a macro: the arguments of the outer one are already known.
    for (LineRef& body : macro.lines) {
      std::vector<Token>& tokens = stored_.emplace_back();
      fetch(body, frame.arguments.get(), frame.expansion, tokens);
      body.begin = tokens.data();
      body.count = static_cast<uint32_t>(tokens.size());
      if (tokens.empty()) stored_.pop_back();
    }
    std::erase_if(macro.lines, [](const LineRef& l) { return l.count == 0; });
  }
  const std::string name(macro.name);
  const Origin definition = macro.definition;
  if (const Macro* old = macros_.add_macro(id, std::move(macro))) {
    Diagnostic warning = sources_.diagnostic(Severity::warning, "pp-redefined", definition,
                                             "macro '" + name + "' is defined again with as many parameters",
                                             case_remedy(old->name, name, "#undef it first"));
    warning.notes.insert(warning.notes.begin(), {sources_.range(old->definition), "defined here before"});
    out_.diagnostics.add(std::move(warning));
  }
}

bool Preprocessor::has_macro(const Token& name, size_t count) const {
  for (const auto& m : *macros_.macros(name_id(name)))
    if (m->parameters.size() == count) return true;
  return false;
}

/// The arguments of a call. A comma inside an argument of the calling macro, or inside a define, does not separate:
/// only if no macro takes so many arguments, it does.
bool Preprocessor::call_arguments(const Token& name, const Token* begin, const Token* end,
                                  std::vector<TokenSpan>& arguments, std::vector<Token>& separated) {
  const auto from_argument = [this](const Token& t) {
    return t.origin.expansion != 0 && sources_.expansion(t.origin.expansion).kind == Expansion::Kind::argument;
  };
  arguments.clear();
  for (const TokenSpan& part : split_at_commas(begin, end)) {
    if (!arguments.empty() && from_argument(part.begin[-1])) {
      arguments.back().end = part.end;
    } else {
      arguments.push_back(part);
    }
  }
  if (has_macro(name, arguments.size())) return true;
  std::vector<TokenSpan> parts = split_at_commas(begin, end);
  if (has_macro(name, parts.size())) return arguments = std::move(parts), true;
  if (!expander_.expand(begin, end, Expander::Mode::expression, separated)) return false;
  parts = split_at_commas(separated.data(), separated.data() + separated.size());
  if (has_macro(name, parts.size())) arguments = std::move(parts);
  return true;
}

const Macro* Preprocessor::choose_macro(const Token& name, size_t& count) {
  const auto& macros = *macros_.macros(name_id(name));
  for (const auto& m : macros)
    if (m->parameters.size() == count) return m.get();
  if (count == 0) {
    // name() of a macro with one parameter: the argument is empty.
    for (const auto& m : macros)
      if (m->parameters.size() == 1) return count = 1, m.get();
  }
  std::vector<size_t> counts;
  counts.reserve(macros.size());
  for (const auto& m : macros) counts.push_back(m->parameters.size());
  std::sort(counts.begin(), counts.end());
  std::string wanted;
  for (size_t i = 0; i < counts.size(); ++i)
    wanted += (i == 0 ? "" : i + 1 == counts.size() ? " or " : ", ") + std::to_string(counts[i]);
  Diagnostic d =
      sources_.diagnostic(Severity::error, "pp-macro-arguments", name.origin,
                          "macro '" + std::string(name.text) + "' takes " + wanted +
                              (wanted == "1" ? " argument" : " arguments") + ", not " + std::to_string(count));
  d.notes.insert(d.notes.begin(), {sources_.range(macros[0]->definition), "the macro is defined here"});
  out_.diagnostics.add(std::move(d));
  return nullptr;
}

/// Handles the line if it is a call of the macro `name`; false if it is something else that begins with this name.
bool Preprocessor::macro_call(const Token* begin, const Token* name, const Token* end) {
  const Token* open = name + 1;
  std::vector<TokenSpan> arguments;
  std::vector<Token> separated;
  if (open != end) {
    if (!is_punct(*open, '(') && !is_punct(*open, '[')) return false;
    const Token* close = matching_close(open, end);
    if (close == end) {
      error("pp-missing-parenthesis", open->origin, "the arguments of this macro call are never closed");
      return true;
    }
    if (close + 1 != end) {
      error("pp-macro-call", close[1].origin, "nothing may follow a macro call on its line");
      return true;
    }
    if (!call_arguments(*name, open + 1, close, arguments, separated)) return true;
  }
  size_t count = arguments.size();
  const Macro* macro = choose_macro(*name, count);
  if (!macro) return true;
  if (macro_depth_ >= settings_.macro_depth) {
    stop("pp-macro-too-deep", name->origin, "macros call each other " + std::to_string(macro_depth_) + " deep",
         "a macro that calls itself needs an #if that ends it");
    return true;
  }
  if (!budget_.spend(kWorkOfCall)) {  // a call costs time even where its macro is empty
    stop("pp-too-much-work", name->origin, "preprocessing does not come to an end");
    return true;
  }
  auto values = std::make_shared<CallArguments>();
  values->macro = macro;
  values->values.resize(count);
  Expansion e;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!expander_.expand(arguments[i].begin, arguments[i].end, Expander::Mode::expression, values->values[i]))
      return true;
    if (!values->values[i].empty()) values->values[i][0].space_before = false;
    if (e.arguments.size() < max_shown_arguments)
      e.arguments.push_back(
          spelling(values->values[i].data(), values->values[i].data() + values->values[i].size(), max_shown_argument));
  }
  // Labels before the call stand on a line of their own; the last of them is the prefix of the macro's labels.
  Token label;
  if (name != begin) {
    emit(begin, name);
    if (stopped_ || out_.program.lines.empty()) return true;
    const std::vector<Token>& tokens = out_.program.lines.back().tokens;
    if (tokens.size() >= 2) label = tokens[tokens.size() - 2];
  }
  Frame& caller = *frames_.back();
  e.kind = Expansion::Kind::macro;
  e.name = macro->name;
  e.call = name->origin;
  e.definition = macro->definition;
  e.serial = labels_.begin_call(name->origin.expansion, name != begin ? &label : nullptr);
  auto frame = std::make_unique<Frame>();
  frame->kind = Frame::Kind::macro;
  frame->lines = macro->lines.data();
  frame->count = macro->lines.size();
  frame->listing = caller.listing.line ? caller.listing : name->origin;
  frame->arguments = std::move(values);
  frame->expansion = sources_.add_expansion(std::move(e));
  ++macro_depth_;
  frames_.push_back(std::move(frame));
  return true;
}

void Preprocessor::begin_loop(const LineRef& line) {
  Frame& outer = *frames_.back();
  const TokenSpan span = fetch(line, outer.arguments.get(), outer.expansion, line_storage_);
  const Origin place = span.begin[1].origin;
  const size_t end = find_end(outer, Directive::endloop);
  auto frame = std::make_unique<Frame>();
  frame->kind = Frame::Kind::loop;
  frame->lines = outer.lines + outer.next;
  frame->count = end - outer.next;
  frame->head = line;
  frame->listing = outer.listing;
  frame->arguments = outer.arguments;
  frame->outer_expansion = outer.expansion;
  const size_t body = outer.next;
  const bool closed = end != outer.count;
  const bool recorded = sources_.recorder() != nullptr;
  outer.next = closed ? end + 1 : end;
  if (!closed) {
    error("pp-missing-endloop", place, "this loop has no #endloop");
    if (!recorded) {
      outer.conditionals.clear();
      return;
    }
  } else {
    only_directive(outer.lines[end]);
  }
  // For an index a loop that is being written is gone through once, as the lines that it has.
  const auto as_lines = [&] {
    if (!recorded) return;
    outer.next = body;
    if (closed) ++loose_ends_;
  };
  const std::vector<Token> head(span.begin, span.end);
  const Token* first = head.data() + 2;
  const Token* last = head.data() + head.size();
  if (line.directive == Directive::repeat) {
    const auto count = number(first, last, place);
    if (!count) return as_lines();
    if (*count < 0) {
      error("pp-loop-count", place, "a loop cannot have " + std::to_string(*count) + " passes");
      return;
    }
    frame->passes = *count;
  } else if (line.directive == Directive::for_) {
    const Token* name = name_after({head.data(), last}, "for");
    if (!name) return as_lines();
    const Token* open = name + 1;
    const Token* close =
        open < last && (is_punct(*open, '[') || is_punct(*open, '(')) ? matching_close(open, last) : last;
    if (close == last) {
      error("pp-for", name->origin, "#for needs a list in brackets", "write #for name [a, b, c]");
      return as_lines();
    }
    if (close + 1 != last)
      error("pp-trailing-words", close[1].origin, "nothing may follow the list of #for", "write // before a comment");
    if (macros_.macros(name_id(*name))) {
      error("pp-name-in-use", name->origin, "'" + std::string(name->text) + "' is a macro");
      return;
    }
    frame->variable = *name;
    std::vector<Token> list;
    if (!expander_.expand(open + 1, close, Expander::Mode::expression, list)) return;
    for (const TokenSpan& item : split_at_commas(list.data(), list.data() + list.size()))
      frame->items.emplace_back(item.begin, item.end);
  }
  const size_t errors = out_.diagnostics.error_count();
  const bool passes = begin_pass(*frame);
  if (passes && closed) {
    frames_.push_back(std::move(frame));
  } else if (passes || out_.diagnostics.error_count() > errors) {
    as_lines();
  }
}

bool Preprocessor::begin_pass(Frame& frame) {
  std::vector<Token> storage;
  const TokenSpan head = fetch(frame.head, frame.arguments.get(), frame.outer_expansion, storage);
  const Origin place = head.begin[1].origin;
  Expansion e;
  e.kind = Expansion::Kind::loop;
  e.name = frame.head.begin[1].text;
  e.call = place;
  e.definition = frame.count ? frame.lines[0].begin->origin : place;
  switch (frame.head.directive) {
    case Directive::repeat:
      if (frame.pass >= frame.passes) return false;
      break;
    case Directive::for_: {
      if (frame.pass >= frame.items.size()) return false;
      const std::vector<Token>& item = frame.items[frame.pass];
      e.arguments.push_back(std::string(frame.variable.text) + " = " +
                            spelling(item.data(), item.data() + item.size()));
      std::vector<Token> body = item;
      if (!body.empty()) body[0].space_before = false;
      set_define(frame.variable, std::move(body), true);
      break;
    }
    default: {
      const auto value = number(head.begin + 2, head.end, place);
      if (!value || *value == 0) return false;
      break;
    }
  }
  if (frame.pass >= settings_.loop_passes) {
    stop("pp-endless-loop", place, "this loop has more than " + std::to_string(settings_.loop_passes) + " passes",
         frame.head.directive == Directive::while_ ? "change in the loop what its condition looks at, with #define_eval"
                                                   : "put a loop into a loop: each may have so many passes");
    return false;
  }
  ++frame.pass;
  if (e.arguments.empty()) e.arguments.push_back("pass " + std::to_string(frame.pass));
  frame.expansion = sources_.add_expansion(std::move(e));
  frame.next = 0;
  if (!budget_.spend(kWorkOfPass)) {  // an empty loop still costs time
    stop("pp-too-much-work", place, "preprocessing does not come to an end");
    return false;
  }
  return true;
}

}  // namespace weft::assembler
