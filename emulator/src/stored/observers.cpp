// What observers keep. Caches that are made again from the machine and the programs are left out, and so is what their
// makers set: machine, units, programs, limits.
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/emulator/stored.h"

namespace weft::emulator {

/// What files cannot hold: caches and pointers into the observer itself.
struct Mending {
  static bool answers(const PacketTracker& tracker) { return tracker.answer_ != nullptr; }
  static void mend(PacketTracker& tracker, bool answers) {
    for (auto& context : tracker.contexts_) context.live = tracker.find(context.packet);
    const auto open = tracker.open_.find(tracker.answering_);
    tracker.answer_ = answers && open != tracker.open_.end() ? &open->second : nullptr;
  }
  static void rename(PacketRecord& record, const std::map<std::string, std::string>& names) {
    const size_t colon = record.line.rfind(':');  // "forward.uc:120"
    const auto name = colon == std::string::npos ? names.end() : names.find(record.line.substr(0, colon));
    if (name == names.end()) return;
    const bool same = record.reason == record.line;  // without marks the line is the reason
    record.line = name->second + record.line.substr(colon);
    if (same) record.reason = record.line;
  }
  static void rename(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
    for (PacketRecord& record : tracker.records_) rename(record, names);
    for (const auto& [number, live] : tracker.live_) rename(live->record, names);
  }
  static void mend(Statistics& statistics) {
    for (auto& places : statistics.places_) places.assign(places.size(), {});
  }
};

void put_observer(ByteWriter& out, const Coverage& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const History& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const PacketTracker& observer) {
  put(out, observer);
  put(out, Mending::answers(observer));
}
void put_observer(ByteWriter& out, const Profile& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const Statistics& observer) { put(out, observer); }

bool get_observer(ByteReader& in, Coverage& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, History& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, PacketTracker& observer) {
  bool answers = false;
  get(in, observer);
  get(in, answers);
  Mending::mend(observer, answers);
  return in.good();
}
bool get_observer(ByteReader& in, Profile& observer) { return get(in, observer), in.good(); }
bool get_observer(ByteReader& in, Statistics& observer) {
  get(in, observer);
  Mending::mend(observer);
  return in.good();
}

void rename_places(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
  Mending::rename(tracker, names);
}

uint64_t states_layout();
uint64_t stored_layout() {
  return stored::mix(states_layout(), stored::layouts<Coverage, History, PacketTracker, Profile, Statistics>(10));
}

}  // namespace weft::emulator
