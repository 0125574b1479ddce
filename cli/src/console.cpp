#include "console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "weft/base/files.h"
#include "weft/base/render.h"

namespace weft::cli {

bool use_color() {
  const char* plain = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && (!plain || !*plain);
}

void report(const Diagnostics& diagnostics, DiagnosticForm form, std::optional<bool> color) {
  switch (form) {
    case DiagnosticForm::text: {
      // Input that is no source at all fails in thousands of places; the first ones say what it is.
      constexpr size_t kShown = 50;
      Diagnostics first;
      for (size_t i = 0; i < std::min(diagnostics.size(), kShown); ++i) first.add(diagnostics.list()[i]);
      std::string text = render_text(first, {color.value_or(use_color())});
      if (diagnostics.size() > kShown)
        text += fmt::format("weft: {} more messages are not shown\n", diagnostics.size() - kShown);
      std::fwrite(text.data(), 1, text.size(), stderr);
      break;
    }
    case DiagnosticForm::json: {
      const std::string text = render_json(diagnostics);
      std::fwrite(text.data(), 1, text.size(), stdout);
      break;
    }
    case DiagnosticForm::sarif: {
      const std::string text = render_sarif(diagnostics);
      std::fwrite(text.data(), 1, text.size(), stdout);
      break;
    }
  }
}

bool outputs_are_good(const std::vector<NamedFile>& outputs, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  const auto same = [](const std::string& a, const std::string& b) {
    std::error_code error;
    if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;  // devices take everything
    return fs::weakly_canonical(fs::absolute(a), error) == fs::weakly_canonical(fs::absolute(b), error);
  };
  Diagnostics out;
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path == "-") continue;
    if (auto good = check_output(output->path); !good) {
      out.append(std::move(good.error()));
      continue;
    }
    for (const std::string& input : inputs)
      if (input != "-" && same(output->path, input)) {
        out.error("output-is-input", whole_file(output->path),
                  fmt::format("{} would overwrite what is read", output->option), "give another name");
        break;
      }
    for (auto other = outputs.begin(); other != output; ++other)
      if (other->path != "-" && same(output->path, other->path))
        out.error("output-twice", whole_file(output->path),
                  fmt::format("{} and {} name the same file", other->option, output->option), "give two names");
  }
  report(out);
  return !out.has_errors();
}

bool write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    if (std::fflush(stdout) == 0 && whole) return true;
    fmt::print(stderr, "weft: cannot write to standard output\n");
    return false;
  }
  const auto done = write_file(path, bytes);
  if (!done) report(done.error());
  return done.has_value();
}

Result<std::string> read_input(const std::string& path) {
  if (path != "-") return read_file(path);
  std::string bytes;
  char buffer[65536];
  size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) bytes.append(buffer, got);
  return bytes;
}

}  // namespace weft::cli
