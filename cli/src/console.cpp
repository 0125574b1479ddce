#include "console.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "messages.h"
#include "print.h"
#include "streams.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/base/render.h"
#include "weft/workbench/files_read.h"

namespace weft::cli {
namespace {

Messages* current = nullptr;  // of the one command that this process runs

}  // namespace

bool use_color() {
  const char* plain = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && (!plain || !*plain);
}

void print_text(const Diagnostics& diagnostics, std::optional<bool> color) {
  // Input that is not a source at all fails in thousands of places; the first ones say what it is.
  constexpr size_t kShown = 50;
  const Diagnostics shown = diagnostics.first(kShown);
  std::string text = render_text(shown, {color.value_or(use_color())});
  if (shown.left_out() > 0) text += fmt::format("weft: {} more messages are not shown\n", shown.left_out());
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void report_through(Messages* messages) { current = messages; }

void report(const Diagnostics& diagnostics) {
  if (current != nullptr)
    current->say(diagnostics);
  else
    print_text(diagnostics);
}

bool is_standard_output(const std::string& path) {
  constexpr std::array<std::string_view, 4> kNames = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::ranges::find(kNames, path) != kNames.end();
}

Diagnostics overwrites(const std::string& option, const std::string& path) {
  Diagnostics out;
  out.error("output-is-input", whole_file(path), fmt::format("{} would overwrite what is read", option),
            "give another name");
  return out;
}

bool outputs_are_good(const std::vector<NamedFile>& outputs, const std::vector<std::string>& inputs) {
  if (current != nullptr) current->reads(inputs);
  Diagnostics out;
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path == "-") continue;
    if (auto good = check_output(output->path); !good) {
      out.append(std::move(good.error()));
      continue;
    }
    for (const std::string& input : inputs)
      if (input != "-" && workbench::is_same_file(output->path, input)) {
        out.append(overwrites(output->option, output->path));
        break;
      }
    for (auto other = outputs.begin(); other != output; ++other)
      if (other->path != "-" && workbench::is_same_file(output->path, other->path))
        out.error("output-twice", whole_file(output->path),
                  fmt::format("{} and {} name the same file", other->option, output->option), "give two names");
  }
  report(out);
  return !out.has_errors();
}

void open_streams() {
  // A stream that the caller has closed would be the next file that is opened, and results would go into it. Opened the
  // other way round, it refuses what is written or read.
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) < 0) (void)!::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is a failed write
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
}

bool finish_output() {
  static bool reported = false;
  // A failure before this one has left its mark only, and no reason: what is written now fails in the same way.
  const bool before = std::ferror(stdout) != 0;
  std::clearerr(stdout);
  errno = 0;
  if (before) std::fputc('\n', stdout);
  const bool now = std::fflush(stdout) != 0;
  if (!before && !now) return true;
  const char* reason = errno != 0 ? std::strerror(errno) : "a write failed";
  if (!reported) print_error("weft: cannot write to standard output: {}\n", reason);
  reported = true;
  return false;
}

bool write_output(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return finish_output();
  }
  const auto done = write_file(path, bytes);
  if (!done) report(done.error());
  return done.has_value();
}

bool write_text(const std::string& path, std::string_view text) {
  return path == "-" ? write_output(path, printable_lines(text)) : write_output(path, text);
}

Result<std::string> read_input(const std::string& path, uint64_t max) {
  return path == "-" ? read_stream(stdin, "<standard input>", max) : read_file(path, max);
}

}  // namespace weft::cli
