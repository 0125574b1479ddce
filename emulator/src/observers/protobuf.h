// The protobuf wire format, as far as a writer of Perfetto traces needs it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emulator {

class ProtoMessage {
 public:
  ProtoMessage& varint(unsigned field, uint64_t value) {
    raw(uint64_t{field} << 3);
    raw(value);
    return *this;
  }
  ProtoMessage& fixed64(unsigned field, uint64_t value) {
    raw(uint64_t{field} << 3 | 1);
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xff);
    return *this;
  }
  ProtoMessage& bytes(unsigned field, std::string_view value) {
    raw(uint64_t{field} << 3 | 2);
    raw(value.size());
    bytes_ += value;
    return *this;
  }
  ProtoMessage& message(unsigned field, const ProtoMessage& value) { return bytes(field, value.bytes_); }
  const std::string& text() const { return bytes_; }

 private:
  void raw(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

}  // namespace weft::emulator
