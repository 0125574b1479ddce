// Label words and label switched paths as values, and the longwords that the microcode finds them in (layout.h).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "weft/control/address.h"

namespace weft::control::mpls {

/// Which of the two a label shares with the packet (uniform, true) or has for itself (pipe, false): RFC 3443, RFC 3270.
struct Mode {
  bool ttl = true, tc = true;
  bool operator==(const Mode&) const = default;
};

inline constexpr uint8_t kUsualTtl = 255;  ///< of labels in pipe mode, unless the configuration says another

/// A label that is pushed.
struct PushLabel {
  uint32_t label = 0;
  std::optional<uint8_t> ttl = {};  ///< 1-255; none: the packet's
  std::optional<uint8_t> tc = {};   ///< none: the packet's
};
uint32_t word_of(const PushLabel& label);
PushLabel push_of(uint32_t word);

/// Labels that are pushed together, as words, the top one first.
struct LabelStack {
  uint8_t count = 0;
  std::array<uint32_t, 3> words{};
  auto operator<=>(const LabelStack&) const = default;
};

/// What is done with packets of one label.
struct Lsp {
  enum class Kind : uint8_t { swap, pop, pop_forward, special } kind = Kind::swap;
  uint32_t out = 0;        ///< swap
  LabelStack pushes = {};  ///< after the swap
  uint8_t pops = 1;
  uint8_t version = 0;  ///< of the packet after the last label: 4, 6, or 0: as its first bits say
  Mode mode = {};       ///< of a pop
  enum class Bottom : uint8_t { any, required, refused } bottom = Bottom::any;
  uint8_t reason = 0;  ///< special: drop or core
  std::optional<IpAddress> via = {};

  bool has_hop() const { return kind == Kind::swap || kind == Kind::pop_forward; }
};

using EntryWords = std::array<uint32_t, 4>;
EntryWords words_of(const Lsp& lsp, uint32_t hop);
/// Nothing for an unknown label; via is left out.
std::optional<Lsp> lsp_of(const EntryWords& words);
constexpr uint32_t hop_of_entry(const EntryWords& words) { return words[1] & ~uint32_t{31}; }
/// Whether longwords 2 and 3 mean something.
bool uses_pushes(const EntryWords& words);

/// "swap 33 push 44 ttl 32 tc 0", in the words of the configuration.
std::string to_text(const Lsp& lsp);
std::string to_text(const LabelStack& stack);

}  // namespace weft::control::mpls
