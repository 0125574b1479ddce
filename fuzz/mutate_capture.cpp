// Captures: pcap and pcapng as lists of records whose lengths are right again after a change, but where a length is
// what changes.
#include <algorithm>
#include <cstring>
#include <vector>

#include "mutators.h"
#include "weft/base/random.h"

namespace weft::fuzz {
namespace {

uint32_t word_at(std::string_view bytes, size_t at, bool swapped) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return swapped ? __builtin_bswap32(value) : value;
}
void put_word(std::string& bytes, size_t at, uint32_t value, bool swapped) {
  if (swapped) value = __builtin_bswap32(value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

uint32_t edge(Random& random) {
  static constexpr uint32_t kEdges[] = {0,  1,  3,  4,    11,    12,    13,     16,        20,
                                        28, 60, 64, 1514, 65535, 65536, 262144, 0x7fffffff};
  return random.chance(1, 4) ? ~static_cast<uint32_t>(random.below(16)) : kEdges[random.below(std::size(kEdges))];
}

/// A record: what stands before its length, and its bytes.
struct Records {
  bool blocks = false, swapped = false;  ///< blocks: pcapng
  std::string head;                      ///< of the file (pcap)
  std::vector<std::string> list;
};

/// An empty list: no capture.
Records read(std::string_view input) {
  Records form;
  if (input.size() < 24) return form;
  const uint32_t magic = word_at(input, 0, false);
  if (magic == 0x0A0D0D0A) {
    form.blocks = true;
    form.swapped = word_at(input, 8, false) == 0x4D3C2B1A;
    for (size_t at = 0; at + 12 <= input.size();) {
      const size_t length = std::clamp<size_t>(word_at(input, at + 4, form.swapped) & ~3u, 12, input.size() - at);
      form.list.emplace_back(input.substr(at, length));
      at += length;
    }
    return form;
  }
  form.swapped = magic == 0xD4C3B2A1 || magic == 0x4D3CB2A1;
  if (!form.swapped && magic != 0xA1B2C3D4 && magic != 0xA1B23C4D) return form;
  form.head = input.substr(0, 24);
  for (size_t at = 24; at + 16 <= input.size();) {
    const size_t length = std::min<size_t>(word_at(input, at + 8, form.swapped), input.size() - at - 16);
    form.list.emplace_back(input.substr(at, 16 + length));
    at += 16 + length;
  }
  return form;
}

/// The body of a record changes, and its lengths follow.
void change_body(Records& form, std::string& record, const MutateBytes& bytes) {
  const size_t head = form.blocks ? 8 : 16, tail = form.blocks ? 4 : 0;
  if (record.size() < head + tail) return;
  std::string body = bytes(record.substr(head, record.size() - head - tail));
  if (form.blocks) body.resize((body.size() + 3) / 4 * 4);
  record = record.substr(0, head) + body + std::string(tail, '\0');
  const auto size = static_cast<uint32_t>(form.blocks ? record.size() : body.size());
  if (form.blocks) {
    put_word(record, 4, size, form.swapped);
    put_word(record, record.size() - 4, size, form.swapped);
  } else {
    put_word(record, 8, size, form.swapped);
    put_word(record, 12, std::max(size, word_at(record, 12, form.swapped)), form.swapped);
  }
}

}  // namespace

std::string mutate_capture(std::string_view input, uint64_t seed, const MutateBytes& bytes) {
  Records form = read(input);
  if (form.list.empty()) return {};
  Random random(seed);
  for (uint64_t left = 1 + random.below(3); left > 0; --left) {
    const size_t at = random.below(form.list.size()), other = random.below(form.list.size());
    std::string& record = form.list[at];
    switch (random.below(7)) {
      case 0:
        form.list.insert(form.list.begin() + static_cast<std::ptrdiff_t>(at), std::string(form.list[other]));
        break;
      case 1:
        if (form.list.size() > 1) form.list.erase(form.list.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 2: std::swap(form.list[at], form.list[other]); break;
      case 3:  // any word, lengths too
        put_word(record, random.below(record.size() / 4) * 4, edge(random), form.swapped);
        break;
      case 4:
        if (!form.head.empty())
          put_word(form.head, 4 * random.below(6), edge(random), form.swapped);
        else  // the kind of a block
          put_word(record, 0, static_cast<uint32_t>(random.below(11)), form.swapped);
        break;
      default: change_body(form, record, bytes);
    }
  }
  std::string out = form.head;
  for (const std::string& record : form.list) out += record;
  return out;
}

}  // namespace weft::fuzz
