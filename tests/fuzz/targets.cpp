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

std::filesystem::path put(const TemporaryFolder& folder, std::string_view name, std::string_view bytes) {
  const std::filesystem::path path = folder.path() / name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace weft::fuzz
