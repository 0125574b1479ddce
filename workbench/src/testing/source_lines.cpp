#include "testing/source_lines.h"

#include "weft/base/files.h"

namespace weft::workbench::testing {
namespace {

/// For a file from its start: takes away /* */ comments too, which may go over several lines.
class Reader {
 public:
  std::string code(const std::string& line) {
    std::string out;
    for (size_t i = 0; i < line.size(); ++i) {
      if (inside_) {
        if (line.compare(i, 2, "*/") == 0) inside_ = false, ++i;
      } else if (line.compare(i, 2, "//") == 0 || line[i] == ';') {
        break;
      } else if (line.compare(i, 2, "/*") == 0) {
        inside_ = true;
        ++i;
      } else {
        out += line[i];
      }
    }
    const size_t begin = out.find_first_not_of(" \t\r");
    return begin == std::string::npos ? "" : out.substr(begin, out.find_last_not_of(" \t\r") - begin + 1);
  }

 private:
  bool inside_ = false;
};

/// "alu[...]", "copy(...)"; not "label#:", ".reg a", "#define X".
bool looks_like_code(std::string text) {
  if (const size_t colon = text.find("#:"); colon != std::string::npos) text = bare(text.substr(colon + 2));
  return !text.empty() && text[0] != '#' && text[0] != '.';
}

}  // namespace

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  const auto text = read_file(file);
  if (!text) return lines;
  for (size_t at = 0; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    lines.push_back(text->substr(at, end - at));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    at = end + 1;
  }
  return lines;
}

std::string bare(const std::string& line) { return Reader().code(line); }

std::vector<std::string> contexts_of(const std::vector<std::string>& lines) {
  std::vector<std::string> contexts, macros;  // of macros in each other, what held before each
  std::string context;
  Reader reader;
  for (const std::string& line : lines) {
    const std::string text = reader.code(line);
    if (text.starts_with("#macro")) {
      macros.push_back(context);
      const size_t name = std::min(text.find_first_not_of(" \t", 6), text.size());
      context = text.substr(name, text.find_first_of(" \t([", name) - name);
    } else if (text.starts_with("#endm") && !macros.empty()) {
      context = macros.back();
      macros.pop_back();
    } else if (const size_t colon = text.find("#:");
               colon != std::string::npos && text.find_first_of(" \t[(\"") > colon) {
      context = text.substr(0, colon + 1);
    }
    contexts.push_back(context);
  }
  return contexts;
}

std::vector<MacroLines> macros_of(const std::string& file) {
  std::vector<MacroLines> macros;
  Reader reader;
  unsigned number = 0, depth = 0;
  bool continued = false;
  for (const std::string& line : lines_of(file)) {
    ++number;
    const std::string text = reader.code(line);
    const bool goes_on = continued;
    continued = text.ends_with('\\');
    if (text.starts_with("#macro")) {
      if (depth++ == 0) {
        const size_t name = text.find_first_not_of(" \t", 6);
        macros.push_back({name == std::string::npos ? "" : text.substr(name, text.find_first_of(" \t(", name) - name),
                          number,
                          number,
                          {}});
      }
    } else if (text.starts_with("#endm")) {
      if (depth > 0 && --depth == 0) macros.back().last = number;
    } else if (depth > 0 && !goes_on && looks_like_code(text)) {
      macros.back().code.push_back(number);
    }
  }
  if (depth > 0) macros.back().last = number;
  return macros;
}

bool has_code(const std::string& file) {
  Reader reader;
  bool continued = false;
  for (const std::string& line : lines_of(file)) {
    const std::string text = reader.code(line);
    const bool goes_on = continued;
    continued = text.ends_with('\\');
    if (!goes_on && looks_like_code(text)) return true;
  }
  return false;
}

}  // namespace weft::workbench::testing
