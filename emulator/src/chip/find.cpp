// Finds descriptions by name or path.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "chip/sourced.h"
#include "weft/base/paths.h"

namespace weft::emulator {
namespace {

const char* folder_of(DescriptionKind kind) { return kind == DescriptionKind::chip ? "chips" : "boards"; }
const char* kind_word(DescriptionKind kind) { return kind == DescriptionKind::chip ? "chip" : "board"; }

bool is_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
}

/// Where a description is; none: there is none of that name.
std::optional<DescriptionFile> place_of(DescriptionKind kind, const std::string& name_or_path,
                                        const std::vector<std::string>& data_folders) {
  if (is_path(name_or_path)) return DescriptionFile{name_or_path, std::nullopt};
  for (size_t i = 0; i < data_folders.size(); ++i) {
    const auto path = std::filesystem::path(data_folders[i]) / folder_of(kind) / (name_or_path + ".json");
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return DescriptionFile{path.string(), i};
  }
  return std::nullopt;
}

/// Adds the file of a description that one from `folder` asks for, and gives what is in it.
std::optional<JsonDocument> look_into(DescriptionKind kind, const std::string& wanted, std::optional<size_t> folder,
                                      const std::vector<std::string>& data_folders,
                                      std::vector<DescriptionFile>& files) {
  auto file = place_of(kind, wanted, data_folders);
  if (!file) return std::nullopt;
  if (!file->folder) file->folder = folder;
  if (std::find(files.begin(), files.end(), *file) != files.end()) return std::nullopt;  // chips share a base
  files.push_back(*file);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file->path, error)) return std::nullopt;
  auto document = JsonDocument::read(file->path);
  return document ? std::optional(std::move(*document)) : std::nullopt;
}

/// The description that a member names; empty: none.
std::string named_in(const JsonDocument& document, const JsonNode& member) {
  Diagnostics ignored;  // readers report what is wrong with it
  return member.is_string() ? beside(document, member.string(ignored)) : std::string();
}

}  // namespace

std::string beside(const JsonDocument& document, const std::string& name_or_path) {
  if (!is_path(name_or_path) || !document.source()) return name_or_path;
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
  if (const auto file = place_of(kind, name_or_path, data_folders)) return JsonDocument::read(file->path);
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

std::vector<DescriptionFile> files_of_board(const std::string& name_or_path,
                                            const std::vector<std::string>& data_folders) {
  std::vector<DescriptionFile> out;
  const auto board = look_into(DescriptionKind::board, name_or_path, std::nullopt, data_folders, out);
  if (!board) return out;
  const std::optional<size_t> of_board = out.front().folder;
  const JsonNode chips = board->root().get("chips");
  for (const JsonNode& chip : chips.items()) {
    std::string wanted = named_in(*board, chip.get("chip"));
    std::optional<size_t> folder = of_board;
    while (!wanted.empty()) {
      const auto document = look_into(DescriptionKind::chip, wanted, folder, data_folders, out);
      if (!document) break;
      folder = out.back().folder;
      wanted = named_in(*document, document->root().get("based_on"));
    }
  }
  return out;
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
