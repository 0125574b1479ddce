#include "testing/shrink.h"

#include <fmt/format.h>

#include <algorithm>

#include "testing/invariants.h"
#include "weft/packet/decode.h"

namespace weft::workbench::testing {
namespace {

using Frames = std::vector<GeneratedFrame>;
using Kinds = std::set<std::string>;

class Shrinking {
 public:
  Shrinking(const FrameGenerator& generator, const Kinds& kinds, const ShrinkLimits& limits,
            const std::function<Kinds(const Frames&)>& run)
      : generator_(generator), kinds_(kinds), limits_(limits), run_(run), begin_(Clock::now()) {}

  Shrunk go(Frames frames) {
    small_.frames = std::move(frames);
    small_.kinds = kinds_;
    // What has become simpler, above all in its times, may do with fewer frames.
    for (size_t before = SIZE_MAX; small_.frames.size() < before;) {
      fewer();
      simpler();
      before = small_.frames.size();
      fewer();
    }
    return std::move(small_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool over() {
    if (small_.tries >= limits_.tries || Clock::now() - begin_ >= limits_.time) small_.whole = false;
    return !small_.whole;
  }

  /// Takes these frames when the case still fails for a reason of the big one.
  bool take(Frames frames) {
    if (over()) return false;
    ++small_.tries;
    Kinds found, same;
    found = run_(frames);
    std::set_intersection(found.begin(), found.end(), kinds_.begin(), kinds_.end(), std::inserter(same, same.end()));
    if (same.empty()) return false;
    small_.frames = std::move(frames);
    small_.kinds = std::move(same);
    return true;
  }

  /// Leaves out halves, quarters, ... single frames, until no single one can go.
  void fewer() {
    for (size_t part = (small_.frames.size() + 1) / 2; part > 0 && !over();) {
      bool any = false;
      // From the end: what comes late rarely made the start fail.
      for (size_t end = small_.frames.size(); end > 0 && small_.frames.size() > 1;) {
        const size_t begin = end > part ? end - part : 0;
        if (end - begin < small_.frames.size()) {
          Frames rest(small_.frames.begin(), small_.frames.begin() + static_cast<std::ptrdiff_t>(begin));
          rest.insert(rest.end(), small_.frames.begin() + static_cast<std::ptrdiff_t>(end), small_.frames.end());
          any |= take(std::move(rest));
        }
        end = begin;
      }
      part = part > 1 ? std::min((part + 1) / 2, (small_.frames.size() + 1) / 2) : any ? 1 : 0;
    }
  }

  template <class Change>
  bool change(size_t index, const Change& how) {
    Frames frames = small_.frames;
    if (!how(frames[index])) return false;
    return take(std::move(frames));
  }

  void simpler() {
    for (size_t i = 0; i < small_.frames.size() && !over(); ++i) {
      change(i, [&](GeneratedFrame& f) {
        if (f.damage == GeneratedFrame::Damage::none) return false;
        f.damage = GeneratedFrame::Damage::none;
        f.bytes = generator_.build(f);
        return true;
      });
      if (small_.frames[i].damage != GeneratedFrame::Damage::none) continue;  // its values no longer say what it is
      const auto all = small_.frames[i].changes;
      if (all.empty() || change(i, [&](GeneratedFrame& f) {
            f.changes.clear();
            f.bytes = generator_.build(f);
            return true;
          }))
        continue;
      for (const auto& [field, value] : all) {
        const std::string name = field;
        change(i, [&](GeneratedFrame& f) {
          std::erase_if(f.changes, [&](const auto& c) { return c.first == name; });
          f.bytes = generator_.build(f);
          return true;
        });
      }
    }
    // Frames that come at once, or at the pace of the first two, are easier to think about than random gaps.
    const uint64_t first = small_.frames.front().at;
    Frames paced = small_.frames;
    for (GeneratedFrame& f : paced) f.at = 0;
    if (std::any_of(small_.frames.begin(), small_.frames.end(), [](const GeneratedFrame& f) { return f.at != 0; }) &&
        !take(paced) && first != 0) {
      paced = small_.frames;
      for (GeneratedFrame& f : paced) f.at -= first;
      take(std::move(paced));
    }
  }

  const FrameGenerator& generator_;
  const Kinds& kinds_;
  const ShrinkLimits limits_;
  const std::function<Kinds(const Frames&)>& run_;
  const Clock::time_point begin_;
  Shrunk small_;
};

std::string hex(const packet::Bytes& bytes) {
  std::string text;
  for (const uint8_t octet : bytes) text += fmt::format("{:02x}", octet);
  return text;
}

}  // namespace

Shrunk shrink(const FrameGenerator& generator, Frames frames, const Kinds& kinds, const ShrinkLimits& limits,
              const std::function<Kinds(const Frames&)>& run) {
  return Shrinking(generator, kinds, limits, run).go(std::move(frames));
}

std::string written_down(const Case& test, const Shrunk& small) {
  using nlohmann::json;
  json rest = test.generator->test();
  rest.erase("name");
  std::string text = fmt::format("    {{\n      \"name\": {},\n",
                                 json(fmt::format("{}, seed {}", test.name, test.project.seed)).dump());
  for (const auto& [name, value] : rest.items())
    text += fmt::format("      {}: {},\n", json(name).dump(), value.dump());
  if (test.project.seed != 1) text += fmt::format("      \"seed\": {},\n", test.project.seed);
  text += "      \"in\": [\n";
  for (size_t i = 0; i < small.frames.size(); ++i) {
    const GeneratedFrame& f = small.frames[i];
    text +=
        fmt::format("        {{\"port\": {}, \"at\": \"{}ns\", \"frame\": \"{}\"}}{}  // {}\n", f.port, f.at,
                    hex(f.bytes), i + 1 < small.frames.size() ? "," : "", packet::one_line(packet::decode(f.bytes)));
  }
  json held = json::array();
  for (const Invariant& one : test.expect.invariants) {
    if (!small.kinds.contains(std::string(to_text(one.kind)))) continue;
    if (one.spares.empty())
      held.push_back(to_text(one.kind));
    else
      held.push_back({{"buffers", one.spares}});
  }
  text +=
      fmt::format("      ],\n      \"expect\": {}\n    }}", held.empty() ? "{}" : json{{"invariants", held}}.dump());
  return text;
}

}  // namespace weft::workbench::testing
