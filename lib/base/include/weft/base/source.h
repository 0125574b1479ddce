// Source text and places in it.
//
// A SourceFile is immutable and shared, so a diagnostic can be carried anywhere and printed later without a registry.
// Lines and columns count from 1; a column counts bytes. A position with line 0 means "the file as a whole".
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
  auto operator<=>(const Position&) const = default;
};

class SourceFile {
 public:
  SourceFile(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts_.size()); }
  /// The text of a line without its line end; empty when there is no such line.
  std::string_view line(uint32_t number) const;
  /// The position of a byte offset; the end of the text is a valid offset.
  Position position(size_t offset) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<size_t> line_starts_;
};

using SourceFilePtr = std::shared_ptr<const SourceFile>;

/// A half-open stretch of one file. `file` may be null: then the range says nothing.
struct SourceRange {
  SourceFilePtr file;
  Position begin;
  Position end;

  explicit operator bool() const { return file != nullptr; }
};

SourceFilePtr make_source(std::string name, std::string text);
/// A range that names a file and nothing in it, for problems with a file as a whole (missing, truncated).
SourceRange whole_file(std::string name);

}  // namespace weft
