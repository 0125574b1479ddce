// Values as bytes, and back.
#include "weft/base/binary.h"

#include <catch2/catch.hpp>
#include <fstream>

namespace weft::test {

enum class Kind : uint8_t { one, two };
struct Base {
  uint32_t number = 0;
  WEFT_FIELDS(Base, number)
};
struct Record : Base {
  Kind kind = Kind::one;
  bool flag = false;
  std::string name;
  std::vector<Base> list;
  std::optional<uint64_t> maybe = {};
  std::map<std::string, std::deque<uint16_t>> map = {};
  std::array<std::unique_ptr<Base>, 2> owned = {};
  std::shared_ptr<const std::vector<uint8_t>> shared = {}, other = {};
  WEFT_FIELDS(Record, WEFT_BASE(Base), kind, flag, name, list, maybe, map, owned, shared, other)
};
struct OneMore {
  uint32_t number = 0;
  uint16_t more = 0;
  WEFT_FIELDS(OneMore, number, more)
};
/// Holds something that its owner has set.
struct Holder {
  const int* own = nullptr;
  uint32_t value = 0;
  WEFT_FIELDS(Holder, fields::left_out(own), value)
};

}  // namespace weft::test

using namespace weft;
using namespace weft::test;

namespace {

Record example() {
  Record r;
  r.number = 7;
  r.kind = Kind::two;
  r.flag = true;
  r.name = std::string("a\0b", 3);
  r.list.resize(3);
  r.list[2].number = 9;
  r.maybe = UINT64_MAX;
  r.map["x"] = {1, 2, 65535};
  r.owned[1] = std::make_unique<Base>();
  r.owned[1]->number = 11;
  r.shared = r.other = std::make_shared<const std::vector<uint8_t>>(100, uint8_t{5});
  return r;
}

std::string bytes_of(const Record& record) {
  ByteWriter out;
  put(out, record);
  return out.take();
}

}  // namespace

TEST_CASE("a record is read as it was written") {
  const std::string bytes = bytes_of(example());
  CHECK(bytes.size() < 300);  // what is shared stands there once
  Record r;
  r.list.resize(8);
  r.map["old"] = {3};
  ByteReader in(bytes);
  get(in, r);
  REQUIRE(in.good());
  CHECK(in.left() == 0);
  CHECK(r.number == 7);
  CHECK(r.kind == Kind::two);
  CHECK(r.flag);
  CHECK(r.name == std::string("a\0b", 3));
  REQUIRE(r.list.size() == 3);
  CHECK(r.list[2].number == 9);
  CHECK(r.maybe == UINT64_MAX);
  CHECK(r.map == std::map<std::string, std::deque<uint16_t>>{{"x", {1, 2, 65535}}});
  CHECK_FALSE(r.owned[0]);
  CHECK(r.owned[1]->number == 11);
  CHECK(r.shared == r.other);  // the same one
  CHECK(*r.shared == std::vector<uint8_t>(100, 5));
}

TEST_CASE("what the fields leave out stays as it is") {
  const int own = 1;
  Holder holder{&own, 5};
  ByteWriter out;
  put(out, holder);
  Holder other{&own, 0};
  ByteReader in(out.bytes());
  get(in, other);
  CHECK(other.own == &own);
  CHECK(other.value == 5);
}

TEST_CASE("bytes that are cut off are told, whatever is missing") {
  const std::string bytes = bytes_of(example());
  for (size_t size = 0; size < bytes.size(); ++size) {
    Record r;
    ByteReader in(std::string_view(bytes).substr(0, size));
    get(in, r);
    CHECK_FALSE(in.good());
  }
}

TEST_CASE("sizes that cannot be are refused before room is made for them") {
  ByteWriter out;
  put(out, uint64_t{1} << 60);
  std::vector<uint32_t> list;
  ByteReader in(out.bytes());
  get(in, list);
  CHECK_FALSE(in.good());
  CHECK(list.empty());
  // Enough bytes for the size, too few for the elements.
  ByteWriter more;
  put(more, uint64_t{8});
  put(more, uint64_t{0});
  ByteReader second(more.bytes());
  get(second, list);
  CHECK_FALSE(second.good());
}

TEST_CASE("records of another form have another layout") {
  CHECK(layout<Base>() != layout<OneMore>());
  CHECK(layout<Base>() != layout<Record>());
  CHECK(layout<std::vector<Base>>() != layout<std::vector<OneMore>>());
  CHECK(layout<uint32_t>() != layout<float>());
  CHECK(layout<std::array<uint8_t, 4>>() != layout<std::array<uint8_t, 5>>());
  CHECK(layout<std::vector<Base>>() == layout<std::deque<Base>>());  // the same bytes
}

TEST_CASE("a reader that owns its bytes gives them back on the way and reads the same") {
  std::vector<uint32_t> numbers(5'000'000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i * 2654435761u);
  const std::vector<std::string> texts(300'000, "some text");
  ByteWriter out;
  put(out, numbers);
  put(out, texts);
  put(out, numbers);
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    size_t all = 0, pages = 0;
    file >> all >> pages;
    return pages * 4096;
  };
  ByteReader in(out.take());
  std::vector<uint32_t> first, second;
  std::vector<std::string> read;
  get(in, first);
  [[maybe_unused]] const size_t before = resident();  // what is resident says nothing below a sanitizer
  get(in, read);
  get(in, second);
  CHECK(in.good());
  CHECK(in.left() == 0);
  CHECK(first == numbers);
  CHECK(read == texts);
  CHECK(second == numbers);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they keep freed memory for a while
  // 30 MB came, and 23 went.
  CHECK(resident() < before + (size_t{24} << 20));
#endif
  ByteWriter cut;
  put(cut, numbers);
  std::string half = cut.take().substr(0, 9'000'000);
  ByteReader damaged(std::move(half));
  get(damaged, first);
  CHECK_FALSE(damaged.good());
}
