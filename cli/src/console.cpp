#include "console.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "weft/base/files.h"
#include "weft/base/render.h"

namespace weft::cli {

bool use_color() {
  const char* plain = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && (!plain || !*plain);
}

void report(const Diagnostics& diagnostics, DiagnosticForm form) {
  switch (form) {
    case DiagnosticForm::text: {
      const std::string text = render_text(diagnostics, {use_color()});
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

bool write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return std::fflush(stdout) == 0;
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
