// The run of the stages for an index, and what the resolver says on the way.
#include "index/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "parser/parser.h"
#include "resolver/resolver.h"
#include "weft/base/files.h"

namespace weft::assembler {
namespace {

/// A register that a structured block made for itself.
bool is_generated(const Symbol& symbol) {
  return symbol.guessed && symbol.name.starts_with('l') && symbol.name.ends_with("_value");
}

}  // namespace

Index IndexBuilder::build(SourceFilePtr main, const Index::Settings& settings) {
  Index::Data& d = *data_;
  Options options = options_;
  const auto outside = options_.read;
  std::map<std::string, SourceFilePtr> buffers;
  for (const auto& [path, text] : settings.buffers)
    buffers[std::filesystem::path(path).lexically_normal().string()] = make_source(path, text);
  if (const auto at = buffers.find(std::filesystem::path(main->name()).lexically_normal().string());
      at != buffers.end())
    main = at->second;
  options.read = [&](const std::string& path) -> Result<SourceFilePtr> {
    if (const auto at = buffers.find(std::filesystem::path(path).lexically_normal().string()); at != buffers.end())
      return at->second;
    return outside ? outside(path) : read_source(path);
  };
  d.profile = options.profile;
  d.lost = options.lost;
  d.sources.set_cancellation(options.cancellation);
  d.sources.set_recorder(this);
  if (options.case_sensitive) d.sources.names().keep_case();
  d.sources.checkpoint();
  PreprocessSettings limits;
  limits.wide = options.wide;
  limits.undefined_is_zero = options.undefined_is_zero;
  limits.errors = 10'000;
  Preprocessed pre = preprocess(d.sources, std::move(main), options, limits);
  d.diagnostics.append(std::move(pre.diagnostics));
  const ast::Program tree = parse(pre.program, d.sources, d.diagnostics);
  Program program = resolve(tree, pre.program, d.sources, options, d.diagnostics);
  finish(program);
  d.sources.set_recorder(nullptr);
  if (settings.allocate && !d.diagnostics.has_errors() && !program.insns.empty()) allocate_names(std::move(program));
  d.sources.set_cancellation(nullptr);
  return Index(std::move(data_));
}

// --- names and references ---

uint32_t IndexBuilder::add_name(NameKind kind, std::string name, std::string_view written) {
  IndexName n;
  n.kind = kind;
  n.name = std::move(name);
  n.written = written;
  data_->names.push_back(std::move(n));
  const auto id = static_cast<uint32_t>(data_->names.size() - 1);
  data_->by_name[data_->key(written)].push_back(id);
  return id;
}

uint32_t IndexBuilder::define_of(const Origin& origin) const {
  uint32_t at = origin.expansion;
  while (at != 0) {
    const Expansion& e = data_->sources.expansion(at);
    if (e.kind == Expansion::Kind::define) return at;
    if (e.kind != Expansion::Kind::argument) return 0;
    at = e.definition.expansion;
  }
  return 0;
}

IndexReference* IndexBuilder::add(IndexReference r) {
  const auto [at, fresh] = seen_.try_emplace({r.name, r.place.file, r.place.line, r.place.column, r.expansion},
                                             static_cast<uint32_t>(data_->references.size()));
  if (!fresh) return &data_->references[at->second];
  data_->names[r.name].references.push_back(at->second);
  data_->references.push_back(r);
  return &data_->references.back();
}

IndexReference* IndexBuilder::refer(uint32_t name, uint32_t file, const Token& token, bool definition,
                                    uint32_t expansion) {
  IndexReference r;
  r.name = name;
  r.place = {file, token.origin.line, token.origin.column, token.origin.length};
  r.definition = definition;
  r.expansion = expansion;
  return add(r);
}

IndexReference* IndexBuilder::refer(uint32_t name, const Origin& origin, bool definition) {
  Index::Data& d = *data_;
  if (origin.file >= d.file_of.size() || origin.line == 0) return nullptr;
  const uint32_t file = d.file_of[origin.file];
  const IndexFile& f = d.files[file];
  IndexReference r;
  r.name = name;
  r.place = {file, origin.line, origin.column, origin.length};
  r.definition = definition;
  r.expansion = origin.expansion;
  const Token* t = f.token(origin.line, origin.column);
  const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
  while (t != nullptr && t + 1 < end && (is_punct(*t, '&') || is_punct(*t, '*'))) ++t;
  const uint32_t define = define_of(origin);
  if (t != nullptr) {
    r.place = {file, t->origin.line, t->origin.column, t->origin.length};
    const std::string text = d.key(t->text);
    const IndexName& n = d.names[name];
    const bool same =
        n.kind == NameKind::label ? text + "#" == n.name || n.name.ends_with("_" + text + "#") : text == n.name;
    r.made = !same || define != 0;
  }
  if (define != 0) {
    // The word in the text of the define, which a search for the name must find.
    const Origin& at = d.sources.expansion(define).definition;
    const IndexFile& g = d.files[d.file_of[at.file]];
    if (const LineRef* body = g.line(at.line)) {
      std::string_view wanted = d.names[name].name;
      if (d.names[name].kind == NameKind::label) wanted.remove_suffix(1);
      for (const Token* word = body->begin + 3; word < body->end(); ++word) {
        if (word->kind == TokenKind::name && d.sources.names().same(word->text, wanted)) {
          refer(name, d.file_of[at.file], *word, false);
          r.through_define = true;
        }
      }
    }
  }
  IndexReference* added = add(r);
  paint(*added);
  return added;
}

// --- preprocessor ---

void IndexBuilder::note_state(const LineRef& line, uint8_t state) {
  const Origin& at = line.begin->origin;
  if (at.file >= states_.size()) states_.resize(at.file + 1);
  std::vector<uint8_t>& lines = states_[at.file];
  if (at.line >= lines.size()) lines.resize(std::max<size_t>(at.line + 1, lines.size() * 2));
  lines[at.line] |= state;
}

void IndexBuilder::files(std::deque<LexedFile> lexed) {
  Index::Data& d = *data_;
  // The main file first, then what it includes, then what is built in.
  d.file_of.assign(lexed.size(), 0);
  std::unordered_map<std::string, uint32_t> known;
  for (const bool built_in : {false, true}) {
    for (uint32_t i = 0; i < lexed.size(); ++i) {
      const SourceFilePtr& source = d.sources.file(i);
      const bool own = source->name() != "<built-in>" && source->name() != kCommandLine;
      if (own == built_in) continue;
      const auto [at, fresh] = known.try_emplace(source->name(), static_cast<uint32_t>(d.files.size()));
      d.file_of[i] = at->second;
      if (fresh) {
        IndexFile& f = d.files.emplace_back();
        f.source = source;
        f.lexed = std::move(lexed[i]);
        lay_out(f);
        d.paths.push_back(source->name());
      }
      IndexFile& f = d.files[at->second];
      if (i >= states_.size()) continue;
      for (size_t k = 0; k < f.lexed.lines.size(); ++k) {
        const uint32_t line = f.lexed.lines[k].begin->origin.line;
        if (line < states_[i].size()) f.state[k] |= states_[i][line];
      }
    }
  }
  for (uint32_t f = 0; f < d.files.size(); ++f) {
    d.sources.checkpoint();
    base_classes(f);
    find_definitions(f);
  }
  for (uint32_t f = 0; f < d.files.size(); ++f) {
    d.sources.checkpoint();
    find_uses(f);
  }
  expansions();
}

// --- resolver ---

void IndexBuilder::line(const ast::Line& l) {
  statement(l);
  const Origin* at = l.instruction  ? &l.instruction->origin
                     : l.directive  ? &l.directive->origin
                     : l.structured ? &l.structured->origin
                     : l.assignment ? &l.assignment->origin
                                    : nullptr;
  if (at == nullptr || at->file >= data_->file_of.size()) return;
  data_->marks.push_back({data_->file_of[at->file], at->line, at->column, open_scopes_.back()});
}

void IndexBuilder::scope_opened(const Origin& origin) {
  IndexScope s;
  s.parent = open_scopes_.back();
  s.expansion = origin.expansion;
  if (const auto at = data_->place(origin)) s.begin = *at;
  data_->scopes.push_back(s);
  open_scopes_.push_back(static_cast<uint32_t>(data_->scopes.size() - 1));
  if (!data_->marks.empty()) data_->marks.back().scope = open_scopes_.back();
}

void IndexBuilder::scope_closed(const Origin& origin) {
  if (open_scopes_.size() == 1) return;
  if (const auto at = data_->place(origin)) data_->scopes[open_scopes_.back()].end = *at;
  open_scopes_.pop_back();
  if (!data_->marks.empty()) data_->marks.back().scope = open_scopes_.back();
}

namespace {
void remember(std::vector<int32_t>& names, int32_t id, uint32_t name) {
  if (static_cast<size_t>(id) >= names.size()) names.resize(static_cast<size_t>(id) + 1, -1);
  names[static_cast<size_t>(id)] = static_cast<int32_t>(name);
}
}  // namespace

void IndexBuilder::declared(const Symbol& symbol, const Origin& origin) {
  const bool reg = symbol.kind == Symbol::Kind::reg;
  const uint32_t name = add_name(reg ? NameKind::reg : NameKind::signal, symbol.name, symbol.name);
  IndexName& n = data_->names[name];
  n.id = symbol.ids[0];
  n.elements = static_cast<uint32_t>(symbol.ids.size());
  n.scope = symbol.global ? open_scopes_.front() : open_scopes_.back();
  if (symbol.array) n.detail = fmt::format("[{}]", symbol.ids.size());
  remember(reg ? registers_ : signals_, n.id, name);
  const IndexReference* r = refer(name, origin, true);
  if (r != nullptr && !r->made) data_->names[name].written = data_->text(r->place);
}

void IndexBuilder::used(const Symbol& symbol, const Origin& origin) {
  if (is_generated(symbol)) return;
  const bool reg = symbol.kind == Symbol::Kind::reg;
  std::vector<int32_t>& names = reg ? registers_ : signals_;
  const auto id = static_cast<size_t>(symbol.ids[0]);
  if (id >= names.size() || names[id] < 0) {
    // Not declared: one name for all its uses, without a definition.
    const auto [at, fresh] = undeclared_.try_emplace((reg ? "r " : "s ") + symbol.name, 0);
    if (fresh) at->second = add_name(reg ? NameKind::reg : NameKind::signal, symbol.name, symbol.name);
    refer(at->second, origin, false);
    return;
  }
  refer(static_cast<uint32_t>(names[id]), origin, false);
}

void IndexBuilder::accessed(const Origin& origin, bool reads, bool writes) {
  // The last reference at this place is the register just used; one place may be used twice by what a block became.
  const auto at = data_->place(origin);
  if (!at) return;
  for (size_t back = data_->references.size(); back-- > 0 && data_->references.size() - back <= 8;) {
    IndexReference& r = data_->references[back];
    if (r.expansion != origin.expansion || r.place.line != at->line || r.place.column != at->column) continue;
    r.reads = r.reads || reads;
    r.writes = r.writes || writes;
    paint(r);
    return;
  }
}

void IndexBuilder::label_defined(LabelId label, std::string_view name, const Origin& origin) {
  const auto at = data_->place(origin);
  const uint32_t id = add_name(NameKind::label, std::string(name), at ? data_->text(*at) : name);
  data_->names[id].id = label;
  remember(labels_, label, id);
  refer(id, origin, true);
}

void IndexBuilder::label_used(LabelId label, const Origin& origin) {
  const auto id = static_cast<size_t>(label);
  if (id < labels_.size() && labels_[id] >= 0) refer(static_cast<uint32_t>(labels_[id]), origin, false);
}

void IndexBuilder::linked_name(std::string_view name, const Origin& origin, bool memory, bool definition) {
  const auto [at, fresh] = linked_.try_emplace(std::string(name), 0);
  if (fresh) at->second = add_name(memory ? NameKind::memory : NameKind::import_variable, std::string(name), name);
  const IndexReference* r = refer(at->second, origin, definition);
  if (r != nullptr && definition && !r->made) data_->names[at->second].written = data_->text(r->place);
}

void IndexBuilder::marked(const image::Mark& mark, const Origin& origin) {
  static constexpr std::string_view kinds[] = {".block", ".stage", ".drop", ".exception"};
  const std::string_view kind = mark.kind == image::Mark::Kind::block   ? kinds[0]
                                : mark.kind == image::Mark::Kind::stage ? kinds[1]
                                : mark.kind == image::Mark::Kind::drop  ? kinds[2]
                                                                        : kinds[3];
  const auto [at, fresh] = mark_names_.try_emplace(std::string(kind) + " " + mark.text, 0);
  if (fresh) {
    at->second = add_name(NameKind::mark, mark.text, mark.text);
    data_->names[at->second].detail = kind;
  }
  const auto place = data_->place(origin);
  if (!place) return;
  const IndexFile& f = data_->files[place->file];
  const Token* t = f.token(place->line, place->column);
  const Token* end = f.lexed.tokens.data() + f.lexed.tokens.size();
  if (t == nullptr || t + 1 >= end || t[1].origin.line != place->line) return;
  IndexReference r;
  r.name = at->second;
  r.place = {place->file, place->line, t[1].origin.column, t[1].origin.length};
  for (const Token* last = t + 1; last < end && last->origin.line == place->line; ++last) {
    r.place.length = last->origin.column + last->origin.length - r.place.column;
    if (!data_->files[place->file].known[f.index(last)]) set(place->file, last, TokenClass::mark);
  }
  r.definition = true;
  r.expansion = origin.expansion;
  add(r);
}

void IndexBuilder::matched(const ast::Instruction& instruction, const isa::InsnInfo& info, const isa::Form& form,
                           size_t skip) {
  instruction_words(instruction, info, form, skip);
}

std::optional<Index> Index::build(SourceFilePtr main, const Options& options, const Settings& settings) {
  try {
    return IndexBuilder(options).build(std::move(main), settings);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace weft::assembler
