// The microcode's numbers about labels and the control program's are the same.
#include "weft/control/mpls/layout.h"

#include <catch2/catch.hpp>
#include <map>

#include "microcode_defines.h"
#include "weft/control/mpls/label.h"

using namespace weft;
using weft::test::microcode_defines;
using namespace weft::control;

TEST_CASE("mpls/layout.uc and mpls/layout.h describe the same tables") {
  const auto uc = microcode_defines("lib/microblocks/mpls/layout.uc");
  CHECK(uc.at("MPLS_ENTRY_LONGWORDS") == mpls::kEntryLongwords);
  CHECK(uc.at("MPLS_COMMON_LONGWORDS") == mpls::kCommonLongwords);
  CHECK(uc.at("MPLS_REASON_SHIFT") == mpls::kReasonShift);
  CHECK(uc.at("MPLS_OPERATION_SHIFT") == mpls::kOperationShift);
  const auto bit = [&](const char* name) { return 1u << uc.at(name); };
  CHECK(bit("MPLS_IS_REDIRECT") == mpls::kRedirect << mpls::kOperationShift);
  CHECK(bit("MPLS_IS_SWAP") == mpls::kSwap << mpls::kOperationShift);
  CHECK(bit("MPLS_IS_POP") == mpls::kPop << mpls::kOperationShift);
  CHECK((bit("MPLS_IS_POP") | bit("MPLS_POP_FORWARD")) == mpls::kPopForward << mpls::kOperationShift);
  CHECK(bit("MPLS_UNIFORM_TTL") == mpls::kFlagUniformTtl);
  CHECK(bit("MPLS_UNIFORM_TC") == mpls::kFlagUniformTc);
  CHECK(bit("MPLS_MUST_BE_BOTTOM") == mpls::kFlagMustBeBottom);
  CHECK(bit("MPLS_MUST_NOT_BE_BOTTOM") == mpls::kFlagMustNotBeBottom);
  CHECK(uc.at("MPLS_HOP_BITS") == static_cast<uint32_t>(~mpls::kHopMask));
  CHECK(uc.at("MPLS_MOST_POPS") == mpls::kMostPops);
  CHECK(uc.at("NEXT_HOP_LABELS") == mpls::kHopLabelsShift);
  CHECK(uc.at("NEXT_HOP_FIRST_LABEL") == mpls::kHopFirstLabel);
  CHECK(bit("FLAG_MPLS") == mpls::kFlagMpls);
  CHECK(uc.at("MPLS_MAP_OF_TC") == mpls::kMapOfTc);
  CHECK(uc.at("MPLS_MAPS_LONGWORDS") == mpls::kMapsLongwords);
  CHECK(uc.at("MPLS_PREPEND_BYTES") == mpls::kPrependBytes);
  CHECK(uc.at("MPLS_MESSAGE_LONGWORDS") == mpls::kTransmitMessageLongwords);
}

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
