// weft_bench_assembler: how fast the assembler is, on one core. Prints figures; asserts nothing about time.
//
//   weft_bench_assembler [all | memory | images | front | allocator | index]
//
// "lines" are expanded lines that give an instruction: the words of the Image.
#include "weft/assembler/assembler.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "allocator/allocator.h"
#include "flow/flow.h"
#include "flow/waits.h"
#include "measure.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "program_generator.h"
#include "resolver/resolver.h"
#include "weft/assembler/index.h"
#include "weft/base/random.h"
#include "weft/base/render.h"

namespace weft::bench {
namespace {

using namespace weft::assembler;

Options options_8k() {
  Options options;
  options.control_store = 8192;
  return options;
}

void images(bool macros) {
  std::vector<SourceFilePtr> programs;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    programs.push_back(make_source(fmt::format("program{}.uc", seed), generate_program({seed, 7850, macros})));
  }
  size_t words = 0, bytes = 0;
  const auto all = [&] {
    words = bytes = 0;
    for (const SourceFilePtr& program : programs) {
      const Assembly out = assemble(program, options_8k());
      if (!out.image) {
        fmt::print(stderr, "{}", render_text(out.diagnostics).substr(0, 2000));
        std::exit(1);
      }
      words += out.image->words.size();
      bytes += program->text().size();
    }
  };
  const double time = median_seconds(3, all);
  fmt::print("text to Images, 16 programs{}: {} words from {} KiB in {:.2f} s = {:.0f} lines/s\n",
             macros ? " of macros" : "", words, bytes / 1024, time, static_cast<double>(words) / time);
}

/// Text to the program of symbols; returns the words.
size_t front(const SourceFilePtr& text, double* preprocessing = nullptr, double* parsing = nullptr,
             double* resolving = nullptr) {
  Options options = options_8k();
  options.control_store = UINT32_MAX;
  Sources sources;
  Diagnostics diagnostics;
  Preprocessed tokens;
  ast::Program tree;
  Program program;
  const double a = seconds([&] { tokens = preprocess(sources, text, options); });
  const double b = seconds([&] { tree = parse(tokens.program, sources, diagnostics); });
  const double c = seconds([&] { program = resolve(tree, tokens.program, sources, options, diagnostics); });
  if (tokens.diagnostics.has_errors() || diagnostics.has_errors()) {
    fmt::print(stderr, "{}{}", render_text(tokens.diagnostics).substr(0, 1000),
               render_text(diagnostics).substr(0, 1000));
    std::exit(1);
  }
  if (preprocessing != nullptr) *preprocessing = a;
  if (parsing != nullptr) *parsing = b;
  if (resolving != nullptr) *resolving = c;
  return program.insns.size();
}

void front_end(bool macros) {
  for (uint32_t size : {10'000u, 50'000u, 250'000u}) {
    const SourceFilePtr text = make_source("program.uc", generate_program({7, size, macros}));
    std::vector<double> a(3), b(3), c(3);
    size_t words = 0;
    for (size_t i = 0; i < 3; ++i) words = front(text, &a[i], &b[i], &c[i]);
    const double total = median(a) + median(b) + median(c);
    fmt::print("front, {} lines{}: preprocessor {:.0f} ms, parser {:.0f} ms, resolver {:.0f} ms = {:.2f} us a line\n",
               words, macros ? " of macros" : "", median(a) * 1e3, median(b) * 1e3, median(c) * 1e3,
               total * 1e6 / static_cast<double>(words));
  }
}

/// Before anything else: a new process begins with the memory of this one.
void memory(bool macros) {
  for (uint32_t size : {10'000u, 50'000u}) {
    const double peak = peak_megabytes([&] { front(make_source("program.uc", generate_program({7, size, macros}))); });
    fmt::print("front, {} lines{}: peak {:.0f} MB\n", size, macros ? " of macros" : "", peak);
  }
}

void allocator(bool macros) {
  for (uint32_t size : {1000u, 2000u, 4000u, 8000u}) {
    const SourceFilePtr text = make_source("program.uc", generate_program({3, size - 100, macros}));
    Sources sources;
    Diagnostics diagnostics;
    const Options options = options_8k();
    Preprocessed tokens = preprocess(sources, text, options);
    Program program =
        resolve(parse(tokens.program, sources, diagnostics), tokens.program, sources, options, diagnostics);
    mark_doubled_signals(program);
    bool fits = true;
    const double time = median_seconds(3, [&] {
      const Flow flow(program);
      fits = allocate(program, flow, sources, diagnostics).has_value() && fits;
    });
    fmt::print("allocator, {} words{}: {:.1f} ms{}\n", program.insns.size(), macros ? " of macros" : "", time * 1e3,
               fits ? "" : " (did not fit)");
  }
}

using Clock = std::chrono::steady_clock;
double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// What an editor waits for: an index of 3,000 lines, and the end of one that is not wanted any more.
void index_times(bool macros) {
  // About as many lines of text; with macros each gives more instructions.
  const SourceFilePtr text = make_source("program.uc", generate_program({5, macros ? 4200u : 2450u, macros}));
  Options options = options_8k();
  options.control_store = UINT32_MAX;
  size_t references = 0;
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    times.push_back(seconds([&] { references = Index::build(text, options)->references().size(); }));
  }
  const double first = times.front(), middle = median(times);
  fmt::print("index, {} lines{}: {:.1f} ms ({:.1f} ms the first time), {} references\n", text->line_count(),
             macros ? " with macros" : "", middle * 1e3, first * 1e3, references);
  // Requests at random moments of an index and of a whole assembly.
  Random random(11);
  double worst[2] = {0, 0};
  size_t hits[2] = {0, 0};
  for (int i = 0; i < 300; ++i) {
    const bool whole = i % 2 != 0;
    Cancellation cancellation;
    options.cancellation = &cancellation;
    std::atomic<bool> started{false};
    std::atomic<Clock::rep> asked{0};
    const double total = whole ? 120e3 : middle * 1e6;  // microseconds in which the request falls
    std::thread asker([&, wait = random.below(static_cast<uint64_t>(total) + 1)] {
      while (!started) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(wait));
      asked = Clock::now().time_since_epoch().count();
      cancellation.request();
    });
    started = true;
    bool cancelled = false;
    if (whole)
      cancelled = assemble(text, options).cancelled;
    else
      cancelled = !Index::build(text, options);
    const auto end = Clock::now();
    asker.join();
    if (!cancelled) continue;
    ++hits[whole];
    worst[whole] = std::max(worst[whole], milliseconds(Clock::time_point(Clock::duration(asked.load())), end));
  }
  fmt::print(
      "cancellation{}: at most {:.1f} ms from the request to the return of an index ({} requests), {:.1f} ms of an "
      "assembly ({} requests)\n",
      macros ? " with macros" : "", worst[0], hits[0], worst[1], hits[1]);
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "all";
  const auto asked = [&](const char* name) { return what == "all" || what == name; };
  if (asked("memory")) weft::bench::memory(false), weft::bench::memory(true);
  if (asked("front")) weft::bench::front_end(false), weft::bench::front_end(true);
  if (asked("images")) weft::bench::images(false), weft::bench::images(true);
  if (asked("allocator")) weft::bench::allocator(false), weft::bench::allocator(true);
  if (asked("index")) weft::bench::index_times(false), weft::bench::index_times(true);
  if (what == "text") std::fputs(weft::bench::generate_program({1, 500, count > 2}).c_str(), stdout);
}
