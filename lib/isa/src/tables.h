// Shapes of the generated tables. Everything here is private to the room.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "weft/isa/isa.h"

namespace weft::isa {

struct Piece {
  uint8_t word_bit, width, field_bit;
};

/// A raw field and where its bits are.
struct FieldRef {
  uint8_t width = 0, count = 0;
  std::array<Piece, 2> pieces{};

  uint32_t get(uint64_t word) const {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= (word >> pieces[i].word_bit & ((uint64_t{1} << pieces[i].width) - 1)) << pieces[i].field_bit;
    return static_cast<uint32_t>(value);
  }
  void put(uint64_t& word, uint32_t value) const {
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t mask = (uint64_t{1} << pieces[i].width) - 1;
      word = (word & ~(mask << pieces[i].word_bit)) | (value >> pieces[i].field_bit & mask) << pieces[i].word_bit;
    }
  }
};

using Encoded = tl::expected<void, EncodeError>;
struct CodecUse;

/// A mapping between roles and raw fields, in both directions.
struct Codec {
  Encoded (*encode)(const CodecUse& use, Profile profile, const Instruction& insn, uint64_t& word);
  bool (*decode)(const CodecUse& use, Profile profile, uint64_t word, Instruction& insn);
};

struct CodecUse {
  const Codec* codec;
  std::array<FieldRef, 6> field;
  std::array<Role, 6> role;
  std::span<const int32_t> params;
};

struct FieldLimit {
  FieldRef field;
  std::span<const uint32_t> values;
};
struct RoleIs {
  Role role;
  uint32_t value;
};

constexpr uint64_t role_bit(Role r) { return uint64_t{1} << static_cast<unsigned>(r); }

/// Which sources an encoding is for, where one instruction has several.
enum class Sources : uint8_t { any, registers, constant };

struct EncodingRow {
  InsnId id;
  uint64_t mask, value;
  std::span<const CodecUse> codecs;
  std::span<const FieldLimit> limits;
  std::span<const RoleIs> when;
  Sources sources;
  uint64_t roles;  ///< bit per Role that the codecs place
};

struct ProfileTables {
  Profile profile;
  unsigned bits;
  std::span<const EncodingRow> rows;
  std::span<const uint16_t> starts;      ///< by top byte: where its candidates begin
  std::span<const uint16_t> candidates;  ///< row numbers
};

/// Operand codes first..last; numbers and constants count up from `value`.
struct CodeRange {
  uint16_t first, last;
  OperandKind kind;
  Post post;
  Bank bank;  ///< where the code holds the bank; none = the slot or a bank bit gives it
  uint8_t value;
  bool source, dest;
};
struct OperandFile {
  Profile profile;
  std::span<const CodeRange> re, ur;
};

struct MnemonicRow {
  std::string_view mnemonic;
  std::span<const InsnId> ids;
};
struct MnemonicFile {
  Profile profile;
  std::span<const MnemonicRow> rows;
};
struct AliasRow {
  std::string_view spelling;
  InsnId id;
  std::span<const RoleIs> values;
  bool printed;
};
struct CsrFile {
  Profile profile;
  std::span<const CsrInfo> csrs;
};
struct SizesRow {
  Profile profile;
  ProfileSizes sizes;
};
struct NameFile {
  Profile profile;
  std::span<const NamedValue> input_states, cap_csrs, signal_names;
};

}  // namespace weft::isa
