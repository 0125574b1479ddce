// The allocator on the programs of examples/, judged by the same simulation as random programs.
#include <catch2/catch.hpp>

#include <filesystem>

#include "allocator_support.h"
#include "late.h"
#include "parser/parser.h"
#include "preprocessor.h"
#include "resolver.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

TEST_CASE("the programs of examples/ keep every value in its place") {
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WEFT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".uc") continue;
    CAPTURE(entry.path().string());
    const auto source = read_source(entry.path().string());
    REQUIRE(source);
    Options options;
    options.include_dirs = {WEFT_SOURCE_DIR "/lib/microblocks"};
    Sources sources;
    Preprocessed text = preprocess(sources, *source, options);
    if (text.diagnostics.has_errors()) continue;  // a part that others include
    Diagnostics out;
    const ast::Program tree = parse(text.program, sources, out);
    Program program = resolve(tree, text.program, sources, options, out);
    if (out.has_errors() || program.insns.empty() || program.physical) continue;
    mark_doubled_signals(program);
    const Flow flow(program);
    const auto allocation = allocate(program, flow, sources, out);
    INFO(render_text(out));
    REQUIRE(allocation);
    const Program placed = with_places(program, *allocation);
    CHECK(test::check_static(program, placed) == "");
    Random random(programs + 1);
    const Numbers numbers(program, *allocation);
    for (int k = 0; k < 200; ++k) REQUIRE(test::simulate(program, placed, random, 2000, numbers.vreg) == "");
    ++programs;
  }
  CHECK(programs >= 1);
}
