// What the parts of the resolver say to the reader of the program.
#include "resolver/reporter.h"

#include <algorithm>

namespace weft::assembler {

Diagnostic& Reporter::error(std::string code, const Origin& origin, std::string text, std::string remedy) {
  if (++errors_ >= kMaxErrors && !given_up_) {
    given_up_ = true;
    diagnostics_.add(too_many_errors(sources_, origin));
  }
  return diagnostics_.add(
      sources_.diagnostic(Severity::error, std::move(code), origin, std::move(text), std::move(remedy)));
}

Diagnostic& Reporter::warning(std::string code, const Origin& origin, std::string text, std::string remedy) {
  return diagnostics_.add(
      sources_.diagnostic(Severity::warning, std::move(code), origin, std::move(text), std::move(remedy)));
}

std::string_view Reporter::source_text(const Origin& origin) const {
  if (origin.line == 0 || origin.file >= sources_.file_count()) return {};
  const std::string_view line = sources_.file(origin.file)->line(origin.line);
  return line.substr(std::min<size_t>(origin.column - 1, line.size()), origin.length);
}

std::string case_remedy(std::string_view a, std::string_view b, std::string remedy) {
  if (a == b || !same_name(a, b)) return remedy;
  return std::string(kCaseRemedy);
}

}  // namespace weft::assembler
