// Runs the generated parser line by line and hands over the lines that are right.
#include "parser/parser.h"

#include "parser/line_shapes.h"
#include "parser/syntax_error.h"
#include "parser/token_source.h"
#include "parser/tree_builder.h"
#include "suggest.h"

namespace weft::assembler {

ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics) {
  ast::Program out;
  const TokenRow row(program, out.words);
  LineShapes shapes;
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

  std::string types;
  for (uint32_t line = 0; line < program.lines.size(); ++line) {
    if (const auto nested = check_nesting(row, line)) {
      report(*nested);
      continue;
    }
    const size_t start = row.line_starts()[line];
    types.clear();
    for (size_t i = start; i < row.line_starts()[line + 1]; ++i) types += static_cast<char>(row.tokens()[i].type);
    grammar::MicrocodeParser::LineContext* tree = shapes.tree(types, start);
    if (!tree) {
      report(explain(shapes.fault(types, start), row, line));
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
