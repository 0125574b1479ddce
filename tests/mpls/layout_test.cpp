// Label words and entries of the label table, bit by bit.
#include "mpls/layout.h"

#include <catch2/catch.hpp>

#include "weft/control/mpls/label.h"

using namespace weft;
using namespace weft::control;

TEST_CASE("Words of labels and entries, bit by bit") {
  using namespace mpls;
  CHECK(word_of({44, 32, 3}) == 0x0002c620);
  CHECK(word_of({44, {}, {}}) == 0x0002c100);  // TTL and TC are the packet's
  CHECK(word_of({0xfffff, {}, 7}) == 0xfffffe00);
  Lsp swap;
  swap.out = 33;
  CHECK(words_of(swap, 0x40020) == EntryWords{0x00400021, 0x40020});
  swap.pushes = {2, {0x0002c100, 0x0002d620}};
  swap.bottom = Lsp::Bottom::refused;
  CHECK(words_of(swap, 0x40020) == EntryWords{0x00600021, 0x40028, 0x0002c100, 0x0002d620});
  Lsp pop;
  pop.kind = Lsp::Kind::pop;
  pop.version = 6;
  CHECK(words_of(pop, 0) == EntryWords{0x00900006, 3});
  pop.mode = {false, true};
  pop.pops = 3;
  pop.kind = Lsp::Kind::pop_forward;
  pop.bottom = Lsp::Bottom::required;
  CHECK(words_of(pop, 0x80000040) == EntryWords{0x00f00006, 0x80000046});
  Lsp special;
  special.kind = Lsp::Kind::special;
  special.reason = 45;
  CHECK(words_of(special, 0) == EntryWords{0x2d000000});
  CHECK_FALSE(lsp_of({}));
  CHECK_FALSE(lsp_of({kRedirect << kOperationShift | 5, 0, 0, 0}));
}
