// The two public programs with words of the vendor's assembler (isa.md 1). They are not part of this project: the test
// runs only where WEFT_IXP2000 names a folder that holds them.
#include <catch2/catch.hpp>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

struct Pair {
  const char* name;
  size_t words;
  const char* sha256;
};
constexpr Pair kPairs[] = {
    {"ixp2400_rx", 109, "8108006cf1742e094f3f2cc580b93f744595a9153e5f1de1ddf451c943199791"},
    {"ixp2400_tx", 77, "98d967fcb353fb3fdc941a19fbc9c12ca36bcbf637a17b36423a0069034c4a73"},
};

std::optional<std::string> folder() {
  const char* path = std::getenv("WEFT_IXP2000");
  if (!path || !*path) {
    WARN("skipped: WEFT_IXP2000 does not name the folder with ixp2400_rx.uc, .ucode and ixp2400_tx.uc, .ucode");
    return std::nullopt;
  }
  return path;
}

/// The bytes of the `.insns` member of a .ucode file: C source with a list of numbers in braces.
std::vector<uint8_t> insn_bytes(const std::string& text) {
  std::vector<uint8_t> out;
  size_t at = text.find(".insns");
  REQUIRE(at != std::string::npos);
  at = text.find('{', at);
  REQUIRE(at != std::string::npos);
  for (++at; at < text.size() && text[at] != '}';) {
    if (std::isdigit(static_cast<unsigned char>(text[at]))) {
      size_t used = 0;
      out.push_back(static_cast<uint8_t>(std::stoul(text.substr(at, 12), &used, 0)));
      at += used;
    } else {
      ++at;
    }
  }
  return out;
}

std::vector<uint64_t> words_of(const std::vector<uint8_t>& bytes) {
  REQUIRE(bytes.size() % 5 == 0);
  std::vector<uint64_t> words;
  for (size_t i = 0; i < bytes.size(); i += 5) {
    uint64_t word = 0;
    for (size_t k = 0; k < 5; ++k) word = word << 8 | bytes[i + k];
    words.push_back(word);
  }
  return words;
}

/// The sum of the words as 5 bytes each, most significant first, by the system's sha256sum.
std::string sha256(const std::vector<uint64_t>& words) {
  const std::filesystem::path path = std::filesystem::path(WEFT_BINARY_DIR) / "oracle_words.bin";
  {
    std::ofstream out(path, std::ios::binary);
    for (uint64_t word : words) {
      for (int shift = 32; shift >= 0; shift -= 8) out.put(static_cast<char>(word >> shift & 0xff));
    }
  }
  std::FILE* pipe = popen(("sha256sum '" + path.string() + "'").c_str(), "r");
  REQUIRE(pipe);
  char sum[65] = {};
  const size_t got = std::fread(sum, 1, 64, pipe);
  pclose(pipe);
  std::filesystem::remove(path);
  return std::string(sum, got);
}

}  // namespace

TEST_CASE("oracle: the public words survive disassembly and assembly") {
  const auto where = folder();
  if (!where) return;
  for (const Pair& pair : kPairs) {
    CAPTURE(pair.name);
    const auto text = read_file(*where + "/" + pair.name + ".ucode");
    REQUIRE(text);
    const std::vector<uint64_t> words = words_of(insn_bytes(*text));
    REQUIRE(words.size() == pair.words);
    REQUIRE(sha256(words) == pair.sha256);
    const std::string source = disassemble(isa::Profile::me2, words);
    CHECK(source.find(".word") == std::string::npos);
    const Assembly a = assemble(make_source(pair.name, source), Options{});
    INFO(render_text(a.diagnostics));
    REQUIRE(a.image);
    CHECK(a.image->words == words);
    CHECK(sha256(a.image->words) == pair.sha256);
  }
}

TEST_CASE("oracle: the public sources assemble to as many words of the same instructions") {
  const auto where = folder();
  if (!where) return;
  for (const Pair& pair : kPairs) {
    CAPTURE(pair.name);
    const auto text = read_file(*where + "/" + pair.name + ".ucode");
    REQUIRE(text);
    const std::vector<uint64_t> words = words_of(insn_bytes(*text));
    const Assembly a = assemble(*where + "/" + pair.name + ".uc", Options{});
    INFO(render_text(a.diagnostics));
    REQUIRE(a.image);
    REQUIRE(a.image->words.size() == pair.words);
    for (size_t i = 0; i < words.size(); ++i) {
      const auto ours = isa::decode(isa::Profile::me2, a.image->words[i]);
      const auto theirs = isa::decode(isa::Profile::me2, words[i]);
      REQUIRE(ours);
      REQUIRE(theirs);
      CAPTURE(i, a.image->words[i], words[i]);
      CHECK(ours->id == theirs->id);
      CHECK((*ours)[isa::Role::target] == (*theirs)[isa::Role::target]);
      CHECK((*ours)[isa::Role::op] == (*theirs)[isa::Role::op]);
      CHECK((*ours)[isa::Role::count] == (*theirs)[isa::Role::count]);
      CHECK(ours->dest.kind == theirs->dest.kind);
    }
  }
}
