// JSON (with // and /* */ comments) in which every value knows its line and column, so that a wrong number in a project
// or chip file is reported like a compiler error.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"

namespace weft {

class JsonDocument;

/// A value inside a JsonDocument, with its place. Readers that fail add a diagnostic and give a default, so a reader
/// can go on and report everything that is wrong with a file at once.
class JsonNode {
 public:
  bool is_null() const;
  bool is_object() const;
  bool is_array() const;
  bool is_string() const;
  bool is_number() const;
  bool has(std::string_view key) const;
  const nlohmann::json& raw() const { return *value_; }
  SourceRange range() const;
  /// JSON pointer of this value, e.g. "/memory/sram/0".
  const std::string& path() const { return path_; }

  /// The member, or a null node. Use `require` when its absence is an error.
  JsonNode get(std::string_view key) const;
  JsonNode require(std::string_view key, Diagnostics& out) const;
  std::vector<JsonNode> items() const;                            ///< elements of an array
  std::vector<std::pair<std::string, JsonNode>> members() const;  ///< members of an object, sorted by name

  std::string string(Diagnostics& out, std::string fallback = {}) const;
  /// Accepts a number or a string such as "0x1000" or "64K" (K, M, G are powers of 1,024).
  uint64_t u64(Diagnostics& out, uint64_t min = 0, uint64_t max = UINT64_MAX, uint64_t fallback = 0) const;
  double number(Diagnostics& out, double fallback = 0) const;
  bool boolean(Diagnostics& out, bool fallback = false) const;

  /// Reports members whose name is not in the list (a misspelt option must not be ignored), with the nearest name.
  void only(std::initializer_list<std::string_view> names, Diagnostics& out) const;
  void wrong(Diagnostics& out, std::string text, std::string remedy = {}) const;

 private:
  friend class JsonDocument;
  const JsonDocument* document_ = nullptr;
  const nlohmann::json* value_ = nullptr;
  std::string path_;
};

class JsonDocument {
 public:
  static Result<JsonDocument> parse(SourceFilePtr source);
  static Result<JsonDocument> read(const std::string& path);

  JsonNode root() const;
  const SourceFilePtr& source() const { return source_; }
  /// A copy in which the value at a JSON pointer is another; members and elements on the way are made when missing.
  /// The value and all in it stand at `place`; without one, and where something was made on the way, the file is the
  /// place.
  Result<JsonDocument> with(const std::string& pointer, nlohmann::json value, const SourceRange& place = {}) const;
  /// This document laid over `base`: objects are joined member by member, everything else and objects that are `whole`
  /// take the place of what the base has. Each value keeps its place in the file where it stands.
  JsonDocument over(const JsonDocument& base, const std::function<bool(const JsonNode&)>& whole) const;

 private:
  friend class JsonNode;
  void put_place(const std::string& path, const nlohmann::json& value, const SourceRange& place);

  SourceFilePtr source_;
  std::shared_ptr<const nlohmann::json> value_;
  std::map<std::string, std::pair<Position, Position>, std::less<>> places_;  // by JSON pointer
  std::map<std::string, SourceFilePtr, std::less<>> files_;                   // of places that stand in a base
};

/// False after so many errors that guesses help nobody, and only cost time.
bool may_guess(const Diagnostics& out);

/// The candidate with the least edit distance to `word`, if it is close enough to be a likely misspelling. Case hardly
/// counts.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace weft
