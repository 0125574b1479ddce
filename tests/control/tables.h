// Route tables for tests: the shared real table, and a longest-prefix match that shares no idea with the trie.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/control/address.h"

namespace weft::test {

/// One hash map per prefix length, asked from the longest to the shortest.
class LinearMatch {
 public:
  void add(const control::Prefix& p, uint32_t value) { by_length_[p.length][p.address] = value; }
  void remove(const control::Prefix& p) { by_length_[p.length].erase(p.address); }
  std::optional<uint32_t> find(uint32_t address) const {
    for (int length = 32; length >= 0; --length) {
      const auto& map = by_length_[static_cast<size_t>(length)];
      if (map.empty()) continue;
      const uint64_t mask = ~uint64_t{0} << (32 - length);
      const auto found = map.find(address & static_cast<uint32_t>(mask));
      if (found != map.end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  std::array<std::unordered_map<uint32_t, uint32_t>, 33> by_length_;
};

struct TableRow {
  control::Prefix prefix;
  uint32_t number = 0;  ///< the second column
};

inline std::string shared_file(const std::string& name) { return std::string(WEFT_SOURCE_DIR) + "/../shared/data/" + name; }

inline bool readable(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "rb");
  if (f) std::fclose(f);
  return f != nullptr;
}

/// Rows of a shared table, gzip or plain; empty when it is not there.
inline std::vector<TableRow> read_table(const std::string& path) {
  std::vector<TableRow> rows;
  if (!readable(path)) return rows;
  const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
  std::FILE* f = popen(((packed ? "gzip -dc '" : "cat '") + path + "'").c_str(), "r");
  char line[512];
  while (f && std::fgets(line, sizeof line, f)) {
    unsigned a, b, c, d, length, number;
    if (std::sscanf(line, "%u.%u.%u.%u/%u %u", &a, &b, &c, &d, &length, &number) != 6) continue;
    rows.push_back({{a << 24 | b << 16 | c << 8 | d, static_cast<uint8_t>(length)}, number});
  }
  if (f) pclose(f);
  return rows;
}

}  // namespace weft::test
