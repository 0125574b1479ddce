// manifest.json of a recording: what it is, and what everything else in it must be. Behind it stands manifest.sum,
// which says what the manifest must be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/workbench/recording.h"

namespace weft::workbench {

inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kManifestSum = "manifest.sum";
inline constexpr const char* kProjectFolder = "project/";
inline constexpr const char* kStates = "run/states";
inline constexpr const char* kEvents = "run/events";
inline constexpr const char* kObservers = "run/observers";

struct Manifest {
  Recording::Info info;
  uint64_t layout = 0, fingerprint = 0, state = 0;  ///< SessionContents; Session::state_hash() at the end
  std::string root;                                 ///< folder that was above all files
  std::string project;                              ///< the project file, from the root
  std::string name;                                 ///< of the project
  std::map<std::string, std::string> called;        ///< sources: name from the root, name by which the run called them
  Overrides overrides;
  std::vector<std::pair<std::string, std::string>> commands;  ///< name and text
  struct Part {
    uint64_t bytes = 0, checksum = 0;
    bool operator==(const Part&) const = default;
  };
  std::map<std::string, Part> parts;
};

Manifest::Part part_of(std::string_view bytes);
std::string to_json(const Manifest& manifest);
/// What stands in manifest.sum: the checksum of the text of manifest.json.
std::string sum_of(std::string_view manifest);
/// Diagnostics: recording-damaged, recording-version.
Result<Manifest> read_manifest(const std::string& path, const std::string& text);

}  // namespace weft::workbench
