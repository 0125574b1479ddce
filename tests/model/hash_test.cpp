// The hash unit's arithmetic against the bit-by-bit division of gf2.py, which writes the vectors at build time. How
// operands reach the unit is tested in tests/emulator/units_hash.cpp.
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <string>

#include "units/hash_unit.h"

namespace {

std::array<uint32_t, 4> longwords(const std::string& hex) {
  std::array<uint32_t, 4> words{};
  std::string rest = hex;
  for (uint32_t& word : words) {
    const size_t begin = rest.size() > 8 ? rest.size() - 8 : 0;
    if (rest.empty()) break;
    word = static_cast<uint32_t>(std::stoul(rest.substr(begin), nullptr, 16));
    rest.resize(begin);
  }
  return words;
}

}  // namespace

TEST_CASE("hashes are what division bit by bit gives") {
  std::ifstream vectors(WEFT_BINARY_DIR "/tests/model/hash_vectors.txt");
  REQUIRE(vectors);
  std::map<unsigned, int> count;
  unsigned width = 0;
  for (std::string a, m, hash; vectors >> width >> a >> m >> hash;) {
    CAPTURE(width, a, m);
    CHECK(weft::emulator::gf2_hash(width, longwords(a), longwords(m)) == longwords(hash));
    ++count[width];
  }
  CHECK((count[48] >= 1000 && count[64] >= 1000 && count[128] >= 1000));
}
