#include "forward1200.h"

#include <algorithm>
#include <utility>

#include "weft/assembler/assembler.h"
#include "weft/packet/checksum.h"

namespace weft::forward1200 {

using emulator::HostPort;
using emulator::MemorySpace;

namespace {

// As in layout.uc, in longwords.
constexpr uint32_t kTrie = 0x10000, kTables = 0x20000, kHopEntries = 0x40000, kBuffers = 0x4a000;
constexpr uint32_t kLeaf = 1u << 31, kDiscard = 1u << 31;
/// Fewer than a ring has longwords: no ring can overflow.
constexpr uint32_t kBufferCount = 240;
constexpr uint32_t kReceived = 16, kSent = 32, kDropped = 48, kClasses = 64, kFilterEntries = 128;

constexpr size_t kIp = 14, kNumber = 42;

std::array<uint8_t, 6> mac_of_port(unsigned port) { return {2, 0, 0, 0, 0x12, static_cast<uint8_t>(port)}; }
std::array<uint8_t, 6> mac_of_hop(unsigned hop) { return {2, 0, 0, 0xaa, 0x55, static_cast<uint8_t>(hop)}; }

uint32_t mask_of(unsigned length) { return length == 0 ? 0 : ~uint32_t{0} << (32 - length); }

/// An address from which and to which packets are forwarded.
bool usable(uint32_t address) {
  const uint32_t first = address >> 24;
  return first != 0 && first != 127 && first < 224;
}
uint32_t usable_address(Random& random) {
  for (;;)
    if (const uint32_t address = random.next32(); usable(address)) return address;
}

/// The trie, table by table, as it will stand in SRAM from kTrie on.
class Trie {
 public:
  Trie() : words_(65536, leaf(kHops)) {}
  /// Shorter prefixes first.
  void add(const Route& route) {
    const uint32_t value = leaf(route.hop);
    if (route.length <= 16) return fill(0, route.prefix >> 16, 16 - route.length, value);
    const size_t second = table_at(route.prefix >> 16);
    if (route.length <= 24) return fill(second, route.prefix >> 8 & 255, 24 - route.length, value);
    fill(table_at(second + (route.prefix >> 8 & 255)), route.prefix & 255, 32 - route.length, value);
  }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  static uint32_t leaf(unsigned hop) { return kLeaf | (kHopEntries + 4 * hop); }
  void fill(size_t table, uint32_t first, unsigned bits, uint32_t value) {
    std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(table + first), size_t{1} << bits, value);
  }
  /// The table to which the entry leads; a new one repeats the leaf that stood there.
  size_t table_at(size_t entry) {
    if ((words_[entry] & kLeaf) == 0) return words_[entry] - kTrie;
    const uint32_t before = words_[entry];
    const size_t table = words_.size();
    words_[entry] = static_cast<uint32_t>(kTrie + table);
    words_.resize(table + 256, before);
    return table;
  }
  std::vector<uint32_t> words_;
};

void set32(std::vector<uint8_t>& bytes, size_t at, uint32_t value) {
  packet::set16(bytes, at, value >> 16);
  packet::set16(bytes, at + 2, value & 0xffff);
}

void set_checksum(std::vector<uint8_t>& frame) {
  packet::set16(frame, kIp + 10, 0);
  packet::set16(frame, kIp + 10, packet::internet_checksum(std::span(frame).subspan(kIp, 20)));
}

/// Something that a router must not forward.
void spoil(std::vector<uint8_t>& frame, Random& random) {
  switch (random.below(8)) {
    case 0: frame[kIp + 8] = static_cast<uint8_t>(random.below(2)); break;            // time to live
    case 1: frame[12] = 0x86; return;                                                 // another type
    case 2: frame[kIp] = 0x46; break;                                                 // options
    case 3: packet::set16(frame, kIp + 2, 47 + random.below(2000)); break;            // longer than the frame
    case 4: frame[kIp + 12] = 127; break;                                             // from a loopback address
    case 5: frame[kIp + 16] = 230; break;                                             // to a group
    case 6: frame[5] = 0x77; return;                                                  // for another station
    default: frame[kIp + 11] ^= static_cast<uint8_t>(1 + random.below(255)); return;  // checksum
  }
  set_checksum(frame);
}

}  // namespace

unsigned port_of(unsigned hop) { return std::min(hop, kPorts - 1); }

std::vector<Route> make_routes(uint64_t seed) {
  Random random(seed);
  std::vector<Route> out;
  for (unsigned hop = 0; hop < kHops; ++hop) {
    for (unsigned i = 0; i < 12; ++i) {
      Route route;
      route.length = static_cast<unsigned>(i < 4   ? random.between(9, 16)
                                           : i < 9 ? random.between(17, 24)
                                                   : random.between(25, 32));
      route.prefix = usable_address(random) & mask_of(route.length);
      route.hop = hop;
      out.push_back(route);
    }
  }
  return out;
}

int hop_of(const std::vector<Route>& routes, uint32_t address) {
  const Route* best = nullptr;
  for (const Route& route : routes)
    if ((address & mask_of(route.length)) == route.prefix && (best == nullptr || route.length > best->length))
      best = &route;
  return best == nullptr ? -1 : static_cast<int>(best->hop);
}

std::array<Filter, kFilters> make_filters() {
  Random random(1200);
  std::array<Filter, kFilters> out;
  for (Filter& filter : out) {
    // Two bits: one packet of four matches.
    filter.source_mask = 1u << random.below(24);
    filter.ports_mask = 1u << random.below(32);
    filter.source = random.next32() & filter.source_mask;
    filter.ports = random.next32() & filter.ports_mask;
  }
  return out;
}

unsigned class_of(const std::vector<uint8_t>& frame) {
  const auto filters = make_filters();
  const uint32_t source = packet::get32(frame, kIp + 12), ports = packet::get32(frame, kIp + 20);
  unsigned i = 0;
  while (i < kFilters && ((source & filters[i].source_mask) != filters[i].source ||
                          (ports & filters[i].ports_mask) != filters[i].ports))
    ++i;
  return i;
}

std::vector<Pair> make_frames(const std::vector<Route>& routes, unsigned port, size_t count, unsigned faulty,
                              uint64_t seed) {
  Random random(seed * kPorts + port);
  std::vector<Pair> out;
  while (out.size() < count) {
    Pair pair;
    std::vector<uint8_t>& in = pair.in;
    in.resize(60);
    for (uint8_t& byte : in) byte = static_cast<uint8_t>(random.below(256));
    std::ranges::copy(mac_of_port(port), in.begin());
    packet::set16(in, 12, 0x0800);
    in[kIp] = 0x45;
    packet::set16(in, kIp + 2, 46 - static_cast<unsigned>(random.below(8)));
    in[kIp + 8] = static_cast<uint8_t>(2 + random.below(254));
    const Route& route = routes[random.below(routes.size())];
    set32(in, kIp + 12, usable_address(random));
    set32(in, kIp + 16, route.prefix | (random.next32() & ~mask_of(route.length)));
    set32(in, kNumber, port << 24 | static_cast<uint32_t>(out.size()));
    set_checksum(in);
    const bool wrong = random.below(1000) < faulty;
    // Nobody routes to these; the same numbers are drawn in any case.
    const int hop = wrong && random.chance(1, 9) ? -1 : hop_of(routes, packet::get32(in, kIp + 16));
    if (hop < 0) {
      do set32(in, kIp + 16, usable_address(random));
      while (hop_of(routes, packet::get32(in, kIp + 16)) >= 0);
      set_checksum(in);
    } else if (wrong) {
      spoil(in, random);
    } else {
      pair.out = in;
      pair.port = port_of(static_cast<unsigned>(hop));
      std::ranges::copy(mac_of_hop(static_cast<unsigned>(hop)), pair.out.begin());
      std::ranges::copy(mac_of_port(pair.port), pair.out.begin() + 6);
      --pair.out[kIp + 8];
      set_checksum(pair.out);
    }
    out.push_back(std::move(pair));
  }
  return out;
}

uint32_t number_of(const std::vector<uint8_t>& frame) { return packet::get32(frame, kNumber); }

emulator::Tick frame_time(const emulator::PortDescription& port) {
  return (port.preamble_bytes + 60 + port.fcs_bytes + port.gap_bytes) * port.byte_ticks;
}

std::optional<emulator::Frame> Traffic::next() {
  if (given_ == limit_) return std::nullopt;
  emulator::Frame out;
  out.bytes = (*frames_)[given_ % frames_->size()].in;
  out.earliest = given_ * spacing_;
  ++given_;
  return out;
}

uint64_t Counters::all_sent() const {
  uint64_t sum = 0;
  for (const uint32_t n : sent) sum += n;
  return sum;
}
uint64_t Counters::all_dropped() const {
  uint64_t sum = 0;
  for (const uint32_t n : dropped) sum += n;
  return sum;
}

Result<std::vector<std::vector<uint64_t>>> programs() {
  std::vector<std::vector<uint64_t>> out;
  for (unsigned engine = 0; engine < kEngines; ++engine) {
    assembler::Options options;
    options.chip = "ixp1200";
    options.profile = isa::Profile::me1;
    options.control_store = 1024;  // what the first revision has
    options.defines = {{"ENGINE", std::to_string(engine)}};
    const std::string name = engine < 4 ? "receive.uc" : "transmit.uc";
    assembler::Assembly made = assembler::assemble(WEFT_SOURCE_DIR "/bench/programs/forward1200/" + name, options);
    if (!made.image) return tl::unexpected(std::move(made.diagnostics));
    out.push_back(std::move(made.image->words));
  }
  return out;
}

Forwarder::Forwarder(const emulator::ChipOnBoard& chip, const std::vector<std::vector<uint64_t>>& programs,
                     const std::vector<Route>& routes)
    : machine(emulator::MachineDescription(chip.chip)), units(chip, machine) {
  machine.attach(units);
  HostPort& host = units.host();
  const auto put = [&](uint32_t longword, uint32_t value) { host.write(MemorySpace::sram, 4 * longword, value); };
  std::vector<Route> by_length = routes;
  std::ranges::stable_sort(by_length, {}, &Route::length);
  Trie trie;
  // Of two routes to one prefix hop_of() takes the first, so it is entered last.
  std::ranges::reverse(by_length);
  std::ranges::stable_sort(by_length, {}, &Route::length);
  for (const Route& route : by_length) trie.add(route);
  static_assert(kTrie + 65536 == kTables);
  for (uint32_t i = 0; i < trie.words().size() && kTrie + i < kHopEntries; ++i) put(kTrie + i, trie.words()[i]);
  for (unsigned hop = 0; hop < kHops; ++hop) {
    std::array<uint8_t, 12> macs{};
    std::ranges::copy(mac_of_hop(hop), macs.begin());
    std::ranges::copy(mac_of_port(port_of(hop)), macs.begin() + 6);
    put(kHopEntries + 4 * hop, port_of(hop));
    for (unsigned i = 0; i < 3; ++i) put(kHopEntries + 4 * hop + 1 + i, packet::get32(macs, 4 * i));
  }
  put(kHopEntries + 4 * kHops, kDiscard);
  uint32_t at = 4 * kFilterEntries;
  for (const Filter& filter : make_filters())
    for (const uint32_t value : {filter.source_mask, filter.source, filter.ports_mask, filter.ports})
      host.write(MemorySpace::scratch, std::exchange(at, at + 4), value);
  std::vector<uint32_t> free(kBufferCount);
  for (uint32_t i = 0; i < kBufferCount; ++i) free[i] = kBuffers + i;
  host.set_list(0, free);
  // Multipliers of the hash unit are 0 after reset.
  host.write_cap(0x140, 0x9e3779b9);
  host.write_cap(0x144, 0x7f4a7c15);
  for (unsigned engine = 0; engine < kEngines; ++engine) {
    machine.load(engine, programs.at(engine));
    machine.start(engine, 0xf);
  }
}

Counters Forwarder::counters() {
  const auto read = [&](uint32_t longword) { return units.host().read(MemorySpace::scratch, 4 * longword); };
  Counters out;
  for (uint32_t port = 0; port < kPorts; ++port)
    out.received[port] = read(kReceived + port), out.sent[port] = read(kSent + port);
  for (uint32_t reason = 0; reason < out.dropped.size(); ++reason) out.dropped[reason] = read(kDropped + reason);
  for (uint32_t c = 0; c < out.classes.size(); ++c) out.classes[c] = read(kClasses + c);
  return out;
}

}  // namespace weft::forward1200
