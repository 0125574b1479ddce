#include "weft/packet/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/packet/decode.h"

namespace weft::packet {
namespace {

std::string hex(ByteView bytes, const DecodedLayer& layer) {
  return fmt::format("{:02x}", fmt::join(bytes.subspan(layer.offset, layer.length), ""));
}

/// Pairs of layer indices with equal names: a longest common subsequence, the earliest one.
std::vector<std::pair<size_t, size_t>> matched(const DecodedFrame& left, const DecodedFrame& right) {
  const size_t n = left.layers.size();
  const size_t m = right.layers.size();
  std::vector<std::vector<size_t>> best(n + 1, std::vector<size_t>(m + 1, 0));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      best[i][j] = left.layers[i].name == right.layers[j].name ? best[i + 1][j + 1] + 1
                                                               : std::max(best[i + 1][j], best[i][j + 1]);
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0, j = 0; i < n && j < m;) {
    if (left.layers[i].name == right.layers[j].name) {
      pairs.emplace_back(i++, j++);
    } else if (best[i + 1][j] >= best[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

/// "mpls" for the first, "mpls#2" for the second.
std::vector<std::string> numbered_names(const DecodedFrame& frame) {
  std::map<std::string_view, int> seen;
  std::vector<std::string> names;
  for (const DecodedLayer& layer : frame.layers) {
    const int number = ++seen[layer.name];
    names.push_back(number == 1 ? std::string(layer.name) : fmt::format("{}#{}", layer.name, number));
  }
  return names;
}

/// Long octet strings are cut down to the stretch that differs.
void shorten(FieldDifference& d) {
  constexpr size_t kShown = 32;
  if (d.left.size() <= kShown && d.right.size() <= kShown) return;
  size_t same = static_cast<size_t>(std::mismatch(d.left.begin(), d.left.end(), d.right.begin(), d.right.end()).first -
                                    d.left.begin());
  same -= same % 2;
  const auto part = [&](const std::string& text) {
    return (same > 0 ? ".." : "") + text.substr(same, kShown) + (text.size() > same + kShown ? ".." : "");
  };
  d.octet += same / 2;
  d.left = part(d.left);
  d.right = part(d.right);
}

void compare(const DecodedLayer& left, const DecodedLayer& right, const std::string& name,
             std::vector<FieldDifference>& out) {
  for (const DecodedField& field : left.fields) {
    const std::string_view other = right[field.name];
    if (field.text == other) continue;
    FieldDifference d{name, std::string(field.name), field.bit / 8, field.text, std::string(other)};
    if (field.name == "octets") shorten(d);
    out.push_back(std::move(d));
  }
  for (const DecodedField& field : right.fields)
    if (left[field.name].empty() && !field.text.empty())
      out.push_back({name, std::string(field.name), field.bit / 8, "", field.text});
}

}  // namespace

std::vector<FieldDifference> differences(ByteView left_bytes, ByteView right_bytes) {
  std::vector<FieldDifference> out;
  if (std::ranges::equal(left_bytes, right_bytes)) return out;
  const DecodedFrame left = decode(left_bytes);
  const DecodedFrame right = decode(right_bytes);
  const auto left_names = numbered_names(left);
  const auto right_names = numbered_names(right);
  size_t i = 0;
  size_t j = 0;
  const auto unmatched = [&](size_t stop_left, size_t stop_right) {
    for (; i < stop_left; ++i) {
      const DecodedLayer& layer = left.layers[i];
      out.push_back({left_names[i], "", layer.offset, hex(left_bytes, layer), ""});
    }
    for (; j < stop_right; ++j) {
      const DecodedLayer& layer = right.layers[j];
      out.push_back({right_names[j], "", layer.offset, "", hex(right_bytes, layer)});
    }
  };
  for (const auto& [a, b] : matched(left, right)) {
    unmatched(a, b);
    compare(left.layers[a], right.layers[b], left_names[a], out);
    i = a + 1;
    j = b + 1;
  }
  unmatched(left.layers.size(), right.layers.size());
  if (out.empty()) {
    // Every decoded field is equal, so the difference lies in octets that no field shows.
    const auto place = std::ranges::mismatch(left_bytes, right_bytes).in1 - left_bytes.begin();
    const auto at = static_cast<size_t>(place);
    const auto octet = [&](ByteView bytes) { return at < bytes.size() ? fmt::format("{:02x}", bytes[at]) : ""; };
    out.push_back({"frame", "octet", at, octet(left_bytes), octet(right_bytes)});
  }
  return out;
}

std::string to_string(const std::vector<FieldDifference>& differences) {
  std::string text;
  for (const FieldDifference& d : differences) {
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("(none)") : value; };
    text += fmt::format("{}{}{} (octet {}): {} -> {}\n", d.layer, d.field.empty() ? "" : ".", d.field, d.octet,
                        shown(d.left), shown(d.right));
  }
  return text;
}

}  // namespace weft::packet
