// The assembler in three depths. Includes find the library of microblocks and the input itself, nothing else.
#include <fmt/format.h>

#include "output/dump.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "resolver/resolver.h"
#include "source/lexer.h"
#include "targets.h"
#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

namespace weft::fuzz {
namespace {

constexpr std::string_view kMain = "/fuzz/main.uc";

assembler::Options options_for(const SourceFilePtr& main) {
  assembler::Options options;
  options.listing = true;
  const std::string library = (source_folder() / "lib/microblocks/").string();
  options.include_dirs = {library};
  options.read = [main, library](const std::string& path) -> Result<SourceFilePtr> {
    if (path == kMain) return main;
    if (path.starts_with(library) && path.find("..") == std::string::npos) return read_source(path);
    return fail("file-missing", whole_file(path), fmt::format("cannot open '{}'", path));
  };
  return options;
}

/// An eighth of the usual limits: with sanitizers a program that reaches those takes half a minute.
assembler::PreprocessSettings small_limits() {
  assembler::PreprocessSettings settings;
  settings.loop_passes /= 8;
  settings.lines /= 8;
  settings.tokens /= 8;
  settings.work /= 8;
  return settings;
}

SourceFilePtr source(std::string_view input) { return make_source(std::string(kMain), std::string(input)); }

/// The whole assembler has the usual limits, so it only gets what these take.
bool is_small(const SourceFilePtr& main, const assembler::Options& options) {
  assembler::Sources sources;
  return assembler::preprocess(sources, main, options, small_limits()).complete;
}

/// Every place must be one that can be shown.
void render_all(const Diagnostics& diagnostics) {
  promise(render_text(diagnostics).empty() == diagnostics.empty(), "every diagnostic can be shown");
  promise(!render_json(diagnostics).empty(), "diagnostics can be written as JSON");
  promise(!render_sarif(diagnostics).empty(), "diagnostics can be written as SARIF");
}

}  // namespace

void preprocessor(std::string_view input) {
  const SourceFilePtr main = source(input);
  const assembler::Options options = options_for(main);
  assembler::Sources sources;
  const assembler::Preprocessed out = assembler::preprocess(sources, main, options, small_limits());
  for (const assembler::TokenLine& line : out.program.lines) {
    promise(!line.tokens.empty(), "no line of the preprocessed program is empty");
    for (const assembler::Token& token : line.tokens) {
      promise(token.kind != assembler::TokenKind::other, "no stray character reaches the parser");
      promise(token.origin.line <= sources.file(token.origin.file)->line_count(), "tokens stand in their file");
    }
  }
  render_all(out.diagnostics);
}

void resolver(std::string_view input) {
  const SourceFilePtr main = source(input);
  const assembler::Options options = options_for(main);
  assembler::Sources sources;
  const assembler::Preprocessed tokens = assembler::preprocess(sources, main, options, small_limits());
  if (!tokens.complete) return;  // as assemble() does
  Diagnostics diagnostics;
  const assembler::ast::Program tree = assembler::parse(tokens.program, sources, diagnostics);
  (void)assembler::dump_ast(tree);
  const assembler::Program program = assembler::resolve(tree, tokens.program, sources, options, diagnostics);
  (void)assembler::dump_ir(program);
  render_all(diagnostics);
}

void assembler(std::string_view input) {
  const SourceFilePtr main = source(input);
  const weft::assembler::Options options = options_for(main);
  if (!is_small(main, options)) return;  // the target "preprocessor" tests what is said of it
  const weft::assembler::Assembly out = weft::assembler::assemble(main, options);
  render_all(out.diagnostics);
  promise(out.image.has_value() || out.diagnostics.has_errors(), "without an Image there is an error");
  if (!out.image) return;
  promise(!out.diagnostics.has_errors(), "with an error there is no Image");
  const std::string json = image::to_json(*out.image);
  const auto again = image::from_json(make_source("image", json));
  promise(again.has_value() && image::to_json(*again) == json, "an Image reads back as it was written");
}

/// A program with its pins: comments that begin with "//pin " are the lines of the pin file.
void pins(std::string_view input) {
  const SourceFilePtr main = source(input);
  weft::assembler::Options options = options_for(main);
  std::string lines;
  for (uint32_t line = 1; line <= main->line_count(); ++line)
    if (const std::string_view text = main->line(line); text.starts_with("//pin "))
      lines += std::string(text.substr(6)) + "\n";
  options.pins = make_source("/fuzz/pins", lines);
  options.repair_banks = options.spill = true;
  if (!is_small(main, options)) return;
  const weft::assembler::Assembly out = weft::assembler::assemble(main, options);
  render_all(out.diagnostics);
  promise(out.image.has_value() || out.diagnostics.has_errors(), "without an Image there is an error");
}

}  // namespace weft::fuzz
