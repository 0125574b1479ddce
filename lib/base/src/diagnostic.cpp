#include "weft/base/diagnostic.h"

#include <algorithm>

namespace weft {

static bool is_error(const Diagnostic& d) { return d.severity == Severity::error; }

Diagnostic& Diagnostics::add(Diagnostic d) {
  const bool error = is_error(d);
  if (error) ++errors_;
  if ((error ? kept_errors_ : list_.size() - kept_errors_) == kKept) {
    ++left_out_;
    return last_left_out_ = std::move(d);
  }
  if (error) ++kept_errors_;
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

Diagnostics Diagnostics::first(size_t count) const {
  const size_t errors = std::min(count, kept_errors_);
  size_t errors_to_come = errors, others_to_come = count - errors;
  Diagnostics out = changed([&](const Diagnostic& d) {
    size_t& to_come = is_error(d) ? errors_to_come : others_to_come;
    if (to_come == 0) return false;
    --to_come;
    return true;
  });
  out.left_out_ = left_out_ + size() - out.size();
  out.errors_ = errors_;
  return out;
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
