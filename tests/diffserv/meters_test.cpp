// The meters in microcode against the exact model, on both chips; the vectors of other implementations; rates against a
// clock without steps.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "cases.h"
#include "machine.h"
#include "meter_model.h"

using namespace weft;
using control::diffserv::Meter;
using emulator::MemorySpace;
using test::Colour;
using test::MeterModel;
using test::Wide;

namespace {

struct Chip {
  const char* board;
  uint64_t hz;
};
constexpr std::array<Chip, 2> kChips{{{"generic-1200", 200'000'000}, {"generic-2400", 600'000'000}}};

struct Packet {
  Wide at = 0;  ///< units
  uint32_t bytes = 0;
  Colour comes = test::green;
};

constexpr size_t kBatch = 50'000;
constexpr uint32_t kRecord = 0x1000, kPackets = 0x40000;

long program_of(const Meter& m) {
  if (m.kind == Meter::Kind::police) return 0;
  return (m.kind == Meter::Kind::srtcm ? 1 : 3) + (m.aware ? 1 : 0);
}

/// Colours by the microcode. Times go in as 64 bits, so they wrap there.
std::vector<Colour> run(const Chip& chip, const Meter& meter, Wide start, const std::vector<Packet>& packets) {
  REQUIRE(control::diffserv::meter_problem(meter, chip.hz) == "");
  const auto made = control::diffserv::meter_record(meter, chip.hz, static_cast<uint64_t>(start));
  std::vector<uint32_t> record(made.begin() + control::diffserv::kMeterAt, made.end());
  std::vector<Colour> out;
  for (size_t first = 0; first < packets.size(); first += kBatch) {
    const size_t n = std::min(kBatch, packets.size() - first);
    auto session =
        test::run_on(chip.board, "meters.uc", {{"METER", program_of(meter)}, {"PACKETS", static_cast<long>(n)}},
                     [&](workbench::Session& s) {
                       auto& host = s.units().host();
                       for (uint32_t i = 0; i < record.size(); ++i)
                         host.write(MemorySpace::sram, kRecord + i * 4, record[i]);
                       for (uint32_t i = 0; i < n; ++i) {
                         const Packet& p = packets[first + i];
                         const uint64_t at = static_cast<uint64_t>(p.at);
                         host.write(MemorySpace::sram, kPackets + i * 16, static_cast<uint32_t>(at >> 32));
                         host.write(MemorySpace::sram, kPackets + i * 16 + 4, static_cast<uint32_t>(at));
                         host.write(MemorySpace::sram, kPackets + i * 16 + 8, p.bytes);
                         host.write(MemorySpace::sram, kPackets + i * 16 + 12, p.comes);
                       }
                     });
    auto& host = session->units().host();
    for (uint32_t i = 0; i < n; ++i)
      out.push_back(static_cast<Colour>(host.read(MemorySpace::sram, kPackets + i * 16 + 12)));
    for (uint32_t i = 0; i < record.size(); ++i) record[i] = host.read(MemorySpace::sram, kRecord + i * 4);
  }
  return out;
}

/// How many packets have another colour than in the model.
size_t differences(const Chip& chip, const Meter& meter, Wide start, const std::vector<Packet>& packets,
                   const std::vector<Colour>& colours) {
  MeterModel model(meter, chip.hz, start);
  size_t wrong = 0;
  for (size_t i = 0; i < packets.size(); ++i)
    wrong += model.meter(packets[i].at, packets[i].bytes, packets[i].comes) != colours[i];
  return wrong;
}

std::array<size_t, 3> count(const std::vector<Colour>& colours) {
  std::array<size_t, 3> n{};
  for (const Colour c : colours) {
    REQUIRE(c <= test::red);
    ++n[c];
  }
  return n;
}

Wide units(const Chip& chip, double seconds) {
  return static_cast<Wide>(seconds * static_cast<double>(chip.hz) * control::diffserv::kUnitsPerCycle);
}

/// Bursts at line rate, pauses of all lengths, packets of all lengths and colours, around `bytes_per_second`.
std::vector<Packet> arrivals(const Chip& chip, Wide start, double bytes_per_second, size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  const auto chance = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  std::vector<Packet> out;
  Wide at = start;
  size_t burst = 0;
  for (size_t i = 0; i < n; ++i) {
    const uint32_t bytes = random() % 4 == 0 ? 1 + random() % 1518 : random() % 2 ? 46 : 1500;
    out.push_back({at, bytes, static_cast<Colour>(random() % 3)});
    if (burst == 0 && random() % 8 == 0) burst = random() % 40;
    if (burst > 0) {
      --burst;
      at += units(chip, (bytes + 38) * 3.2e-9) + random() % 3;  // a line of 2.5 Gb/s
    } else {
      // About as fast as the rate, with a long pause now and then, after which there are yellow packets.
      double seconds = bytes / bytes_per_second * (0.2 + 1.8 * chance());
      if (random() % 100 == 0) seconds *= 1000 * chance();
      at += units(chip, seconds);
    }
  }
  return out;
}

std::vector<Meter> all_meters(uint64_t rate, uint32_t burst) {
  std::vector<Meter> out{{Meter::Kind::police, rate, 0, burst, 0, false}};
  for (const bool aware : {false, true}) {
    out.push_back({Meter::Kind::srtcm, rate, 0, burst, burst * 2, aware});
    out.push_back({Meter::Kind::trtcm, rate, rate + rate / 3, burst, burst * 2, aware});
  }
  return out;
}

/// 2^64 units: where the time of the microcode comes round.
constexpr Wide kRound = Wide{1} << 64;

}  // namespace

TEST_CASE("Meters: every colour as in the exact model, random arrivals") {
  auto seed = static_cast<uint32_t>(test::seed_or(1));
  const size_t n = test::full_run() ? 200'000 : 8000;
  INFO("WEFT_SEED=" << seed);
  for (const Chip& chip : kChips) {
    for (const uint64_t rate : {64'000ull, 7'000'003ull, 100'000'000ull, 600'000'000ull}) {
      for (const Meter& meter : all_meters(rate, rate < 1'000'000 ? 3000 : 10'000)) {
        const Wide start = 12345;
        const auto packets = arrivals(chip, start, static_cast<double>(rate) / 8, n, seed++);
        const auto colours = run(chip, meter, start, packets);
        INFO(chip.board << " rate " << rate << " program " << program_of(meter) << " packets of seed " << seed - 1);
        CHECK(differences(chip, meter, start, packets, colours) == 0);
        const auto by_colour = count(colours);
        CHECK(by_colour[test::green] > 100);
        CHECK(by_colour[test::red] > 100);
        if (meter.kind != Meter::Kind::police) CHECK(by_colour[test::yellow] > 20);
      }
    }
  }
}

TEST_CASE("Meters: across the wrap of the time, and a bucket that is fuller than what is left of it") {
  const auto seed = static_cast<uint32_t>(test::seed_or(77));
  const size_t n = test::full_run() ? 100'000 : 4000;
  INFO("WEFT_SEED=" << seed);
  for (const Chip& chip : kChips) {
    for (const double before : {1e-6, 0.01, 0.3}) {
      for (const Meter& meter : all_meters(8'000'000, 20'000)) {
        const Wide start = kRound - units(chip, before);
        const auto packets = arrivals(chip, start, 1e6, n, seed);
        REQUIRE(packets.back().at > kRound);
        INFO(chip.board << " " << before << " s before the wrap, program " << program_of(meter));
        CHECK(differences(chip, meter, start, packets, run(chip, meter, start, packets)) == 0);
      }
    }
  }
}

TEST_CASE("Meters: a packet a second for three days loses no fraction") {
  // 999 bytes a second come, and the rate is 998.875: the bucket goes down by an eighth of a byte a second. After
  // 24,000 seconds 3,000 bytes are used up. Then one packet in 7,992 is too much.
  const Chip& chip = kChips[1];
  const Meter meter{Meter::Kind::police, 7991, 0, 3999, 0, false};  // bits a second: 998.875 bytes
  std::vector<Packet> packets;
  for (size_t i = 0; i < 259'200; ++i) packets.push_back({units(chip, 1) * static_cast<Wide>(i), 999, test::green});
  const auto colours = run(chip, meter, 0, packets);
  CHECK(differences(chip, meter, 0, packets, colours) == 0);
  const auto first = std::find(colours.begin(), colours.end(), test::red) - colours.begin();
  CHECK(std::abs(first - 24000) <= 1);  // 3999 - 999 - n * 0.125 falls below 0
  const auto lost = static_cast<double>(count(colours)[test::red]);
  const double bytes = 259'200 * 999.0 - lost * 999;
  CHECK(bytes == Approx(259'200 * 998.875 + 3999).epsilon(1e-5));
}

TEST_CASE("Meters: back to back at the rate of the line, all of it conforms for ever") {
  // 64-byte frames on a Gigabit line are 46 bytes of IP in 672 ns: 547,619,047.6 bit/s. With 0.01 % more than that as
  // the rate nothing is lost.
  for (const Chip& chip : kChips) {
    const Meter meter{Meter::Kind::police, 547'700'000, 0, 1500, 0, false};
    std::vector<Packet> packets;
    for (size_t i = 0; i < 100'000; ++i)
      packets.push_back({units(chip, 672e-9) * static_cast<Wide>(i), 46, test::green});
    const auto colours = run(chip, meter, 0, packets);
    CHECK(count(colours)[test::red] == 0);
    CHECK(differences(chip, meter, 0, packets, colours) == 0);
  }
}

TEST_CASE("Meters: readings that are older than the record count for what they are") {
  // Threads read the time, and another one may be faster to the lock: times go back by up to 20 us.
  const auto seed = static_cast<uint32_t>(test::seed_or(9));
  const size_t n = test::full_run() ? 100'000 : 5000;
  INFO("WEFT_SEED=" << seed);
  for (const Chip& chip : kChips) {
    for (const Meter& meter : all_meters(50'000'000, 3000)) {
      auto packets = arrivals(chip, kRound - units(chip, 0.01), 6e6, n, seed);
      std::mt19937 random(seed + 1);
      for (Packet& p : packets) p.at -= random() % 3 == 0 ? random() % static_cast<uint64_t>(units(chip, 20e-6)) : 0;
      const Wide start = packets.front().at - 1;
      INFO(chip.board << " program " << program_of(meter));
      CHECK(differences(chip, meter, start, packets, run(chip, meter, start, packets)) == 0);
    }
  }
}

TEST_CASE("Meters: DPDK's boundaries, and eight packets of 1,000 bytes") {
  const auto colours_of = [](const Chip& chip, const Meter& meter, std::vector<uint32_t> sizes) {
    std::vector<Packet> packets;
    for (const uint32_t size : sizes) packets.push_back({777, size, test::green});
    std::string text;
    for (const Colour c : run(chip, meter, 777, packets)) text += "GYR"[c];
    return text;
  };
  for (const Chip& chip : kChips) {
    const Meter single{Meter::Kind::srtcm, 46'000'000, 0, 2048, 4096, false};
    const Meter two{Meter::Kind::trtcm, 46'000'000, 69'000'000, 2048, 4096, false};
    CHECK(colours_of(chip, single, std::vector<uint32_t>(8, 1000)) == "GGYYYYRR");
    for (const Meter& meter : {single, two}) {
      for (const bool aware : {false, true}) {
        Meter m = meter;
        m.aware = aware;
        CHECK(colours_of(chip, m, {2047}) == "G");
        CHECK(colours_of(chip, m, {2048}) == "G");
        CHECK(colours_of(chip, m, {2049}) == "Y");
        CHECK(colours_of(chip, m, {4095}) == "Y");
        CHECK(colours_of(chip, m, {4096}) == "Y");
        CHECK(colours_of(chip, m, {4097}) == "R");
      }
    }
  }
}

TEST_CASE("Meters: 10 s of 500-byte packets at 8 Mb/s, buckets of 100 and 200 kB") {
  enum Amount { none, some, all };
  struct Row {
    Meter::Kind kind;
    uint64_t rate, peak;
    int comes;  // -1: colour-blind
    Amount conform, exceed, violate;
  };
  using K = Meter::Kind;
  const std::vector<Row> rows{
      {K::police, 8'500'000, 0, -1, all, none, none},         {K::srtcm, 8'500'000, 0, -1, all, none, none},
      {K::trtcm, 8'500'000, 9'000'000, -1, all, none, none},  {K::police, 7'000'000, 0, -1, some, none, some},
      {K::srtcm, 7'000'000, 0, -1, some, some, some},         {K::trtcm, 7'000'000, 9'000'000, -1, some, some, none},
      {K::trtcm, 7'000'000, 7'500'000, -1, some, some, some}, {K::srtcm, 7'000'000, 0, 1, none, some, some},
      {K::trtcm, 7'000'000, 9'000'000, 1, none, all, none},   {K::trtcm, 7'000'000, 7'500'000, 1, none, some, some},
      {K::srtcm, 7'000'000, 0, 2, none, none, all},           {K::trtcm, 7'000'000, 9'000'000, 2, none, none, all},
  };
  for (const Chip& chip : kChips) {
    for (const Row& row : rows) {
      const Meter meter{row.kind, row.rate, row.peak, 100'000, 200'000, row.comes >= 0};
      std::vector<Packet> packets;
      for (size_t i = 0; i < 20'000; ++i)
        packets.push_back({units(chip, 500e-6) * static_cast<Wide>(i), 500,
                           row.comes > 0 ? static_cast<Colour>(row.comes) : test::green});
      const auto n = count(run(chip, meter, 0, packets));
      const auto amount = [](size_t k) { return k == 0 ? none : k == 20'000 ? all : some; };
      INFO(chip.board << " program " << program_of(meter) << " " << row.rate << " " << row.peak << " comes "
                      << row.comes);
      CHECK(amount(n[test::green]) == row.conform);
      CHECK(amount(n[test::yellow]) == row.exceed);
      CHECK(amount(n[test::red]) == row.violate);
    }
  }
}

TEST_CASE("Meters: the rate that conforms is within 0.1 % of the configured one, clocks with steps") {
  // Twice the rate is offered. The microcode reads a clock that stands still between its ticks: 16 cycles on the
  // IXP2400, and 1 us to 1 ms for a clock that the control processor of an IXP1200 keeps. In bits a second, against the
  // time without steps. Bursts are the least ones that the host takes,
  // and room for what comes between two packets, up to one of them at this load: without it a bucket in a time without
  // steps is full as well before the next packet comes.
  const auto seed = static_cast<uint32_t>(test::seed_or(3));
  INFO("WEFT_SEED=" << seed);
  struct Clock {
    size_t chip;
    double tick;
  };
  for (const Clock& clock : {Clock{0, 1e-6}, Clock{0, 100e-6}, Clock{0, 1e-3}, Clock{1, 16 / 600e6}}) {
    const Chip& chip = kChips[clock.chip];
    for (const uint64_t rate : {64'000ull, 42'000'000ull, 500'000'000ull, 1'000'000'000ull}) {
      const control::diffserv::BurstNeeds needs{static_cast<uint64_t>(std::ceil(clock.tick * 1e9)), 1500};
      const auto burst = static_cast<uint32_t>(control::diffserv::least_burst(rate, needs)) + needs.largest;
      const Meter meter{Meter::Kind::police, rate, 0, burst, 0, false};
      REQUIRE(small_burst(meter, needs).empty());
      std::mt19937 random(seed);
      const double seconds_a_byte = 8.0 / static_cast<double>(rate) / 2;
      std::vector<Packet> packets;
      std::vector<double> times;
      double at = 0;
      for (size_t i = 0; i < 50'000; ++i) {
        const uint32_t bytes = 46 + random() % 1455;
        times.push_back(at);
        packets.push_back({units(chip, std::floor(at / clock.tick) * clock.tick), bytes, test::green});
        at += bytes * seconds_a_byte * (0.5 + static_cast<double>(random()) / 4294967296.0);
      }
      const auto colours = run(chip, meter, 0, packets);
      // From the 5,000th packet on the bucket is long empty. Whole ticks are counted.
      const auto tick_of = [&](double time) { return std::floor(time / clock.tick); };
      const double first = tick_of(times[5000]) + 1, last = tick_of(times.back());
      uint64_t bytes = 0;
      for (size_t i = 5000; i < packets.size(); ++i)
        if (tick_of(times[i]) >= first && tick_of(times[i]) < last && colours[i] == test::green)
          bytes += packets[i].bytes;
      const double conforms = static_cast<double>(bytes) * 8 / ((last - first) * clock.tick);
      INFO(chip.board << " tick " << clock.tick << " rate " << rate << " conforms " << conforms);
      CHECK(std::abs(conforms / static_cast<double>(rate) - 1) < 0.001);
    }
  }
}

TEST_CASE("Meters: the EF policer of the thesis lets 62,500 packets a second pass, however many come") {
  // 64-byte frames, of which 46 bytes are IP; the StrongARM's timer ticks every microsecond. 148,809 a second fill a
  // line of 100 Mb/s.
  const Chip& chip = kChips[0];
  const Meter meter{Meter::Kind::police, 62'500 * 46 * 8, 0, 46 * 32, 0, false};
  for (const double offered : {50'000.0, 62'000.0, 65'000.0, 100'000.0, 148'809.0}) {
    std::vector<Packet> packets;
    for (size_t i = 0; i < 45'000; ++i) {
      packets.push_back({units(chip, std::floor(static_cast<double>(i) / offered * 1e6) * 1e-6), 46, test::green});
    }
    const auto colours = run(chip, meter, 0, packets);
    size_t passed = 0;  // after the 15,000th the bucket is empty when it can be
    for (size_t i = 15'000; i < colours.size(); ++i) passed += colours[i] == test::green;
    const double a_second = static_cast<double>(passed) / (30'000 / offered);
    INFO(offered << " offered, " << a_second << " pass");
    CHECK(a_second == Approx(std::min(offered, 62'500.0)).epsilon(0.001));
  }
}

TEST_CASE("Meters: what the host refuses, and what it rounds") {
  using namespace control::diffserv;
  const uint64_t hz = 600'000'000;
  CHECK(cost_of_byte(1'000'000'000, hz) == 19661);  // 19660.8
  CHECK(cost_of_byte(0, hz) == 0);
  CHECK(cost_of_byte(4000, hz) == 0);
  CHECK(cost_of_byte(40'000'000'000, hz) == 0);
  CHECK(meter_problem({Meter::Kind::police, 4000, 0, 1500, 0, false}, hz)
            .find("outside of what a meter can do at 600 MHz") != std::string::npos);
  CHECK(meter_problem({Meter::Kind::police, 0, 0, 1500, 0, false}, hz) == "the committed rate is 0");
  CHECK(meter_problem({Meter::Kind::police, 8000, 0, 0, 0, false}, hz) == "the burst is 0 bytes: nothing would pass");
  CHECK(meter_problem({Meter::Kind::srtcm, 8000, 0, 0, 0, false}, hz) ==
        "both bursts are 0 bytes: every packet would be red");
  CHECK(meter_problem({Meter::Kind::srtcm, 8000, 0, 0, 1, false}, hz) == "");
  CHECK(meter_problem({Meter::Kind::trtcm, 8000, 7999, 1, 1, false}, hz) ==
        "the peak rate is below the committed rate");
  CHECK(meter_problem({Meter::Kind::trtcm, 8000, 8000, 1, 0, false}, hz) == "both bursts must be larger than 0 bytes");
  CHECK(meter_problem({Meter::Kind::police, 8000, 0, 4'000'000'000, 0, false}, hz).find("takes more than 2^62 units") !=
        std::string::npos);
  CHECK(meter_problem({}, hz) == "");
  // 20 Mb/s are 2,500 bytes in a millisecond.
  const BurstNeeds needs{1'000'000, 1500};
  CHECK(least_burst(20'000'000, needs) == 4000);
  CHECK(least_burst(20'000'001, needs) == 4001);
  CHECK(least_burst(8000, {0, 1}) == 20);
  CHECK(small_burst({Meter::Kind::police, 20'000'000, 0, 4000, 0, false}, needs) == "");
  CHECK(small_burst({Meter::Kind::police, 20'000'000, 0, 3999, 0, false}, needs).find("4000 bytes at least") !=
        std::string::npos);
  CHECK(small_burst({Meter::Kind::srtcm, 20'000'000, 0, 0, 4000, false}, needs) == "");
  CHECK(small_burst({Meter::Kind::srtcm, 20'000'000, 0, 4000, 3999, false}, needs).find("excess burst of 3999") !=
        std::string::npos);
  CHECK(small_burst({Meter::Kind::trtcm, 20'000'000, 40'000'000, 4000, 6500, false}, needs) == "");
  CHECK(
      small_burst({Meter::Kind::trtcm, 20'000'000, 40'000'000, 4000, 6499, false}, needs).find("peak burst of 6499") !=
      std::string::npos);
}
