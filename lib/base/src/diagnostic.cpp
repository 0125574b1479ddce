#include "weft/base/diagnostic.h"

namespace weft {

Diagnostic& Diagnostics::add(Diagnostic d) {
  if (d.severity == Severity::error) ++errors_;
  if (list_.size() == kKept) {
    ++left_out_;
    return last_left_out_ = std::move(d);
  }
  list_.push_back(std::move(d));
  return list_.back();
}

Diagnostic& Diagnostics::error(std::string code, SourceRange range, std::string text, std::string remedy) {
  Diagnostic d;
  d.code = std::move(code);
  d.range = std::move(range);
  d.text = std::move(text);
  d.remedy = std::move(remedy);
  return add(std::move(d));
}

Diagnostic& Diagnostics::warning(std::string code, SourceRange range, std::string text, std::string remedy) {
  Diagnostic d;
  d.code = std::move(code);
  d.severity = Severity::warning;
  d.range = std::move(range);
  d.text = std::move(text);
  d.remedy = std::move(remedy);
  return add(std::move(d));
}

void Diagnostics::append(Diagnostics other) {
  const size_t errors = errors_ + other.errors_;
  for (Diagnostic& d : other.list_) add(std::move(d));
  left_out_ += other.left_out_;
  errors_ = errors;
}

tl::unexpected<Diagnostics> fail(std::string code, SourceRange range, std::string text, std::string remedy) {
  Diagnostics list;
  list.error(std::move(code), std::move(range), std::move(text), std::move(remedy));
  return tl::unexpected<Diagnostics>(std::move(list));
}

}  // namespace weft
