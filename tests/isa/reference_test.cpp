// The generated reference holds everything that the library knows, of both profiles.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "support.h"

using namespace weft::isa;

namespace {

constexpr const char* kGenerated = WEFT_BINARY_DIR "/lib/isa/generated/reference.md";

struct Chapter {
  std::map<std::string, std::string> sections;  ///< by the text of "### "
  std::string text;
};

/// Chapters by the text of "## ".
std::map<std::string, Chapter> chapters() {
  std::ifstream in(kGenerated);
  REQUIRE(in);
  std::map<std::string, Chapter> out;
  std::string line, chapter, section;
  while (std::getline(in, line)) {
    if (line.starts_with("## "))
      chapter = line.substr(3), section.clear();
    else if (line.starts_with("### "))
      section = line.substr(4), out[chapter].sections[section];
    else
      (section.empty() ? out[chapter].text : out[chapter].sections[section]) += line + "\n";
  }
  return out;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("reference: every instruction with forms, time, profiles and worked examples") {
  const auto all = chapters();
  size_t seen = 0;
  for (const InsnInfo& facts : all_instructions()) {
    INFO(facts.name);
    const std::string* text = nullptr;
    for (const auto& [name, chapter] : all) {
      if (const auto found = chapter.sections.find(std::string(facts.name)); found != chapter.sections.end())
        text = &found->second;
    }
    REQUIRE(text);
    CHECK(has(*text, std::string(facts.summary)));
    CHECK(has(*text, "\n" + std::string(facts.mnemonic)));
    CHECK(has(*text, "Time: "));
    const std::string profiles = text->substr(text->find("* Profiles: "));
    const std::string names = profiles.substr(0, profiles.find('\n'));
    CHECK(has(names, "me1") == enabled(Profile::me1, facts.id));
    CHECK(has(names, "me2") == enabled(Profile::me2, facts.id));
    for (TokenId token : facts.tokens) CHECK(has(*text, std::string(token_name(token))));
    size_t examples_of = 0;
    for (const Example& example : examples()) examples_of += example.id == facts.id;
    CHECK(examples_of > 0);
    CHECK(has(*text, "| before | code | after |"));
    ++seen;
  }
  CHECK(seen > 150);
}

// For who has the documents and no build.
TEST_CASE("reference: docs/isa/reference.md is the generated text") {
  const auto text_of = [](const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  };
  const std::string file = WEFT_SOURCE_DIR "/docs/isa/reference.md";
  const std::string wanted =
      "# Instructions, CSRs and input states\n\n"
      "Made from `lib/isa/*.td` (`WEFT_UPDATE=1 build/dev/bin/weft_test_isa` writes it): change those. How to read "
      "it:\n"
      "[README.md](README.md).\n\n" +
      text_of(kGenerated);
  if (const char* update = std::getenv("WEFT_UPDATE"); update != nullptr && *update != 0)
    std::ofstream(file, std::ios::binary) << wanted;
  INFO("WEFT_UPDATE=1 writes it anew");
  CHECK(text_of(file) == wanted);
}

// A name that is not replaced by its text when the tables are made would be a word of the text.
TEST_CASE("reference: texts that instructions of the IXP1200 share are in them") {
  size_t in_longwords = 0, in_quadwords = 0;
  for (const InsnInfo& facts : all_instructions()) {
    INFO(facts.name);
    const std::string doc(facts.doc);
    CHECK_FALSE(has(doc, "Me1"));
    CHECK_FALSE(has(doc, "Text"));
    in_longwords += has(doc, "*Address:* the sum of both operands, in longwords");
    in_quadwords += has(doc, "*Address:* the sum of both operands, in quadwords");
  }
  CHECK(in_longwords >= 12);
  CHECK(in_quadwords >= 6);
}

TEST_CASE("reference: CSRs, input states, signals and other spellings of both profiles") {
  const auto all = chapters();
  for (const auto& [profile, name] :
       {std::pair(Profile::me1, std::string("me1")), std::pair(Profile::me2, std::string("me2"))}) {
    const Chapter& chapter = all.at("Profile " + name);
    const auto section = [&, suffix = " of " + name](const std::string& title) {
      return chapter.sections.at(title + suffix);
    };
    for (const CsrInfo& csr : csrs(profile)) CHECK(has(section("Local CSRs"), std::string(csr.name)));
    for (const NamedValue& csr : cap_csrs(profile))
      CHECK(has(section("CSRs outside the engine"), std::string(csr.name)));
    for (const NamedValue& state : input_states(profile)) CHECK(has(section("Input states"), std::string(state.name)));
    for (const NamedValue& signal : signal_names(profile))
      CHECK(has(section("Signals with a fixed meaning"), std::string(signal.name)));
    CHECK(csrs(profile).size() > 5);
    CHECK(cap_csrs(profile).size() > 20);
    for (const Alias& alias : aliases(profile)) CHECK(has(all.at("Other spellings").text, std::string(alias.spelling)));
    for (const InsnInfo& facts : all_instructions()) {
      if (enabled(profile, facts.id)) CHECK(has(section("Encodings"), std::string(facts.name)));
    }
  }
}
