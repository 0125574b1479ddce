// weft fmt: source text in house style.
#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "commands.h"
#include "console.h"
#include "print.h"
#include "weft/assembler/format.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"

namespace weft::cli {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
};

int format_one(const std::string& path, bool check) {
  auto text = read_input(path, limits::kSourceBytes);
  if (!text) {
    report(text.error());
    return kWrongInput;
  }
  // A byte order mark stays where it is: after the blanks of an indentation it would be none any more.
  const std::string mark(text->starts_with(kByteOrderMark) ? kByteOrderMark : std::string_view());
  const auto source = make_source(path == "-" ? "<stdin>" : path, without_mark(std::move(*text)));
  const auto formatted = assembler::format_source(source);
  if (!formatted) {
    report(formatted.error());
    return kWrongInput;
  }
  const bool same = *formatted == source->text();
  if (check) {
    if (!same) print_out("{}\n", source->name());
    return same ? kDone : kWrongInput;
  }
  if (same && path != "-") return kDone;
  return write_output(path, mark + *formatted) ? kDone : kWrongInput;
}

}  // namespace

Command declare_fmt(CLI::App& app) {
  auto options = std::make_shared<FmtOptions>();
  app.add_option("FILE", options->files, "source files, rewritten in place; - is standard input to standard output")
      ->required();
  app.add_flag("--check", options->check,
               "write nothing; list the files that would change, exit status 1 if there are any");
  return [options]() -> int {
    int worst = kDone;
    for (const std::string& file : options->files) worst = std::max(worst, format_one(file, options->check));
    return worst;
  };
}

}  // namespace weft::cli
