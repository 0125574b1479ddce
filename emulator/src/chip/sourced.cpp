#include "chip/sourced.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace weft::emulator {
namespace {

struct Fraction {
  uint64_t numerator = 0, denominator = 1;
};

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Fraction> fraction(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return Fraction{value.get<uint64_t>(), 1};
  if (!value.is_string()) return std::nullopt;
  const std::string& text = value.get_ref<const std::string&>();
  const size_t slash = text.find('/');
  const auto numerator = whole_number(std::string_view(text).substr(0, slash));
  if (!numerator) return std::nullopt;
  if (slash == std::string::npos) return Fraction{*numerator, 1};
  const auto denominator = whole_number(std::string_view(text).substr(slash + 1));
  if (!denominator || *denominator == 0) return std::nullopt;
  return Fraction{*numerator, *denominator};
}

}  // namespace

JsonNode SourcedReader::value(const JsonNode& object, std::string_view key) {
  const JsonNode member = object.require(key, out_);
  if (member.is_null()) return {};
  const char* remedy = R"(write {"value": ..., "source": "where the number is from, or chosen: why"})";
  if (!member.is_object()) {
    out_.error("chip-source", member.range(), fmt::format("'{}' has no source", key), remedy);
    return {};
  }
  member.only({"value", "source"}, out_);
  const JsonNode source = member.get("source");
  const std::string text = source.string(out_);
  if (source.is_null() || (source.is_string() && text.empty()))
    out_.error("chip-source", member.range(), fmt::format("'{}' has no source", key), remedy);
  JsonNode number = member.require("value", out_);
  if (!number.is_null())
    numbers_.push_back({member.path(), number.is_string() ? number.raw().get<std::string>() : number.raw().dump(), text,
                        member.range().file ? member.range().file->name() : std::string()});
  return number;
}

uint64_t SourcedReader::u64(const JsonNode& object, std::string_view key, uint64_t min, uint64_t max) {
  return value(object, key).u64(out_, min, max, min);
}

bool SourcedReader::boolean(const JsonNode& object, std::string_view key) { return value(object, key).boolean(out_); }

std::vector<uint64_t> SourcedReader::list(const JsonNode& object, std::string_view key, uint64_t min, uint64_t max) {
  const JsonNode node = value(object, key);
  std::vector<uint64_t> out;
  if (node.is_null()) return out;
  if (!node.is_array()) node.wrong(out_, "a list [ ... ] is expected here");
  for (const JsonNode& item : node.items()) out.push_back(item.u64(out_, min, max, min));
  return out;
}

Tick SourcedReader::period(const JsonNode& object, std::string_view key, uint64_t ticks_per_ns) {
  const JsonNode node = value(object, key);
  if (node.is_null()) return 0;
  const auto mhz = fraction(node.raw());
  if (!mhz || mhz->numerator == 0 || mhz->numerator > 100'000'000 || mhz->denominator > 1'000'000) {
    node.wrong(out_, "a frequency in MHz is expected here", "write a whole number, or a fraction such as \"400/3\"");
    return 0;
  }
  // 1,000 ns / MHz, in ticks.
  const uint64_t ticks = 1000 * ticks_per_ns * mhz->denominator;
  if (ticks_per_ns == 0) return 0;  // reported where it was read
  if (ticks % mhz->numerator != 0) {
    const uint64_t factor = mhz->numerator / std::gcd(ticks, mhz->numerator);
    out_.error("board-clock", node.range(),
               fmt::format("a period of this clock is not a whole number of ticks (1/{} ns)", ticks_per_ns),
               ticks_per_ns * factor <= kMaxTicks
                   ? fmt::format("with \"ticks_per_ns\": {} it would be", ticks_per_ns * factor)
                   : fmt::format("choose a frequency whose period is one; there are at most {} ticks in a nanosecond",
                                 kMaxTicks));
    return 0;
  }
  return ticks / mhz->numerator;
}

void SourcedReader::contradiction(const JsonNode& object, std::initializer_list<std::string_view> keys,
                                  const char* code, std::string text, std::string remedy) {
  const auto in_own = [&](std::string_view key) { return object.get(key).range().file == own_; };
  const auto* at = std::find_if(keys.begin(), keys.end(), in_own);
  if (at == keys.end()) at = keys.begin();
  Diagnostic& d = out_.error(code, object.get(*at).range(), std::move(text), std::move(remedy));
  for (const std::string_view key : keys)
    if (const JsonNode other = object.get(key); other.range().file != object.get(*at).range().file && !other.is_null())
      d.notes.push_back({other.range(), fmt::format("'{}' comes from here", key)});
}

std::string SourcedReader::text(const JsonNode& object, std::string_view key) {
  const JsonNode node = object.require(key, out_);
  std::string out = node.string(out_);
  if (node.is_string() && out.empty()) node.wrong(out_, "this text must not be empty", "say it in a word or more");
  return out;
}

void check_format(const JsonNode& root, std::string_view format, Diagnostics& out) {
  const JsonNode name = root.require("format", out);
  if (!name.is_null() && name.string(out) != format)
    out.error("chip-format", name.range(), fmt::format("this is not a {} file", format),
              fmt::format("a {} file has \"format\": \"{}\"", format == "weft-chip" ? "chip" : "board", format));
  const JsonNode version = root.require("version", out);
  if (!version.is_null() && version.u64(out) != 1)
    out.error("chip-format", version.range(), "this version of the format is not known",
              "this program reads version 1");
}

}  // namespace weft::emulator
