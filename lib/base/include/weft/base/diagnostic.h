// Diagnostics are values: every room reports what is wrong with its input as a list of these, never by printing or
// throwing. Exceptions are for faults of the host (out of memory, a bug of ours).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/base/source.h"

namespace weft {

enum class Severity : uint8_t { note, info, warning, error };

/// A text attached to a place: the macro expansion chain, the include chain, a previous definition.
struct Note {
  SourceRange range;
  std::string text;
};

/// A replacement that a tool may apply: the text in `range` becomes `replacement`.
struct FixIt {
  SourceRange range;
  std::string replacement;
};

struct Diagnostic {
  std::string code;  ///< stable name such as "asm-undeclared-register"; `weft explain` takes it
  Severity severity = Severity::error;
  SourceRange range;
  std::string text;    ///< one sentence, lower case, no full stop
  std::string remedy;  ///< what to do about it; may be empty
  std::vector<SourceRange> highlights;
  std::vector<Note> notes;
  std::vector<FixIt> fixits;
};

/// At most kKept errors and as many others are kept, however many a reader finds; the rest is only counted.
class Diagnostics {
 public:
  static constexpr size_t kKept = 10'000;

  /// The result is gone at the next call when it is not kept.
  Diagnostic& add(Diagnostic d);
  Diagnostic& error(std::string code, SourceRange range, std::string text, std::string remedy = {});
  Diagnostic& warning(std::string code, SourceRange range, std::string text, std::string remedy = {});
  void append(Diagnostics other);
  /// As they are after `change`, which gets each of them, or without those for which it returns false. Those that were
  /// left out count as before.
  template <class Change>
  Diagnostics changed(const Change& change) const {
    Diagnostics out;
    out.left_out_ = left_out_;
    out.errors_ = errors_ - kept_errors_;
    for (Diagnostic d : list_) {
      if constexpr (std::is_void_v<decltype(change(d))>)
        change(d);
      else if (!change(d))
        continue;
      out.add(std::move(d));
    }
    return out;
  }
  /// The first `count`, errors before all others, in their order; the rest is left out.
  Diagnostics first(size_t count) const;

  bool has_errors() const { return errors_ > 0; }
  size_t left_out() const { return left_out_; }
  size_t error_count() const { return errors_; }
  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }
  const std::vector<Diagnostic>& list() const { return list_; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::vector<Diagnostic> list_;
  Diagnostic last_left_out_;
  size_t errors_ = 0, left_out_ = 0;
  size_t kept_errors_ = 0;  ///< of list_
};

/// A value, or the diagnostics that say why there is none.
template <class T>
using Result = tl::expected<T, Diagnostics>;

/// For `return fail("file-missing", ...)` in a function that gives a Result.
tl::unexpected<Diagnostics> fail(std::string code, SourceRange range, std::string text, std::string remedy = {});

}  // namespace weft
