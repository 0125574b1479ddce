// Cancellation: at whatever look it comes, the result says so and holds nothing; no clock is involved.
#include <atomic>
#include <catch2/catch.hpp>

#include "weft/assembler/index.h"

using namespace weft;
using namespace weft::assembler;

namespace {

/// Counts the looks, and asks to stop at one of them.
class AtLook final : public Cancellation {
 public:
  explicit AtLook(int64_t look) : look_(look) {}
  bool requested() const noexcept override { return ++looks_ >= look_; }
  int64_t looks() const { return looks_; }

 private:
  int64_t look_;
  mutable int64_t looks_ = 0;
};

const std::string kText =
    "#macro add_up(out, in)\n#define_eval I 0\n#while (I < 20)\nalu[out, out, +, in]\n#define_eval I (I + "
    "1)\n#endloop\n#undef I\n#endm\n"
    ".reg a b $x\n.sig s\nimmed[a, 1]\nimmed[b, 2]\nadd_up(a, b)\n.begin\n.reg c\nalu[c, a, +, b]\n.if (c == "
    "3)\nnop\n.endif\n"
    "alu[$x, --, B, c]\n.end\nsram[write, $x, a, b, 1], ctx_swap[s]\nctx_arb[kill]\n";

}  // namespace

TEST_CASE("an assembly that is cancelled at any look ends there, with nothing", "[cancellation]") {
  const SourceFilePtr source = make_source("main.uc", kText);
  Options options;
  options.listing = true;
  const AtLook never(INT64_MAX);
  options.cancellation = &never;
  const Assembly whole = assemble(source, options);
  REQUIRE(whole.image);
  CHECK_FALSE(whole.listing.empty());
  CHECK_FALSE(whole.cancelled);
  // Every stage looks: more often than once a line.
  REQUIRE(never.looks() > 100);
  for (int64_t look = 1; look <= never.looks(); ++look) {
    INFO(look);
    const AtLook at(look);
    options.cancellation = &at;
    const Assembly out = assemble(source, options);
    CHECK(out.cancelled);
    CHECK_FALSE(out.image);
    CHECK(out.diagnostics.empty());
    CHECK(out.dump.empty());
    CHECK(out.listing.empty());
    CHECK(out.files.empty());
    CHECK(at.looks() == look);  // and nothing was looked at afterwards
  }
}

TEST_CASE("an index that is cancelled at any look does not come to be", "[cancellation]") {
  const SourceFilePtr source = make_source("main.uc", kText);
  Options options;
  Index::Settings settings;
  settings.allocate = true;
  const AtLook never(INT64_MAX);
  options.cancellation = &never;
  REQUIRE(Index::build(source, options, settings));
  REQUIRE(never.looks() > 100);
  for (int64_t look = 1; look <= never.looks(); ++look) {
    INFO(look);
    const AtLook at(look);
    options.cancellation = &at;
    CHECK_FALSE(Index::build(source, options, settings));
    CHECK(at.looks() == look);
  }
}

TEST_CASE("every stage looks again and again", "[cancellation]") {
  // Twice the work, about twice the looks: in text, in loops of the preprocessor, in long expressions, in the
  // allocator.
  const auto looks = [](const std::string& text, const std::string& dump) {
    const AtLook never(INT64_MAX);
    Options options;
    options.control_store = 16384;
    options.cancellation = &never;
    options.dump = dump;
    assemble(make_source("main.uc", text), options);
    return never.looks();
  };
  const auto lines = [](int count) {
    std::string text = ".reg a\nimmed[a, 1]\n";
    for (int i = 0; i < count; ++i) text += "alu[a, a, +, 1]\n";
    return text + "nop\n";
  };
  CHECK(looks(lines(2000), "preprocessed") - looks(lines(1000), "preprocessed") >= 1000);
  CHECK(looks(lines(2000), "ast") - looks(lines(2000), "preprocessed") >= 1000);
  CHECK(looks(lines(2000), "ir") - looks(lines(2000), "ast") >= 1000);
  const auto loop = [](int count) { return "#repeat " + std::to_string(count) + "\n#endloop\nnop\n"; };
  // A loop without lines spends work, and looks once in some hundred steps.
  CHECK(looks(loop(60000), "preprocessed") - looks(loop(30000), "preprocessed") >= 100);
  const auto sum = [](int count) {
    std::string text = "#define_eval X (0";
    for (int i = 0; i < count; ++i) text += " + 1";
    return text + ")\nnop\n";
  };
  CHECK(looks(sum(2000), "preprocessed") - looks(sum(1000), "preprocessed") >= 1000);
  const auto webs = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += ".begin\n.reg x y\nimmed[x, 1]\nalu[y, --, B, x]\nalu[--, y, +, x]\n.end\n";
    return text + "ctx_arb[kill]\n";
  };
  CHECK(looks(webs(400), "allocation") - looks(webs(400), "ir") >= 800);
}
