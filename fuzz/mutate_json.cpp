// JSON: nodes change their value, their type, their place and their number; members come and go by the names that the
// published schema of the format has.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "mutators.h"
#include "weft/base/random.h"

namespace weft::fuzz {
namespace {

using Json = nlohmann::ordered_json;

/// All values below one, without itself.
void collect(Json& node, std::vector<Json*>& out) {
  if (!node.is_structured()) return;
  for (Json& child : node) {
    out.push_back(&child);
    collect(child, out);
  }
}

/// Names of members and words that a schema knows.
struct Vocabulary {
  std::vector<std::string> names, words;

  Vocabulary() = default;
  explicit Vocabulary(std::string_view schema) {
    std::ifstream file(source_folder() / std::string(schema));
    add(Json::parse(file, nullptr, false));
  }
  void add(const Json& node) {
    if (!node.is_structured()) return;
    if (node.is_object())
      for (const auto& [name, value] : node.items()) {
        if (name == "properties" && value.is_object())
          for (const auto& [property, ignored] : value.items()) names.push_back(property);
        if (name == "enum" && value.is_array())
          for (const Json& word : value)
            if (word.is_string()) words.push_back(word.get<std::string>());
      }
    for (const Json& child : node) add(child);
  }
};

Json any_value(Random& random, const Vocabulary& known) {
  switch (random.below(16)) {
    case 0: return nullptr;
    case 1: return random.chance(1, 2);
    case 2: return Json::object();
    case 3: return Json::array();
    case 4: return "";
    case 5: return std::string(random.below(300), 'x');
    case 6: return 0.5;
    case 7: return 1e308;
    case 8: return -1;
    case 9: return (uint64_t{1} << random.below(64)) - random.below(2);
    case 10: return -static_cast<int64_t>(uint64_t{1} << random.below(63));
    case 11: return UINT64_MAX;
    case 12: return std::to_string(random.below(1u << 20)) + (random.chance(1, 2) ? "M" : "");
    case 13: return Json::array({random.below(300), random.below(300)});
    case 14: return known.words.empty() ? Json("") : Json(known.words[random.below(known.words.size())]);
    default: return random.below(300);
  }
}

void change(Json& root, Random& random, const Vocabulary& known, const MutateBytes& bytes) {
  std::vector<Json*> nodes;
  collect(root, nodes);
  if (nodes.empty()) {
    root = random.chance(1, 2) ? Json::object() : any_value(random, known);
    return;
  }
  Json& node = *nodes[random.below(nodes.size())];
  switch (random.below(9)) {
    case 0: node = any_value(random, known); return;
    case 1: {  // the value of another node
      const Json other = *nodes[random.below(nodes.size())];
      node = other;
      return;
    }
    case 2:  // more of the same
      if (node.is_array() && !node.empty()) {
        const Json item = node[random.below(node.size())];
        for (uint64_t count = 1 + random.below(random.chance(1, 20) ? 3000 : 8); count > 0; --count)
          node.push_back(item);
        return;
      }
      [[fallthrough]];
    case 3:  // one less
      if (node.is_structured() && !node.empty()) {
        node.erase(std::next(node.begin(), static_cast<std::ptrdiff_t>(random.below(node.size()))));
        return;
      }
      [[fallthrough]];
    case 4:  // one more
      if (node.is_object() && !known.names.empty()) {
        node[known.names[random.below(known.names.size())]] =
            random.chance(1, 2) ? Json(*nodes[random.below(nodes.size())]) : any_value(random, known);
        return;
      }
      if (node.is_array()) {
        node.push_back(any_value(random, known));
        return;
      }
      [[fallthrough]];
    case 5:
      if (node.is_string()) {
        node = bytes(node.get<std::string>());
        return;
      }
      [[fallthrough]];
    case 6:
      if (node.is_number_integer()) {
        node = node.get<uint64_t>() + random.below(3) - 1;
        return;
      }
      [[fallthrough]];
    case 7: {  // deeper
      Json inner = node;
      for (uint64_t depth = 1 + random.below(random.chance(1, 20) ? 200 : 3); depth > 0; --depth)
        inner = random.chance(1, 2) ? Json::array({inner}) : Json{{"x", inner}};
      node = std::move(inner);
      return;
    }
    default: {
      Json& other = *nodes[random.below(nodes.size())];
      if (node.is_primitive() && other.is_primitive()) std::swap(node, other);
    }
  }
}

/// The library goes down by calls: what is nested deeper than any reader allows is changed as bytes.
bool too_deep(std::string_view text) {
  constexpr int kDeepest = 1000;
  int depth = 0, max = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    max = std::max(max, depth);
  }
  return max > kDeepest;
}

std::string text_of(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string mutate_json(std::string_view input, std::string_view schema, uint64_t seed, const MutateBytes& bytes) {
  if (too_deep(input)) return {};
  Json root = Json::parse(input, nullptr, false, true);
  if (root.is_discarded()) return {};
  static std::string known_schema;
  static Vocabulary known;
  if (known_schema != schema) known = Vocabulary(known_schema = schema);
  Random random(seed);
  for (uint64_t left = 1 + random.below(3); left > 0; --left) change(root, random, known, bytes);
  return text_of(root);
}

std::string cross_json(std::string_view a, std::string_view b, uint64_t seed) {
  if (too_deep(a) || too_deep(b)) return {};
  Json to = Json::parse(a, nullptr, false, true), from = Json::parse(b, nullptr, false, true);
  if (to.is_discarded() || from.is_discarded()) return {};
  std::vector<Json*> places, values;
  collect(to, places);
  collect(from, values);
  if (places.empty() || values.empty()) return {};
  Random random(seed);
  const Json value = *values[random.below(values.size())];
  *places[random.below(places.size())] = value;
  return text_of(to);
}

}  // namespace weft::fuzz
