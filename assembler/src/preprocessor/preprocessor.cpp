#include "preprocessor/preprocessor.h"

#include <algorithm>

#include "preprocessor/context.h"
#include "preprocessor/predefined.h"
#include "preprocessor/state.h"
#include "source/names.h"
#include "source/recorder.h"
#include "weft/base/files.h"

namespace weft::assembler {

Preprocessor::Preprocessor(Sources& sources, const Options& options, const PreprocessSettings& settings)
    : sources_(sources),
      options_(options),
      settings_(settings),
      budget_{settings.work, &sources},
      expander_(sources, macros_, out_.diagnostics, budget_),
      labels_(sources),
      chip_type_(chip_type(options)) {}

Preprocessed Preprocessor::run(SourceFilePtr main) {
  // The built-in names and those of the command line are read like files.
  built_in_ = true;
  push_file(make_source("<built-in>", predefined_text(options_, settings_)), {});
  drain();
  if (!options_.defines.empty()) {
    std::string text;
    for (const auto& [name, value] : options_.defines) {
      const bool named =
          !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), [](char c) {
            return c == '_' || (c >= '0' && c <= '9') || (fold(c) >= 'a' && fold(c) <= 'z');
          });
      if (!named || value.find('\n') != std::string::npos) {
        out_.diagnostics.error("pp-command-line",
                               {make_source(kCommandLine, "-D " + name + "=" + value), {1, 4}, {1, 4}},
                               named ? "the value of '" + name + "' has more than one line"
                                     : "'" + name + "' cannot be defined: it is not a name",
                               "write -D NAME or -D NAME=VALUE");
        continue;
      }
      // The range of revisions is the one built-in name that a command line may say otherwise.
      if (same_name(name, "__REVISION_MIN") || same_name(name, "__REVISION_MAX")) text += "#undef " + name + "\n";
      text += "#define " + name + " " + (value.empty() ? "1" : value) + "\n";
    }
    push_file(make_source(kCommandLine, text), {});
    drain();
  }
  built_in_ = false;

  seen_files_.insert(main->name());
  out_.files.push_back(main->name());
  push_file(std::move(main), {});
  drain();

  out_.complete = !stopped_;
  labels_.rename(out_.program);
  if (Recorder* recorder = sources_.recorder()) recorder->files(std::move(lexed_));
  for (uint32_t id = 1; id < macros_.size(); ++id)
    if (macros_.macros(id)) out_.macro_names.emplace_back(macros_.macros(id)->front()->name);
  out_.program.macro_names = out_.macro_names;
  return std::move(out_);
}

void Preprocessor::drain() {
  while (!frames_.empty() && !stopped_) {
    Frame& frame = *frames_.back();
    if (frame.next == frame.count) {
      end_frame();
      continue;
    }
    const LineRef& line = frame.lines[frame.next++];
    sources_.checkpoint();
    if (Recorder* recorder = sources_.recorder()) recorder->reached(line);
    // A directive evaluates, expands and defines: more work than its tokens.
    if (!budget_.spend(line.count + (line.directive == Directive::none ? 1 : 16))) {
      stop("pp-too-much-work", line.begin->origin, "preprocessing does not come to an end",
           "look for loops inside loops and macros that call each other");
      break;
    }
    if (line.directive == Directive::none) {
      text_line(line);
    } else {
      directive_line(line);
    }
    stopped_ = stopped_ || expander_.gave_up();
    if (!stopped_) give_up_after_many(line);
  }
  frames_.clear();
}

void Preprocessor::give_up_after_many(const LineRef& line) {
  if (out_.diagnostics.error_count() >= settings_.errors)
    stop("pp-too-many-errors", line.begin->origin, "too many errors; preprocessing ends here");
  else if (out_.diagnostics.size() >= settings_.messages)
    stop("pp-too-many-errors", line.begin->origin, "too many messages; preprocessing ends here");
}

void Preprocessor::close_conditionals(Frame& frame) {
  if (frame.conditionals.empty()) return;
  error("pp-missing-endif", frame.conditionals.back().opened,
        frame.kind == Frame::Kind::file ? "this condition is still open at the end of the file"
                                        : "this condition is still open at the end of the macro or loop it stands in",
        "close it with #endif");
  frame.conditionals.clear();
}

void Preprocessor::end_frame() {
  Frame& frame = *frames_.back();
  close_conditionals(frame);
  if (frame.kind == Frame::Kind::loop && !stopped_ && begin_pass(frame)) return;
  if (frame.kind == Frame::Kind::file) --include_depth_;
  if (frame.kind == Frame::Kind::macro) --macro_depth_;
  frames_.pop_back();
}

void Preprocessor::push_file(SourceFilePtr file, const Origin& included_from) {
  budget_.spend(file->text().size() / 4);  // an empty line costs time as well
  const uint32_t index = sources_.add_file(std::move(file), included_from);
  LexedFile& lexed = lexed_.emplace_back();
  lex_file(sources_, index, lexed, out_.diagnostics);
  auto frame = std::make_unique<Frame>();
  frame->lines = lexed.lines.data();
  frame->count = lexed.lines.size();
  ++include_depth_;
  frames_.push_back(std::move(frame));
}

TokenSpan Preprocessor::fetch(const LineRef& line, const CallArguments* arguments, uint32_t expansion,
                              std::vector<Token>& storage) {
  if (expansion == 0 && !arguments) return {line.begin, line.end()};
  storage.clear();
  bool pending_space = false;
  for (const Token* t = line.begin; t != line.end(); ++t) {
    int parameter = -1;
    if (arguments && t->kind == TokenKind::name) {
      const std::vector<uint32_t>& ids = arguments->macro->parameters;
      for (size_t i = 0; i < ids.size(); ++i)
        if (ids[i] == name_id(*t)) parameter = static_cast<int>(i);
      if (parameter >= 0 && is_label_name(t, line.end()) &&
          arguments->macro->parameter_names[static_cast<size_t>(parameter)] != t->text)
        parameter = -1;
    }
    Token copy = *t;
    copy.origin.expansion = expansion;
    copy.space_before = copy.space_before || pending_space;
    if (parameter < 0) {
      if (t->kind == TokenKind::quoted && arguments && !arguments->macro->parameters.empty())
        expander_.substitute(copy, arguments->macro->parameters, arguments->values);
      pending_space = false;
      storage.push_back(copy);
      continue;
    }
    const std::vector<Token>& value = arguments->values[static_cast<size_t>(parameter)];
    if (value.empty()) {
      pending_space = copy.space_before;
      continue;
    }
    Expansion use;
    use.kind = Expansion::Kind::argument;
    use.name = arguments->macro->parameter_names[static_cast<size_t>(parameter)];
    use.call = copy.origin;
    use.definition = value[0].origin;
    const uint32_t use_index = sources_.add_expansion(std::move(use));
    const size_t first = storage.size();
    storage.insert(storage.end(), value.begin(), value.end());
    for (size_t i = first; i < storage.size(); ++i) storage[i].origin.expansion = use_index;
    storage[first].space_before = copy.space_before;
    pending_space = false;
    if (!budget_.spend(value.size())) {
      stop("pp-too-much-work", line.begin->origin, "preprocessing does not come to an end",
           "look for loops inside loops and macros that call each other");
      break;
    }
    if (storage.size() > max_line_tokens) {
      stop("pp-line-too-long", storage.front().origin,
           "with its arguments this line has more than " + std::to_string(max_line_tokens) + " parts",
           "a macro that calls itself needs an #if that ends it");
      break;
    }
  }
  return {storage.data(), storage.data() + storage.size()};
}

namespace {

/// Past the labels (x#: y#: ...) at the beginning of a line.
const Token* after_labels(const Token* t, const Token* end) {
  while (end - t >= 3 && t->kind == TokenKind::name && is_punct(t[1], '#') && !t[1].space_before && is_punct(t[2], ':'))
    t += 3;
  return t;
}

}  // namespace

void Preprocessor::text_line(const LineRef& line) {
  const Frame& frame = *frames_.back();
  TokenSpan span = fetch(line, frame.arguments.get(), frame.expansion, line_storage_);
  const Token* first = after_labels(span.begin, span.end);
  const bool plain = expander_.is_plain(span.begin, span.end);
  const auto is_call = [&] {
    return first != span.end && first->kind == TokenKind::name && macros_.macros(name_id(*first)) &&
           !(first + 1 != span.end && is_join(first[1]));
  };
  if (!plain && !is_call()) {
    // Quoted text stays quoted until it is clear that this is not a macro call.
    std::vector<Token> expanded;
    if (!expander_.expand(span.begin, span.end, Expander::Mode::expression, expanded)) return;
    expanded_.swap(expanded);
    span = {expanded_.data(), expanded_.data() + expanded_.size()};
    first = after_labels(span.begin, span.end);
  }
  if (is_call() && macro_call(span.begin, first, span.end)) return;
  if (calls_function(span.begin, span.end)) {
    // Texts are still in their quotes here.
    std::vector<Token> folded_line;
    if (!fold_functions(span.begin, span.end, folded_line)) return;
    expanded_.swap(folded_line);
    span = {expanded_.data(), expanded_.data() + expanded_.size()};
    first = after_labels(span.begin, span.end);
  }
  if (!broken_macros_.empty() && first != span.end && first->kind == TokenKind::name &&
      broken_macros_.contains(name_id(*first)))
    return;
  if (plain) return emit(span.begin, span.end);
  std::vector<Token> text;
  if (!expander_.expand(span.begin, span.end, Expander::Mode::text, text)) return;
  emit(text.data(), text.data() + text.size());
}

/// Functions that only the preprocessor can answer. log2() and mask() are also those of the resolver, which knows
/// blocks of memory and signals.
bool Preprocessor::calls_function(const Token* begin, const Token* end) {
  for (const Token* t = begin; end - t > 1; ++t) {  // there may be no tokens at all
    if (t->kind == TokenKind::name && is_punct(t[1], '(') && is_text_function(t->text)) return true;
  }
  return false;
}

/// A call of such a function in a line of the program becomes its value.
bool Preprocessor::fold_functions(const Token* begin, const Token* end, std::vector<Token>& out) {
  for (const Token* t = begin; t != end; ++t) {
    const Token* close = nullptr;
    if (t->kind == TokenKind::name && t + 1 < end && is_punct(t[1], '(') && is_text_function(t->text))
      close = matching_close(t + 1, end);
    if (close == nullptr || close == end) {
      out.push_back(*t);
      continue;
    }
    Context context(*this);
    const Evaluation value = evaluate(t, close + 1, context, t->origin);
    if (!value) return report(value.error());
    const int64_t* number = std::get_if<int64_t>(&*value);
    const std::string text = number == nullptr ? std::get<std::string>(*value)
                             : *number < 0     ? "(" + std::to_string(*number) + ")"
                                               : std::to_string(*number);
    if (!budget_.spend(text.size() / 16 + 1)) return false;
    lex_text(sources_, sources_.keep(text), t->origin, t->space_before, out);
    t = close;
  }
  return true;
}

void Preprocessor::stray(const Token& t) {
  const char first = t.text[0];
  if (first == '"' || first == '\'') {
    error("pp-unterminated-text", t.origin, "this text has no closing quote");
  } else if (first >= '0' && first <= '9') {
    error("pp-number-too-wide", t.origin, "this number does not fit 64 bits");
  } else if (first == '\\') {
    error("pp-stray-character", t.origin, "a backslash continues a line only at its end");
  } else if (static_cast<unsigned char>(first) < ' ' || static_cast<unsigned char>(first) >= 0x7f) {
    error("pp-stray-character", t.origin, "these characters have no meaning here",
          "only comments and strings may hold other than ASCII characters");
  } else {
    error("pp-stray-character", t.origin, "'" + std::string(t.text) + "' has no meaning here");
  }
}

void Preprocessor::emit(const Token* begin, const Token* end) {
  if (begin == end) return;
  if (out_.program.lines.size() >= settings_.lines)
    return stop("pp-too-many-lines", begin->origin,
                "the expanded program has more than " + std::to_string(settings_.lines) + " lines");
  tokens_ += static_cast<uint64_t>(end - begin);
  if (tokens_ > settings_.tokens)
    return stop("pp-too-many-lines", begin->origin,
                "the expanded program has more than " + std::to_string(settings_.tokens) + " tokens");
  for (const Token* t = begin; t != end; ++t)
    if (t->kind == TokenKind::other || is_punct(*t, ';')) return stray(*t);  // the parser could only complain once more
  TokenLine& line = out_.program.lines.emplace_back();
  line.tokens.reserve(static_cast<size_t>(end - begin));
  bool at_labels = true;
  for (const Token* t = begin; t != end; ++t) {
    if (t->kind == TokenKind::name && is_label_name(t, end)) {
      Token label = *t;
      const Token& mark = *++t;
      label.text = label.text.data() + label.text.size() == mark.text.data()
                       ? std::string_view(label.text.data(), label.text.size() + 1)
                       : sources_.keep(std::string(label.text) + "#");
      label.value = sources_.names().id(label.text);
      ++label.origin.length;
      const bool definition = at_labels && t + 1 != end && is_punct(t[1], ':');
      labels_.note(out_.program.lines.size() - 1, line.tokens.size(), definition);
      line.tokens.push_back(label);
      if (definition) {
        line.tokens.push_back(*++t);
      } else {
        at_labels = false;
      }
      continue;
    }
    at_labels = false;
    line.tokens.push_back(*t);
  }
  line.optimize = optimize_;
  for (const Token& t : line.tokens) out_.warnings.note(t.origin);
  const Frame& frame = *frames_.back();
  line.origin = frame.listing.line ? frame.listing : line.tokens.front().origin;
  if (line.tokens.front().text[0] == '.') note_imports(line);
}

/// Names that only the linker knows: is_rt_const() and isimport() ask for them.
void Preprocessor::note_imports(const TokenLine& line) {
  const Token& directive = line.tokens.front();
  const bool several =
      is_name(directive, ".import_var") || is_name(directive, ".local_mem") || is_name(directive, ".global_mem");
  if (!several && !is_name(directive, ".alloc_mem")) return;
  for (size_t i = 1; i < line.tokens.size(); ++i) {
    if (line.tokens[i].kind != TokenKind::name) continue;
    imports_.insert(name_id(line.tokens[i]));
    if (!several) return;
  }
}

std::string Preprocessor::case_remedy(std::string_view a, std::string_view b, std::string_view remedy) {
  return std::string(a != b && same_name(a, b) ? kCaseRemedy : remedy);
}

bool Preprocessor::error(std::string code, const Origin& origin, std::string text, std::string remedy) {
  if (stopped_) return false;  // of a line that was left in the middle
  out_.diagnostics.add(
      sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
  return false;
}

bool Preprocessor::report(ExpressionError e) {
  if (e.code == "pp-undefined-name" && e.origin.line != 0) {
    const std::string_view text = sources_.file(e.origin.file)->line(e.origin.line);
    const std::string name =
        sources_.names().key(text.substr(std::min<size_t>(e.origin.column - 1, text.size()), e.origin.length));
    const auto& lost = out_.program.lost_names;
    if (std::find(lost.begin(), lost.end(), name) != lost.end()) return false;
  }
  return error(std::move(e.code), e.origin, std::move(e.text), std::move(e.remedy));
}

void Preprocessor::warn(std::string code, const Origin& origin, std::string text, std::string remedy) {
  out_.diagnostics.add(
      sources_.diagnostic(Severity::warning, std::move(code), origin, std::move(text), std::move(remedy)));
}

void Preprocessor::stop(std::string code, const Origin& origin, std::string text, std::string remedy) {
  stopped_ = true;
  out_.diagnostics.add(
      sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
}

std::optional<int64_t> Preprocessor::number(const Token* begin, const Token* end, const Origin& whole) {
  std::vector<Token> tokens;
  if (!expander_.expand(begin, end, Expander::Mode::expression, tokens)) return std::nullopt;
  Context context(*this);
  const auto value = evaluate_number(tokens.data(), tokens.data() + tokens.size(), context, whole);
  if (value) return *value;
  report(value.error());
  return std::nullopt;
}

Preprocessed preprocess(Sources& sources, SourceFilePtr main, const Options& options,
                        const PreprocessSettings& settings) {
  return Preprocessor(sources, options, settings).run(std::move(main));
}

}  // namespace weft::assembler
