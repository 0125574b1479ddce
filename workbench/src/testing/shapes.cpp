#include "testing/shapes.h"

#include <fmt/format.h>

namespace weft::workbench::testing {
namespace {

constexpr const char* kLists[] = {"include", "use", "tests", "in", "commands", "rows", "blocks", "equivalent"};
constexpr const char* kObjects[] = {"define", "constants", "override", "frames", "set", "limit", "expect", "generate"};
constexpr const char* kExpectedLists[] = {"out", "ignore", "invariants"};
constexpr const char* kExpectedObjects[] = {"values", "drops", "exceptions"};

template <size_t Lists, size_t Objects>
void check_lists(const JsonNode& node, const char* const (&lists)[Lists], const char* const (&objects)[Objects],
                 Diagnostics& out) {
  for (const char* name : lists)
    if (node.has(name) && !node.get(name).is_array())
      node.get(name).wrong(out, fmt::format("'{}' is a list", name), "write [ ... ]");
  for (const char* name : objects)
    if (node.has(name) && !node.get(name).is_object())
      node.get(name).wrong(out, fmt::format("'{}' has names in it", name), "write {\"name\": value, ...}");
}

/// Places with their longwords: a list of none would say nothing of its place.
void check_values(const JsonNode& object, Diagnostics& out) {
  for (const auto& [place, value] : object.members())
    if (value.is_array() && value.items().empty())
      value.wrong(out, fmt::format("no value stands for '{}'", place), "write one, or leave the name out");
}

}  // namespace

void check_shapes(const JsonNode& level, Diagnostics& out) {
  if (!level.is_object()) {
    level.wrong(out, "an object is expected here", "write {\"name\": ...}");
    return;
  }
  check_lists(level, kLists, kObjects, out);
  check_values(level.get("set"), out);
  const JsonNode expect = level.get("expect");
  check_lists(expect, kExpectedLists, kExpectedObjects, out);
  check_values(expect.get("values"), out);
  for (const JsonNode& row : level.get("rows").items())
    if (!row.is_object()) row.wrong(out, "a row has values with names", "write {\"name\": value, ...}");
}

}  // namespace weft::workbench::testing
