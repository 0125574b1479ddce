// Recordings: one of the files in them changes, and the manifest gives its size and checksum again, and manifest.sum
// that of the manifest, as somebody does who makes a recording on purpose.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "mutators.h"
#include "recording/archive.h"
#include "recording/manifest.h"
#include "weft/base/random.h"
#include "weft/base/temporary_folder.h"

namespace weft::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Files = std::vector<std::pair<std::string, std::string>>;

Files unpacked(const std::string& path) {
  Files files;
  const auto done = workbench::read_archive(
      path, [](const std::string&) { return true; }, [](const std::string&) { return uint64_t{64} << 20; },
      [&](const std::string& name, std::string bytes) -> Result<bool> {
        files.emplace_back(name, std::move(bytes));
        return true;
      });
  if (!done) files.clear();
  return files;
}

/// Sizes and checksums of all files as they are.
void put_right(Files& files) {
  Json manifest = Json::parse(files.front().second, nullptr, false);
  if (!manifest.is_object()) return;
  for (size_t i = 1; i < files.size(); ++i) {
    const workbench::Manifest::Part part = workbench::part_of(files[i].second);
    Json& parts = manifest["parts"];
    if (!parts.is_object() || !parts.contains(files[i].first)) continue;
    Json& entry = parts[files[i].first];
    if (!entry.is_object()) continue;
    entry["bytes"] = part.bytes;
    std::ostringstream hex;
    hex << "0x" << std::hex << std::setw(16) << std::setfill('0') << part.checksum;
    entry["checksum"] = hex.str();
  }
  files.front().second = manifest.dump(1, ' ', false, Json::error_handler_t::replace);
}

/// The checksum of the manifest as it is.
void put_sum_right(Files& files) {
  for (auto& [name, content] : files)
    if (name == workbench::kManifestSum) content = workbench::sum_of(files.front().second);
}

/// Bytes of memory: few change, to what lengths, indices and counts are often.
std::string changed_memory(std::string bytes, Random& random) {
  if (bytes.empty()) return bytes;
  for (uint64_t left = 1 + random.below(3); left > 0; --left) {
    const size_t at = random.below(bytes.size());
    switch (random.below(5)) {
      case 0: bytes[at] = '\xff'; break;
      case 1: bytes[at] = static_cast<char>(1u << random.below(8)); break;
      case 2: bytes[at] = 0; break;
      case 3: bytes[at] = static_cast<char>(bytes[at] + 1); break;
      default: bytes[at] = static_cast<char>(random.below(256));
    }
  }
  if (random.chance(1, 20)) bytes.resize(random.below(bytes.size()));
  return bytes;
}

}  // namespace

std::string mutate_recording(std::string_view input, uint64_t seed, const MutateBytes& bytes) {
  const TemporaryFolder folder;
  Files files = unpacked(put(folder, "in.weftrec", input).string());
  if (files.size() < 2 || files.front().first != workbench::kManifest) return {};
  Random random(seed);
  const size_t chosen = random.below(files.size());
  auto& [name, content] = files[chosen];
  if (name.starts_with("run/")) {
    content = changed_memory(std::move(content), random);
  } else {
    std::string changed = name.ends_with(".json")
                              ? mutate_json(content, "docs/schemas/project.schema.json", random.next64(), bytes)
                              : mutate_lines(content, random.next64(), bytes);
    if (!changed.empty()) content = std::move(changed);
  }
  if (chosen != 0 || random.chance(1, 2)) put_right(files);
  if (!random.chance(1, 20)) put_sum_right(files);
  const std::string path = (folder.path() / "out.weftrec").string();
  auto out = workbench::ArchiveWriter::create(path);
  if (!out) return {};
  for (const auto& [file, text] : files) out->add(file, text);
  if (!out->commit()) return {};
  std::ifstream written(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(written), {}};
}

}  // namespace weft::fuzz
