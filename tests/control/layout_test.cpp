// The microcode's numbers and the control program's are the same.
#include "weft/control/layout.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "microcode_defines.h"

using namespace weft;
using weft::test::microcode_defines;
using namespace weft::control;

TEST_CASE("reasons.uc and layout.h name the same reasons with the same numbers") {
  auto uc = microcode_defines("lib/microblocks/common/reasons.uc");
  CHECK(uc.size() == kReasonNames.size());
  std::set<uint32_t> numbers;
  for (const ReasonName& r : kReasonNames) {
    std::string name = "REASON_";
    for (const char c : r.name) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    INFO(name);
    REQUIRE(uc.count(name) == 1);
    CHECK(uc[name] == static_cast<uint32_t>(r.reason));
    CHECK(numbers.insert(uc[name]).second);
    CHECK(static_cast<uint32_t>(r.reason) < kReasons);
  }
}

TEST_CASE("layout.uc and layout.h describe the same rings and tables") {
  auto uc = microcode_defines("lib/microblocks/common/layout.uc");
  CHECK(uc.at("FREE_RING") == kFreeRing);
  CHECK(uc.at("FORWARD_RING") == kForwardRing);
  CHECK(uc.at("TRANSMIT_RING") == kTransmitRing);
  CHECK(uc.at("CORE_RING") == kCoreRing);
  CHECK(uc.at("MESSAGE_LONGWORDS") == kMessageLongwords);
  CHECK(uc.at("CORE_MESSAGE_LONGWORDS") == kCoreMessageLongwords);
  CHECK(uc.at("FRAME_START") == kFrameStart);
  CHECK(1u << uc.at("COUNTER_PORT_LOG2") == kReasons * 4);
  CHECK(1u << uc.at("PORT_CONFIG_LOG2") == kPortConfigBytes);
  CHECK(kConfigBase + uc.at("BROADCAST_LIST") == kBroadcastList);
  CHECK(kConfigBase + uc.at("VLAN_STATES") == kVlanStates);
  CHECK(1u << uc.at("CAM_VLAN_BIT") == kCamVlan);
  CHECK(1u << uc.at("CAM_OWN_BIT") == kCamOwn);
  CHECK(uc.at("NEXT_HOP_LONGWORDS") == kNextHopLongwords);
  CHECK(1u << uc.at("NEXT_HOP_TAGGED") == kNextHopTagged);
  CHECK(1u << uc.at("FLAG_MARTIANS") == kFlagMartians);
  CHECK(1u << uc.at("FLAG_ANY_MAC") == kFlagAnyMac);
  CHECK(1u << uc.at("FLAG_OFFSET_1") == kFlagOffset1);
  CHECK(1u << uc.at("FLAG_DIRECTED") == kFlagDirected);
  CHECK(uc.at("TRIE_NODE_BIT") == 0);
}

TEST_CASE("Scratch is divided without overlap, rings on multiples of their size") {
  std::set<uint32_t> used;
  auto take = [&](uint32_t base, uint32_t bytes) {
    for (uint32_t a = base; a < base + bytes; a += 4) CHECK(used.insert(a).second);
    CHECK(base + bytes <= 16 * 1024);
  };
  auto ring = [&](uint32_t base, uint32_t longwords) {
    CHECK(base % (longwords * 4) == 0);
    take(base, longwords * 4);
  };
  ring(kFreeRingBase, kFreeRingLongwords);
  for (uint32_t p = 0; p < kPorts; ++p) ring(kForwardRingBase + p * kRingLongwords * 4, kRingLongwords);
  for (uint32_t p = 0; p < kPorts; ++p) ring(kTransmitRingBase + p * kRingLongwords * 4, kRingLongwords);
  ring(kCoreRingBase, kRingLongwords);
  take(kCountersBase, kPorts * kReasons * 4);
  take(kConfigBase, kConfigLongwords * 4);
  CHECK(kVlanStates + kCamEntries * 4 == kConfigBase + kConfigLongwords * 4);
  CHECK(kBufferBase % kMaxBufferBytes == 0);
}
