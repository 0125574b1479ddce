// weft dis: an Image or raw words to source that assembles to the same words.
#include <fmt/format.h>

#include <memory>

#include "assembly_target.h"
#include "commands.h"
#include "console.h"
#include "weft/assembler/assembler.h"
#include "weft/base/limits.h"
#include "weft/workbench/project.h"

namespace weft::cli {
namespace {

struct DisOptions {
  std::string file;
  std::string output = "-";
  bool raw = false;
  std::string chip = "ixp2400";
};

int disassemble_raw(const DisOptions& options, const std::string& bytes) {
  const auto chip = load_part(options.chip);
  if (!chip) {
    report(chip.error());
    return kWrongInput;
  }
  const unsigned size = isa::word_bytes(chip->profile);
  if (bytes.empty() || bytes.size() % size != 0) {
    Diagnostics out;
    out.error("dis-length", whole_file(options.file),
              fmt::format("{} bytes are not a whole number of words of {} bytes", bytes.size(), size),
              "raw words follow each other, the most significant byte first, without parity");
    report(out);
    return kWrongInput;
  }
  std::vector<uint64_t> words(bytes.size() / size);
  for (size_t i = 0; i < bytes.size(); ++i)
    words[i / size] = words[i / size] << 8 | static_cast<unsigned char>(bytes[i]);
  return write_output(options.output, assembler::disassemble(chip->profile, words)) ? kDone : kWrongInput;
}

}  // namespace

Command declare_dis(CLI::App& app) {
  auto options = std::make_shared<DisOptions>();
  app.add_option("FILE", options->file, "an Image, or raw words with --raw; - is standard input")->required();
  app.add_option("-o", options->output, "output file")->capture_default_str();
  app.add_flag("--raw", options->raw, "FILE holds words only: 5 bytes each, most significant first");
  app.add_option("--chip", options->chip, "chip of raw words")->capture_default_str();
  return [options]() -> int {
    if (!outputs_are_good({{"-o", options->output}}, {options->file})) return kWrongInput;
    auto bytes = read_input(options->file, limits::kFileBytes);
    if (!bytes) {
      report(bytes.error());
      return kWrongInput;
    }
    if (options->raw) return disassemble_raw(*options, *bytes);
    const size_t first = bytes->find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string::npos || ((*bytes)[first] != '{' && (*bytes)[first] != '/')) {
      Diagnostics out;
      out.error("image-format", whole_file(options->file), fmt::format("'{}' is not an Image", options->file),
                "make one with `weft asm`; words without anything around them are read with --raw");
      report(out);
      return kWrongInput;
    }
    const auto image = image::from_json(make_source(options->file, std::move(*bytes)));
    if (!image) {
      report(image.error());
      return kWrongInput;
    }
    return write_text(options->output, assembler::disassemble(*image)) ? kDone : kWrongInput;
  };
}

}  // namespace weft::cli
