// Hashes and differences of records, by their fields.
#include "weft/base/record.h"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <optional>

namespace weft::test {

struct Step {
  uint16_t pc = 0;
  bool taken = false;
  WEFT_FIELDS(Step, pc, taken)
};
struct Walk : Step {
  std::array<uint8_t, 4> last{};
  uint8_t count = 0;
  std::vector<Step> steps = {};
  std::optional<uint32_t> limit = {};
  std::shared_ptr<const std::string> name = {};
  std::map<unsigned, Step> marks = {};
  std::variant<uint8_t, Step> end = {};
  int stopped_at = -1;
  const int* owner = nullptr;
  WEFT_FIELDS(Walk, WEFT_BASE(Step), fields::first(last, count), count, steps, limit, name, marks, end,
              fields::uncompared(stopped_at), fields::left_out(owner))
};
struct Grown : Step {
  int more = 0;
};

}  // namespace weft::test

using namespace weft;
using namespace weft::test;

namespace {

template <class Change>
std::vector<Difference> changed(const Change& change) {
  Walk a;
  a.steps.resize(2);
  a.marks[7].pc = 1;
  a.count = 2;
  Walk b = a;
  change(b);
  const auto found = differences(a, b);
  CHECK((Hash().add(a).value() == Hash().add(b).value()) == found.empty());
  return found;
}

}  // namespace

TEST_CASE("a hash is FNV-1a on 64-bit values") {
  // By hand: (0xcbf29ce484222325 ^ 1) * 0x100000001b3 modulo 2^64, then that ^ itself >> 29.
  CHECK(Hash().add(1).value() == 0xaf63bc49fd1c5448);
  CHECK(Hash().add(Step{1, false}).value() == Hash().add(1).add(0).value());
  CHECK(Hash().add(std::vector<int>{5}).value() == Hash().add(1).add(5).value());
}

TEST_CASE("differences name the field by its path") {
  using List = std::vector<Difference>;
  CHECK(changed([](Walk&) {}).empty());
  CHECK(changed([](Walk& w) { w.pc = 3; }) == List{{"pc", "0x0", "0x3"}});
  CHECK(changed([](Walk& w) { w.last[1] = 9; }) == List{{"last[1]", "0x0", "0x9"}});
  CHECK(changed([](Walk& w) { w.steps[1].taken = true; }) == List{{"steps[1].taken", "0x0", "0x1"}});
  CHECK(changed([](Walk& w) { w.steps.pop_back(); }) == List{{"steps.size", "0x2", "0x1"}});
  CHECK(changed([](Walk& w) { w.limit = 0; }) == List{{"limit.there", "0x0", "0x1"}});
  CHECK(changed([](Walk& w) { w.marks[7].pc = 2; }) == List{{"marks[7].pc", "0x1", "0x2"}});
  CHECK(changed([](Walk& w) { w.marks[8]; }) == List{{"marks[8]", "0x0", "0x1"}});
  CHECK(changed([](Walk& w) { w.end = Step{}; }) == List{{"end.index", "0x0", "0x1"}});
  Walk a, b;
  a.name = std::make_shared<const std::string>("in");
  b.name = std::make_shared<const std::string>("out");
  CHECK(differences(a, b) == List{{"name", "\"in\"", "\"out\""}});
  b.name = std::make_shared<const std::string>("in");
  CHECK(differences(a, b).empty());  // another one, but equal
  a.last = {1, 2, 3, 4};
  a.count = b.count = 4;
  CHECK(differences(a, b, 2).size() == 2);
}

TEST_CASE("what a mark takes out is no difference") {
  const int other = 0;
  CHECK(changed([](Walk& w) { w.last[2] = 9; }).empty());  // after `count`
  CHECK(changed([](Walk& w) { w.stopped_at = 4; }).empty());
  CHECK(changed([&](Walk& w) { w.owner = &other; }).empty());
}

TEST_CASE("the members of an aggregate are counted, bases too") {
  CHECK(fields::members<Step>() == 2);
  CHECK(fields::members<Walk>() == 10);
  // fields_of() of this one does not compile: its list is that of its base.
  CHECK_FALSE(fields::Access::own<Grown>());
}
