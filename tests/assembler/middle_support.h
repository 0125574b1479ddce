// From text to syntax tree and to the program of symbols, for the tests of the parser and the resolver.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "output/dump.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "resolver/resolver.h"

namespace weft::assembler::middle_test {

struct Resolved {
  Program program;
  Diagnostics diagnostics;
};

inline Resolved resolve_text(const std::string& text) {
  Resolved out;
  Sources sources;
  Options options;
  Preprocessed pre = preprocess(sources, make_source("test.uc", text), options);
  out.diagnostics.append(std::move(pre.diagnostics));
  const ast::Program tree = parse(pre.program, sources, out.diagnostics);
  out.program = resolve(tree, pre.program, sources, options, out.diagnostics);
  return out;
}

inline std::string messages(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    out += fmt::format("{}:{} {}: {} ({})\n", d.range.begin.line, d.range.begin.column, d.code, d.text, d.remedy);
  }
  return out;
}

/// Instructions and labels only: "loop#:" and "alu[a, --, B, b]".
inline std::vector<std::string> code(const Resolved& r) {
  std::vector<std::string> out;
  for (uint32_t i = 0; i <= r.program.insns.size(); ++i) {
    for (const Label& l : r.program.labels) {
      if (l.index == i) out.push_back(l.name + ":");
    }
    if (i < r.program.insns.size()) out.push_back(dump_insn(r.program, r.program.insns[i]));
  }
  return out;
}

inline std::string ast_text(const std::string& text, Diagnostics& diagnostics) {
  Sources sources;
  Options options;
  Preprocessed pre = preprocess(sources, make_source("test.uc", text), options);
  diagnostics.append(std::move(pre.diagnostics));
  return dump_ast(parse(pre.program, sources, diagnostics));
}

}  // namespace weft::assembler::middle_test
