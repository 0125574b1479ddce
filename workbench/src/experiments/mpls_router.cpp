#include "experiments/mpls_router.h"

#include <fmt/format.h>
#include <unistd.h>

#include "weft/base/files.h"
#include "weft/control/mpls/mpls.h"

namespace weft::workbench {

namespace {

constexpr unsigned kPorts = 4;
constexpr uint32_t kFirst = 100;    ///< label of port 0
constexpr uint32_t kApart = 1'000;  ///< labels of the next port
constexpr uint32_t kRange = 64;     ///< labels that the flows of a port use

unsigned other(unsigned port) { return port ^ 1; }
std::string station(unsigned port) { return fmt::format("10.0.{}.2", port); }

/// Ports with room for 1,500 octets and three labels.
std::string interfaces() {
  std::string out;
  for (unsigned p = 0; p < kPorts; ++p) {
    const char name = static_cast<char>('A' + p);
    out += fmt::format(
        "interface {0} port {1} mac 02:00:00:00:01:{2:02x} mtu 1528\naddress {0} 10.0.{1}.1/24\nneighbour 10.0.{1}.2 "
        "mac 02:00:00:00:00:{2:02x}\nmpls interface {0}\n",
        name, p, 10 + p);
  }
  return out;
}

std::string pushes(unsigned count) {
  std::string out = count > 0 ? " push" : "";
  for (unsigned i = 0; i < count; ++i) out += fmt::format(" {}", 700 + i);
  return out;
}

}  // namespace

std::string LabelOperation::name() const {
  switch (kind) {
    case Kind::push: return fmt::format("PUSH {}", count);
    case Kind::pop: return fmt::format("POP {}", count);
    case Kind::swap: break;
  }
  return count == 0 ? "SWAP" : fmt::format("SWAP, PUSH {}", count);
}

std::vector<LabelOperation> label_operations() {
  using Kind = LabelOperation::Kind;
  return {{Kind::push, 1}, {Kind::push, 2}, {Kind::push, 3}, {Kind::swap, 0}, {Kind::swap, 1},
          {Kind::swap, 2}, {Kind::pop, 1},  {Kind::pop, 2},  {Kind::pop, 3}};
}

Result<Project> LabelRouter::project(const Setting& setting) {
  auto loaded = load_project(options_.project);
  if (!loaded) return loaded;
  Project& p = *loaded;
  if (!p.control || p.control->program != "mpls" || p.ports.size() != kPorts) {
    return fail("bench-project", whole_file(p.document.source()->name()),
                "the label switching router with its four ports is expected", "measure examples/mpls-router");
  }
  p.seed = options_.seed;
  const std::filesystem::path config = folder_.path() / "router.conf";
  if (const auto written =
          write_file(config.string(), interfaces() + setting.lines +
                                          (setting.table == LabelTableKind::split ? "mpls table split\n" : ""));
      !written) {
    return tl::unexpected(written.error());
  }
  p.control->config = config;
  if (setting.table != LabelTableKind::combined) {
    for (ProgramEntry& program : p.programs)
      program.defines.emplace_back(setting.table == LabelTableKind::split ? "MPLS_TABLE_SPLIT" : "MPLS_TABLE_WHOLE",
                                   "1");
  }
  for (unsigned port = 0; port < kPorts; ++port) {
    TrafficEntry in;
    in.kind = TrafficEntry::Kind::generated;
    in.destinations = setting.to[port];
    in.source = station(port);
    in.flows = setting.flows;
    in.labels = setting.stack;
    if (!in.labels.empty()) {
      in.labels[0].first += setting.apart * port;
      in.labels[0].last += setting.apart * port;
    }
    p.ports[port].in = in;
  }
  return loaded;
}

Result<TrialFigures> LabelRouter::trial(const Setting& setting, const Offered& offered) {
  auto made = project(setting);
  if (!made) return tl::unexpected(std::move(made.error()));
  return run_trial(*made, offered, options_.control);
}

Result<TrialFigures> LabelRouter::operation(const LabelOperation& o, uint32_t ip, uint32_t permille, uint64_t packets) {
  Setting s;
  for (unsigned p = 0; p < kPorts; ++p) {
    const uint32_t first = kFirst + kApart * p;
    const std::string via = station(other(p)), range = fmt::format("{}-{}", first, first + kRange - 1);
    s.to[p] = fmt::format("20.{}.0.0/16", p);
    s.lines += fmt::format("route 20.{}.0.0/16{} via {}\n", p,
                           o.kind == LabelOperation::Kind::push ? pushes(o.count) : "", via);
    if (o.kind == LabelOperation::Kind::swap)
      s.lines += fmt::format("label {} swap {}{} via {}\n", range, 10'000 + first, pushes(o.count), via);
    if (o.kind == LabelOperation::Kind::pop) s.lines += fmt::format("label {} pop {}\n", range, o.count);
  }
  for (unsigned i = 0; i < o.labels_in(); ++i)
    s.stack.push_back(i == 0 ? TrafficEntry::Label{kFirst, kFirst + kRange - 1} : TrafficEntry::Label{70 + i, 70 + i});
  return trial(s, {std::to_string(ip + 18 + 4 * o.labels_in()), permille, packets, {}});
}

Result<TrialFigures> LabelRouter::mix(unsigned tenths, LabelTableKind table, uint64_t packets) {
  Setting s;
  s.table = table;
  s.flows = 60;  // each of ten labels has as many
  for (unsigned p = 0; p < kPorts; ++p) {
    const uint32_t first = kFirst + kApart * p;
    s.to[p] = fmt::format("20.{}.0.0/16", p);
    s.lines += fmt::format("route 20.{}.0.0/16 via {}\n", p, station(other(p)));
    for (uint32_t i = 0; i < 10; ++i)
      s.lines += fmt::format("label {} swap {}{} via {}\n", first + i, 10'000 + first + i, pushes(i < tenths ? 0 : 1),
                             station(other(p)));
  }
  s.stack = {{kFirst, kFirst + 9}};
  return trial(s, {"68", 900, packets, {}});  // 46 octets; those with a label more leave with 72
}

Result<TrialFigures> LabelRouter::paths(uint32_t labels, uint64_t packets) {
  Setting s;
  s.lines = fmt::format("mpls labels {}\n", labels);
  s.apart = labels / kPorts;
  for (unsigned p = 0; p < kPorts; ++p) {
    s.to[p] = fmt::format("20.{}.0.0/16", p);
    const uint32_t first = std::max(s.apart * p, 16u);
    s.lines += fmt::format("label {}-{} swap {} via {}\n", first, s.apart * (p + 1) - 1, first, station(other(p)));
  }
  s.stack = {{16, s.apart - 1}};
  s.flows = static_cast<uint32_t>(std::min<uint64_t>(packets, s.apart - 16));
  return trial(s, {"68", 1000, packets, {}});
}

Result<uint32_t> LabelRouter::max_labels(uint64_t channel_bytes) {
  const std::filesystem::path config = folder_.path() / "most.conf";
  uint32_t fits = 0, too_many = (1u << 20) + 1;
  while (too_many - fits > 1) {
    const uint32_t labels = fits + (too_many - fits) / 2;
    if (const auto written = write_file(
            config.string(), interfaces() + fmt::format("mpls labels {0}\nlabel 16-{1} swap 16 via 10.0.1.2\n",
                                                        std::max(labels, 17u), std::max(labels, 17u) - 1));
        !written) {
      return tl::unexpected(written.error());
    }
    control::ControlOptions options;
    options.sram_bytes = {channel_bytes, channel_bytes};
    (control::mpls::load_mpls_control(config.string(), options) ? fits : too_many) = labels;
  }
  return fits;
}

}  // namespace weft::workbench
