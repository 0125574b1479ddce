// Beside the thesis on DiffServ: what threads take together, what classes get of a port, and what many flows do.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/diffserv_thesis.h"
#include "weft/control/diffserv/config.h"

namespace weft::workbench::diffserv {

namespace {

constexpr unsigned kThreadRules = 64;

}  // namespace

bool Thesis::threads() {
  const std::vector<std::pair<std::string, std::vector<unsigned>>> sets{{"one", {0}},
                                                                        {"two in two microengines", {0, 4}},
                                                                        {"two in one microengine", {0, 1}},
                                                                        {"four in one microengine", {0, 1, 2, 3}},
                                                                        {"four in two", {0, 1, 4, 5}},
                                                                        {"eight in two", {0, 1, 2, 3, 4, 5, 6, 7}}};
  PaperCurve table{"D11: what receiving threads classify together, each with a port at wire speed",
                   {"threads", "linear, packets/s", "Mb/s", "times one", "range, packets/s", "Mb/s", "times one"},
                   {}};
  std::array<double, 2> one{}, eight{}, two{}, four{};
  for (const auto& [name, ports] : sets) {
    std::vector<std::string> cells{name};
    for (const bool range : {false, true}) {
      Offer offer;
      offer.range = range;
      offer.rules = host_rules(kGigabit, kThreadRules, "class BE");
      for (const unsigned port : ports) offer.flows.push_back({port, behind(kGigabit, kThreadRules)});
      offer.nanoseconds = milliseconds(8);
      const auto done = run(offer);
      if (!done) return false;
      const double rate = done->classified();
      if (ports.size() == 1) one[range] = rate;
      if (name == "two in two microengines") two[range] = rate;
      if (name == "four in one microengine") four[range] = rate;
      if (ports.size() == 8) eight[range] = rate;
      cells.push_back(fmt::format("{:.0f}", rate));
      cells.push_back(fmt::format("{:.1f}", rate * 64 * 8 / 1e6));
      cells.push_back(fmt::format("{:.2f}", rate / one[range]));
    }
    table.rows.push_back(std::move(cells));
  }
  out_.curves.push_back(std::move(table));
  const std::string conditions =
      fmt::format("64 bytes, {} rules, the last one matches, each port at wire speed; linear search / range matching",
                  kThreadRules);
  row("D11", "two threads in two microengines over one", "about 2",
      fmt::format("{:.2f} / {:.2f}", two[0] / one[0], two[1] / one[1]), conditions);
  row("", "four threads in one microengine over one", "below 4",
      fmt::format("{:.2f} / {:.2f}", four[0] / one[0], four[1] / one[1]), "",
      "linear search waits for SRAM most of the time, so four threads do not hinder each other, while one alone "
      "shares its engine with three receivers that ask their ports for frames");
  row("", "eight threads over four in one", "below 2",
      fmt::format("{:.2f} / {:.2f}", eight[0] / four[0], eight[1] / four[1]), "", "the two engines share the SRAM");
  row("", "one thread", "almost 20.5 Mb/s", fmt::format("{:.1f} / {:.1f} Mb/s", one[0] * 512 / 1e6, one[1] * 512 / 1e6),
      "frame bits; the thesis has 512 rules there", "range matching does not read a rule that does not match");
  row("D12", "eight ports", "141 Mb/s", fmt::format("{:.1f} / {:.1f} Mb/s", eight[0] * 512 / 1e6, eight[1] * 512 / 1e6),
      "frame bits", "the number of rules behind the thesis's figure is not printed, nor whether gaps count");
  return true;
}

bool Thesis::shares() {
  const std::vector<uint32_t> loads = options_.quick
                                          ? std::vector<uint32_t>{250, 1000}
                                          : std::vector<uint32_t>{200, 240, 250, 260, 300, 400, 600, 800, 1000};
  for (const bool with_ef : {false, true}) {
    const std::array<std::string, 4> names = with_ef ? std::array<std::string, 4>{"EF", "AF1", "AF2", "AF3"}
                                                     : std::array<std::string, 4>{"AF1", "AF2", "AF3", "AF4"};
    PaperCurve table{
        fmt::format("{}: packets/s of each class that leave, four ports with 64 bytes into one of 100 Mb/s",
                    with_ef ? "D15" : "D14"),
        {"load of each port", names[0], names[1], names[2], names[3], "lost, lowest class"},
        {}};
    std::array<double, 4> last{};
    uint32_t first_loss = 0;
    for (const uint32_t load : loads) {
      Offer offer;
      offer.range = true;
      for (unsigned port = 0; port < 4; ++port) {
        // 62,500 packets/s of 46 bytes of IP are 23 Mb/s.
        offer.rules += fmt::format("match source 10.0.{}.0/24 : class {}{}\n", port, names[port],
                                   names[port] == "EF" ? " police 23M burst 1500 largest 46" : "");
        offer.flows.push_back({port, behind(7, 1), 60, load});
      }
      offer.nanoseconds = milliseconds(20);
      const auto done = run(offer);
      if (!done) return false;
      std::vector<std::string> cells{fmt::format("{:.0f} %", load / 10.0)};
      for (unsigned port = 0; port < 4; ++port) cells.push_back(fmt::format("{:.0f}", last[port] = done->rate(port)));
      const double offered = kLine64 * load / 1000;
      const double loss = std::max(0.0, 1 - done->rate(3) / offered);
      cells.push_back(percent(loss));
      if (loss > 0.01 && first_loss == 0) first_loss = load;
      table.rows.push_back(std::move(cells));
    }
    out_.curves.push_back(std::move(table));
    const control::diffserv::Settings usual;  // the star's configuration names no quanta
    std::string conditions =
        fmt::format("64 bytes, range matching, {} ms at each load; quanta of {} to {}: ", options_.quick ? 5 : 20,
                    names.front(), names.back());
    for (size_t i = 0; i < names.size(); ++i)
      conditions += fmt::format("{}{}", i ? ", " : "", usual.classes[i + (with_ef ? 0 : 1)].quantum);
    if (!with_ef) {
      row("D14", "AF4 begins to lose", "at 25 % load",
          first_loss ? fmt::format("at {:.0f} %", first_loss / 10.0) : "never", conditions,
          "four times 25 % fill the port exactly");
      row("", "AF1 : AF2 : AF3 : AF4 at full load", "8 : 4 : 2 : 1",
          fmt::format("{:.2f} : {:.2f} : {:.2f} : 1", last[0] / last[3], last[1] / last[3], last[2] / last[3]),
          "every port at wire speed");
    } else {
      row("D15", "EF at full load", "62,500 packets/s", fmt::format("{:.0f} packets/s", last[0]),
          conditions + "; EF policed at 62,500 packets/s (23 Mb/s of IP)");
      row("", "AF3 begins to lose", "at 25 % load",
          first_loss ? fmt::format("at {:.0f} %", first_loss / 10.0) : "never", "",
          "EF's policer does not act below 42 %, so four times 25 % fill the port exactly here too");
      row("", "AF1 : AF2 : AF3 at full load", "4 : 2 : 1",
          fmt::format("{:.2f} : {:.2f} : 1", last[1] / last[3], last[2] / last[3]));
      row("", "EF : AF1 at full load", "not 2 : 1", fmt::format("{:.2f} : 1", last[0] / last[1]), "",
          "EF has what its policer lets pass, and its queue is never full");
    }
  }
  return true;
}

bool Thesis::flows() {
  PaperCurve table{
      "D20: packets/s of all flows of one port together, each policed at 74,400 packets/s over their number, and how "
      "far they stay below that (APD)",
      {"flows", "load 50 %", "APD", "80 %", "APD", "100 %", "APD"},
      {}};
  std::vector<std::string> ours;
  for (const unsigned count : {100u, 500u}) {
    std::vector<std::string> cells{fmt::format("{}", count)};
    std::string apd;
    for (const uint32_t load : {500u, 800u, 1000u}) {
      Offer offer;
      offer.range = true;
      // A packet has 46 bytes of IP; a bucket of 100 takes two, so that no token is lost between packets that come
      // evenly.
      offer.rules =
          host_rules(kGigabit, count, fmt::format("class EF police {} burst 100 largest 46", 74'400 * 46 * 8 / count));
      offer.flows.push_back({0, behind(kGigabit, 1), 60, load, count});
      offer.nanoseconds = milliseconds(80);
      const auto done = run(offer);
      if (!done) return false;
      const double below = 1 - done->rate() / 74'400;
      cells.push_back(fmt::format("{:.0f}", done->rate()));
      cells.push_back(fmt::format("{:.3f}", below));
      if (load > 500) apd += fmt::format("{}{:.3f}", apd.empty() ? "" : " and ", below);
    }
    table.rows.push_back(std::move(cells));
    ours.push_back(std::move(apd));
  }
  out_.curves.push_back(std::move(table));
  const std::string conditions = fmt::format("range matching, 64 bytes, {} ms", options_.quick ? 20 : 80);
  row("D20", "APD of 100 flows at 80 and 100 % load", "0.022 and 0.09", ours[0], conditions,
      "our receiver classifies 64-byte frames of one port at wire speed, so load is no cause of loss, and a bucket "
      "that is not emptied by a drop grants what its rate says; below 0 because buckets begin full");
  row("", "APD of 500 flows at 80 and 100 % load", "0.047 and 0.15", ours[1]);
  return true;
}

}  // namespace weft::workbench::diffserv
