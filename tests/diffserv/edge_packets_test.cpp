// The packets of the edge router, each followed: meters, counts of queues and tickets are read for one packet after
// another, and none of them becomes another packet by that.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "weft/control/diffserv/layout.h"
#include "weft/control/layout_1200.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

using namespace weft;
using emulator::Verdict;
namespace ds = weft::control::diffserv;
namespace ixp1200 = weft::control::ixp1200;

namespace {

const std::string kEdge = WEFT_SOURCE_DIR "/examples/diffserv-edge-1200";

}  // namespace

TEST_CASE("Edge: the project says where the buffers and the tables of the layout are") {
  const auto project = workbench::load_project(kEdge);
  REQUIRE(project);
  REQUIRE(project->pools.size() == 1);
  const emulator::BufferPool& pool = project->pools[0].pool;
  constexpr uint32_t kFirst = ixp1200::kBuffers / 4, kStep = ixp1200::kBufferDescriptorBytes / 4;
  CHECK(pool.list_number == ixp1200::kFreeList);
  CHECK(pool.base == uint64_t{kFirst} << 9);  // a frame begins at quadword buffer << 6
  CHECK(pool.count == ixp1200::kBufferCount);
  CHECK(pool.buffer_of_handle(kFirst).value_or(1) == 0u);
  CHECK(pool.buffer_of_handle(kFirst + 5 * kStep).value_or(0) == 5u);
  CHECK_FALSE(pool.buffer_of_handle(kFirst + ixp1200::kBufferCount * kStep));
  const auto in_table = [&](uint32_t begin, uint32_t bytes) {
    return std::ranges::any_of(project->tables, [&](const workbench::TableEntry& t) {
      return t.region == image::Region::sram0 && t.address <= begin && begin + bytes <= t.address + t.bytes;
    });
  };
  CHECK(in_table(ixp1200::kTicket, 4));
  CHECK(in_table(ds::kClassQueues, ds::kPorts * ds::kQueuesOfPort * ds::kQueueBytes));
  for (const uint32_t bank : ds::kBanks) CHECK(in_table(bank, ds::kBankBytes));
  // Here packets change hands.
  CHECK_FALSE(in_table(ds::kPortStates, 4));
  CHECK_FALSE(in_table(ds::kClassSlots, 4));
  CHECK_FALSE(in_table(ixp1200::kCoreRing, 4));
}

TEST_CASE("Edge: what becomes of each packet is what the counters say") {
  auto project = workbench::load_project(kEdge);
  REQUIRE(project);
  workbench::Observation observation;
  observation.packets = true;
  const auto session = workbench::Session::create(std::move(*project), observation);
  REQUIRE(session);
  (*session)->run({});
  REQUIRE((*session)->finish());
  const workbench::Report report = (*session)->report();
  const emulator::PacketTotals& totals = (*session)->packets()->totals();
  const auto number = [&](Verdict verdict) { return totals.by_verdict[static_cast<size_t>(verdict)]; };
  CHECK(number(Verdict::in_flight) == 0);
  CHECK(number(Verdict::forwarded) == report.frames_out);
  CHECK(number(Verdict::dropped) == report.dropped);
  CHECK(totals.unnumbered_sent == 0);
  std::map<std::string, uint64_t> counted, followed;
  for (const workbench::ReasonFigures& f : report.drops) counted[f.reason] += f.count;
  for (const auto& [key, count] : totals.reasons) followed[std::get<std::string>(key)] += count;
  CHECK(counted.size() == 2);  // policed, queue_full
  CHECK(followed == counted);
}
