// Where a value comes from, link by link, and who reads it next.
#include "folder.h"
#include "must.h"
#include "weft/workbench/writer.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Folder;

namespace {

const char* const kChain = R"(.reg n sum zero again base
.reg write $out
.reg read $in
.sig done
br!=ctx[0, end#]
immed[zero, 0]                                        // line 6
immed[n, 4]                                           // line 7
alu[sum, n, +, 3]                                     // line 8
alu[$out, --, B, sum]                                 // line 9
scratch[write, $out, zero, 0x40, 1], ctx_swap[done]   // line 10
scratch[read, $in, zero, 0x40, 1], ctx_swap[done]     // line 11
alu[again, $in, +, n]                                 // line 12
ld_field[again, 0001, n]                              // line 13
alu[zero, again, +, 0]                                // line 14
alu[n, --, B, zero]                                   // line 15
immed[base, 0]
alu[$out, --, B, n]                                   // line 17
scratch[write, $out, base, 0x44, 1], ctx_swap[done]   // line 18
end#:
ctx_arb[kill]
)";

Holder named(const std::string& name) { return {Holder::File::named, {0, 0, 0}, 0, name}; }

const Source& source(const Origin& origin, const std::string& name) {
  for (const Source& s : origin.sources)
    if (s.what.name == name) return s;
  FAIL("no source " + name);
  return origin.sources.front();
}

}  // namespace

TEST_CASE("where a value comes from: from the register through memory to the constant") {
  const Folder folder;
  auto session = test::session_of(folder, kChain);
  session->record(40);
  session->run({});
  const uint64_t hash = session->state_hash();

  const Origin end = must(session->origin(named("scratch[0x44]")));
  REQUIRE(end.writer);
  CHECK(end.writer->line == 18);
  const Origin sent = must(session->origin(source(end, "$out").what, source(end, "$out").before));
  REQUIRE(sent.writer);
  CHECK(sent.writer->line == 17);
  const Origin last = must(session->origin(source(sent, "n").what, source(sent, "n").before));
  REQUIRE(last.writer);
  CHECK(last.writer->line == 15);
  const Origin zero = must(session->origin(source(last, "zero").what, source(last, "zero").before));
  REQUIRE(zero.writer);
  CHECK(zero.writer->line == 14);
  CHECK(zero.writer->after == 4 + 0x00);
  CHECK(zero.what.name == "zero");
  REQUIRE(zero.sources.size() == 1);
  const Source& again = source(zero, "again");
  CHECK(again.role == "left");
  CHECK(again.value == zero.writer->after);

  // A part of it stayed: what stood there is a source too.
  const Origin field = must(session->origin(again.what, again.before));
  REQUIRE(field.writer);
  CHECK(field.writer->line == 13);
  CHECK(source(field, "n").value == 4);
  CHECK(source(field, "again").role == "kept bytes");
  CHECK(source(field, "again").value == 11);

  const Origin sum = must(session->origin(source(field, "again").what, source(field, "again").before));
  REQUIRE(sum.writer);
  CHECK(sum.writer->line == 12);
  // The read came out of memory, and the memory from a register.
  const Origin in = must(session->origin(source(sum, "$in").what, source(sum, "$in").before));
  REQUIRE(in.writer);
  CHECK(in.writer->line == 11);
  CHECK(in.writer->how == "answer to scratch[read]");
  const Source& word = source(in, "scratch[0x40]");
  CHECK(word.role == "data");
  CHECK(word.value == 7);
  CHECK(source(in, "zero").role == "address");
  const Origin stored = must(session->origin(word.what, word.before));
  REQUIRE(stored.writer);
  CHECK(stored.writer->line == 10);
  const Source& out = source(stored, "$out");
  CHECK(out.value == 7);
  const Origin moved = must(session->origin(out.what, out.before));
  REQUIRE(moved.writer);
  CHECK(moved.writer->line == 9);
  const Origin added = must(session->origin(source(moved, "sum").what, source(moved, "sum").before));
  REQUIRE(added.writer);
  CHECK(added.writer->line == 8);
  const Origin constant = must(session->origin(source(added, "n").what, source(added, "n").before));
  REQUIRE(constant.writer);
  CHECK(constant.writer->line == 7);
  CHECK(constant.sources.empty());
  // Nothing was written before that.
  CHECK_FALSE(must(session->origin(constant.what, constant.behind - 1)).writer);
  CHECK(session->state_hash() == hash);

  // The other way.
  const auto line_of = [](const std::optional<Use>& use) { return use ? use->who.line : 0; };
  const auto first = must(session->next_use(constant.what, constant.behind));
  CHECK(line_of(first) == 8);
  CHECK(first->read);
  const auto pulled = must(session->next_use(moved.what, moved.behind));
  CHECK(line_of(pulled) == 10);
  CHECK(pulled->read);
  const auto loaded = must(session->next_use(stored.what, stored.behind));
  CHECK(line_of(loaded) == 11);
  CHECK(loaded->read);
  CHECK(loaded->who.how == "scratch[read]");
  const auto kept = must(session->next_use(sum.what, sum.behind));
  CHECK(line_of(kept) == 13);
  CHECK(kept->read);
  // After its last reader it is written over, and then nobody reads it.
  const auto over = must(session->next_use(moved.what, sum.behind));
  REQUIRE(over);
  CHECK_FALSE(over->read);
  CHECK(line_of(over) == 17);
  CHECK_FALSE(must(session->next_use(moved.what, end.behind)));
  CHECK(session->state_hash() == hash);

  // Who gives it up gets his machine back, and is told so.
  std::atomic<bool> stop = true;
  RunControl control;
  control.interrupt = &stop;
  const auto given_up = session->origin(constant.what, {}, control);
  REQUIRE_FALSE(given_up);
  CHECK(given_up.error().list().front().code == "search-interrupted");
  CHECK(session->state_hash() == hash);
}
