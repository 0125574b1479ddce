// What is fuzzed: every way by which bytes of somebody else come into the toolchain.
//
// A target takes one input, makes everything it needs anew and keeps nothing. It ends the process when a promise is
// broken that no sanitizer sees (promise()).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "weft/base/diagnostic.h"
#include "weft/base/temporary_folder.h"

namespace weft::fuzz {

/// What an input is made of, for the mutators (mutators.h).
enum class Form : uint8_t { lines, json, capture, recording };

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
  Form form = Form::lines;
  std::string_view schema = {};  ///< of a JSON format, from source_folder(): its names and words are put in
};

std::span<const Target> targets();
/// Null when there is no such target.
const Target* find_target(std::string_view name);

/// Ends the process with a message unless `kept`.
void promise(bool kept, const char* what);

/// What must hold of the diagnostics of an input that was refused.
void refused(const Diagnostics& diagnostics);

/// The repository: "source" beside the program where that is there, else where it was built.
std::filesystem::path source_folder();

/// Writes a file into a folder, for readers that take a path.
std::filesystem::path put(const TemporaryFolder& folder, std::string_view name, std::string_view bytes);

// assembler_targets.cpp
void preprocessor(std::string_view input);
void resolver(std::string_view input);
void assembler(std::string_view input);
void pins(std::string_view input);
// file_targets.cpp
void image(std::string_view input);
void project(std::string_view input);
void description(std::string_view input);
void router(std::string_view input);
void rules(std::string_view input);
void pcap(std::string_view input);
// control_targets.cpp
void mpls(std::string_view input);
void diffserv(std::string_view input);
void match_rules(std::string_view input);
void routes(std::string_view input);
// run_targets.cpp
void expression(std::string_view input);
void commands(std::string_view input);
void test_file(std::string_view input);
void recording(std::string_view input);

}  // namespace weft::fuzz
