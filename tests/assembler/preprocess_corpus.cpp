#include "preprocess_corpus.h"

#include <sstream>
#include <stdexcept>

#include "weft/base/files.h"

namespace corpus {

using namespace weft;
using namespace weft::assembler;

std::vector<Case> read(const std::string& file_name) {
  const auto text = read_file(std::string(WEFT_SOURCE_DIR) + "/tests/assembler/" + file_name);
  if (!text) throw std::runtime_error("cannot read " + file_name);
  std::vector<Case> cases;
  std::istringstream in(*text);
  std::string line, file = "main";
  bool expected = false;
  while (std::getline(in, line)) {
    if (line.rfind("=== ", 0) == 0) {
      cases.push_back({line.substr(4), {{"main", ""}}, {}});
      file = "main";
      expected = false;
    } else if (line.rfind("+++ ", 0) == 0) {
      file = line.substr(4);
    } else if (line == "---") {
      expected = true;
    } else if (expected) {
      cases.back().expected.push_back(line);
    } else {
      cases.back().files[file] += line + "\n";
    }
  }
  return cases;
}

Preprocessed run(Sources& sources, const Case& c, PreprocessSettings settings) {
  Options options;
  options.read = [&c](const std::string& path) -> Result<SourceFilePtr> {
    const auto found = c.files.find(path);
    if (found == c.files.end()) return fail("file-missing", whole_file(path), "no such file");
    return make_source(path, found->second);
  };
  if (!settings.date) settings.date = 0;
  return preprocess(sources, make_source("main", c.files.at("main")), options, settings);
}

Preprocessed run(Sources& sources, const std::string& text, PreprocessSettings settings) {
  return run(sources, Case{"", {{"main", text}}, {}}, settings);
}

}  // namespace corpus
