#include "weft/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "weft/base/files.h"
#include "weft/base/limits.h"

namespace weft {
namespace {

std::string escape_pointer(std::string_view key) {
  std::string out;
  for (char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

// Walks a text that nlohmann::json has already accepted and notes where each value stands. It therefore needs no error
// handling of its own.
class PlaceScanner {
 public:
  using Places = std::map<std::string, std::pair<Position, Position>, std::less<>>;
  PlaceScanner(const SourceFile& source, Places& places) : source_(source), text_(source.text()), places_(places) {}

  void scan() { value(""); }

  /// The first name that stands twice in one object.
  struct Repeated {
    std::string name;
    SourceRange second;
    Position first;
  };
  const std::optional<Repeated>& repeated() const { return repeated_; }
  /// The first value that is null.
  const std::optional<SourceRange>& null() const { return null_; }
  /// The value whose path is too much (limits::kJsonPathBytes); what follows it was not looked at.
  const std::optional<Position>& beyond() const { return beyond_; }

 private:
  void skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
        ++at_;
      else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/')  // nlohmann::json ends it at these three
        at_ = std::min(text_.find_first_of(std::string_view("\n\r\0", 3), at_), text_.size() - 1) + 1;
      else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*')
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else if (at_ == 0 && text_.substr(0, 3) == "\xEF\xBB\xBF")
        at_ = 3;
      else
        break;
    }
  }
  std::string string() {
    const size_t begin = at_++;
    while (text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return nlohmann::json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
  }
  void value(const std::string& path) {
    skip_blank();
    const size_t begin = at_;
    const char c = text_[at_];
    path_bytes_ += path.size();
    if (path_bytes_ > limits::kJsonPathBytes && !beyond_) beyond_ = source_.position(begin);
    if (beyond_) return;
    if (c == '{' || c == '[') {
      const char close = c == '{' ? '}' : ']';
      ++at_;
      size_t index = 0;
      for (skip_blank(); text_[at_] != close; skip_blank()) {
        if (text_[at_] == ',') {
          ++at_;
          continue;
        }
        if (c == '{') {
          const size_t key_begin = at_;
          const std::string key = string();
          const std::string member = path + "/" + escape_pointer(key);
          if (const auto known = places_.find(member); known != places_.end() && !repeated_)
            repeated_ = {key, {nullptr, source_.position(key_begin), source_.position(at_)}, known->second.first};
          skip_blank();
          ++at_;  // the colon
          value(member);
        } else {
          value(path + "/" + std::to_string(index++));
        }
        if (beyond_) return;
      }
      ++at_;
    } else if (c == '"') {
      string();
    } else {
      while (at_ < text_.size() && !std::strchr(",]} \t\r\n/", text_[at_])) ++at_;
    }
    places_[path] = {source_.position(begin), source_.position(at_)};
    if (c == 'n' && !null_) null_ = SourceRange{nullptr, source_.position(begin), source_.position(at_)};
  }

  const SourceFile& source_;
  std::string_view text_;
  Places& places_;
  size_t at_ = 0;
  uint64_t path_bytes_ = 0;
  std::optional<Repeated> repeated_;
  std::optional<SourceRange> null_;
  std::optional<Position> beyond_;
};

/// Whether the text keeps the limits of JSON, looked at before anything is built from it.
std::optional<Diagnostics> beyond_limits(const SourceFilePtr& source) {
  const std::string_view text = source->text();
  const auto beyond = [&](size_t at, std::string what) {
    const Position begin = source->position(at);
    Diagnostics out;
    out.error("input-limit", {source, begin, {begin.line, begin.column + 1}}, std::move(what),
              "split the file, or see docs/limits.md");
    return out;
  };
  size_t depth = 0, values = 1;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    } else if (c == '/' && at + 1 < text.size() && text[at + 1] == '/') {
      at = std::min(text.find_first_of(std::string_view("\n\r\0", 3), at), text.size());
    } else if (c == '/' && at + 1 < text.size() && text[at + 1] == '*') {
      const size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 1;
    } else if (c == '[' || c == '{') {
      ++values;
      if (++depth > limits::kJsonNesting)
        return beyond(at, fmt::format("more than {} brackets inside each other", limits::kJsonNesting));
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    } else if (c == ',') {
      ++values;
    }
    if (values > limits::kJsonValues)
      return beyond(std::min(at, text.size()), fmt::format("more than {} values in one file", limits::kJsonValues));
  }
  return std::nullopt;
}

/// No format of Weft has null: it stands where a value is due, and readers would take it for a member that is left out.
tl::unexpected<Diagnostics> null_is_no_value(SourceRange where) {
  return fail("json-wrong-value", std::move(where), "null is not a value here",
              "write a value, or leave the name out where it may be missing");
}

/// What a syntax error most likely comes from; `byte` counts from 1 and is the last one that was read.
std::string syntax_remedy(std::string_view text, size_t byte, std::string_view what) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  if (std::all_of(text.begin(), text.end(), blank)) return "the file is empty: write { ... }";
  if (what.starts_with("unexpected end of input"))
    return "the file ends before everything is closed: look for a bracket, a brace or a quote without its partner";
  size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  while (at > 0 && blank(text[at - 1])) --at;
  const bool closes = what.starts_with("unexpected ']'") || what.starts_with("unexpected '}'");
  if (closes && at > 0 && text[at - 1] == ',') return "take the comma before it away";
  if (what.starts_with("unexpected string literal") || what.starts_with("unexpected number") ||
      what.starts_with("unexpected '{'") || what.starts_with("unexpected '['"))
    return "a comma is missing before this value, or a colon after its name";
  if (what.starts_with("invalid literal")) return "write names and texts in quotes";
  return "check quotes, commas and brackets before this place";
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return out;
}

/// Longer words are not compared; and pairs of letters to compare, some milliseconds.
constexpr size_t kMaxWord = 200, kMaxWork = 2'000'000;

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

bool may_guess(const Diagnostics& out) { return out.error_count() < 200; }

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  if (word.size() > kMaxWord) return best;
  // Letters in the wrong case are together half a fault: "BOARD" is nearer to "board" than to any other name.
  const std::string plain = lower(word);
  size_t best_distance = 2 * (word.size() / 3 + 2);
  size_t work = kMaxWork;
  for (const std::string& candidate : candidates) {
    const size_t longer = std::max(word.size(), candidate.size()), shorter = std::min(word.size(), candidate.size());
    if (2 * (longer - shorter) >= best_distance) continue;
    const size_t pairs = (word.size() + 1) * (candidate.size() + 1);
    if (pairs > work) break;
    work -= pairs;
    const size_t faults = edit_distance(plain, lower(candidate));
    const size_t distance = 2 * faults + (edit_distance(word, candidate) > faults ? 1 : 0);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

bool JsonNode::is_null() const { return !value_ || value_->is_null(); }
bool JsonNode::is_object() const { return value_ && value_->is_object(); }
bool JsonNode::is_array() const { return value_ && value_->is_array(); }
bool JsonNode::is_string() const { return value_ && value_->is_string(); }
bool JsonNode::is_number() const { return value_ && value_->is_number(); }

bool JsonNode::has(std::string_view key) const { return is_object() && value_->contains(key); }

SourceRange JsonNode::range() const {
  if (!document_) return {};
  const auto place = document_->places_.find(path_);
  if (place == document_->places_.end()) return {document_->source_, {}, {}};
  const auto file = document_->files_.find(path_);
  return {file == document_->files_.end() ? document_->source_ : file->second, place->second.first,
          place->second.second};
}

JsonNode JsonNode::get(std::string_view key) const {
  JsonNode child;
  if (!has(key)) return child;
  child.document_ = document_;
  child.value_ = &(*value_)[std::string(key)];
  child.path_ = path_ + "/" + escape_pointer(key);
  return child;
}

JsonNode JsonNode::require(std::string_view key, Diagnostics& out) const {
  JsonNode child = get(key);
  if (!child.value_ && (!value_ || is_object())) {  // that it is not an object is said by only()
    SourceRange where = range();
    where.end = {where.begin.line, where.begin.column + 1};
    out.error("json-missing", where, fmt::format("'{}' is missing here", key), fmt::format("add \"{}\": ...", key));
  }
  return child;
}

std::vector<JsonNode> JsonNode::items() const {
  std::vector<JsonNode> out;
  if (!is_array()) return out;
  for (size_t i = 0; i < value_->size(); ++i) {
    JsonNode child;
    child.document_ = document_;
    child.value_ = &(*value_)[i];
    child.path_ = path_ + "/" + std::to_string(i);
    out.push_back(std::move(child));
  }
  return out;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  std::vector<std::pair<std::string, JsonNode>> out;
  if (!is_object()) return out;
  for (const auto& item : value_->items()) out.emplace_back(item.key(), get(item.key()));
  return out;
}

void JsonNode::wrong(Diagnostics& out, std::string text, std::string remedy) const {
  const SourceRange at = range();
  if (at.begin.line == 0 && path().size() > 1) {  // it stands in no file: --set has put it there
    std::string name = path().substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    text = name + ": " + text;
  }
  out.error("json-wrong-value", at, std::move(text), std::move(remedy));
}

std::string JsonNode::string(Diagnostics& out, std::string fallback) const {
  if (!value_) return fallback;
  if (is_string()) return value_->get<std::string>();
  wrong(out, "a text in quotes is expected here");
  return fallback;
}

uint64_t JsonNode::u64(Diagnostics& out, uint64_t min, uint64_t max, uint64_t fallback) const {
  if (!value_) return fallback;
  uint64_t value = 0;
  bool good = false;
  if (value_->is_number_unsigned() || (value_->is_number_integer() && value_->get<int64_t>() >= 0)) {
    value = value_->get<uint64_t>();
    good = true;
  } else if (is_string()) {
    std::string text = value_->get<std::string>();
    uint64_t unit = 1;
    if (!text.empty() && !text.starts_with("0x")) {
      const char last = static_cast<char>(std::toupper(static_cast<unsigned char>(text.back())));
      if (last == 'K') unit = 1024;
      if (last == 'M') unit = 1024ull * 1024;
      if (last == 'G') unit = 1024ull * 1024 * 1024;
      if (unit != 1) text.pop_back();
    }
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const char* begin = text.data() + (hex ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
    good = begin != end && stop == end && error == std::errc() && value <= UINT64_MAX / unit;
    value *= unit;
  }
  if (!good) {
    wrong(out, "a whole number is expected here", "write a number, or a text such as \"0x1000\" or \"64K\"");
    return fallback;
  }
  if (value < min || value > max) {
    wrong(out, fmt::format("{} is out of range; allowed is {} to {}", value, min, max));
    return fallback;
  }
  return value;
}

double JsonNode::number(Diagnostics& out, double fallback) const {
  if (!value_) return fallback;
  if (is_number()) return value_->get<double>();
  wrong(out, "a number is expected here");
  return fallback;
}

bool JsonNode::boolean(Diagnostics& out, bool fallback) const {
  if (!value_) return fallback;
  if (value_->is_boolean()) return value_->get<bool>();
  wrong(out, "true or false is expected here");
  return fallback;
}

void JsonNode::only(std::initializer_list<std::string_view> names, Diagnostics& out) const {
  if (!is_object()) {
    if (value_) wrong(out, "an object { ... } is expected here");
    return;
  }
  for (const auto& [key, child] : members()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    if (is_enough(out, child.range())) return;
    const auto close =
        may_guess(out) ? nearest(key, std::vector<std::string>(names.begin(), names.end())) : std::nullopt;
    out.error("json-unknown-name", child.range(), fmt::format("'{}' is not a name that belongs here", key),
              close ? fmt::format("did you mean '{}'?", *close)
                    : fmt::format("allowed are: {}", fmt::join(names.begin(), names.end(), ", ")));
  }
}

Result<JsonDocument> JsonDocument::parse(SourceFilePtr source) {
  JsonDocument document;
  document.source_ = source;
  if (auto beyond = beyond_limits(source)) return tl::unexpected(std::move(*beyond));
  try {
    document.value_ =
        std::make_shared<const nlohmann::json>(nlohmann::json::parse(source->text(), nullptr, true, /*comments*/ true));
  } catch (const nlohmann::json::parse_error& error) {
    const Position at = source->position(std::min(error.byte > 0 ? error.byte - 1 : 0, source->text().size()));
    // "[json...] parse error at line 1, column 2: syntax error while parsing value - WHAT; last read: 'TEXT'; expected
    // X"
    std::string text = error.what();
    if (const size_t cut = text.find(" - "); cut != std::string::npos)
      text = text.substr(cut + 3);
    else if (const size_t colon = text.rfind(": "); colon != std::string::npos)
      text = text.substr(colon + 2);
    if (const size_t read = text.find("; last read: '"); read != std::string::npos) {
      const size_t expected = text.rfind("; expected ");
      text = text.substr(0, read) + (expected != std::string::npos && expected > read ? text.substr(expected) : "");
    }
    return fail("json-syntax", {source, at, {at.line, at.column + 1}}, "not valid JSON: " + text,
                syntax_remedy(source->text(), error.byte, text));
  } catch (const nlohmann::json::out_of_range& error) {
    // A number that no double holds, such as 1e999; the message quotes it and gives no place.
    const std::string_view text = error.what();
    const size_t end = text.rfind('\''), begin = text.rfind('\'', end == 0 ? 0 : end - 1);
    const std::string number(begin < end && end != std::string_view::npos ? text.substr(begin + 1, end - begin - 1)
                                                                          : "");
    const size_t where = number.empty() ? std::string_view::npos : source->text().find(number);
    const Position at = source->position(where == std::string_view::npos ? 0 : where);
    return fail(
        "json-syntax", {source, at, {at.line, at.column + static_cast<uint32_t>(std::max<size_t>(number.size(), 1))}},
        fmt::format("not valid JSON: the number '{}' is too large", number), "write a number of at most 1.7e308");
  }
  PlaceScanner scanner(*source, document.places_);
  scanner.scan();
  if (scanner.beyond())
    return fail("input-limit", {source, *scanner.beyond(), *scanner.beyond()},
                fmt::format("names and places of the values before this one fill {} MiB", limits::kJsonPathBytes >> 20),
                "shorten the names of objects that hold many values, or see docs/limits.md");
  if (const auto& twice = scanner.repeated()) {
    auto error =
        fail("json-name-twice", {source, twice->second.begin, twice->second.end},
             fmt::format("the name '{}' stands twice in this object", twice->name), "take one of the two away");
    return tl::unexpected(error.value().changed([&](Diagnostic& d) {
      d.notes.push_back(
          {{source, twice->first, {twice->first.line, twice->first.column + 1}}, "the first one is here"});
    }));
  }
  if (const auto& null = scanner.null()) return null_is_no_value({source, null->begin, null->end});
  return document;
}

Result<JsonDocument> JsonDocument::read(const std::string& path) {
  auto source = read_source(path, limits::kFileBytes);
  if (!source) return tl::unexpected(std::move(source.error()));
  return parse(std::move(*source));
}

void JsonDocument::put_place(const std::string& path, const nlohmann::json& value, const SourceRange& place) {
  places_[path] = {place.begin, place.end};
  files_[path] = place.file;
  if (!value.is_structured()) return;
  for (const auto& item : value.items()) put_place(path + "/" + escape_pointer(item.key()), item.value(), place);
}

Result<JsonDocument> JsonDocument::with(const std::string& pointer, nlohmann::json value,
                                        const SourceRange& place) const {
  if (value.is_null()) return null_is_no_value(place ? place : SourceRange{source_, {}, {}});
  JsonDocument copy = *this;
  nlohmann::json tree = *value_;
  const auto no_place = [&] {
    return fail("json-no-such-place", place ? place : SourceRange{source_, {}, {}},
                fmt::format("there is no place '{}' in {}", pointer, place ? source_->name() : "this file"),
                "name members with dots, and elements of lists by their number from 0");
  };
  try {
    // A list grows by one element at most: a number far after its end is a mistake.
    const nlohmann::json::json_pointer full(pointer);
    for (auto at = full; !at.empty(); at.pop_back()) {
      const auto above = at.parent_pointer();
      const bool exists = tree.contains(above) && !tree.at(above).is_null();
      if (exists && !tree.at(above).is_array()) continue;
      const std::string& index = at.back();
      size_t number = 0;
      const auto [stop, error] = std::from_chars(index.data(), index.data() + index.size(), number);
      const bool is_number = stop == index.data() + index.size() && error == std::errc();
      if (!exists && (!is_number || number == 0)) continue;  // a new object, or the first element of a new list
      if (!is_number || number > (exists ? tree.at(above).size() : 0)) return no_place();
    }
    tree[full] = std::move(value);
  } catch (const nlohmann::json::exception&) {
    return no_place();
  }
  // The new value does not stand in the text.
  const auto is_replaced = [&](const auto& known) {
    return known.first == pointer || known.first.starts_with(pointer + "/");
  };
  std::erase_if(copy.places_, is_replaced);
  std::erase_if(copy.files_, is_replaced);
  if (place) copy.put_place(pointer, tree.at(nlohmann::json::json_pointer(pointer)), place);
  copy.value_ = std::make_shared<const nlohmann::json>(std::move(tree));
  return copy;
}

JsonNode JsonDocument::root() const {
  JsonNode node;
  node.document_ = this;
  node.value_ = value_.get();
  return node;
}

JsonDocument JsonDocument::over(const JsonDocument& base, const std::function<bool(const JsonNode&)>& whole) const {
  JsonDocument out = base;
  nlohmann::json tree = *base.value_;
  for (const auto& [path, place] : base.places_) out.files_.try_emplace(path, base.source_);
  out.source_ = source_;
  const std::function<void(const JsonNode&, nlohmann::json&)> lay = [&](const JsonNode& node, nlohmann::json& target) {
    const auto take_place = [&](const std::string& path) {
      if (const auto place = places_.find(path); place != places_.end()) out.places_[path] = place->second;
      const auto file = files_.find(path);
      if (file == files_.end())
        out.files_.erase(path);
      else
        out.files_[path] = file->second;
    };
    take_place(node.path());
    if (node.is_object() && target.is_object() && !whole(node)) {
      for (const auto& [key, child] : node.members()) lay(child, target[key]);
      return;
    }
    const std::string below = node.path() + "/";
    const auto erase_below = [&](auto& places) {  // they stand together
      auto end = places.lower_bound(below);
      while (end != places.end() && end->first.starts_with(below)) ++end;
      places.erase(places.lower_bound(below), end);
    };
    erase_below(out.places_);
    erase_below(out.files_);
    for (auto place = places_.lower_bound(below); place != places_.end() && place->first.starts_with(below); ++place)
      take_place(place->first);
    target = node.raw();
  };
  lay(root(), tree);
  out.value_ = std::make_shared<const nlohmann::json>(std::move(tree));
  return out;
}

}  // namespace weft
