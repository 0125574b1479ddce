// example_tests.json: the worked examples as a table for test programs in any language.
#include "emitters.h"

namespace weft::tblgen {
namespace {

void strings(std::ostream& os, const std::vector<std::string>& list) {
  os << "[";
  for (size_t i = 0; i < list.size(); ++i) os << (i ? ", " : "") << quoted(list[i]);
  os << "]";
}

}  // namespace

void emit_example_tests(std::ostream& os, const Model& model) {
  os << "[\n";
  for (size_t i = 0; i < model.examples.size(); ++i) {
    const Example& e = model.examples[i];
    os << "  {\"insn\": " << quoted(e.insn) << ", \"profile\": " << quoted(e.profile)
       << ", \"code\": " << quoted(e.code) << ", \"before\": ";
    strings(os, e.before);
    os << ", \"after\": ";
    strings(os, e.after);
    os << (i + 1 < model.examples.size() ? "},\n" : "}\n");
  }
  os << "]\n";
}

}  // namespace weft::tblgen
