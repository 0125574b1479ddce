// weft asm: text to Image, words, hexadecimal text or a C array.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "assembly_target.h"
#include "commands.h"
#include "console.h"
#include "messages.h"
#include "print.h"
#include "weft/assembler/assembler.h"
#include "weft/assembler/catalogue.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/workbench/project.h"

namespace weft::cli {
namespace {

struct AsmOptions {
  std::vector<std::string> files;
  std::string output;
  std::string chip = "ixp2400";
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  bool preprocess_only = false;
  bool wide = false;
  bool undefined_is_zero = false;
  bool case_sensitive = false;
  std::vector<std::string> warnings;
  std::string emit = "image";
  std::string listing;
  std::string dump;
  MessageOptions messages;
  std::string dependencies;
  std::string pins;
  bool optimize = false;
  bool repair_banks = false;
  bool spill = false;
};

std::string raw_words(const image::Image& image) {
  const unsigned bytes = isa::word_bytes(image.profile);
  std::string out;
  for (uint64_t word : image.words)
    for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(word >> (8 * i));
  return out;
}

std::string hex_words(const image::Image& image) {
  const int digits = static_cast<int>(isa::word_bytes(image.profile) * 2);
  std::string out;
  for (uint64_t word : image.words) out += fmt::format("{:0{}x}\n", word, digits);
  return out;
}

/// A C array of 64-bit numbers, for 40-bit words with the parity bits that the control store expects.
std::string c_words(const image::Image& image) {
  std::string name;
  for (char c : image.name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const bool parity = isa::word_bits(image.profile) == 40;
  std::string out =
      fmt::format("/* {} words for {}{} */\n", image.words.size(), image.chip, parity ? ", parity bits included" : "");
  out += fmt::format("const unsigned long long {}[{}] = {{\n", name.empty() ? "words" : name, image.words.size());
  for (uint64_t word : image.words)
    out += fmt::format("  0x{:0{}x},\n", parity ? isa::with_parity(word) : word, parity ? 12 : 8);
  return out + "};\n";
}

std::string output_bytes(const image::Image& image, const std::string& emit) {
  if (emit == "words") return raw_words(image);
  if (emit == "hex") return hex_words(image);
  if (emit == "c") return c_words(image);
  return image::to_json(image);
}

/// A file name as make reads it.
std::string make_name(const std::string& file) {
  std::string out;
  for (char c : file) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

std::string dependency_rule(const std::string& target, const std::vector<std::string>& files) {
  std::string out = make_name(target) + ":";
  for (const std::string& file : files)
    if (file.find('\n') == std::string::npos) out += " \\\n  " + make_name(file);  // make has no way to name others
  return out + "\n";
}

bool stops_early(const AsmOptions& options) { return options.preprocess_only || !options.dump.empty(); }

std::vector<NamedFile> asm_outputs(const AsmOptions& options) {
  std::vector<NamedFile> outputs{{"-o", options.output.empty() ? "-" : options.output}};
  if (!stops_early(options)) {
    if (!options.listing.empty()) outputs.push_back({"--list", options.listing});
    if (!options.dependencies.empty()) outputs.push_back({"-MD", options.dependencies});
  }
  if (!options.messages.file.empty()) outputs.push_back({"--diagnostics-file", options.messages.file});
  return outputs;
}

/// The options for one of the sources.
AsmOptions for_source(const AsmOptions& options, const std::string& file) {
  AsmOptions one = options;
  if (options.files.size() == 1) return one;
  const char* suffix = one.emit == "image"   ? ".json"
                       : one.emit == "words" ? ".words"
                       : one.emit == "hex"   ? ".hex"
                                             : ".c";
  one.output = (std::filesystem::path(options.output) / std::filesystem::path(file).stem()).string() + suffix;
  return one;
}

/// Everything that would be written twice, before anything is written. What standard output takes is one thing: two
/// would be neither.
int nothing_twice(const AsmOptions& options) {
  const bool several = options.files.size() > 1;
  if (several && is_standard_output(options.output)) {
    print_error("weft asm: standard output cannot hold what several sources give; name a folder with -o\n");
    return kWrongUsage;
  }
  std::vector<NamedFile> all;
  for (const std::string& file : options.files) {
    for (NamedFile output : asm_outputs(for_source(options, file))) {
      const bool of_all = output.option == "--diagnostics-file";
      if (of_all && &file != &options.files.front()) continue;
      if (several && !of_all) output.option += fmt::format(" of {}", file);
      all.push_back(std::move(output));
    }
  }
  std::string console = options.messages.to_console() && options.messages.file.empty() ? "--diagnostics" : "";
  for (const NamedFile& output : all) {
    if (!is_standard_output(output.path)) continue;
    if (!console.empty()) {
      print_error("weft asm: {} and {} both go to standard output; name a file with -o or --diagnostics-file\n",
                  console, output.option);
      return kWrongUsage;
    }
    console = output.option;
  }
  return outputs_are_good(all, {}) ? kDone : kWrongInput;
}

int assemble_one(const AsmOptions& options, const std::string& file, Messages& messages) {
  assembler::Options settings;
  settings.include_dirs = options.include_dirs;
  settings.wide = options.wide;
  settings.undefined_is_zero = options.undefined_is_zero;
  settings.case_sensitive = options.case_sensitive;
  settings.dump = options.preprocess_only ? "preprocessed" : options.dump;
  settings.listing = !options.listing.empty();
  define_names(settings, options.defines);
  const auto chip = load_part(options.chip);
  if (!chip) {
    report(chip.error());
    return kWrongInput;
  }
  assemble_for(settings, *chip);
  settings.lost = chip->lost;

  settings.optimize = options.optimize;
  settings.repair_banks = options.repair_banks;
  settings.spill = options.spill;
  for (const std::string& text : options.warnings) settings.warnings.add(text);
  if (!options.pins.empty()) {
    auto pins = read_source(options.pins);
    if (!pins) {
      report(pins.error());
      return kWrongInput;
    }
    settings.pins = std::move(*pins);
  }

  assembler::Assembly assembly;
  if (file == "-") {
    auto text = read_input("-", limits::kSourceBytes);
    if (!text) return report(text.error()), kWrongInput;
    assembly = assembler::assemble(make_source("<standard input>", without_mark(std::move(*text))), settings);
  } else {
    assembly = assembler::assemble(file, settings);
  }
  const Diagnostics& diagnostics = assembly.diagnostics;
  report(diagnostics);
  messages.reads(assembly.files);
  if (diagnostics.has_errors()) return kWrongInput;

  const std::vector<NamedFile> outputs = asm_outputs(options);
  std::vector<std::string> inputs = assembly.files;
  inputs.push_back(file);
  if (!outputs_are_good(outputs, inputs)) return kWrongInput;

  if (!settings.dump.empty()) {
    const std::string to = options.output.empty() ? "-" : options.output;
    // What -E writes is source text for others to read.
    return (options.preprocess_only ? write_output(to, assembly.dump) : write_text(to, assembly.dump)) ? kDone
                                                                                                       : kWrongInput;
  }
  if (!assembly.image) return kWrongInput;

  const std::string output = options.output.empty() ? "-" : options.output;
  const std::string bytes = output_bytes(*assembly.image, options.emit);
  if (!(options.emit == "words" ? write_output(output, bytes) : write_text(output, bytes))) return kWrongInput;
  if (!options.listing.empty() && !write_text(options.listing, assembly.listing)) return kWrongInput;
  if (!options.dependencies.empty() && !write_output(options.dependencies, dependency_rule(output, assembly.files)))
    return kWrongInput;
  return kDone;
}

std::string good_definition(const std::string& text) {
  const std::string name = text.substr(0, text.find('='));
  const bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return good ? "" : fmt::format("'{}' cannot be defined; write -D NAME or -D NAME=VALUE", text);
}

std::string good_warning(const std::string& text) {
  assembler::WarningOptions one;
  if (!one.add(text)) return fmt::format("-W{} has no meaning; write -Wall, -Werror, -WNAME or -Wno-NAME", text);
  const auto groups = assembler::catalogue();
  for (const std::string& name : one.named()) {
    if (!assembler::code_of_class(groups, name))
      return fmt::format("there is no warning '{}'; {}", name, assembler::remedy_of_class(groups, name));
  }
  return "";
}

}  // namespace

Command declare_asm(CLI::App& app) {
  auto options = std::make_shared<AsmOptions>();
  app.add_option("FILE", options->files, "source files; - is standard input")->required();
  app.add_option("-o", options->output, "output file; with several sources a folder; - is standard output");
  app.add_option("--chip", options->chip, "chip description, by name or file")->capture_default_str();
  app.add_option("-I", options->include_dirs, "folder for #include")->allow_extra_args(false);
  app.add_option("-D", options->defines, "NAME[=VALUE]: define before the first line")
      ->allow_extra_args(false)
      ->check(CLI::Validator(good_definition, ""));
  app.add_flag("-E", options->preprocess_only, "preprocess only");
  app.add_flag("--preproc64", options->wide, "preprocessor arithmetic with 64 bits instead of 32");
  app.add_flag("--preproc-c", options->undefined_is_zero,
               "an undefined name in an #if counts as 0 instead of being an error");

  app.add_flag("-C,--case-sensitive", options->case_sensitive, "names that differ by case alone are different names");

  app.add_flag("-O", options->optimize, "optimise: fill deferred slots, shorten branches, drop dead nops");
  app.add_flag("--repair-banks", options->repair_banks, "put in the moves that bank conflicts need");
  app.add_flag("--spill", options->spill, "keep in local memory what finds no register");
  app.add_option("-W", options->warnings, "warning classes: all, NAME, no-NAME, error, error=NAME, no-error=NAME")
      ->allow_extra_args(false)
      ->check(CLI::Validator(good_warning, ""));
  app.add_option("--emit", options->emit, "what to write")
      ->check(CLI::IsMember({"image", "words", "hex", "c"}))
      ->capture_default_str();
  app.add_option("--list", options->listing, "write a listing");
  app.add_option("--dump", options->dump, "stop after a stage and print it")
      ->check(CLI::IsMember({"tokens", "preprocessed", "ast", "ir", "allocation", "final"}));
  declare_messages(app, options->messages);

  app.add_option("--pin", options->pins, "force registers per live range (docs/assembler-options.md)");
  app.add_option("--MD", options->dependencies, "write the files read as a make rule");
  return [options]() -> int {
    Messages messages(options->messages);
    messages.reads(options->files);
    messages.reads({options->pins, options->chip});
    int worst = nothing_twice(*options);
    if (worst != kDone) return messages.finish(worst);
    for (const std::string& file : options->files)
      worst = std::max(worst, assemble_one(for_source(*options, file), file, messages));
    return messages.finish(worst);
  };
}

}  // namespace weft::cli
