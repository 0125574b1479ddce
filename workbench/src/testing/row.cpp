#include "testing/row.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "weft/base/limits.h"

namespace weft::workbench::testing {
namespace {

std::string plain(const JsonNode& node) {
  return node.raw().is_string() ? node.raw().get<std::string>() : node.raw().dump();
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  unsigned shift = 0;
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (!hex && !text.empty()) {
    if (const size_t unit = std::string_view("KMG").find(text.back()); unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  if (text.empty() || stop != end || error != std::errc() || (shift != 0 && value >> (64 - shift) != 0))
    return std::nullopt;
  return value << shift;
}

Row Row::read(const JsonNode& node, Diagnostics& out) {
  Row row;
  for (const auto& [name, value] : node.members()) {
    if (value.is_object() || value.is_array() || value.is_null())
      value.wrong(out, "a value of a row is a number, a text, true or false");
    else
      row.values_[name] = {plain(value), value.is_number()};
  }
  return row;
}

std::string Row::text(const JsonNode& node, Diagnostics& out) const {
  if (node.is_null() || node.is_object() || node.is_array()) {
    node.wrong(out, "a text or a number is expected here");
    return {};
  }
  return name(plain(node), node.range(), out);
}

std::string Row::name(const std::string& written, const SourceRange& place, Diagnostics& out) const {
  std::string result;
  for (size_t at = 0; at < written.size();) {
    const size_t open = written.find("${", at);
    const size_t close = open == std::string::npos ? open : written.find('}', open);
    result += written.substr(at, open - at);
    if (open == std::string::npos) break;
    if (close == std::string::npos) {
      out.error("test-row-name", place, "'${' without '}'", "write ${name}");
      return result;
    }
    if (result.size() > limits::kSourceBytes) {
      out.error("input-limit", place, fmt::format("the text has more than {} MiB", limits::kSourceBytes >> 20),
                "take shorter values of the row, or fewer of them");
      return {};
    }
    const std::string asked = written.substr(open + 2, close - open - 2);
    const auto value = values_.find(asked);
    if (value != values_.end()) {
      result += value->second.text;
    } else {
      std::vector<std::string> names;
      if (may_guess(out))
        for (const auto& [known, unused] : values_) names.push_back(known);
      const auto near = nearest(asked, names);
      out.error("test-row-name", place, fmt::format("the row has no value '{}'", asked),
                near ? fmt::format("did you mean '{}'?", *near) : "give each row of \"rows\" a value of this name");
    }
    at = close + 1;
  }
  return result;
}

nlohmann::json Row::value(const JsonNode& node, Diagnostics& out) const {
  if (node.is_null()) return nullptr;  // also where nothing stands, which require() has said
  if (!node.is_string()) return node.raw();
  const std::string written = plain(node), result = text(node, out);
  if (written.starts_with("${") && written.find('}') == written.size() - 1) {
    const auto value = values_.find(written.substr(2, written.size() - 3));
    if (value != values_.end() && value->second.number) return nlohmann::json::parse(result);
  }
  return result;
}

uint64_t Row::number(const JsonNode& node, Diagnostics& out, uint64_t min, uint64_t max) const {
  if (!node.is_string()) return node.u64(out, min, max);
  const size_t before = out.size();
  const std::string written = text(node, out);
  if (out.size() > before) return min;
  const auto value = parse_number(written);
  if (!value || *value < min || *value > max) {
    out.error("test-number", node.range(), fmt::format("'{}' is not a number from {} to {}", written, min, max));
    return min;
  }
  return *value;
}

bool Row::boolean(const JsonNode& node, Diagnostics& out) const {
  if (!node.is_string()) return node.boolean(out);
  const std::string written = text(node, out);
  if (written != "true" && written != "false" && written != "1" && written != "0")
    out.error("test-number", node.range(), fmt::format("'{}' is neither true nor false", written));
  return written == "true" || written == "1";
}

}  // namespace weft::workbench::testing
