// examples.inc: the worked examples as C++ data.
#include "emitters.h"

namespace weft::tblgen {
namespace {

std::string strings(std::ostream& os, const std::string& name, const std::vector<std::string>& list) {
  if (list.empty()) return "{}";
  os << "constexpr std::string_view " << name << "[] = {";
  for (size_t i = 0; i < list.size(); ++i) os << (i ? ", " : "") << quoted(list[i]);
  os << "};\n";
  return name;
}

}  // namespace

void emit_examples(std::ostream& os, const Model& model) {
  os << kBanner;
  std::string rows;
  for (size_t i = 0; i < model.examples.size(); ++i) {
    const Example& e = model.examples[i];
    const std::string n = std::to_string(i);
    const std::string before = strings(os, "before_" + n, e.before), after = strings(os, "after_" + n, e.after);
    rows += "    {InsnId::" + e.insn + ", " + quoted(e.code) + ", " + before + ", " + after +
            ", Profile::" + e.profile + "},\n";
  }
  os << "constexpr std::array<Example, " << model.examples.size() << "> kExamples = {{\n" << rows << "}};\n";
}

}  // namespace weft::tblgen
