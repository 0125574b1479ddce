// Runs the generated parser line by line and hands over the lines that are right.
#include "parser/parser.h"

#include "MicrocodeParser.h"
#include "parser/syntax_error.h"
#include "parser/token_source.h"
#include "parser/tree_builder.h"
#include "suggest.h"

namespace weft::assembler {
namespace {

using P = grammar::MicrocodeParser;

/// Gives up a line at its first fault, and remembers the fault.
class FaultStrategy final : public antlr4::BailErrorStrategy {
 public:
  SyntaxFault fault;

  void recover(antlr4::Parser* parser, std::exception_ptr e) override {
    note(parser, e);
    throw antlr4::ParseCancellationException();
  }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    note(parser, nullptr);
    throw antlr4::ParseCancellationException();
  }

 private:
  void note(antlr4::Parser* parser, std::exception_ptr e) {
    fault = {};
    fault.token = parser->getCurrentToken()->getTokenIndex();
    bool certain = true;  // the expected set belongs to the offending token
    if (e) {
      try {
        std::rethrow_exception(e);
      } catch (const antlr4::RecognitionException& r) {
        if (r.getOffendingToken()) {
          certain = r.getOffendingToken()->getTokenIndex() == fault.token;
          fault.token = r.getOffendingToken()->getTokenIndex();
        }
      } catch (...) {
      }
    }
    if (certain) {
      for (ssize_t type : parser->getExpectedTokens().toList()) fault.expected.push_back(static_cast<size_t>(type));
    }
    for (antlr4::RuleContext* c = parser->getContext(); c; c = dynamic_cast<antlr4::RuleContext*>(c->parent)) {
      fault.rules.push_back(c->getRuleIndex());
    }
  }
};

}  // namespace

ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics) {
  ast::Program out;
  const TokenRow row(program, out.words);
  RowTokenSource source(row);
  antlr4::CommonTokenStream stream(&source);
  P parser(&stream);
  parser.removeErrorListeners();
  auto* simulator = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  const auto bail = std::make_shared<antlr4::BailErrorStrategy>();
  const auto explain_fault = std::make_shared<FaultStrategy>();

  const auto report = [&](const SyntaxMessage& m) {
    const GrammarToken& at = row.tokens()[m.token];
    Diagnostic d = sources.diagnostic(Severity::error, m.code, at.origin, m.text, m.remedy);
    if (m.code == "asm-no-macro") {
      if (const auto near = suggestions(at.text, program.macro_names)) {
        d.remedy = did_you_mean(near);
        fix_name(d, sources, at.origin, at.text, near);
      }
    }
    if (!m.insertion.empty()) fix_insert(d, sources, at.origin, m.insertion);
    diagnostics.add(std::move(d));
  };
  const auto parse_line = [&](size_t start, antlr4::atn::PredictionMode mode,
                              const std::shared_ptr<antlr4::ANTLRErrorStrategy>& strategy) -> P::LineContext* {
    parser.reset();
    parser.getTreeTracker().reset();
    stream.seek(start);
    parser.setErrorHandler(strategy);
    simulator->setPredictionMode(mode);
    try {
      return parser.line();
    } catch (const antlr4::ParseCancellationException&) {
      return nullptr;
    }
  };

  for (uint32_t line = 0; line < program.lines.size(); ++line) {
    if (const auto nested = check_nesting(row, line)) {
      report(*nested);
      continue;
    }
    const size_t start = row.line_starts()[line];
    P::LineContext* tree = parse_line(start, antlr4::atn::PredictionMode::SLL, bail);
    if (!tree) tree = parse_line(start, antlr4::atn::PredictionMode::LL, explain_fault);
    if (!tree) {
      report(explain(explain_fault->fault, row, line));
      continue;
    }
    TreeBuilder builder(row);
    ast::Line built = builder.line(tree);
    built.index = line;
    if (builder.fault()) {
      report(*builder.fault());
      continue;
    }
    out.lines.push_back(std::move(built));
  }
  return out;
}

}  // namespace weft::assembler
