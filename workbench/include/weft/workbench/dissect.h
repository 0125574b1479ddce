// A frame as people look at it: layers and fields with the bytes in which they stand, options taken apart, and what is
// wrong with it at the field that is. Names of layers and fields are those of test files (docs/testing.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft::workbench {

struct DissectedField {
  std::string name;          ///< "ttl"
  std::string text;          ///< "64"
  std::string note;          ///< what the value means, or what is wrong: "UDP", "should be 1c46"
  size_t bit = 0, bits = 0;  ///< from the first bit of the frame
  bool wrong = false;
};

struct DissectedLayer {
  std::string name;     ///< "ipv4"
  std::string title;    ///< "IPv4"
  std::string summary;  ///< "10.0.0.1 > 10.1.2.3"
  size_t offset = 0, length = 0;
  std::vector<DissectedField> fields;
  std::vector<std::string> faults;  ///< sentences
};

struct Dissection {
  std::vector<DissectedLayer> layers;
  std::vector<std::string> faults;  ///< of layers that could not be read at all
  size_t wrong = 0;                 ///< faults in all
};

/// Never fails: what cannot be understood is payload, with a fault where it should have been more.
Dissection dissect(std::span<const uint8_t> frame);
/// "IPv4 10.0.0.1 > 10.1.2.3 UDP 1000 > 9"; only looks at the first 128 bytes.
std::string packet_summary(std::span<const uint8_t> frame);
/// Rows of 16 bytes: "0000  02 00 ... 45 00  ......E." and so on.
std::string hex_rows(std::span<const uint8_t> frame);

}  // namespace weft::workbench
