// What observers keep. Caches that are made again from the machine and the programs are left out, and so is what their
// makers set: machine, units, programs, limits.
#include "serialization/observer_validation.h"
#include "weft/emulator/stored.h"

namespace weft::emulator {

namespace {

void rename_place(PacketRecord& record, const std::map<std::string, std::string>& names) {
  const size_t colon = record.line.rfind(':');  // "forward.uc:120"
  const auto name = colon == std::string::npos ? names.end() : names.find(record.line.substr(0, colon));
  if (name == names.end()) return;
  const bool same = record.reason == record.line;  // without marks the line is the reason
  record.line = name->second + record.line.substr(colon);
  if (same) record.reason = record.line;
}

}  // namespace

void Mending::mend(PacketTracker& tracker, bool answers) {
  for (auto& context : tracker.contexts_) context.live = tracker.find(context.packet);
  const auto open = tracker.open_.find(tracker.answering_);
  tracker.answer_ = answers && open != tracker.open_.end() ? &open->second : nullptr;
}
void Mending::rename(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
  for (PacketRecord& record : tracker.records_) rename_place(record, names);
  for (const auto& [number, live] : tracker.live_) rename_place(live->record, names);
}
void Mending::mend(Statistics& statistics) {
  statistics.places_.forget();
  statistics.early_.assign(statistics.early_.size(), {});
  statistics.open_mask_ = statistics.open_.size() - 1;
}

void put_observer(ByteWriter& out, const Coverage& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const History& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const PacketTracker& observer) {
  put(out, observer);
  put(out, Mending::answers(observer));
}
void put_observer(ByteWriter& out, const Profile& observer) { put(out, observer); }
void put_observer(ByteWriter& out, const Statistics& observer) { put(out, observer); }

namespace {

/// Reads into an observer that is new, and says whether it can go on from there.
template <class T>
bool read_observer(ByteReader& in, T& observer) {
  const ObserverValidation rules(ObserverValidation::engines_of(observer));
  const ObserverValidation::Sizes before = ObserverValidation::sizes(observer);
  get(in, observer);
  return in.good() && ObserverValidation::sizes(observer) == before && all_valid(rules, observer);
}

}  // namespace

bool get_observer(ByteReader& in, Coverage& observer) { return read_observer(in, observer); }
bool get_observer(ByteReader& in, History& observer) { return read_observer(in, observer); }
bool get_observer(ByteReader& in, PacketTracker& observer) {
  if (!read_observer(in, observer)) return false;
  bool answers = false;
  get(in, answers);
  Mending::mend(observer, answers);
  return in.good();
}
bool get_observer(ByteReader& in, Profile& observer) { return read_observer(in, observer); }
bool get_observer(ByteReader& in, Statistics& observer) {
  if (!read_observer(in, observer)) return false;
  Mending::mend(observer);
  return true;
}

void rename_places(PacketTracker& tracker, const std::map<std::string, std::string>& names) {
  Mending::rename(tracker, names);
}

uint64_t states_layout();
uint64_t stored_layout() {
  return stored::mix(states_layout(),
                     stored::layouts<Coverage, History, History::Mark, PacketTracker, Profile, Statistics>(10));
}

}  // namespace weft::emulator
