// Search in a text: words as they are, or regular expressions; and what stands instead of what was found.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <optional>
#include <vector>

#include "places_model.h"

namespace weft::ide {

struct SearchOptions {
  QString text;
  bool match_case = false;
  bool whole_words = false;
  bool expression = false;  ///< `text` is a regular expression
};

struct SearchMatch {
  int begin = 0, length = 0;  ///< characters
};

class TextSearch final {
 public:
  /// What is wrong with the expression is error(); it then finds nothing.
  explicit TextSearch(const SearchOptions& options);
  const QString& error() const { return error_; }
  bool is_empty() const { return empty_; }

  /// In order, none inside of another; matches of no length are left out.
  std::vector<SearchMatch> matches(const QString& text) const;
  /// What replaces a match that begins there: \1 to \9 and \0 of an expression stand for what it caught.
  QString replacement(const QString& text, const SearchMatch& match, const QString& with) const;
  /// Matches of a file with their lines, one by one; at most `limit`.
  std::vector<FoundPlace> places(const QString& path, const QString& text, size_t limit) const;

 private:
  QRegularExpression expression_;
  QString error_;
  bool empty_ = true, captures_ = false;
};

}  // namespace weft::ide
