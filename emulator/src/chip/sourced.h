// Reads numbers that carry their source: {"value": 90, "source": "..."}.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "weft/emulator/chip.h"

namespace weft::emulator {

inline constexpr uint64_t kMaxTicks = 1000;  ///< in a nanosecond

/// Collects what is wrong and what was read, so that one pass over a file reports everything.
class SourcedReader {
 public:
  /// `own`: the file that is read, where others lie below it.
  explicit SourcedReader(std::vector<SourcedNumber>& numbers, SourceFilePtr own = nullptr)
      : numbers_(numbers), own_(std::move(own)) {}

  uint64_t u64(const JsonNode& object, std::string_view key, uint64_t min, uint64_t max);
  uint32_t u32(const JsonNode& object, std::string_view key, uint32_t min, uint32_t max) {
    return static_cast<uint32_t>(u64(object, key, min, max));
  }
  bool boolean(const JsonNode& object, std::string_view key);
  std::vector<uint64_t> list(const JsonNode& object, std::string_view key, uint64_t min, uint64_t max);
  /// A frequency in MHz, a number or a fraction such as "400/3", as ticks per period. 0 when wrong.
  Tick period(const JsonNode& object, std::string_view key, uint64_t ticks_per_ns);
  std::string text(const JsonNode& object, std::string_view key);

  Diagnostics& diagnostics() { return out_; }
  /// Members of an object contradict each other. It is said at the first of them that stands in the file that is read,
  /// for what lies below it was right before; else at the first. Notes name those that stand in other files.
  void contradiction(const JsonNode& object, std::initializer_list<std::string_view> keys, const char* code,
                     std::string text, std::string remedy);

 private:
  /// The value node of a sourced member; null when it is missing (reported).
  JsonNode value(const JsonNode& object, std::string_view key);

  std::vector<SourcedNumber>& numbers_;
  SourceFilePtr own_;
  Diagnostics out_;
};

/// A path in a description starts at the folder of its file; a name stays as it is.
std::string beside(const JsonDocument& document, const std::string& name_or_path);

/// Checks "format" and "version" of a description.
void check_format(const JsonNode& root, std::string_view format, Diagnostics& out);

}  // namespace weft::emulator
