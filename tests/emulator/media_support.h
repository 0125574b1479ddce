// Programs of one line each: a receiver that takes mpackets as fast as they come, and a sender that fills TBUF.
#pragma once

#include "units_support.h"

namespace weft::emulator {

inline std::vector<uint8_t> pattern(size_t length, uint8_t seed) {
  std::vector<uint8_t> out(length);
  for (size_t i = 0; i < length; ++i) out[i] = static_cast<uint8_t>(seed + 7 * i + i / 251);
  return out;
}

struct Mpacket {
  unsigned element, length, channel;
  bool sop, eop, error, null;
  uint32_t checksum;
  ContextRef context;
  Tick at;
  std::vector<uint8_t> bytes;
};

/// Contexts 0-7 of engine 0 wait on free list 0 with $0 and signal 4, and give everything back at once.
class Receiver {
 public:
  explicit Receiver(Bench& bench, unsigned contexts = 8) : bench_(bench) {
    for (unsigned c = 0; c < contexts; ++c) arm(c);
    bench.after_event = [this] { poll(); };
  }
  ~Receiver() { bench_.after_event = nullptr; }

  std::vector<Mpacket> mpackets;
  bool give_back = true;

  /// Frames per channel, put together again.
  std::map<unsigned, std::vector<std::vector<uint8_t>>> frames() const {
    std::map<unsigned, std::vector<std::vector<uint8_t>>> out;
    std::map<unsigned, std::vector<uint8_t>> open;
    for (const Mpacket& m : mpackets) {
      auto& frame = open[m.channel];
      REQUIRE(m.sop == frame.empty());
      frame.insert(frame.end(), m.bytes.begin(), m.bytes.end());
      if (m.eop) out[m.channel].push_back(std::exchange(frame, {}));
    }
    return out;
  }

 private:
  void arm(unsigned context) { bench_.units.host().write_msf(0x30, 4u << 12 | context << 4, bench_.bus.now); }
  void poll() {
    for (const FakeBus::Signal& signal : std::exchange(bench_.bus.signals, {})) {
      if (signal.number != 4) continue;
      const unsigned c = signal.to.context;
      const uint32_t status = bench_.bus.read(16 * c);
      Mpacket m{};
      m.element = status >> 24 & 0x7f;
      m.length = status >> 16 & 0xff;
      if (m.length == 0) m.length = 256;
      m.sop = (status >> 15 & 1) != 0;
      m.eop = (status >> 14 & 1) != 0;
      m.error = (status >> 10 & 1) != 0;
      m.null = (status >> 9 & 1) != 0;
      m.channel = status & 31;
      m.checksum = bench_.bus.read(16 * c + 1);
      m.context = signal.to;
      m.at = signal.at;
      if (!m.null) {
        HostPort& host = bench_.units.host();
        const unsigned size = bench_.units.media().mpacket_bytes;
        for (unsigned i = 0; i < m.length; ++i) {
          const uint32_t word = host.read_msf(0x2000 + m.element * size + i);
          m.bytes.push_back(static_cast<uint8_t>(word >> (24 - 8 * (i % 4))));
        }
        if (give_back) host.write_msf(0x44, m.element, bench_.bus.now);
      }
      mpackets.push_back(std::move(m));
      arm(c);
    }
  }
  Bench& bench_;
};

inline std::shared_ptr<FrameSource> frames_of(std::vector<std::vector<uint8_t>> frames, Tick earliest = 0) {
  std::vector<Frame> list;
  for (auto& bytes : frames) list.push_back({std::move(bytes), earliest, false});
  return std::make_shared<ListSource>(std::move(list));
}

/// Writes a frame into TBUF elements from `element` on, as host; gives the next element.
inline unsigned send(Bench& t, unsigned element, const std::vector<uint8_t>& frame, unsigned channel) {
  HostPort& host = t.units.host();
  const unsigned size = t.units.media().mpacket_bytes;
  for (size_t at = 0; at < frame.size(); at += size) {
    const size_t length = std::min<size_t>(size, frame.size() - at);
    for (size_t i = 0; i < length; i += 4) {
      uint32_t word = 0;
      for (size_t k = 0; k < 4 && i + k < length; ++k) word |= uint32_t{frame[at + i + k]} << (24 - 8 * k);
      host.write_msf(static_cast<uint32_t>(0x2000 + element * size + i), word, t.bus.now);
    }
    const bool sop = at == 0, eop = at + length == frame.size();
    host.write_msf(0x1800 + 8 * element,
                   static_cast<uint32_t>((length & 0xff) << 24 | (sop ? 1u << 9 : 0) | (eop ? 1u << 8 : 0) | channel),
                   t.bus.now);
    host.write_msf(0x1804 + 8 * element, 0, t.bus.now);
    element = (element + 1) % (8192 / size);
  }
  return element;
}

}  // namespace weft::emulator
