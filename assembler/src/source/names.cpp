#include "source/names.h"

namespace weft::assembler {

bool same_name(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (fold(a[i]) != fold(b[i])) return false;
  return true;
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = fold(c);
  return out;
}

Names::Names() : entries_(1), slots_(1024) {}

uint32_t Names::hash(std::string_view text) const {
  uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(keeps_case_ ? c : fold(c))) * 16777619U;
  return hash;
}

std::string Names::key(std::string_view text) const {
  if (!keeps_case_) return folded(text);
  std::string out(text);
  if (out.size() > 1 && out[1] == '$') out[0] = fold(out[0]);
  return out;
}

uint32_t Names::find(std::string_view text) const {
  const uint32_t hash = this->hash(text);
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask; slots_[slot]; slot = (slot + 1) & mask) {
    const Entry& e = entries_[slots_[slot]];
    if (e.hash == hash && same(e.text, text)) return slots_[slot];
  }
  return none;
}

uint32_t Names::id(std::string_view text) {
  const uint32_t hash = this->hash(text);
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot]; slot = (slot + 1) & mask) {
    const Entry& e = entries_[slots_[slot]];
    if (e.hash == hash && same(e.text, text)) return slots_[slot];
  }
  const uint32_t id = count();
  slots_[slot] = id;
  entries_.push_back({text, hash});
  if (entries_.size() * 2 > slots_.size()) grow();
  return id;
}

void Names::grow() {
  std::vector<uint32_t> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (uint32_t id = 1; id < count(); ++id) {
    size_t slot = entries_[id].hash & mask;
    while (larger[slot]) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  slots_ = std::move(larger);
}

}  // namespace weft::assembler
