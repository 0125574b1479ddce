// The protobuf wire format, as far as a writer of Perfetto traces needs it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::emulator {

class ProtoMessage {
 public:
  ProtoMessage() = default;
  ProtoMessage(const ProtoMessage& other) { append(other.text()); }
  ProtoMessage& operator=(const ProtoMessage&) = delete;

  ProtoMessage& varint(unsigned field, uint64_t value) {
    raw(uint64_t{field} << 3);
    raw(value);
    return *this;
  }
  ProtoMessage& fixed64(unsigned field, uint64_t value) {
    raw(uint64_t{field} << 3 | 1);
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i) & 0xff));
    return *this;
  }
  ProtoMessage& bytes(unsigned field, std::string_view value) {
    raw(uint64_t{field} << 3 | 2);
    raw(value.size());
    append(value);
    return *this;
  }
  ProtoMessage& message(unsigned field, const ProtoMessage& value) { return bytes(field, value.text()); }
  std::string_view text() const { return {bytes_.data(), bytes_.size()}; }
  /// To begin another one in the same place.
  ProtoMessage& clear() {
    bytes_.clear();
    return *this;
  }
  /// As the only field of a message, at the end of `out`.
  void append_to(std::string& out, unsigned field) const {
    encode(out, uint64_t{field} << 3 | 2);
    encode(out, bytes_.size());
    out += text();
  }

 private:
  template <class Bytes>
  static void encode(Bytes& to, uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
    to.push_back(static_cast<char>(value));
  }
  void raw(uint64_t value) { encode(bytes_, value); }
  void append(std::string_view text) { bytes_.append(text.data(), text.data() + text.size()); }

  fmt::basic_memory_buffer<char, 120> bytes_;  ///< packets of a trace have less
};

}  // namespace weft::emulator
