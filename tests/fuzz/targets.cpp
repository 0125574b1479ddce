// The table of the targets, and what they share.
#include "targets.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace weft::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 9> kAll{{{"preprocessor", preprocessor},
                                               {"resolver", resolver},
                                               {"assembler", assembler},
                                               {"image", image},
                                               {"project", project},
                                               {"description", description},
                                               {"router", router},
                                               {"rules", rules},
                                               {"pcap", pcap}}};
  return kAll;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "weft-fuzz-XXXXXX").string();
  promise(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::put(std::string_view name, std::string_view bytes) const {
  const std::filesystem::path path = path_ / name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace weft::fuzz
