// The driver: one assembly from file to Image, with the dumps on the way.
#include <fmt/format.h>

#include <filesystem>

#include "allocator/allocator.h"
#include "allocator/bank_repair.h"
#include "allocator/spill.h"
#include "checker/checker.h"
#include "optimizer/optimizer.h"
#include "output/dump.h"
#include "output/encoder.h"
#include "output/listing.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "resolver/resolver.h"
#include "source/lexer.h"
#include "source/message_limits.h"
#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/fork.h"

namespace weft::assembler {
namespace {

std::string dump_tokens(SourceFilePtr file) {
  Sources sources;
  Diagnostics ignored;  // the preprocessor reports the same
  LexedFile lexed;
  lex_file(sources, sources.add_file(std::move(file)), lexed, ignored);
  std::string out;
  for (const LineRef& line : lexed.lines) {
    for (const Token* t = line.begin; t != line.end(); ++t) {
      if (t != line.begin) out += ' ';
      out += t->text;
    }
    out += '\n';
  }
  return out;
}

/// Optimises the program; false, and nothing changed, when the result would not fit into the registers.
bool try_optimise(Program& program, const TokenProgram& lines, const Sources& sources, Allocation& allocation) {
  std::vector<bool> fixed(program.insns.size(), false);
  for (size_t i = 0; i < fixed.size(); ++i) {
    const uint32_t line = program.insns[i].source_line;
    fixed[i] = program.insns[i].keep || (line < lines.lines.size() && !lines.lines[line].optimize);
  }
  Program faster = optimize(program, fixed);
  Diagnostics discarded;
  auto places = allocate(faster, Flow(faster), sources, discarded);
  if (!places) return false;
  program = std::move(faster);
  allocation = std::move(*places);
  return true;
}

/// Says under the error about registers why --spill did not help.
void explain_failed_spill(const std::string& why, Diagnostics& out) {
  out = out.changed([&](Diagnostic& d) {
    if (d.code != "asm-no-register") return;
    d.notes.push_back({d.range, fmt::format("--spill does not help: {}", why)});
    const std::string advice = std::string("; ") + kSpillRemedy;
    if (const size_t at = d.remedy.find(advice); at != std::string::npos) d.remedy.erase(at, advice.size());
  });
}

/// The back of the assembly: from the program of symbols on.
void finish(Program program, const TokenProgram& lines, const Sources& sources, const Options& options,
            const std::string& name, Assembly& out) {
  if (program.insns.empty()) {
    SourceRange where;
    // The first file that a user wrote; built-in definitions come before it.
    for (uint32_t f = 0; f < sources.file_count() && !where.file; ++f) {
      const std::string& given = sources.file(f)->name();
      if (given != "<built-in>" && given != kCommandLine) where = {sources.file(f), {}, {}};
    }
    out.diagnostics.error("asm-empty-program", where, "the program has no instructions",
                          "write at least one, for example ctx_arb[kill]");
    return;
  }
  check_remote(program, sources, out.diagnostics);
  // Nothing makes half of it; and looking for registers takes time with the square of the words.
  if (program.insns.size() / 2 > program.control_store) check_size(program, sources, out.diagnostics);
  if (out.diagnostics.has_errors()) return;
  mark_doubled_signals(program);
  if (options.repair_banks) repair_banks(program, sources, out.diagnostics);
  sources.checkpoint();
  const Pins pins = options.pins ? Pins::parse(options.pins, out.diagnostics) : Pins{};
  const Program written = options.spill ? program : Program{};
  std::string obstacle;
  const bool spilled = options.spill && spill(program, sources, pins, out.diagnostics, obstacle);
  const Flow flow(program);
  auto allocation = allocate(program, flow, sources, out.diagnostics, pins);
  if (!allocation) {
    if (!obstacle.empty()) explain_failed_spill(obstacle, out.diagnostics);
    return;
  }
  sources.checkpoint();
  if (spilled) {  // what nothing sets is seen only where every name is a register
    check_undefined(written, analyse_liveness(written, Flow(written)), sources, out.diagnostics);
  } else {
    check_undefined(program, allocation->liveness, sources, out.diagnostics);
  }
  Program placed = with_places(program, *allocation);
  sources.checkpoint();
  check_program(placed, flow, sources, out.diagnostics);
  sources.checkpoint();
  check_sequences(placed, flow, sources, out.diagnostics);
  sources.checkpoint();
  check_signals(placed, flow, allocation->liveness, sources, out.diagnostics);
  sources.checkpoint();
  check_names(placed, flow, sources, out.diagnostics);
  // Everything is said about the program as written. A pin file names its words, so it is not rearranged.
  if (options.optimize && pins.empty() && try_optimise(program, lines, sources, *allocation)) {
    placed = with_places(program, *allocation);
  }
  if (options.dump == "allocation") {
    out.dump = dump_allocation(program, *allocation);
    return;
  }
  sources.checkpoint();
  const Encoded encoded = encode(placed, Numbers(program, *allocation), sources, out.diagnostics);
  if (options.dump == "final") {
    out.dump = dump_final(placed, encoded);
    return;
  }
  if (out.diagnostics.has_errors()) return;
  sources.checkpoint();
  if (options.listing) out.listing = make_listing(placed, encoded, sources, options.lost);
  out.image = make_image(placed, *allocation, encoded, sources, name);
}

Assembly assemble_stages(SourceFilePtr source, const Options& options) {
  Assembly out;
  checkpoint(options.cancellation);
  if (options.dump == "tokens") {
    out.dump = dump_tokens(source);
    return out;
  }
  const std::string name = std::filesystem::path(source->name()).stem().string();
  Sources sources;
  sources.set_cancellation(options.cancellation);
  if (options.case_sensitive) sources.names().keep_case();
  PreprocessSettings settings;
  settings.wide = options.wide;
  settings.undefined_is_zero = options.undefined_is_zero;
  Preprocessed preprocessed = preprocess(sources, std::move(source), options, settings);
  out.files = preprocessed.files;
  out.diagnostics.append(std::move(preprocessed.diagnostics));
  if (options.dump == "preprocessed") {
    out.dump = print_program(preprocessed.program, preprocessed.pragmas);
    return out;
  }
  // #pragma warning: also the warnings that are not known yet, as the last thing.
  const auto apply_pragma_filters = [&] {
    out.diagnostics = preprocessed.warnings.apply(out.diagnostics, sources);
    if (out.diagnostics.has_errors()) out.image.reset();
  };
  if (!preprocessed.complete) {
    apply_pragma_filters();
    return out;
  }
  const ast::Program tree = parse(preprocessed.program, sources, out.diagnostics);
  if (options.dump == "ast") {
    out.dump = dump_ast(tree);
    return out;
  }
  if (!tree.complete) {
    apply_pragma_filters();
    return out;
  }
  Program program = resolve(tree, preprocessed.program, sources, options, out.diagnostics);
  if (options.dump == "ir") {
    out.dump = dump_ir(program);
    return out;
  }
  if (!out.diagnostics.has_errors()) finish(std::move(program), preprocessed.program, sources, options, name, out);
  apply_pragma_filters();
  return out;
}

}  // namespace

Assembly assemble(SourceFilePtr source, const Options& options) {
  const NoFork hold;  // tables that are made when they are first asked for
  Assembly out;
  try {
    out = assemble_stages(std::move(source), options);
  } catch (const Cancelled&) {
    out.cancelled = true;
    return out;
  }
  out.diagnostics = without_cascades(options.warnings.apply(out.diagnostics));
  if (out.diagnostics.has_errors()) out.image.reset();
  return out;
}

Assembly assemble(const std::string& path, const Options& options) {
  auto source = options.read ? options.read(path) : read_source(path);
  if (source) return assemble(std::move(*source), options);
  Assembly out;
  out.diagnostics = std::move(source.error());
  return out;
}

}  // namespace weft::assembler
