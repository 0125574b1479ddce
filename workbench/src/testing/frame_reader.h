// Frames as tests write them: layers with named fields, hexadecimal octets, or another frame with changes.
//
//   [{"ethernet": {"destination": "02:00:00:00:01:0a", "source": "02:00:00:00:00:0a"}},
//    {"ipv4": {"source": "10.0.0.2", "destination": "198.51.100.7", "ttl": 64}}, {"udp": {"source": 1, "destination":
//    9}},
//    {"payload": 18}]
//   "02000000 010a ..."
//   {"same_as": "plain", "change": {"ipv4.ttl": 63, "ethernet.source": "02:00:00:00:01:0b"}}
//
// What follows from the rest (types, lengths, checksums) is computed unless it is given. Frames of layers are padded to
// 60 octets; frames in hexadecimal are what they are.
#pragma once

#include <map>
#include <string>

#include "testing/row.h"
#include "weft/packet/bytes.h"

namespace weft::workbench::testing {

/// A frame that has a name, and the file in which it stands.
struct NamedFrame {
  JsonNode node;
  const JsonDocument* document = nullptr;
};
using NamedFrames = std::map<std::string, NamedFrame>;

/// Diagnostics: test-frame, test-row-name, test-number, and those of the JSON reader.
packet::Bytes read_frame(const JsonNode& node, const NamedFrames& named, const Row& row, Diagnostics& out);

}  // namespace weft::workbench::testing
