// What is fuzzed: every way by which bytes of somebody else come into the toolchain.
//
// A target takes one input, makes everything it needs anew and keeps nothing. It ends the process when a promise is
// broken that no sanitizer sees (promise()).
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "weft/base/temporary_folder.h"

namespace weft::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

std::span<const Target> targets();
/// Null when there is no such target.
const Target* find_target(std::string_view name);

/// Ends the process with a message unless `kept`.
void promise(bool kept, const char* what);

/// Writes a file into a folder, for readers that take a path.
std::filesystem::path put(const TemporaryFolder& folder, std::string_view name, std::string_view bytes);

// assembler_targets.cpp
void preprocessor(std::string_view input);
void resolver(std::string_view input);
void assembler(std::string_view input);
// file_targets.cpp
void image(std::string_view input);
void project(std::string_view input);
void description(std::string_view input);
void router(std::string_view input);
void rules(std::string_view input);
void pcap(std::string_view input);

}  // namespace weft::fuzz
