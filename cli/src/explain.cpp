// weft explain: what a diagnostic means, with an example and the cure, and what the reference says of a word of the
// language.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "print.h"
#include "weft/assembler/catalogue.h"
#include "weft/assembler/index.h"

namespace weft::cli {
namespace {

int explain(const std::string& code) {
  const auto groups = assembler::catalogue();
  for (const auto& group : groups) {
    for (const auto& entry : group.entries) {
      if (entry.code != code) continue;
      print_lines(assembler::explanation(entry));
      return kDone;
    }
  }
  if (const std::string said = assembler::explain_word(code); !said.empty()) {
    print_lines(said);
    return kDone;
  }
  print_error("weft: there is no diagnostic, instruction, CSR, input state or event '{}'\n", code);
  const auto near = assembler::similar_codes(groups, code);
  if (near.empty())
    print_error("'weft explain --list' names all of them\n");
  else
    print_error("near it are: {}\n", fmt::format("{}", fmt::join(near, ", ")));
  return kWrongInput;
}

}  // namespace

Command declare_explain(CLI::App& app) {
  auto code = std::make_shared<std::string>();
  auto list = std::make_shared<bool>(false);
  app.add_option("CODE", *code,
                 "the word in brackets at the end of a message, or an instruction, a CSR, an input state or an event");
  app.add_flag("--list", *list, "all codes with their meanings");
  return [code, list]() -> int {
    if (*list) {
      print_lines(assembler::catalogue_list(assembler::catalogue()));
      return kDone;
    }
    if (code->empty()) {
      print_error("weft explain: a CODE or --list is needed\nTry 'weft explain --help'.\n");
      return kWrongUsage;
    }
    std::string plain = *code;
    if (plain.size() > 2 && plain.front() == '[' && plain.back() == ']') plain = plain.substr(1, plain.size() - 2);
    return explain(plain);
  };
}

}  // namespace weft::cli
