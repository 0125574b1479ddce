// Values of fields as tests write them, against what decode() found in a frame.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "testing/suite.h"
#include "weft/packet/decode.h"

namespace weft::workbench::testing {

/// "syn ack" as a number; nothing when a word is not a flag, which `unknown` then is.
std::optional<uint8_t> tcp_flags_of(std::string_view text, std::string& unknown);

/// How packet::differences() calls octets that no field shows.
inline constexpr const char* kOtherOctets = "frame.octet";

/// "ipv4.ttl", "mpls#2.label": the field, without a value. Nothing, and an error at `place`, when no frame has it.
std::optional<ExpectedField> read_field_name(const std::string& name, const JsonNode& place, Diagnostics& out);
/// As packet::differences() names it: "ipv4.ttl" also for "ipv4#1.ttl".
std::string name_of(const ExpectedField& field);

/// Numbers, texts as decode() writes them, true and false for one bit, and "syn ack" for the flags of TCP, which are a
/// number too. `found` is null when the frame has no such field.
bool matches(const ExpectedField& wanted, const packet::DecodedField* found, const packet::Bytes& frame);

}  // namespace weft::workbench::testing
