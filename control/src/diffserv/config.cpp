#include "weft/control/diffserv/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "weft/base/json.h"
#include "weft/control/route_file.h"

namespace weft::control::diffserv {

namespace {

class Lines {
 public:
  explicit Lines(DiffservConfig& config) : config_(config) {}

  void read(const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words, Diagnostics& out) {
    file_ = file;
    line_ = line;
    words_ = &words;
    out_ = &out;
    const std::string_view kind = word(0);
    if (kind == "rules")
      rules();
    else if (kind == "classifier")
      classifier();
    else if (kind == "class")
      settings();
    else if (kind == "quanta")
      quanta();
    else if (kind == "precedence")
      precedence();
    else
      tick();
  }
  std::vector<std::string> files;  ///< of rules

 private:
  std::string_view word(size_t i) const { return i < words_->size() ? (*words_)[i].text : std::string_view{}; }
  void bad(size_t at, std::string text, std::string remedy) {
    out_->error("edge-line", range_of(file_, line_, (*words_)[std::min(at, words_->size() - 1)]), std::move(text),
                std::move(remedy));
  }
  std::optional<uint32_t> number(size_t at, uint32_t min, uint32_t max, std::string_view what) {
    uint32_t value = 0;
    const std::string_view text = word(at);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc{} && end == text.data() + text.size() && value >= min && value <= max)
      return value;
    bad(at, fmt::format("{} must be a number from {} to {}, not '{}'", what, min, max, text),
        fmt::format("write a number from {} to {}", min, max));
    return std::nullopt;
  }
  bool count(size_t n, std::string_view shape) {
    if (words_->size() == n) return true;
    bad(std::min(n, words_->size()), fmt::format("the line has {} words and not {}", words_->size(), n),
        fmt::format("write it as: {}", shape));
    return false;
  }

  void rules() {
    if (!count(2, "rules edge.rules")) return;
    const std::string path = (std::filesystem::path(file_->name()).parent_path() / std::string(word(1))).string();
    auto read = read_rules(path);
    if (!read) {
      if (std::ranges::any_of(read.error(), [](const Diagnostic& d) { return d.code.starts_with("file"); }))
        return bad(1, fmt::format("the rule file {} cannot be read", path),
                   "name it relative to the folder of this configuration");
      out_->append(std::move(read.error()));
      return;
    }
    files.push_back(path);
    if (config_.rules.size() + read->size() > kMaxRules)
      return bad(1, fmt::format("with {} there are more than {} rules", path, kMaxRules),
                 "join rules, or leave some out");
    config_.rules.insert(config_.rules.end(), read->begin(), read->end());
  }

  void classifier() {
    if (!count(2, "classifier linear")) return;
    if (word(1) != "linear" && word(1) != "range")
      return bad(1, fmt::format("'{}' is not a classifier", word(1)), "write classifier linear, or classifier range");
    config_.settings.classifier = word(1) == "range" ? Classifier::range : Classifier::linear;
    config_.settings.classifier_said = fmt::format("{}:{}", file_->name(), line_);
  }

  void settings() {
    constexpr std::string_view shape = "class AF1 quantum 1024 queue 32";
    const auto found = std::ranges::find(kClassNames, word(1));
    if (found == kClassNames.end())
      return bad(1, fmt::format("'{}' is not a class", word(1)), "the classes are EF, AF1, AF2, AF3, AF4 and BE");
    ClassSettings& c = config_.settings.classes[static_cast<size_t>(found - kClassNames.begin())];
    if (words_->size() < 4) return bad(2, "the class gets no setting", fmt::format("write it as: {}", shape));
    for (size_t at = 2; at < words_->size(); at += 2) {
      if (word(at) == "quantum") {
        const auto value = number(at + 1, kMinQuantum, kMaxQuantum, "the quantum");
        if (!value) return;
        c.quantum = *value;
      } else if (word(at) == "queue") {
        const auto value = number(at + 1, 1, kQueueSlots, "the queue");
        if (!value) return;
        c.queue = *value;
      } else {
        return bad(at, fmt::format("'{}' is not a setting of a class", word(at)),
                   fmt::format("write it as: {}", shape));
      }
    }
  }

  void quanta() {
    if (!count(4, "quanta 64 ratio 2")) return;
    if (word(2) != "ratio")
      return bad(2, "after the smallest quantum comes the ratio of neighbouring classes", "write quanta 64 ratio 2");
    const auto min = number(1, kMinQuantum, kMaxQuantum, "the smallest quantum");
    const auto ratio = number(3, 1, 8, "the ratio");
    if (!min || !ratio) return;
    uint64_t quantum = *min;
    for (size_t c = kClasses; c-- > 0; quantum *= *ratio) {
      if (quantum > kMaxQuantum)
        return bad(
            1, fmt::format("the quantum of {} would be {} bytes, more than {}", kClassNames[c], quantum, kMaxQuantum),
            "write a smaller quantum or ratio");
      config_.settings.classes[c].quantum = static_cast<uint32_t>(quantum);
    }
  }

  void precedence() {
    if (!count(4, "precedence 32 24 16")) return;
    std::array<uint32_t, 3> limits{};
    for (size_t colour = 0; colour < 3; ++colour) {
      const auto value = number(1 + colour, 1, kQueueSlots, "the limit");
      if (!value) return;
      limits[colour] = *value;
      if (colour == 0 || limits[colour] <= limits[colour - 1]) continue;
      return bad(
          1 + colour,
          fmt::format("{} frames may not take more of a queue than {} ones: {} are more than {}",
                      colour == 1 ? "yellow" : "red", colour == 1 ? "green" : "yellow", limits[colour],
                      limits[colour - 1]),
          "write the limits of green, yellow and red frames, none larger than the one before: precedence 32 24 16");
    }
    config_.settings.precedence = limits;
  }

  void tick() {
    if (!count(2, "tick 1000")) return;
    if (const auto value = number(1, 100, 1'000'000, "the tick")) config_.settings.tick = *value;
  }

  DiffservConfig& config_;
  SourceFilePtr file_;
  uint32_t line_ = 0;
  const std::vector<Word>* words_ = nullptr;
  Diagnostics* out_ = nullptr;
};

}  // namespace

Result<DiffservConfig> read_diffserv_config(const std::string& path, unsigned ports,
                                            const std::map<std::string, std::string>& options) {
  DiffservConfig config;
  Lines lines(config);
  const ConfigExtension extension{.kinds = {"rules", "classifier", "class", "quanta", "precedence", "tick"},
                                  .read = [&](const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words,
                                              Diagnostics& out) { lines.read(file, line, words, out); },
                                  .labels = false};
  std::map<std::string, std::string> switches = options;
  const auto chosen = switches.extract("classifier");
  auto router = read_router_config(path, ports, switches, &extension);
  if (!router) return tl::unexpected(std::move(router.error()));
  if (!chosen.empty()) {
    if (chosen.mapped() != "linear" && chosen.mapped() != "range")
      return fail("edge-line", whole_file(path), fmt::format("the option classifier is '{}'", chosen.mapped()),
                  "write linear or range");
    config.settings.classifier = chosen.mapped() == "range" ? Classifier::range : Classifier::linear;
    config.settings.classifier_said = "the option classifier of the project";
  }
  config.router = std::move(*router);
  config.router.files.insert(config.router.files.end(), lines.files.begin(), lines.files.end());
  return config;
}

}  // namespace weft::control::diffserv
