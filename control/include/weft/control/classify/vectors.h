// Tables of the classifier as they stand in SRAM: for range matching (lib/microblocks/classify_range) and for linear
// search (classify_linear). Both blocks get the address of one longword, the root, so a table is replaced while packets
// flow by writing another one beside it and then the root.
//
// Range matching. Addresses are byte addresses on every chip, with the channel in bits 31:30.
//
//   root      address of the source's tree | 1 << (levels + 1); trees lie on multiples of 256 bytes
//   tree      levels of nodes, each four longwords: ~last of three intervals, 0. The nodes below node n are 4 n + 1 to
//             4 n + 4; after the last ones come the records of the intervals, in the order of their values
//   record    four longwords: compact vector; address of the bit vector; root of the next dimension's tree; 0
//   vector    16 longwords; rule r is bit r % 32 of longword r / 32. Bit w of the compact vector: longword w is not 0
//
// Dimensions follow each other as source, destination, destination port, source port, protocol, DSCP. Instead of a tree
// the last two have a record for each value. Intervals with the same rules share a vector.
//
// Linear search: the root is the address of the first rule; rules as classify_linear.uc has them, 8 longwords each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/classify/match.h"

namespace weft::control::classify {

inline constexpr size_t kMaxRules = 512;
inline constexpr size_t kVectorLongwords = kMaxRules / 32;
inline constexpr uint32_t kTreeAlignment = 256;
inline constexpr uint32_t kRuleLongwords = 8;

struct BitVector {
  std::array<uint32_t, kVectorLongwords> words{};

  void add(size_t rule) { words[rule / 32] |= uint32_t{1} << rule % 32; }
  uint32_t compact() const;
  auto operator<=>(const BitVector&) const = default;
};

/// Values in which the same rules match, up to and with `last`.
struct Interval {
  uint32_t last = 0;
  BitVector rules;
};
/// The intervals of a field, from value 0 to its largest one.
std::vector<Interval> intervals_of(Field field, std::span<const Match> rules);

/// What must stand at `at` before `root` is written to where the microcode looks.
struct TableImage {
  uint32_t at = 0;
  std::vector<uint32_t> words;
  uint32_t root = 0;

  uint64_t bytes() const { return words.size() * 4; }
};

struct VectorTable {
  TableImage image;
  std::array<size_t, kFields> intervals{};
  size_t vectors = 0;         ///< different ones
  uint64_t vector_bytes = 0;  ///< of them; the rest are trees and records
};

/// At most kMaxRules. `at` is a multiple of kTreeAlignment; the table takes `room` bytes at most. `where` is for
/// messages.
Result<VectorTable> build_vectors(std::span<const Match> rules, uint32_t at, uint64_t room,
                                  const SourceRange& where = {});
/// Any number of rules that has room. `at` is a multiple of 4.
Result<TableImage> build_linear(std::span<const Match> rules, uint32_t at, uint64_t room,
                                const SourceRange& where = {});

}  // namespace weft::control::classify
