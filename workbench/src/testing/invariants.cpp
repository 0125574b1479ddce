#include "testing/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "weft/packet/decode.h"
#include "weft/packet/generator.h"

namespace weft::workbench::testing {
namespace {

using Kind = Invariant::Kind;
constexpr std::array<std::string_view, 4> kNames{"buffers", "order", "checksums", "accounted"};

/// "ipv4: is 408 octets long" of "ipv4: is 408 octets long, but only 38 are here": a frame that was cut has more octets
/// when it is padded anew.
std::string_view without_length_here(std::string_view fault) { return fault.substr(0, fault.find(", but only ")); }

/// Frames of one kind that are told; more are only counted.
constexpr size_t kTold = 3;

// Local memory of the block receive: four longwords for each of 32 channels, the first is a buffer or 0.
constexpr unsigned kChannels = 32, kChannelLongwords = 4;

class Check {
 public:
  Check(Session& session, const Case& test, const std::vector<KnownPool>& pools, std::vector<Difference>& out)
      : session_(session), test_(test), pools_(pools), out_(out) {}

  void buffers(const Invariant& one) {
    if (pools_.empty())
      cannot(one, "no pool of buffers is known: the project has neither a control program nor \"pools\"");
    for (const KnownPool& known : pools_) {
      const emulator::BufferPool& pool = known.pool;
      const emulator::HostPort host = session_.units(known.chip).host();
      uint64_t free = 0;
      switch (pool.list) {
        case emulator::BufferPool::List::scratch_ring: free = host.ring(pool.list_number).count; break;
        case emulator::BufferPool::List::sram_queue:
          free = host.queue(pool.list_channel, pool.list_number).count;
          break;
        case emulator::BufferPool::List::sram_ring:
          cannot(one, fmt::format("pool '{}' has its free list on a ring in SRAM, which is not counted", pool.name));
          continue;
      }
      const uint64_t kept = spares(known, one).size();
      if (free + kept == pool.count) continue;
      add(one, fmt::format(
                   "pool '{}' has {} buffers, and at the end {} of them are free and {} are kept by the receiver: {}",
                   pool.name, pool.count, free, kept,
                   free + kept < pool.count ? fmt::format("{} {} lost", pool.count - free - kept,
                                                          pool.count - free - kept == 1 ? "is" : "are")
                                            : fmt::format("{} too many", free + kept - pool.count)));
    }
  }

  void order(const Invariant& one) {
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint64_t, uint64_t>>
        came;  // flow, sequence: place in the order, how often
    std::map<uint32_t, uint64_t> places;
    for (const PortEntry& port : test_.project.ports)
      for (const ListedFrame& frame : port.in.frames)
        if (const auto stamp = packet::read_stamp(frame.bytes)) {
          auto& [place, times] = came[{stamp->flow, stamp->sequence}];
          if (times++ == 0) place = ++places[stamp->flow];
        }
    if (came.empty())
      return cannot(
          one, "none of the frames that came has a stamp, so nothing can be said of their order (docs/testing.md)");
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> left;
    Told told(*this, one);
    for (unsigned port = 0; port < session_.ports(); ++port) {
      std::map<uint32_t, std::pair<uint64_t, uint32_t>> last;  // flow: place, sequence
      for (const Session::SentFrame& frame : session_.sent(port)) {
        const auto stamp = packet::read_stamp(frame.bytes);
        const auto known = stamp ? came.find({stamp->flow, stamp->sequence}) : came.end();
        if (known == came.end()) continue;
        if (++left[known->first] == known->second.second + 1)
          told.add(fmt::format("frame {} of flow {} left more often than it came", stamp->sequence, stamp->flow));
        auto& [place, sequence] = last[stamp->flow];
        if (known->second.first < place)
          told.add(fmt::format("port {} sent frame {} of flow {} after frame {}, which had come later", port,
                               stamp->sequence, stamp->flow, sequence));
        else
          sequence = stamp->sequence;
        place = std::max(place, known->second.first);
      }
    }
  }

  void checksums(const Invariant& one) {
    std::set<std::string> came;
    for (const PortEntry& port : test_.project.ports)
      for (const ListedFrame& frame : port.in.frames)
        for (const std::string& fault : packet::decode(frame.bytes).faults) came.emplace(without_length_here(fault));
    Told told(*this, one);
    for (unsigned port = 0; port < session_.ports(); ++port) {
      size_t number = 0;
      for (const Session::SentFrame& sent : session_.sent(port)) {
        const packet::DecodedFrame frame = packet::decode(sent.bytes);
        ++number;
        // A router tests the header that it forwards by; a label switch does not look behind its label (RFC 3031 3.14).
        const bool labelled = frame.find("mpls") != nullptr;
        for (const std::string& fault : frame.faults)
          if ((!labelled && fault.starts_with("ipv4: header checksum")) ||
              !came.contains(std::string(without_length_here(fault))))
            told.add(
                fmt::format("frame {} from port {} is wrong: {} ({})", number, port, fault, packet::one_line(frame)));
      }
    }
  }

  void accounted(const Invariant& one) {
    const Report report = session_.report();
    uint64_t dropped = 0, handed = 0, made = 0, of_programs = 0, lost = 0;
    for (const ReasonFigures& f : report.drops) dropped += f.count;
    for (const ReasonFigures& f : report.exceptions) handed += f.count;
    for (const ReasonFigures& f : report.core) made += f.reason == "frame: sent" ? f.count : 0;
    for (const ReasonFigures& f : report.makes) of_programs += f.count;
    for (const PortFigures& port : report.ports) lost += port.lost_mac + port.lost_other;
    const uint64_t in = report.frames_in + of_programs,
                   known = report.frames_out - std::min(made, report.frames_out) + dropped + handed + lost;
    if (in == known) return;
    add(one,
        fmt::format("{} frames came{}; {} left ({} of them of the control processor), {} were dropped with a "
                    "reason, {} handed to the control processor, {} lost at ports: {} {}",
                    report.frames_in, of_programs ? fmt::format(", {} were made by the programs", of_programs) : "",
                    report.frames_out, made, dropped, handed, lost, in > known ? in - known : known - in,
                    in > known ? "are not accounted for" : "more than came"));
  }

 private:
  /// Says the first few, and how many more there were.
  class Told {
   public:
    Told(Check& check, const Invariant& one) : check_(check), one_(one) {}
    ~Told() {
      if (count_ > kTold) check_.add(one_, fmt::format("and {} more", count_ - kTold));
    }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    void add(const std::string& text) {
      if (++count_ <= kTold) check_.add(one_, text);
    }

   private:
    Check& check_;
    const Invariant& one_;
    size_t count_ = 0;
  };

  void add(const Invariant& one, const std::string& text) {
    const std::string name(to_text(one.kind));
    out_.push_back({one.range, fmt::format("{}: {}", name, text), name});
  }
  /// Nothing can be said of it: no reason to look for a smaller case.
  void cannot(const Invariant& one, const std::string& text) {
    out_.push_back({one.range, fmt::format("{}: {}", to_text(one.kind), text)});
  }

  /// Buffers of a pool that the receiver keeps: each context has one for the next frame (in `spare`, or still where the
  /// free list has put it), and each channel one that was left over from a frame that was discarded.
  std::set<uint32_t> spares(const KnownPool& known, const Invariant& one) {
    std::set<uint32_t> kept;
    const auto note = [&](const std::string& place) {
      const auto value = session_.read(place);
      if (!value) return false;
      // Contexts name a buffer by its address, also where the free list has another name for it.
      if (const auto buffer = known.pool.buffer_at(*value)) kept.insert(*buffer);
      return true;
    };
    const auto chips = session_.chips();
    const std::string on = chips.size() > 1 ? chips[known.chip] + ": " : std::string();
    emulator::Machine& machine = session_.machine(known.chip);
    for (unsigned e = 0; e < machine.engine_count(); ++e) {
      bool receives = false;
      for (unsigned c = 0; c < emulator::kContexts; ++c) {
        receives |= note(fmt::format("{}me{}.ctx{}.spare", on, e, c));
        if (receives) note(fmt::format("{}me{}.ctx{}.$spare_in", on, e, c));
      }
      for (unsigned n = 0; receives && n < kChannels; ++n)
        note(fmt::format("{}me{}.lm[{}]", on, e, n * kChannelLongwords));
    }
    for (const std::string& place : one.spares) {
      const auto value = session_.evaluate(place);
      if (!value)
        cannot(one, fmt::format("'{}': {}", place, value.error().list().front().text));
      else if (const auto buffer = known.pool.buffer_at(static_cast<uint32_t>(*value)))
        kept.insert(*buffer);
    }
    return kept;
  }

  Session& session_;
  const Case& test_;
  const std::vector<KnownPool>& pools_;
  std::vector<Difference>& out_;
};

}  // namespace

std::string_view to_text(Kind kind) { return kNames[static_cast<size_t>(kind)]; }

std::vector<KnownPool> pools_of(const Project& project, const Built& built) {
  std::vector<KnownPool> known;
  for (size_t i = 0; i < project.pools.size(); ++i) known.push_back({built.pool_chips[i], project.pools[i].pool});
  if (known.empty() && built.control)
    for (const control::PoolSetup& pool : built.control->pools)
      known.push_back({built.control_chip,
                       {pool.name, emulator::BufferPool::List::scratch_ring, pool.ring, 0, emulator::MemorySpace::dram,
                        0, pool.base, pool.bytes, pool.count, 0}});
  return known;
}

void read_invariant(const JsonNode& node, const Row& row, std::vector<Invariant>& to, Diagnostics& out) {
  Invariant one;
  one.range = node.range();
  std::string name;
  if (node.is_object()) {
    node.only({"buffers"}, out);
    name = "buffers";
    if (!node.get("buffers").is_array())
      node.wrong(out, "an invariant is its name, or \"buffers\" with places that may hold one",
                 "write {\"buffers\": [\"me0.ctx0.mine\"]}");
    for (const JsonNode& place : node.get("buffers").items()) one.spares.push_back(row.text(place, out));
  } else {
    name = row.text(node, out);
  }
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) {
    const auto near = nearest(name, {kNames.begin(), kNames.end()});
    out.error("test-invariant", node.range(), fmt::format("there is no invariant '{}'", name),
              near ? fmt::format("did you mean '{}'?", *near) : "there are buffers, order, checksums and accounted");
    return;
  }
  one.kind = static_cast<Kind>(found - kNames.begin());
  if (std::any_of(to.begin(), to.end(), [&](const Invariant& other) { return other.kind == one.kind; }))
    node.wrong(out, fmt::format("'{}' is named twice", name));
  to.push_back(std::move(one));
}

void check_invariants(Session& session, const Case& test, const Stop& stop, const std::vector<KnownPool>& pools,
                      std::vector<Difference>& out) {
  // A fault or a stopping check cuts the run: where frames are then says nothing more.
  if (test.expect.invariants.empty() || stop.kind == Stop::Kind::fault || stop.kind == Stop::Kind::check) return;
  Check check(session, test, pools, out);
  for (const Invariant& one : test.expect.invariants) {
    const bool of_the_end = one.kind == Kind::buffers || one.kind == Kind::accounted;
    if (of_the_end && stop.kind != Stop::Kind::quiet) {
      out.push_back({one.range, fmt::format("{}: the run was cut by a limit while frames may have been under way; the "
                                            "project's limit 'quiet' lets it end by itself",
                                            to_text(one.kind))});
      continue;
    }
    switch (one.kind) {
      case Kind::buffers: check.buffers(one); break;
      case Kind::order: check.order(one); break;
      case Kind::checksums: check.checksums(one); break;
      case Kind::accounted: check.accounted(one); break;
    }
  }
}

}  // namespace weft::workbench::testing
