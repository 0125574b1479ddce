// Finds descriptions by name or path.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "chip/sourced.h"
#include "weft/base/paths.h"

namespace weft::emulator {
namespace {

const char* folder_of(DescriptionKind kind) { return kind == DescriptionKind::chip ? "chips" : "boards"; }
const char* kind_word(DescriptionKind kind) { return kind == DescriptionKind::chip ? "chip" : "board"; }

}  // namespace

std::string beside(const JsonDocument& document, const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  if (!is_path || !document.source()) return name_or_path;
  return tidy(std::filesystem::path(document.source()->name()).parent_path() / name_or_path).string();
}

std::vector<std::string> list_descriptions(DescriptionKind kind, const std::vector<std::string>& data_folders) {
  std::vector<std::string> out;
  for (const std::string& folder : data_folders) {
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(folder) / folder_of(kind), error))
      if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<JsonDocument> find_description(DescriptionKind kind, const std::string& name_or_path,
                                      const std::vector<std::string>& data_folders) {
  if (name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json"))
    return JsonDocument::read(name_or_path);
  for (const std::string& folder : data_folders) {
    const auto path = std::filesystem::path(folder) / folder_of(kind) / (name_or_path + ".json");
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return JsonDocument::read(path.string());
  }
  const auto names = list_descriptions(kind, data_folders);
  const auto close = nearest(name_or_path, names);
  return fail("description-missing", {}, fmt::format("there is no {} '{}'", kind_word(kind), name_or_path),
              close ? fmt::format("did you mean '{}'? Known are: {}", *close, fmt::join(names, ", "))
              : names.empty()
                  ? fmt::format("no {} descriptions were found; give the path of a .json file", kind_word(kind))
                  : fmt::format("known are: {}; a file is named by its path", fmt::join(names, ", ")));
}

Result<ChipDescription> load_chip(const std::string& name_or_path, const std::vector<std::string>& data_folders) {
  return find_description(DescriptionKind::chip, name_or_path, data_folders)
      .and_then([&](const JsonDocument& document) { return read_chip(document, data_folders); });
}

Result<BoardDescription> load_board(const std::string& name_or_path, const std::vector<std::string>& data_folders) {
  return find_description(DescriptionKind::board, name_or_path, data_folders)
      .and_then([&](const JsonDocument& document) { return read_board(document, data_folders); });
}

Diagnostics check_description(const std::string& path, const std::vector<std::string>& data_folders) {
  auto document = JsonDocument::read(path);
  if (!document) return std::move(document.error());
  Diagnostics ignored;  // the readers below report what is wrong with it
  const JsonNode format = document->root().get("format");
  const std::string kind = format.string(ignored);
  if (format.is_string() && kind != "weft-board" && kind != "weft-chip") {
    Diagnostics out;
    out.error("chip-format", format.range(), fmt::format("'{}' is not a format of a description", kind),
              "a chip file has \"format\": \"weft-chip\", a board file \"weft-board\"");
    return out;
  }
  if (kind == "weft-board") {
    auto board = read_board(*document, data_folders);
    return board ? Diagnostics{} : std::move(board.error());
  }
  auto chip = read_chip(*document, data_folders);
  return chip ? Diagnostics{} : std::move(chip.error());
}

}  // namespace weft::emulator
