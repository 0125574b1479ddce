#include "golden.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <sstream>

#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

namespace weft::assembler::golden {

std::filesystem::path folder() { return std::filesystem::path(WEFT_SOURCE_DIR) / "tests/assembler/diagnostics"; }

bool updating() {
  const char* set = std::getenv("WEFT_UPDATE");
  return set && *set;
}

void compare(const std::filesystem::path& file, const std::string& text) {
  INFO(file.string());
  const auto before = read_file(file.string());
  if (before && *before == text) {
    SUCCEED();
  } else if (updating()) {
    REQUIRE(write_file(file.string(), text));
  } else {
    INFO("rewrite the goldens with WEFT_UPDATE=1 and look at the difference");
    CHECK((before ? *before : std::string("(missing)")) == text);
  }
}

bool Outcome::reports(const std::string& code) const { return text.find("[" + code + "]\n") != std::string::npos; }

namespace {

/// "; options: --spill -Wall --pin FILE" in the first line of a program; FILE stands beside it.
void take_options(const std::string& text, Options& options) {
  constexpr std::string_view mark = "; options:";
  if (!text.starts_with(mark)) return;
  std::istringstream words(text.substr(mark.size(), text.find('\n') - mark.size()));
  for (std::string word; words >> word;) {
    if (word == "--spill")
      options.spill = true;
    else if (word == "--repair-banks")
      options.repair_banks = true;
    else if (word == "-O")
      options.optimize = true;
    else if (word.starts_with("-W"))
      REQUIRE(options.warnings.add(word.substr(2)));
    else if (word == "--chip=ixp1200")
      options.chip = "ixp1200", options.profile = isa::Profile::me1;
    else if (word == "--pin" && words >> word)
      options.pins = make_source(word, *read_file((folder() / word).string()));
    else
      FAIL("no such option: " << word);
  }
}

}  // namespace

Outcome assemble_text(const std::string& name, const std::string& text) {
  const auto source = std::make_shared<const SourceFile>(name, text);
  Options options;
  options.read = [&](const std::string& path) -> Result<SourceFilePtr> {
    if (path == name) return source;
    auto other = read_file((folder() / path).string());
    if (!other) return tl::unexpected(std::move(other.error()));
    return std::make_shared<const SourceFile>(path, std::move(*other));
  };
  take_options(text, options);
  if (text.starts_with("; chip: ixp1200\n")) {
    options.chip = "ixp1200";
    options.profile = isa::Profile::me1;
    options.control_store = 2048;
  }
  const Assembly assembly = assemble(source, options);
  Outcome out{render_text(assembly.diagnostics), render_json(assembly.diagnostics), render_sarif(assembly.diagnostics)};
  if (out.text.empty()) out.text = "nothing to report\n";
  return out;
}

}  // namespace weft::assembler::golden
