#include "table_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "mpls/lines.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"
#include "weft/control/route_file.h"

namespace weft::control {

namespace {

constexpr size_t kRoutesAtOnce = 64;  ///< of a file: prepared together, published together

std::string first_text(const Diagnostics& why) {
  const Diagnostic& d = why.list().front();
  return d.remedy.empty() ? d.text : fmt::format("{}; {}", d.text, d.remedy);
}

void append(std::vector<Access>& accesses, const std::vector<TableWrite>& writes) {
  for (const TableWrite& w : writes)
    accesses.push_back({Access::Kind::write, region_of(w.address), byte_of(w.address), 0, w.values});
}

}  // namespace

struct TableCommands::Command {
  enum class Kind : uint8_t {
    add_route,
    remove_route,
    add_neighbour,
    remove_neighbour,
    routes_from,
    add_label,
    remove_label,
    show_label,
    show_labels,
    show,
    counters
  } kind = Kind::counters;
  Route route;
  IpAddress address;
  bool host = false;  ///< show: an address, not a prefix
  Mac mac{};
  std::string file;
  std::vector<IpAddress> hops;
  mpls::LabelLine label = {};
};

TableCommands::TableCommands(RouterTables tables, std::string folder, const ControlOptions& options,
                             const mpls::Mode& mode, OwnWords own)
    : tables_(std::move(tables)),
      folder_(std::move(folder)),
      mode_(mode),
      own_(std::move(own)),
      per_route_(options.cycles_per_route) {}

Result<TableCommands::Command> TableCommands::parse(const std::string& line) const {
  const std::vector<Word> words = split_words(line);
  const auto word = [&](size_t i) { return i < words.size() ? words[i].text : std::string_view{}; };
  const auto wrong = [&](const std::string& what, const std::string& remedy) {
    return fail("control-command", {}, fmt::format("'{}': {}", line, what), remedy);
  };
  Command c;
  const auto prefix = [&](std::string_view text) -> Result<Prefix> {
    Diagnostics problems;
    const auto p = checked_prefix(parse_prefix(text), {}, problems);
    if (!p) return wrong(problems.list().front().text, problems.list().front().remedy);
    return *p;
  };
  const auto address = [&](std::string_view text) -> Result<IpAddress> {
    const auto a = parse_address(text);
    if (!a || is_multicast(*a))
      return wrong(fmt::format("'{}' is not the address of a station", text), "write it as 192.0.2.1 or 2001:db8::1");
    return *a;
  };
  if (word(0) == "route") {
    const std::string shape =
        "write route add 10.0.0.0/8 via 192.0.2.2, route add 10.0.0.0/8 discard, or route del 10.0.0.0/8";
    const bool del = word(1) == "del";
    const size_t at = del || word(1) == "add" ? 2 : 1;
    if (words.size() <= at) return wrong("a prefix is missing", shape);
    const auto p = prefix(word(at));
    if (!p) return tl::unexpected(p.error());
    c.route.prefix = *p;
    c.kind = del ? Command::Kind::remove_route : Command::Kind::add_route;
    if (del) return words.size() == at + 1 ? Result<Command>(c) : wrong("nothing may follow the prefix", shape);
    c.route.discard = word(at + 1) == "discard";
    if (c.route.discard && words.size() == at + 2) return c;
    if (word(at + 1) == "push" && labels()) {
      const mpls::PushWords pushes = mpls::read_pushes(words, at + 1, mode_);
      if (pushes.problem) return wrong(pushes.problem->text, pushes.problem->remedy);
      c.route.via = pushes.via;
      c.route.labels = pushes.labels;
      return c;
    }
    if (word(at + 1) != "via" || words.size() != at + 3) return wrong("a next hop is expected", shape);
    const auto via = address(word(at + 2));
    if (!via) return tl::unexpected(via.error());
    c.route.via = *via;
    return c;
  }
  if (word(0) == "neighbour" || word(0) == "neighbor") {
    const std::string shape = "write neighbour add 192.0.2.2 mac 02:00:00:00:00:0b, or neighbour del 192.0.2.2";
    const bool add = word(1) == "add";
    if ((!add && word(1) != "del") || words.size() != (add ? 5u : 3u) || (add && word(3) != "mac"))
      return wrong("a neighbour is added or deleted", shape);
    const auto a = address(word(2));
    if (!a) return tl::unexpected(a.error());
    c.kind = add ? Command::Kind::add_neighbour : Command::Kind::remove_neighbour;
    c.address = *a;
    if (!add) return c;
    const auto mac = parse_mac(word(4));
    if (!mac || ((*mac)[0] & 1) != 0)
      return wrong(fmt::format("'{}' is not the MAC address of a station", word(4)), "write it as 02:00:00:00:00:0b");
    c.mac = *mac;
    return c;
  }
  if (word(0) == "routes-from") {
    if (words.size() < 2 || (words.size() > 2 && (word(2) != "via" || words.size() == 3))) {
      return wrong("a file is expected, then maybe next hops", "write routes-from table.txt via 192.0.2.2");
    }
    c.kind = Command::Kind::routes_from;
    c.file = std::string(word(1));
    for (size_t i = 3; i < words.size(); ++i) {
      const auto hop = address(word(i));
      if (!hop) return tl::unexpected(hop.error());
      c.hops.push_back(*hop);
    }
    return c;
  }
  if (labels() && (word(0) == "label" || (word(0) == "show" && word(1).starts_with("label"))))
    return parse_label(words, line);
  if (word(0) == "show") {
    if (word(1) != "route" || words.size() != 3)
      return wrong("a prefix or an address is expected", "write show route 192.0.2.0/24, or show route 192.0.2.9");
    c.kind = Command::Kind::show;
    if (const auto a = parse_address(word(2))) {
      c.host = true;
      c.address = *a;
      return c;
    }
    const auto p = prefix(word(2));
    if (!p) return tl::unexpected(p.error());
    c.route.prefix = *p;
    return c;
  }
  if (word(0) == "counters") {
    if (words.size() != 1) return wrong("nothing may follow", "write counters");
    return c;
  }
  return wrong(fmt::format("the control program knows no command '{}'", word(0)),
               fmt::format("the commands are route, neighbour, routes-from, {}{}show and counters",
                           labels() ? "label, " : "", own_.commands));
}

Result<TableCommands::Command> TableCommands::parse_label(std::span<const Word> words, const std::string& line) const {
  const std::string shape =
      "write label add 32 swap 33 via 192.0.2.2, label add 33 pop, label del 32, show label 32, or show labels";
  const auto wrong = [&](const std::string& what, const std::string& remedy) {
    return fail("control-command", {}, fmt::format("'{}': {}", line, what), remedy);
  };
  Command c;
  if (words[0].text == "show" && words[1].text == "labels" && words.size() == 2) {
    c.kind = Command::Kind::show_labels;
    return c;
  }
  const bool show = words[0].text == "show", del = words.size() > 1 && words[1].text == "del";
  if (show || del) {
    c.kind = show ? Command::Kind::show_label : Command::Kind::remove_label;
    const std::string_view text = words.size() == 3 ? words[2].text : std::string_view{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), c.label.first);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size() || (show && words[1].text != "label"))
      return wrong("a label is expected", shape);
    return c;
  }
  // "label add 32 ..." says what the line "label 32 ..." does.
  std::vector<Word> rest(words.begin(), words.end());
  if (rest.size() > 1 && rest[1].text == "add") rest.erase(rest.begin() + 1);
  mpls::LabelWords read = mpls::read_label(rest, mode_, tables_.labels().labels());
  if (read.problem) return wrong(read.problem->text, read.problem->remedy);
  if (read.line.first != read.line.last) return wrong("a command is about one label", shape);
  c.kind = Command::Kind::add_label;
  c.label = std::move(read.line);
  return c;
}

Result<std::vector<Route>> TableCommands::rows(const Command& command) const {
  const std::filesystem::path path = std::filesystem::path(folder_) / command.file;
  auto source = read_source(path.string(), limits::kFileBytes);
  if (!source) {
    const Diagnostic& why = source.error().list().front();
    if (why.code == "input-limit") return fail(why.code, {}, why.text, why.remedy);
    return fail("control-routes-file", {}, fmt::format("the routes file cannot be read: {}", why.text),
                "name it relative to the folder of the configuration");
  }
  Diagnostics problems;
  RouteRows read = read_route_rows(*source, command.hops, problems);
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  return std::move(read.routes);
}

Result<bool> TableCommands::check(const std::string& line) const {
  const auto c = parse(line);
  if (!c) return tl::unexpected(c.error());
  // Which networks are connected does not change; which routes and neighbours there are may, until the command's time.
  const auto gateway = [&](const IpAddress& a) -> Result<bool> {
    if (connected_interface(tables_.interfaces(), a) != kNoInterface && !tables_.is_own(a)) return true;
    return fail("control-command", {},
                fmt::format("'{}': {} is {}", line, to_text(a),
                            tables_.is_own(a) ? "the router itself" : "on no interface's network"),
                "name a station on a connected network");
  };
  switch (c->kind) {
    case Command::Kind::add_route: {
      RouterTables copy = tables_;
      TableChange unused;
      auto done = copy.add_route(c->route, unused);
      if (!done && done.error().list().front().code != "control-trie-full")
        return fail("control-command", {}, fmt::format("'{}': {}", line, done.error().list().front().text),
                    done.error().list().front().remedy);
      return true;
    }
    case Command::Kind::add_neighbour: return gateway(c->address);
    case Command::Kind::add_label: return c->label.lsp.via ? gateway(*c->label.lsp.via) : Result<bool>(true);
    case Command::Kind::routes_from: {
      const auto read = rows(*c);
      if (!read) return tl::unexpected(read.error());
      std::optional<IpAddress> last;
      for (const Route& r : *read) {
        if (last == r.via) continue;
        last = r.via;
        if (auto good = gateway(r.via); !good) return good;
      }
      return true;
    }
    default: return true;
  }
}

// ---- changes as accesses ----

Reaction TableCommands::done(std::string text) {
  Reaction out;
  busy_ = false;
  routes_.reset();
  out.text = std::move(text);
  if (tables_.aging() && !timer_runs_) {
    timer_runs_ = true;
    out.timer_cycles = std::max(kGraceCycles, own_.grace_cycles);
  }
  return out;
}

Reaction TableCommands::done(const Diagnostics& why) { return done(first_text(why)); }

Reaction TableCommands::run(const TableChange& change, uint64_t cycles) {
  busy_ = true;
  publish_ = change.publish_runs();
  Reaction out;
  append(out.accesses, change.prepare);
  if (out.accesses.empty()) out = next();
  out.cycles = cycles;
  return out;
}

Reaction TableCommands::next() {
  Reaction out;
  if (!publish_.empty()) {
    append(out.accesses, std::exchange(publish_, {}));
    return out;
  }
  return routes_ ? more_routes() : done();
}

Reaction TableCommands::more_routes() {
  TableChange change;
  const size_t first = next_route_;
  // Rows that change nothing cost their cycles, but ask for no accesses.
  for (; next_route_ < routes_->size() && (change.empty() || next_route_ % kRoutesAtOnce != 0); ++next_route_) {
    const auto added = tables_.add_route((*routes_)[next_route_], change);
    if (added || added.error().list().front().code == "control-own-address") continue;
    // What came before stays, and must be written.
    const uint64_t cycles = (next_route_ - first) * per_route_;
    routes_.reset();
    Reaction out = run(change, cycles);
    out.text = first_text(added.error());
    return out;
  }
  const uint64_t cycles = (next_route_ - first) * per_route_;
  if (!change.empty()) return run(change, cycles);
  Reaction out = done();
  out.cycles = cycles;
  return out;
}

Reaction TableCommands::command(const std::string& line) {
  const auto c = parse(line);
  if (!c) return done(c.error());
  TableChange change;
  const auto changed = [&](const Result<bool>& result) {
    return result ? run(change, per_route_) : done(result.error());
  };
  switch (c->kind) {
    case Command::Kind::add_route: return changed(tables_.add_route(c->route, change));
    case Command::Kind::remove_route: return changed(tables_.remove_route(c->route.prefix, change));
    case Command::Kind::add_neighbour: return changed(tables_.set_neighbour(c->address, c->mac, change));
    case Command::Kind::remove_neighbour: return changed(tables_.remove_neighbour(c->address, change));
    case Command::Kind::add_label: return changed(tables_.set_label(c->label.first, c->label.lsp, change));
    case Command::Kind::remove_label: return changed(tables_.remove_label(c->label.first, change));
    case Command::Kind::show_label: return done(describe_label(c->label.first));
    case Command::Kind::show_labels:
      return done(fmt::format("{} of {} labels are in use, in a {} table", tables_.labels().used(),
                              tables_.labels().labels(), tables_.labels().split() ? "split" : "combined"));
    case Command::Kind::routes_from: {
      auto read = rows(*c);
      if (!read) return done(read.error());
      routes_ = std::make_shared<const std::vector<Route>>(std::move(*read));
      next_route_ = 0;
      return more_routes();
    }
    case Command::Kind::show: {
      const auto answer = c->host ? std::optional(tables_.lookup(c->address)) : tables_.route(c->route.prefix);
      return done(answer ? describe(*answer) : fmt::format("there is no route {}", to_text(c->route.prefix)));
    }
    case Command::Kind::counters: break;
  }
  Reaction out;
  out.accesses.push_back({Access::Kind::read, image::Region::scratch, kCountersBase, kPorts * kReasons, {}});
  wants_counters_ = busy_ = true;
  return out;
}

Reaction TableCommands::learnt(const IpAddress& address, const Mac& mac) {
  TableChange change;
  if (!tables_.set_neighbour(address, mac, change) || change.empty()) return {};
  return run(change, per_route_);
}

Reaction TableCommands::results(const std::vector<uint32_t>& values) {
  if (!wants_counters_) return next();
  wants_counters_ = false;
  return done(counters(values));
}

Reaction TableCommands::timer() {
  TableChange change = tables_.age();
  timer_runs_ = false;
  return change.empty() ? done() : run(change, 0);
}

// ---- answers in words ----

std::string TableCommands::counters(const std::vector<uint32_t>& values) const {
  std::string out;
  for (uint32_t number = 1; number < kReasons; ++number) {
    const auto own = own_.reasons.find(number);
    const std::string_view name = own != own_.reasons.end() ? std::string_view(own->second) : reason_name(number);
    if (name.empty()) continue;
    for (unsigned port = 0; port < kPorts; ++port) {
      const size_t at = port * kReasons + number;
      if (at >= values.size() || values[at] == 0) continue;
      out += fmt::format("{}{} port {} {}: {}", out.empty() ? "" : "\n",
                         is_drop(static_cast<Reason>(number)) ? "dropped" : "to the control processor", port, name,
                         values[at]);
    }
  }
  return out.empty() ? "all counters are 0" : out;
}

std::string TableCommands::describe(const RouterTables::Answer& answer) const {
  std::string out = answer.prefix ? to_text(*answer.prefix) : "no route";
  if (answer.hop.labels.count > 0) out += " push " + mpls::to_text(answer.hop.labels);
  if (answer.gateway) out += fmt::format(" via {}", to_text(*answer.gateway));
  if (answer.interface != kNoInterface) out += fmt::format(" {}", tables_.interfaces()[answer.interface].name);
  if (answer.hop.reason != 0) return answer.prefix ? fmt::format("{} {}", out, reason_name(answer.hop.reason)) : out;
  return fmt::format("{} mac {}", out, to_text(answer.hop.destination));
}

std::string TableCommands::describe_label(uint32_t label) const {
  const auto lsp = tables_.label(label);
  if (!lsp) return fmt::format("there is no label {}", label);
  std::string out = fmt::format("label {} {}", label, mpls::to_text(*lsp));
  if (!lsp->has_hop()) return out;
  const auto hop = tables_.at(mpls::hop_of_entry(tables_.labels().at(label)));
  if (!hop || hop->interface == kNoInterface) return out;
  out += " " + tables_.interfaces()[hop->interface].name;
  return hop->hop.reason != 0 ? fmt::format("{} {}", out, reason_name(hop->hop.reason))
                              : fmt::format("{} mac {}", out, to_text(hop->hop.destination));
}

}  // namespace weft::control
