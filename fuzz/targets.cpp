// The table of the targets, and what they share.
#include "targets.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "weft/base/render.h"

namespace weft::fuzz {

std::span<const Target> targets() {
  static constexpr std::array kAll{Target{"preprocessor", preprocessor},
                                   Target{"resolver", resolver},
                                   Target{"assembler", assembler},
                                   Target{"pins", pins},
                                   Target{"image", image, Form::json, "docs/schemas/image.schema.json"},
                                   Target{"project", project, Form::json, "docs/schemas/project.schema.json"},
                                   Target{"description", description, Form::json, "docs/schemas/board.schema.json"},
                                   Target{"test_file", test_file, Form::json, "docs/schemas/test.schema.json"},
                                   Target{"router", router},
                                   Target{"routes", routes},
                                   Target{"mpls", mpls},
                                   Target{"diffserv", diffserv},
                                   Target{"rules", rules},
                                   Target{"match_rules", match_rules},
                                   Target{"expression", expression},
                                   Target{"commands", commands},
                                   Target{"pcap", pcap, Form::capture},
                                   Target{"recording", recording, Form::recording}};
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

void refused(const Diagnostics& diagnostics) {
  promise(diagnostics.has_errors(), "what is refused has an error");
  promise(!render_text(diagnostics).empty(), "every diagnostic can be shown");
  promise(!render_json(diagnostics).empty(), "diagnostics can be written as JSON");
}

std::filesystem::path source_folder() {
  std::error_code error;
  const std::filesystem::path beside = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "source";
  return !error && std::filesystem::is_directory(beside, error) ? beside : std::filesystem::path(WEFT_SOURCE_DIR);
}

std::filesystem::path put(const TemporaryFolder& folder, std::string_view name, std::string_view bytes) {
  std::filesystem::path path = folder.path() / name;
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace weft::fuzz
