// The two public programs with words of the vendor's assembler (isa.md 1). They are not part of this project: the test
// runs only where WEFT_IXP2000 names a folder that holds them.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "skip.h"
#include "weft/assembler/assembler.h"
#include "weft/base/files.h"
#include "weft/base/render.h"
#include "weft/isa/isa.h"
#include "word_equivalence.h"

using namespace weft;
using namespace weft::assembler;

namespace {

struct Pair {
  const char* name;
  size_t words;
  const char* sha256;
  const char* pins;
  std::optional<test::PushOrder> push;
  std::vector<uint32_t> excluded;  ///< words that asm-maybe-unset tells about
};
const Pair kPairs[] = {
    {"ixp2400_rx",
     109,
     "8108006cf1742e094f3f2cc580b93f744595a9153e5f1de1ddf451c943199791",
     "rx.pins",
     test::PushOrder{1, 2, 25},
     {65, 66, 67}},
    {"ixp2400_tx", 77, "98d967fcb353fb3fdc941a19fbc9c12ca36bcbf637a17b36423a0069034c4a73", "tx.pins", std::nullopt, {}},
};

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

/// The program of a pair and the words that the vendor's assembler made of it.
using Check = std::function<void(const Pair& pair, const std::string& source, const std::vector<uint64_t>& words)>;

void each_pair(const Check& check) {
  const char* folder = std::getenv("WEFT_IXP2000");
  if (!folder || !*folder) {
    return weft::skip_test(
        "WEFT_IXP2000 does not name the folder with ixp2400_rx.uc, .ucode and ixp2400_tx.uc, .ucode");
  }
  for (const Pair& pair : kPairs) {
    CAPTURE(pair.name);
    const std::string path = std::string(folder) + "/" + pair.name;
    const auto text = read_file(path + ".ucode");
    REQUIRE(text);
    const std::vector<uint64_t> words = words_of(insn_bytes(*text));
    REQUIRE(words.size() == pair.words);
    REQUIRE(sha256(words) == pair.sha256);
    check(pair, path + ".uc", words);
  }
}

std::vector<uint64_t> assembled(const Assembly& a) {
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  return a.image->words;
}
std::vector<uint64_t> assembled(const std::string& text) {
  return assembled(assemble(make_source("w.uc", text), Options{}));
}

}  // namespace

TEST_CASE("oracle: the public words survive disassembly and assembly") {
  each_pair([](const Pair& pair, const std::string&, const std::vector<uint64_t>& words) {
    const std::string source = disassemble(isa::Profile::me2, words);
    CHECK(source.find(".word") == std::string::npos);
    const auto again = assembled(source);
    CHECK(again == words);
    CHECK(sha256(again) == pair.sha256);
  });
}

TEST_CASE("oracle: with the published allocation every public word comes out of the unchanged sources") {
  each_pair([](const Pair& pair, const std::string& source, const std::vector<uint64_t>& words) {
    const auto pins = read_source(std::string(WEFT_SOURCE_DIR "/tests/assembler/oracle/") + pair.pins);
    REQUIRE(pins);
    Options options;
    options.pins = *pins;
    const auto ours = assembled(assemble(source, options));
    REQUIRE(ours.size() == words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      CAPTURE(i, isa::print(isa::Profile::me2, *isa::decode(isa::Profile::me2, words[i]), isa::PrintNames()));
      CHECK(fmt::format("{:010x}", ours[i]) == fmt::format("{:010x}", words[i]));
    }
    CHECK(sha256(ours) == pair.sha256);
  });
}

TEST_CASE("oracle: without pins the words differ in register and signal numbers only") {
  each_pair([](const Pair& pair, const std::string& source, const std::vector<uint64_t>& words) {
    const auto ours = assembled(assemble(source, Options{}));
    CHECK(ours.size() <= pair.words);
    CHECK(test::differ_beyond_registers(ours, words, pair.push, pair.excluded) == "");
  });
}

TEST_CASE("words: a register that is overwritten, a confused pair and a changed constant are differences") {
  const auto words = [](const std::string& text) {
    return assembled(".registers physical\n" + text + "ctx_arb[kill]\n");
  };
  const auto base = words("immed[a0, 1]\nimmed[b0, 2]\nalu[a1, a0, +, b0]\nalu[a2, a1, -, b0]\n");
  const auto difference = [&](const std::string& text) { return test::differ_beyond_registers(words(text), base); };
  CHECK(test::differ_beyond_registers(base, base) == "");
  CHECK(difference("immed[b3, 1]\nimmed[a4, 2]\nalu[b3, b3, +, a4]\nalu[b0, b3, -, a4]\n") == "");
  // The second source is gone when it is read again.
  CHECK(difference("immed[b3, 1]\nimmed[a4, 2]\nalu[a4, b3, +, a4]\nalu[b0, b3, -, a4]\n") != "");
  CHECK(difference("immed[a0, 1]\nimmed[b0, 2]\nalu[a1, b0, +, a0]\nalu[a2, a1, -, b0]\n") != "");
  CHECK(difference("immed[a0, 1]\nimmed[b0, 3]\nalu[a1, a0, +, b0]\nalu[a2, a1, -, b0]\n") != "");
}
