// History as a Perfetto trace. Field numbers: protos/perfetto/trace of the Perfetto project.
#include <fmt/format.h>

#include <deque>
#include <map>
#include <vector>

#include "observers/protobuf.h"
#include "weft/emulator/observers/history.h"

namespace weft::emulator {
namespace {

namespace packet {
constexpr unsigned kClocks = 6, kTimestamp = 8, kSequence = 10, kEvent = 11, kInterned = 12, kFlags = 13,
                   kDefaults = 59, kDescriptor = 60;
constexpr uint64_t kStateCleared = 1;
}  // namespace packet
namespace defaults {
constexpr unsigned kEvent = 11, kClock = 58;
}  // namespace defaults
namespace clock {
constexpr unsigned kClocks = 1, kId = 1, kTime = 2, kIncremental = 3;
constexpr uint64_t kBoot = 6, kOurs = 64;  // 64-127 belong to the sequence
}  // namespace clock
namespace event {
constexpr unsigned kAnnotations = 4, kType = 9, kNameId = 10, kTrack = 11, kFlows = 47, kEndingFlows = 48;
constexpr uint64_t kBegin = 1, kEnd = 2, kInstant = 3;
}  // namespace event
namespace interned {
constexpr unsigned kEventNames = 2, kAnnotationNames = 3, kStrings = 29;
}  // namespace interned
namespace descriptor {
constexpr unsigned kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5;
}  // namespace descriptor

/// Packets of one track in the order of time: each says how long after the one before it comes, and texts have numbers.
/// That makes a slice 23 bytes instead of 90.
class Sequence {
 public:
  Sequence(uint64_t id, uint64_t track) : id_(id), track_(track) {}

  uint64_t name(std::string_view text) { return number(names_, interned::kEventNames, text); }
  ProtoMessage annotation(std::string_view name, uint64_t value) {
    return ProtoMessage().varint(1, number(annotations_, interned::kAnnotationNames, name)).varint(3, value);
  }
  ProtoMessage annotation(std::string_view name, std::string_view value) {
    return ProtoMessage()
        .varint(1, number(annotations_, interned::kAnnotationNames, name))
        .varint(17, number(strings_, interned::kStrings, value));
  }
  /// `at` in nanoseconds, not before the last one.
  void send(std::string& out, uint64_t at, const ProtoMessage& track_event) {
    if (!begun_) begin(out, at);
    body_.clear().varint(packet::kTimestamp, at - last_).varint(packet::kSequence, id_);
    if (!new_.text().empty()) body_.message(packet::kInterned, new_);
    new_.clear();
    last_ = at;
    body_.message(packet::kEvent, track_event).append_to(out, 1);
  }

 private:
  using Numbers = std::map<std::string, uint64_t, std::less<>>;
  uint64_t number(Numbers& known, unsigned field, std::string_view text) {
    const auto at = known.find(text);
    if (at != known.end()) return at->second;
    const uint64_t id = known.size() + 1;
    known.emplace(text, id);
    new_.message(field, ProtoMessage().varint(1, id).bytes(2, text));
    return id;
  }
  void begin(std::string& out, uint64_t at) {
    begun_ = true;
    last_ = at;
    const ProtoMessage boot = ProtoMessage().varint(clock::kId, clock::kBoot).varint(clock::kTime, at);
    const ProtoMessage ours =
        ProtoMessage().varint(clock::kId, clock::kOurs).varint(clock::kTime, at).varint(clock::kIncremental, 1);
    ProtoMessage body;
    body.varint(packet::kSequence, id_).varint(packet::kFlags, packet::kStateCleared);
    body.message(packet::kDefaults, ProtoMessage()
                                        .message(defaults::kEvent, ProtoMessage().varint(event::kTrack, track_))
                                        .varint(defaults::kClock, clock::kOurs));
    body.message(packet::kClocks, ProtoMessage().message(clock::kClocks, boot).message(clock::kClocks, ours));
    body.append_to(out, 1);
  }

  uint64_t id_, track_;
  uint64_t last_ = 0;
  bool begun_ = false;
  Numbers names_, annotations_, strings_;
  ProtoMessage new_;
  ProtoMessage body_;  ///< of the packet that is sent: its room is used again
};

class Writer {
 public:
  Writer(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out)
      : history_(history), images_(images), clock_(clock), out_(out), period_(history.machine().timing().period) {}

  void write() {
    for (unsigned e = 0; e < history_.engines(); ++e) describe_engine(e);
    for (unsigned e = 0; e < history_.engines(); ++e) {
      if (!used(e)) continue;
      for (unsigned c = 0; c < history_.contexts(); ++c) states({static_cast<uint8_t>(e), static_cast<uint8_t>(c)});
    }
    lanes_.resize(history_.engines() * kContexts);
    next_sequence_ = 1 + lanes_.size() + 1;
    for (size_t i = 0; i < history_.reference_count(); ++i) reference(history_.reference(i));
    flush();
  }

 private:
  static uint64_t process_uuid(unsigned engine) { return engine + 1; }
  static uint64_t context_uuid(ContextRef who) { return 0x1000u + who.engine * kContexts + who.context; }
  static uint64_t lane_uuid(ContextRef who, size_t lane) {
    return 0x100000u + (who.engine * uint64_t{kContexts} + who.context) * 0x1000 + lane;
  }
  uint64_t nanoseconds(Tick at) const {
    const Tick second = clock_.ticks_per_second;
    return at / second * 1'000'000'000 + at % second * 1'000'000'000 / second;
  }
  bool used(unsigned engine) const { return !history_.machine().words(engine).empty(); }

  void flush() {
    out_(buffer_);
    buffer_.clear();
  }
  void describe(const ProtoMessage& track) {
    ProtoMessage().varint(packet::kSequence, 1).message(packet::kDescriptor, track).append_to(buffer_, 1);
  }
  void flush_if_large() {
    if (buffer_.size() > 1 << 20) flush();
  }
  ProtoMessage begin(Sequence& on, std::string_view name) {
    return ProtoMessage().varint(event::kType, event::kBegin).varint(event::kNameId, on.name(name));
  }
  void end(Sequence& on, Tick at) { on.send(buffer_, nanoseconds(at), end_); }

  void describe_engine(unsigned e) {
    if (!used(e)) return;
    const image::Image* image = image_of(images_, e);
    const std::string name = image != nullptr ? fmt::format("me{} {}", e, image->name) : fmt::format("me{}", e);
    describe(ProtoMessage()
                 .varint(descriptor::kUuid, process_uuid(e))
                 .message(descriptor::kProcess, ProtoMessage().varint(1, e + 1).bytes(6, name)));
    for (unsigned c = 0; c < history_.contexts(); ++c) {
      const ContextRef who{static_cast<uint8_t>(e), static_cast<uint8_t>(c)};
      const ProtoMessage thread =
          ProtoMessage().varint(1, e + 1).varint(2, 0x100 * (e + 1) + c + 1).bytes(5, fmt::format("ctx {}", c));
      describe(ProtoMessage()
                   .varint(descriptor::kUuid, context_uuid(who))
                   .message(descriptor::kThread, thread)
                   .varint(descriptor::kParent, process_uuid(e)));
    }
  }

  void states(ContextRef who) {
    Sequence on(2 + who.engine * kContexts + who.context, context_uuid(who));
    ProtoMessage slice;
    history_.segments(who, [&](const Segment& segment) {
      slice.clear().varint(event::kType, event::kBegin).varint(event::kNameId, on.name(to_text(segment.activity)));
      on.send(buffer_, nanoseconds(segment.begin * period_), slice);
      end(on, segment.end * period_);
      flush_if_large();
    });
  }

  /// A track for references of one context that do not overlap.
  struct Lane {
    Tick free = 0;
    Sequence on;
  };
  Lane& free_lane(const Reference& r) {
    auto& lanes = lanes_[r.from.engine * kContexts + r.from.context];
    for (Lane& lane : lanes)
      if (lane.free <= r.issued) return lane;
    const uint64_t track = lane_uuid(r.from, lanes.size());
    describe(ProtoMessage()
                 .varint(descriptor::kUuid, track)
                 .bytes(descriptor::kName, fmt::format("ctx {} references {}", r.from.context, lanes.size()))
                 .varint(descriptor::kParent, process_uuid(r.from.engine)));
    lanes.push_back({0, Sequence(next_sequence_++, track)});
    return lanes.back();
  }

  void reference(const Reference& r) {
    Tick last = r.accepted;
    for (const Tick t : {r.queued, r.served, r.done, r.signalled})
      if (t != kNever) last = std::max(last, t);
    const bool complete = r.done != kNever;
    if (!complete) last = std::max(last, history_.machine().now());
    Lane& lane = free_lane(r);
    lane.free = last;
    Sequence& on = lane.on;

    ProtoMessage slice = begin(on, isa::info(r.op).name);
    slice.message(event::kAnnotations, on.annotation("address", r.address));
    slice.message(event::kAnnotations, on.annotation("count", r.count));
    const std::string place = source_place(images_, r.from.engine, r.pc);
    slice.message(event::kAnnotations, place.empty() ? on.annotation("pc", r.pc) : on.annotation("source", place));
    if (!complete) slice.message(event::kAnnotations, on.annotation("state", "not finished"));
    if (r.signalled != kNever) slice.fixed64(event::kFlows, r.sequence + 1);
    on.send(buffer_, nanoseconds(r.issued), slice);
    const auto inner = [&](std::string_view name, Tick from, Tick to) {
      if (from == kNever || to == kNever || from >= to) return;
      on.send(buffer_, nanoseconds(from), begin(on, name));
      end(on, to);
    };
    inner("stalled", r.issued, r.accepted);
    inner("command bus", r.accepted, r.queued);
    inner("queued", r.queued, r.served != kNever ? r.served : last);
    inner("processing", r.served, r.done != kNever ? r.done : last);
    if (r.signalled != kNever) {
      // On the context's own track; its time is the end of the last step.
      ProtoMessage signal =
          ProtoMessage().varint(event::kType, event::kInstant).varint(event::kTrack, context_uuid(r.from));
      signal.varint(event::kNameId, on.name(fmt::format("signal {}", r.signal)))
          .fixed64(event::kEndingFlows, r.sequence + 1);
      on.send(buffer_, nanoseconds(r.signalled), signal);
    }
    end(on, last);
    flush_if_large();
  }

  const History& history_;
  const Images& images_;
  const HistoryClock& clock_;
  const ByteSink& out_;
  Tick period_;
  std::string buffer_;
  const ProtoMessage end_ = ProtoMessage().varint(event::kType, event::kEnd);
  std::vector<std::deque<Lane>> lanes_;  ///< per context
  uint64_t next_sequence_ = 0;
};

}  // namespace

void write_perfetto(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out) {
  Writer(history, images, clock, out).write();
}

}  // namespace weft::emulator
