// Assemblies in several threads: nothing of ours is shared, and what ANTLR shares is locked (the thread sanitizer looks
// on in the tsan build).
#include "weft/assembler/assembler.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "weft/assembler/index.h"
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
      for (size_t i = 0; i < files.size(); ++i)
        results[t].push_back(assembled(files[t == 0 ? i : files.size() - 1 - i]));
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

TEST_CASE("two assemblers and two indexers at once, from memory alone") {
  const std::map<std::string, std::string> files{
      {"main.uc",
       "#include \"common.uc\"\n.reg a $x\n.sig s\nset(a, 70000)\nalu[$x, --, B, a]\nsram[write, $x, a, 0, 1], "
       "ctx_swap[s]\nctx_arb[kill]\n"},
      {"common.uc", "#macro set(to, value)\nimmed[to, (value & 0xffff)]\nimmed_w1[to, (value >> 16)]\n#endm\n"}};
  assembler::Options options;
  options.read = [&files](const std::string& path) -> Result<SourceFilePtr> {
    const auto at = files.find(path);
    if (at == files.end()) return fail("file-missing", whole_file(path), "no such file");
    return make_source(path, at->second);
  };
  const auto image = [&] {
    const assembler::Assembly out = assembler::assemble("main.uc", options);
    return out.image ? image::to_json(*out.image) : render_text(out.diagnostics);
  };
  const auto index = [&] {
    assembler::Index::Settings settings;
    settings.allocate = true;
    return to_json(*assembler::Index::build(make_source("main.uc", files.at("main.uc")), options, settings));
  };
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) threads.emplace_back([&, t] { results[t] = t % 2 == 0 ? image() : index(); });
  // Questions to one index from several threads.
  const auto shared = assembler::Index::build(make_source("main.uc", files.at("main.uc")), options);
  std::vector<std::string> answers(2);
  for (size_t t = 0; t < 2; ++t) threads.emplace_back([&, t] { answers[t] = to_json(*shared, 0, {4, 5}); });
  for (std::thread& thread : threads) thread.join();
  CHECK(results[0] == image());
  CHECK(results[2] == results[0]);
  CHECK(results[1] == index());
  CHECK(results[3] == results[1]);
  CHECK(results[0].find("\"weft-image\"") != std::string::npos);
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0].find("\"name\": \"a\"") != std::string::npos);
}

TEST_CASE("a request from another thread ends the work") {
  std::string text = ".reg a\nimmed[a, 1]\n";
  for (int i = 0; i < 3000; ++i) text += "alu[a, a, +, 1]\n";
  text += "ctx_arb[kill]\n";
  // Again and again, so that the request cannot come too late for all of them.
  const SourceFilePtr source = make_source("main.uc", text);
  assembler::Cancellation cancellation;
  assembler::Options options;
  options.cancellation = &cancellation;
  std::atomic<bool> begun{false};
  std::thread asker([&] {
    while (!begun) std::this_thread::yield();
    cancellation.request();
  });
  bool cancelled = false;
  begun = true;
  while (!cancelled) {
    const assembler::Assembly out = assembler::assemble(source, options);
    cancelled = out.cancelled;
    CHECK(out.image.has_value() != cancelled);
  }
  asker.join();
  CHECK_FALSE(assembler::Index::build(source, options));
}
