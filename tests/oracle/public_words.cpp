#include "public_words.h"

#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "skip.h"
#include "weft/base/files.h"

namespace weft::test {
namespace {

/// The text after `.name =` up to its comma at depth 0.
std::string member(const std::string& text, const std::string& name) {
  size_t at = text.find("." + name);
  if (at == std::string::npos || (at = text.find('=', at)) == std::string::npos)
    throw std::runtime_error("there is no ." + name);
  size_t end = ++at;
  for (int depth = 0; end < text.size() && (depth > 0 || (text[end] != ',' && text[end] != '}')); ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}') --depth;
  }
  return text.substr(at, end - at);
}

/// The numbers inside the outermost braces, a minus sign included.
std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> out;
  const size_t open = text.find('{');
  if (open == std::string::npos) throw std::runtime_error("a list in braces is expected");
  for (size_t at = open; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '-') {
      size_t used = 0;
      out.push_back(std::stoll(text.substr(at, 16), &used, 0));
      at += used;
    } else {
      ++at;
    }
  }
  return out;
}

/// Parameter names without their prefix, and the bits of CTX_ENABLES that they stand for (isa.md 8).
uint32_t mode_bits(const std::string& text) {
  static const std::map<std::string, uint32_t> kBits{
      {"4_CONTEXTS", 1u << 31},        {"8_CONTEXTS", 0},
      {"PRN_UPDATE_EVERY", 1u << 30},  {"PRN_UPDATE_ON_ACCESS", 0},
      {"NN_FROM_SELF", 1u << 20},      {"NN_FROM_PREVIOUS", 0},
      {"ASSERT_EMPTY_AT_3", 3u << 18}, {"ASSERT_EMPTY_AT_2", 2u << 18},
      {"ASSERT_EMPTY_AT_1", 1u << 18}, {"ASSERT_EMPTY_AT_0", 0},
      {"LM_ADDR1_GLOBAL", 1u << 17},   {"LM_ADDR1_PER_CONTEXT", 0},
      {"LM_ADDR0_GLOBAL", 1u << 16},   {"LM_ADDR0_PER_CONTEXT", 0},
  };
  const std::string prefix = "UENGINE_";
  uint32_t out = 0;
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
    at += prefix.size();
    size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    const auto found = kBits.find(text.substr(at, end - at));
    if (found == kBits.end()) throw std::runtime_error("unknown parameter " + text.substr(at, end - at));
    out |= found->second;
  }
  return out;
}

}  // namespace

std::optional<std::string> public_folder() {
  const char* path = std::getenv("WEFT_IXP2000");
  if (path != nullptr && *path != '\0') return path;
  skip_test("WEFT_IXP2000 does not name the folder with ixp2400_rx.ucode and ixp2400_tx.ucode");
  return std::nullopt;
}

PublicProgram read_public(const std::string& folder, const std::string& name) {
  const auto text = read_file(folder + "/" + name);
  if (!text) throw std::runtime_error("cannot read " + folder + "/" + name);
  PublicProgram out;
  out.ctx_enables = mode_bits(member(*text, "uengine_parameters"));
  const std::vector<int64_t> registers = numbers(member(*text, "initial_reg_values"));
  for (size_t i = 0; i + 1 < registers.size() && registers[i] != -1; i += 2)
    out.registers.push_back({(registers[i] & 0x400) != 0, (registers[i] & 0x80) != 0,
                             static_cast<uint32_t>(registers[i] & 0x7f), static_cast<uint32_t>(registers[i + 1])});
  const std::vector<int64_t> bytes = numbers(member(*text, "insns"));
  if (bytes.size() % 5 != 0) throw std::runtime_error("words of 5 bytes are expected");
  for (size_t i = 0; i < bytes.size(); i += 5) {
    uint64_t word = 0;
    for (size_t k = 0; k < 5; ++k) word = word << 8 | (static_cast<uint64_t>(bytes[i + k]) & 0xff);
    out.words.push_back(word);
  }
  const std::vector<int64_t> count = numbers("{" + member(*text, "num_insns") + "}");
  if (count.empty() || static_cast<size_t>(count[0]) != out.words.size())
    throw std::runtime_error("the number of words is not as announced");
  return out;
}

}  // namespace weft::test
