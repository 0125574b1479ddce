// What the parts of the resolver say to the reader of the program.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "source/message_limits.h"
#include "source/names.h"
#include "source/token.h"
#include "weft/base/diagnostic.h"

namespace weft::assembler {

class Reporter {
 public:
  Reporter(const Sources& sources, Diagnostics& diagnostics, const std::vector<std::string>& lost_names)
      : sources_(sources), diagnostics_(diagnostics), undeclared_(lost_names.begin(), lost_names.end()) {}

  Diagnostic& error(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  Diagnostic& warning(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  /// Too many errors: the rest of the program is not looked at.
  bool given_up() const { return given_up_; }
  /// Whether a misspelt name is still compared with all names of the program.
  bool suggests() const { return errors_ < kMaxSuggested; }
  /// True for the first report of an undeclared name that gets no symbol of its own.
  bool first_use_of(std::string name) { return undeclared_.insert(std::move(name)).second; }
  /// The text of the source at `origin`.
  std::string_view source_text(const Origin& origin) const;
  bool has_errors() const { return diagnostics_.has_errors(); }

 private:
  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::set<std::string, std::less<>> undeclared_;
  size_t errors_ = 0;
  bool given_up_ = false;
};

/// The remedy where two names differ by case alone, and `remedy` otherwise.
std::string case_remedy(std::string_view a, std::string_view b, std::string remedy = {});

}  // namespace weft::assembler
