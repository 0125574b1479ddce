// Assemblies in several threads: nothing of ours is shared, and what ANTLR shares is locked (the thread sanitizer looks
// on in the tsan build).
#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

using namespace weft;

namespace {

/// An Image as text, or the diagnostics.
std::string assembled(const std::string& path) {
  assembler::Options options;
  options.include_dirs = {WEFT_SOURCE_DIR "/lib/microblocks"};
  options.defines = {{"PORTS", "2"}, {"FORWARDERS", "2"}, {"FORWARD_INDEX", "0"}};
  const assembler::Assembly out = assembler::assemble(path, options);
  return out.image ? image::to_json(*out.image) : render_text(out.diagnostics);
}

/// A program with a mistake in every kind of line: the slow ways through the parser.
std::string wrong(int number) {
  std::string text = ".reg a b\n";
  for (int i = 0; i < 40; ++i) {
    text += "alu[a, b, +, " + std::string(static_cast<size_t>(i % 7), '(') + "1]\nalu[a b]\n.if (a ==)\nimmed[a, " +
            std::to_string(number + i) + "], foo[\n";
  }
  return render_text(assembler::assemble(make_source("wrong.uc", text), {}).diagnostics);
}

}  // namespace

TEST_CASE("assemblies in two threads give what they give alone") {
  const std::string folder = WEFT_SOURCE_DIR "/examples/ipv4-forwarder/";
  const std::vector<std::string> files{folder + "receive.uc", folder + "forward.uc", folder + "transmit.uc"};
  std::vector<std::vector<std::string>> results(2);
  std::vector<std::string> errors(2);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      // Both begin at once with tables that are still empty, and in different order.
      for (size_t i = 0; i < files.size(); ++i) results[t].push_back(assembled(files[t == 0 ? i : files.size() - 1 - i]));
      errors[t] = wrong(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string alone = assembled(files[i]);
    CHECK(alone.find("\"weft-image\"") != std::string::npos);
    CHECK(results[0][i] == alone);
    CHECK(results[1][files.size() - 1 - i] == alone);
  }
  CHECK(errors[0] == wrong(1));
  CHECK(errors[0] == errors[1]);
  CHECK(errors[0].find("error") != std::string::npos);
}
