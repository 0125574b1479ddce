// The walk over the lines: each part of a line goes to the class that resolves it.
#include "resolver/resolver.h"

#include <deque>

#include "resolver/directives.h"
#include "resolver/structured.h"
#include "source/recorder.h"

namespace weft::assembler {
namespace {

Program empty_program(const Options& options) {
  Program program;
  program.profile = options.profile;
  program.chip = options.chip;
  program.control_store = options.control_store;
  program.sram_channels = options.sram_channels;
  program.lost = options.lost.value_or(isa::default_lost(options.profile));
  program.cancellation = options.cancellation;
  program.contexts = isa::sizes(options.profile).contexts;
  if (options.wide) program.largest_number = UINT64_MAX;  // what the preprocessor calculated stands in the lines
  return program;
}

class Resolver final : private StructuredSink {
 public:
  Resolver(const TokenProgram& tokens, const Sources& sources, const Options& options, Diagnostics& diagnostics)
      : sources_(sources),
        program_(empty_program(options)),
        report_(sources, diagnostics, tokens.lost_names),
        symbols_(program_, sources, report_, tokens.lost_names),
        labels_(program_, sources, report_),
        transfers_(program_, report_),
        operands_(program_, sources, report_, symbols_, labels_),
        uses_{program_, sources, report_, symbols_, labels_, transfers_, operands_},
        instructions_(uses_, options.lost, tokens.macro_names),
        directives_(uses_, instructions_),
        structured_(*this) {}

  Program run(const ast::Program& ast) {
    for (const ast::Line& l : ast.lines) {
      sources_.checkpoint();
      for (const ast::LabelDefinition& label : l.labels) labels_.define(label.name, label.origin);
    }
    program_.insns.reserve(ast.lines.size());
    for (const ast::Line& l : ast.lines) {
      line(l);
      if (report_.given_up()) return std::move(program_);
    }
    const bool blocks_closed = structured_.finish();
    symbols_.finish();
    directives_.finish();
    operands_.finish();
    transfers_.finish();
    labels_.finish(blocks_closed);
    return std::move(program_);
  }

 private:
  void line(const ast::Line& l) {
    instructions_.start_line(l.index);
    sources_.checkpoint();
    if (Recorder* recorder = sources_.recorder()) recorder->line(l);
    for (const ast::LabelDefinition& label : l.labels) labels_.reach(label.name);
    if (l.directive) l.wrong ? directives_.wrong(*l.directive) : directives_.resolve(*l.directive);
    if (l.structured) structured_.keyword(*l.structured);
    if (l.assignment) structured_.assign(*l.assignment);
    if (l.instruction) instructions_.resolve(*l.instruction);
  }

  // --- what structured blocks ask for ---

  void emit(const ast::Instruction& instruction) override { instructions_.resolve(instruction); }
  std::string_view new_label(std::string text, const Origin& origin) override {
    return labels_.make(std::move(text), origin);
  }
  void place_label(std::string_view name) override { labels_.place(name); }
  std::optional<int64_t> constant_value(const ast::Expr& expr) override { return operands_.constant_value(expr); }
  bool is_import(const ast::Expr& expr) override {
    return expr.kind == ast::Expr::Kind::name && symbols_.is_linked(sources_.names().key(expr.text));
  }
  bool is_register(const ast::Expr& expr) override { return operands_.names_register(expr); }
  std::optional<std::string_view> new_temporary(const Origin& origin) override {
    if (program_.physical) return std::nullopt;
    temporaries_.push_back(symbols_.new_temporary(origin));
    return temporaries_.back();
  }
  void report(std::string code, const Origin& origin, std::string text, std::string remedy) override {
    report_.error(std::move(code), origin, std::move(text), std::move(remedy));
  }

  const Sources& sources_;
  Program program_;
  Reporter report_;
  Symbols symbols_;
  Labels labels_;
  Transfers transfers_;
  Operands operands_;
  Instructions::Uses uses_;
  Instructions instructions_;
  Directives directives_;
  Structured structured_;
  std::deque<std::string> temporaries_;  ///< their names: the syntax trees of structured blocks point to them
};

}  // namespace

Program resolve(const ast::Program& ast, const TokenProgram& tokens, const Sources& sources, const Options& options,
                Diagnostics& diagnostics) {
  return Resolver(tokens, sources, options, diagnostics).run(ast);
}

}  // namespace weft::assembler
