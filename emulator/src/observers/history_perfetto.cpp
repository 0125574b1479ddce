// History as a Perfetto trace. Field numbers: protos/perfetto/trace of the Perfetto project.
#include <fmt/format.h>

#include <vector>

#include "observers/protobuf.h"
#include "weft/emulator/observers/history.h"

namespace weft::emulator {
namespace {

namespace packet {
constexpr unsigned kTimestamp = 8, kSequence = 10, kEvent = 11, kFlags = 13, kDescriptor = 60;
constexpr uint64_t kStateCleared = 1;
}  // namespace packet
namespace event {
constexpr unsigned kAnnotations = 4, kType = 9, kTrack = 11, kName = 23, kFlows = 47, kEndingFlows = 48;
constexpr uint64_t kBegin = 1, kEnd = 2, kInstant = 3;
}  // namespace event
namespace descriptor {
constexpr unsigned kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5;
}  // namespace descriptor

ProtoMessage annotation(std::string_view name, uint64_t value) { return ProtoMessage().bytes(10, name).varint(3, value); }
ProtoMessage annotation(std::string_view name, std::string_view value) { return ProtoMessage().bytes(10, name).bytes(6, value); }

class Writer {
 public:
  Writer(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out)
      : history_(history), images_(images), clock_(clock), out_(out), period_(history.machine().timing().period) {}

  void write() {
    for (unsigned e = 0; e < history_.engines(); ++e) describe_engine(e);
    for (unsigned e = 0; e < history_.engines(); ++e) {
      if (!used(e)) continue;
      for (unsigned c = 0; c < kContexts; ++c) states({static_cast<uint8_t>(e), static_cast<uint8_t>(c)});
    }
    lanes_.resize(history_.engines() * kContexts);
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
  void send(ProtoMessage body) {
    body.varint(packet::kSequence, 1);
    if (first_) body.varint(packet::kFlags, packet::kStateCleared);
    first_ = false;
    buffer_ += ProtoMessage().message(1, body).text();
    if (buffer_.size() > 1 << 20) flush();
  }
  void send(Tick at, const ProtoMessage& track_event) {
    send(ProtoMessage().varint(packet::kTimestamp, nanoseconds(at)).message(packet::kEvent, track_event));
  }
  static ProtoMessage begin(uint64_t track, std::string_view name) {
    return ProtoMessage().varint(event::kType, event::kBegin).varint(event::kTrack, track).bytes(event::kName, name);
  }
  void end(Tick at, uint64_t track) {
    send(at, ProtoMessage().varint(event::kType, event::kEnd).varint(event::kTrack, track));
  }

  void describe_engine(unsigned e) {
    if (!used(e)) return;
    const image::Image* image = image_of(images_, e);
    const std::string name = image != nullptr ? fmt::format("me{} {}", e, image->name) : fmt::format("me{}", e);
    send(ProtoMessage().message(
        packet::kDescriptor,
        ProtoMessage().varint(descriptor::kUuid, process_uuid(e)).message(descriptor::kProcess,
                                                                          ProtoMessage().varint(1, e + 1).bytes(6, name))));
    for (unsigned c = 0; c < kContexts; ++c) {
      const ContextRef who{static_cast<uint8_t>(e), static_cast<uint8_t>(c)};
      const ProtoMessage thread = ProtoMessage().varint(1, e + 1).varint(2, 0x100 * (e + 1) + c + 1).bytes(5, fmt::format("ctx {}", c));
      send(ProtoMessage().message(packet::kDescriptor, ProtoMessage()
                                                           .varint(descriptor::kUuid, context_uuid(who))
                                                           .message(descriptor::kThread, thread)
                                                           .varint(descriptor::kParent, process_uuid(e))));
    }
  }

  void states(ContextRef who) {
    const uint64_t track = context_uuid(who);
    history_.segments(who, [&](const Segment& segment) {
      ProtoMessage slice = begin(track, to_text(segment.activity));
      slice.message(event::kAnnotations, annotation("cycle", segment.begin));
      slice.message(event::kAnnotations, annotation("cycles", segment.end - segment.begin));
      send(segment.begin * period_, slice);
      end(segment.end * period_, track);
    });
  }

  // References of a context overlap, slices of a track may not: each takes the first track that is free.
  void reference(const Reference& r) {
    Tick last = r.accepted;
    for (const Tick t : {r.queued, r.served, r.done, r.signalled})
      if (t != kNever) last = std::max(last, t);
    const bool complete = r.done != kNever;
    if (!complete) last = std::max(last, history_.machine().now());
    std::vector<Tick>& lanes = lanes_[r.from.engine * kContexts + r.from.context];
    size_t lane = 0;
    while (lane < lanes.size() && lanes[lane] > r.issued) ++lane;
    const uint64_t track = lane_uuid(r.from, lane);
    if (lane == lanes.size()) {
      lanes.push_back(0);
      send(ProtoMessage().message(packet::kDescriptor, ProtoMessage()
                                                           .varint(descriptor::kUuid, track)
                                                           .bytes(descriptor::kName, fmt::format("ctx {} references {}", r.from.context, lane))
                                                           .varint(descriptor::kParent, process_uuid(r.from.engine))));
    }
    lanes[lane] = last;

    ProtoMessage slice = begin(track, isa::info(r.op).name);
    slice.message(event::kAnnotations, annotation("sequence", r.sequence));
    slice.message(event::kAnnotations, annotation("address", r.address));
    slice.message(event::kAnnotations, annotation("count", r.count));
    slice.message(event::kAnnotations, annotation("pc", r.pc));
    if (const std::string place = source_place(images_, r.from.engine, r.pc); !place.empty())
      slice.message(event::kAnnotations, annotation("source", place));
    if (!complete) slice.message(event::kAnnotations, annotation("state", "not finished"));
    if (r.signalled != kNever) slice.fixed64(event::kFlows, r.sequence + 1);
    send(r.issued, slice);
    const auto inner = [&](std::string_view name, Tick from, Tick to) {
      if (from == kNever || to == kNever || from >= to) return;
      send(from, begin(track, name));
      end(to, track);
    };
    inner("stalled", r.issued, r.accepted);
    inner("command bus", r.accepted, r.queued);
    inner("queued", r.queued, r.served != kNever ? r.served : last);
    inner("processing", r.served, r.done != kNever ? r.done : last);
    end(last, track);
    if (r.signalled == kNever) return;
    ProtoMessage signal = ProtoMessage().varint(event::kType, event::kInstant).varint(event::kTrack, context_uuid(r.from));
    signal.bytes(event::kName, fmt::format("signal {}", r.signal)).fixed64(event::kEndingFlows, r.sequence + 1);
    send(r.signalled, signal);
  }

  const History& history_;
  const Images& images_;
  const HistoryClock& clock_;
  const ByteSink& out_;
  Tick period_;
  std::string buffer_;
  bool first_ = true;
  std::vector<std::vector<Tick>> lanes_;  ///< per context: when each track is free again
};

}  // namespace

void write_perfetto(const History& history, const Images& images, const HistoryClock& clock, const ByteSink& out) {
  Writer(history, images, clock, out).write();
}

}  // namespace weft::emulator
