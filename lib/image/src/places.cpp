#include "weft/image/places.h"

#include <map>
#include <tuple>

namespace weft::image {
namespace {

/// One use of a line: its place and the calls around it.
using Use = std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>;

Use use_of(const LineRow& row) {
  Use use{{row.place.file, row.place.line, 0}};  // the words of a line may stand in different columns
  for (const auto& [name, call] : row.macros) use.emplace_back(call.file, call.line, call.column);
  return use;
}

}  // namespace

std::vector<WordPlace> word_places(const Image& image) {
  std::vector<WordPlace> places(image.words.size());
  std::map<Use, uint32_t> counts;
  for (size_t i = 0; i < places.size() && i < image.lines.size(); ++i) {
    const LineRow& row = image.lines[i];
    if (row.place.line == 0 || row.place.file >= image.files.size()) continue;
    places[i] = {row.place.file, row.place.line, counts[use_of(row)]++};
  }
  return places;
}

}  // namespace weft::image
