// Text in lines of words: configurations, rules, routes, commands, pins, microcode.
#include <algorithm>
#include <cctype>
#include <vector>

#include "mutators.h"
#include "weft/base/random.h"

namespace weft::fuzz {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Begin and length of the words: letters, digits and what stands in names and numbers.
std::vector<std::pair<size_t, size_t>> words_of(const std::string& line) {
  std::vector<std::pair<size_t, size_t>> words;
  const auto inside = [&](size_t at) {
    const auto c = static_cast<unsigned char>(line[at]);
    return std::isalnum(c) || c >= 0x80 || c == '_' || c == '@' || c == '$' || c == '#';
  };
  for (size_t at = 0; at < line.size();) {
    const size_t begin = at;
    while (at < line.size() && inside(at)) ++at;
    if (at > begin)
      words.emplace_back(begin, at - begin);
    else
      ++at;
  }
  return words;
}

std::string number(Random& random) {
  static constexpr uint64_t kEdges[] = {
      0,   1,   2,   7,   8,    15,   16,   31,    32,    33,    63,     64,      65,      127,        128,
      255, 256, 511, 512, 1023, 1024, 4095, 65535, 65536, 65537, 524287, 1048575, 1048576, 4294967295, 4294967296};
  switch (random.below(5)) {
    case 0: return std::to_string(random.below(300));
    case 1: return std::to_string(UINT64_MAX);
    case 2: return "-" + std::to_string(kEdges[random.below(std::size(kEdges))]);
    case 3: return "0x" + std::string(random.below(20), 'f');
    default: return std::to_string(kEdges[random.below(std::size(kEdges))]);
  }
}

void change(std::vector<std::string>& lines, Random& random, const MutateBytes& bytes) {
  if (lines.empty()) lines.emplace_back();
  const size_t at = random.below(lines.size()), other = random.below(lines.size());
  const auto begin = lines.begin();
  switch (random.below(12)) {
    case 0: lines.insert(begin + static_cast<std::ptrdiff_t>(at), std::string(lines[other])); return;
    case 1:
      if (lines.size() > 1) lines.erase(begin + static_cast<std::ptrdiff_t>(at));
      return;
    case 2: std::swap(lines[at], lines[other]); return;
    case 3:
      if (random.chance(1, 10)) {  // many
        const std::string copy = lines[at];
        lines.insert(begin + static_cast<std::ptrdiff_t>(at), 1 + random.below(700), copy);
      }
      return;
    case 4: lines[at] += " " + lines[other]; return;
    default: break;
  }
  std::string& line = lines[at];
  const auto words = words_of(line), others = words_of(lines[other]);
  if (words.empty()) {
    line = bytes(line);
    return;
  }
  const auto [from, length] = words[random.below(words.size())];
  const auto word_of_other = [&] {
    if (others.empty()) return number(random);
    const auto [first, size] = others[random.below(others.size())];
    return lines[other].substr(first, size);
  };
  const bool is_number = std::isdigit(static_cast<unsigned char>(line[from])) != 0;
  switch (random.below(7)) {
    case 0: line.replace(from, length, word_of_other()); return;
    case 1: line.erase(from, length); return;
    case 2: line.insert(from, word_of_other() + " "); return;
    case 3: line.replace(from, length, bytes(line.substr(from, length))); return;
    case 4: line.replace(from, length, number(random)); return;
    case 5: line.insert(from + length, std::string(1, "/.:,-*=()[]{}\"' \t;#&|?!"[random.below(24)])); return;
    default:
      if (is_number)
        line.replace(from, length, number(random));
      else
        line.insert(from, line.substr(from, length) + " ");
  }
}

}  // namespace

std::string mutate_lines(std::string_view input, uint64_t seed, const MutateBytes& bytes) {
  std::vector<std::string> lines = lines_of(input);
  Random random(seed);
  for (uint64_t left = 1 + random.below(4); left > 0; --left) change(lines, random, bytes);
  return joined(lines);
}

std::string cross_lines(std::string_view a, std::string_view b, uint64_t seed) {
  std::vector<std::string> lines = lines_of(a);
  const std::vector<std::string> others = lines_of(b);
  if (others.empty()) return {};
  Random random(seed);
  for (uint64_t left = 1 + random.below(4); left > 0; --left)
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)),
                 others[random.below(others.size())]);
  return joined(lines);
}

}  // namespace weft::fuzz
