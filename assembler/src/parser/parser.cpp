// Runs the generated parser line by line and hands over the lines that are right.
#include "parser/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "MicrocodeParser.h"
#include "parser/line_shapes.h"
#include "parser/syntax_error.h"
#include "parser/token_source.h"
#include "parser/tree_builder.h"
#include "source/message_limits.h"
#include "source/suggest.h"
#include "weft/base/fork.h"

namespace weft::assembler {
namespace {

using P = grammar::MicrocodeParser;

std::optional<ast::Keyword> keyword_of(size_t type) {
  using K = ast::Keyword;
  switch (type) {
    case P::IF: return K::if_;
    case P::IF_UNSIGNED: return K::if_unsigned;
    case P::ELIF: return K::elif;
    case P::ELIF_UNSIGNED: return K::elif_unsigned;
    case P::ELSE: return K::else_;
    case P::ENDIF: return K::endif;
    case P::WHILE: return K::while_;
    case P::WHILE_UNSIGNED: return K::while_unsigned;
    case P::ENDW: return K::endw;
    case P::REPEAT: return K::repeat;
    case P::UNTIL: return K::until;
    case P::UNTIL_UNSIGNED: return K::until_unsigned;
    default: return std::nullopt;
  }
}

constexpr std::array<std::string_view, 16> kLaterDirectives{
    ".endian",       ".dram_signals",     ".indirect_ref_mode", ".third_party_addressing_32bit",
    ".init_csr",     ".declare_resource", ".alloc_resource",    ".load_mu_qdesc",
    ".init_mu_ring", ".assert",           ".app_metadata",      ".reg_addr",
    ".third_party",  ".load_mu_ring",     ".local_mem2_mode",   ".local_mem3_mode"};

/// What is certain of a line with a fault.
ast::Line remains(const TokenRow& row, uint32_t line) {
  ast::Line out;
  out.index = line;
  out.wrong = true;
  const std::vector<GrammarToken>& tokens = row.tokens();
  size_t at = row.line_starts()[line];
  const size_t end = row.line_starts()[line + 1] - 1;
  for (; at + 1 < end && tokens[at].type == P::LABEL && tokens[at + 1].type == P::COLON; at += 2)
    out.labels.push_back({tokens[at].text, tokens[at].origin});
  if (at >= end) return out;
  if (const auto keyword = keyword_of(tokens[at].type)) {
    out.structured = ast::Structured{*keyword, std::nullopt, tokens[at].origin};
  } else if (tokens[at].type == P::DIRECTIVE) {
    ast::Directive d;
    d.name = folded(tokens[at].text);
    d.origin = tokens[at].origin;
    while (++at < end) {
      if (tokens[at].type != P::NAME) continue;
      ast::DirectiveArg& name = d.args.emplace_back();
      name.text = tokens[at].text;
      name.origin = tokens[at].origin;
    }
    out.directive = std::move(d);
  }
  return out;
}

}  // namespace

bool is_later_directive(std::string_view name) {
  return std::find(kLaterDirectives.begin(), kLaterDirectives.end(), name) != kLaterDirectives.end();
}

ast::Program parse(const TokenProgram& program, const Sources& sources, Diagnostics& diagnostics) {
  ast::Program out;
  const TokenRow row(program, out.words);
  const NoFork hold;  // ANTLR's tables are shared by all parsers, and locked while they grow
  LineShapes shapes;
  size_t faults = 0;
  const auto wrong = [&](const SyntaxMessage& m, uint32_t line) {
    const GrammarToken& at = row.tokens()[m.token];
    out.lines.push_back(remains(row, line));
    ast::Line& left = out.lines.back();
    if (left.directive && is_later_directive(left.directive->name)) {
      left.wrong = false;  // its own grammar is not known here, its name is
      return;
    }
    Diagnostic d = sources.diagnostic(Severity::error, m.code, at.origin, m.text, m.remedy);
    if (m.code == "asm-no-macro" && faults < kMaxSuggested) {
      if (const auto near = suggestions(at.text, program.macro_names)) {
        d.remedy = did_you_mean(near);
        fix_name(d, sources, at.origin, at.text, near);
      }
    }
    if (!m.insertion.empty()) {
      const bool behind = m.insertion != "--" && m.token > 0;  // a mark of its own stands at the word before it
      fix_insert(d, sources, behind ? row.tokens()[m.token - 1].origin : at.origin, m.insertion, behind);
    }
    diagnostics.add(std::move(d));
    if (++faults < kMaxErrors) return;
    diagnostics.add(too_many_errors(sources, at.origin));
    out.complete = false;
  };

  out.lines.reserve(program.lines.size());
  std::string types;
  for (uint32_t line = 0; line < program.lines.size() && out.complete; ++line) {
    sources.checkpoint();
    if (const auto nested = check_nesting(row, line)) {
      wrong(*nested, line);
      continue;
    }
    const size_t start = row.line_starts()[line];
    types.clear();
    for (size_t i = start; i < row.line_starts()[line + 1]; ++i) types += static_cast<char>(row.tokens()[i].type);
    grammar::MicrocodeParser::LineContext* tree = shapes.tree(types, start);
    if (!tree) {
      wrong(explain(shapes.fault(types, start), row, line), line);
      continue;
    }
    TreeBuilder builder(row);
    ast::Line built = builder.line(tree);
    built.index = line;
    if (builder.fault()) {
      wrong(*builder.fault(), line);
      continue;
    }
    out.lines.push_back(std::move(built));
  }
  return out;
}

}  // namespace weft::assembler
