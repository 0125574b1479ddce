// Every operand, number and token of every instruction: what the facts allow is encoded and read back as it was, what
// lies just outside is refused with a reason and a remedy. sweep.h makes the cases, for both profiles.
#include "sweep.h"

#include <catch2/catch.hpp>

using namespace weft::isa;
using namespace weft::isa_test;

namespace {

std::string text(Profile profile, const Instruction& insn) { return print(profile, insn, PrintNames{}); }

Sink encoded(Profile profile) {
  return [profile](const Instruction& insn, bool good, const std::string& varied) {
    const auto word = encode(profile, insn);
    const std::string what = varied + ": " + text(profile, insn);
    if (!good) {
      if (word) FAIL("not refused, " << what << " = " << std::hex << *word);
      if (word.error().text.empty() || word.error().remedy.empty()) FAIL("no reason or remedy, " << what);
      return;
    }
    if (!word) FAIL("refused, " << what << ": " << word.error().text);
    if (*word >> word_bits(profile)) FAIL("too wide, " << what);
    const auto back = decode(profile, *word);
    if (!back) FAIL("not read back, " << what << " = " << std::hex << *word);
    if (*back != read_back(profile, insn)) FAIL("read back differently, " << what << " as " << text(profile, *back));
    const auto again = encode(profile, *back);
    if (!again) FAIL("cannot be written again, " << text(profile, *back) << ": " << again.error().text);
    if (!is_canonical(profile, *again)) FAIL("not canonical, " << text(profile, *back));
  };
}

struct Least {
  Profile profile;
  size_t operands, operands_refused, numbers, numbers_refused, tokens, tokens_refused, pairs_refused, contexts;
};
// So many at least: a sweep that finds nothing to do proves nothing.
constexpr Least kMin[] = {{Profile::me2, 50000, 10000, 50000, 5000, 2000, 5000, 500, 30},
                          {Profile::me1, 10000, 5000, 5000, 5000, 200, 3000, 100, 9}};

void check_tallies(Tally (Sweep::*part)(), size_t Least::*good, size_t Least::*refused) {
  for (const Least& min : kMin) {
    Sweep sweep(min.profile, encoded(min.profile));
    const Tally tally = (sweep.*part)();
    CHECK(tally.good > min.*good);
    CHECK(tally.refused > min.*refused);
  }
}

}  // namespace

TEST_CASE("sweep: every instruction has a legal plain form") {
  for (Profile profile : {Profile::me1, Profile::me2}) {
    size_t instructions = 0;
    for (const InsnInfo& facts : all_instructions()) instructions += enabled(profile, facts.id);
    CHECK(instructions > 60);
    CHECK(Sweep(profile, encoded(profile)).plain().good >= instructions);
  }
}

TEST_CASE("sweep: every operand in every position") {
  check_tallies(&Sweep::operands, &Least::operands, &Least::operands_refused);
}

TEST_CASE("sweep: check_operand and check_sources agree with the words") {
  for (const Least& min : kMin) {
    const Profile profile = min.profile;
    Sweep(
        profile,
        [&](const Instruction& insn, bool, const std::string&) {
          for (const Form& form : info(insn.id).forms)
            for (const Arg& arg : form.args)
              if (arg.cls <= ArgClass::address && check_operand(profile, arg, insn.operand(arg.role)).has_value() !=
                                                      position_takes(profile, arg, insn.operand(arg.role)))
                FAIL("check_operand disagrees: " << text(profile, insn));
        },
        Density::limits)
        .operands();
    Sweep(profile, [&](const Instruction& insn, bool good, const std::string&) {
      if (check_sources(profile, insn.left, insn.right).has_value() != good)
        FAIL("check_sources disagrees: " << text(profile, insn));
    }).pairs();
  }
}

TEST_CASE("sweep: pairs of sources of one sort are refused, others are not") {
  check_tallies(&Sweep::pairs, &Least::pairs_refused, &Least::pairs_refused);
}

TEST_CASE("sweep: every number in every position, and its neighbours") {
  check_tallies(&Sweep::numbers, &Least::numbers, &Least::numbers_refused);
}

TEST_CASE("sweep: every token of every instruction") {
  check_tallies(&Sweep::tokens, &Least::tokens, &Least::tokens_refused);
}

TEST_CASE("sweep: ctx_arb takes signals or exactly one of its special names") {
  for (const Least& min : kMin) CHECK(Sweep(min.profile, encoded(min.profile)).contexts().good >= min.contexts);
}

TEST_CASE("sweep: parts that an instruction does not have are refused") {
  for (const Least& min : kMin) CHECK(Sweep(min.profile, encoded(min.profile)).parts().refused > 100);
}
