#include "packet_detail.h"

#include <algorithm>
#include <map>

namespace weft::ide {

using emulator::PacketBytes;
using emulator::PacketRecord;
using emulator::PacketTracker;
using emulator::PacketWrite;

namespace {

const PacketRecord* find_record(const PacketTracker& tracker, uint32_t number) {
  // The youngest are asked for most.
  const auto& records = tracker.records();
  for (auto at = records.rbegin(); at != records.rend(); ++at)
    if (at->number == number) return &*at;
  for (const PacketRecord* r : tracker.under_way())
    if (r->number == number) return r;
  return nullptr;
}

CodePlace place_of(const Inspector& machine, const PacketTracker& tracker, unsigned chip, unsigned engine,
                   unsigned context, uint32_t pc, uint64_t cycle, std::optional<uint16_t> stage) {
  CodePlace out;
  out.who = {chip, engine, context};
  out.pc = pc;
  out.cycle = cycle;
  if (stage && *stage < tracker.places().size()) out.stage = tracker.places()[*stage].name();
  const image::Image* image = machine.program(chip, engine);
  if (image == nullptr) return out;
  out.label = workbench::label_of(*image, pc);
  if (pc < image->lines.size() && image->lines[pc].place.line != 0) {
    out.file = image->files.at(image->lines[pc].place.file);
    out.line = image->lines[pc].place.line;
  }
  return out;
}

/// A state for each run of writes by one stage of one context, between the frame as it came and as it left.
std::vector<FrameStage> stages_of(const PacketDetail& detail) {
  std::vector<FrameStage> out;
  const PacketRecord& r = detail.record;
  const PacketBytes& bytes = r.bytes_of;
  if (r.data.empty()) return out;
  out.push_back({QObject::tr("as received"), emulator::received_state(r.data), r.arrived, 0});
  for (size_t i = 0; i < bytes.writes.size(); ++i) {
    if (bytes.writes[i].kind != PacketWrite::Kind::buffer) continue;
    const CodePlace& by = detail.writers[i];
    size_t end = i, written = 0;
    for (size_t k = i; k < bytes.writes.size(); ++k) {
      const PacketWrite& write = bytes.writes[k];
      if (write.kind != PacketWrite::Kind::buffer) continue;
      if (write.engine != by.who.engine || write.context != by.who.context || write.place != bytes.writes[i].place)
        break;
      end = k;
      written += write.length;
    }
    out.push_back({QObject::tr("after %1 (me%2.%3)")
                       .arg(QString::fromStdString(by.stage.empty() ? by.label : by.stage))
                       .arg(by.who.engine)
                       .arg(by.who.context),
                   emulator::buffer_state(r.data, bytes, end + 1), bytes.writes[end].cycle, written});
    i = end;
  }
  if (!bytes.sent.empty()) {
    size_t written = 0;
    for (const PacketWrite& write : bytes.writes)
      if (write.kind == PacketWrite::Kind::element) written += write.length;
    out.push_back({QObject::tr("as transmitted"), emulator::sent_state(r.data, bytes), r.ended, written});
  }
  return out;
}

struct Named {
  std::string key;  ///< "mpls#2"
  const workbench::DissectedLayer* layer;
};
std::vector<Named> named(const workbench::Dissection& d) {
  std::map<std::string, int> seen;
  std::vector<Named> out;
  for (const workbench::DissectedLayer& l : d.layers)
    out.push_back({l.name + "#" + std::to_string(++seen[l.name]), &l});
  return out;
}

QString text_of(const workbench::DissectedField& f) {
  constexpr qsizetype kMax = 96;
  QString text = QString::fromStdString(f.text);
  if (text.size() > kMax) text = text.left(kMax) + QStringLiteral("...");
  return text;
}

void add_layer(std::vector<FieldRow>& rows, const workbench::DissectedLayer* left,
               const workbench::DissectedLayer* right, bool two) {
  using workbench::DissectedField;
  using workbench::DissectedLayer;
  const auto bits = [](const DissectedLayer* l) {
    return l ? std::optional(std::pair(l->offset * 8, l->length * 8)) : std::nullopt;
  };
  FieldRow head;
  head.layer = true;
  head.name = QString::fromStdString((right ? right : left)->title);
  if (left) head.before = QString::fromStdString(left->summary);
  if (right) head.after = QString::fromStdString(right->summary);
  head.before_bits = bits(left);
  head.after_bits = bits(right);
  const size_t at = rows.size();
  rows.push_back(head);
  const auto field_row = [&](const DissectedField* a, const DissectedField* b) {
    FieldRow row;
    row.name = QString::fromStdString((b ? b : a)->name).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (a) row.before = text_of(*a), row.before_bits = std::pair(a->bit, a->bits);
    if (b) row.after = text_of(*b), row.after_bits = std::pair(b->bit, b->bits);
    row.note = QString::fromStdString((b ? b : a)->note);
    row.wrong = (b ? b : a)->wrong;
    row.changed = two && (!a || !b || a->text != b->text || a->note != b->note);
    if (row.changed) rows[at].changed = true;
    if (row.wrong) rows[at].wrong = true;
    rows.push_back(row);
  };
  // Fields of one layer come in the same order; options may be more or fewer.
  size_t a = 0, b = 0;
  const size_t as = left ? left->fields.size() : 0, bs = right ? right->fields.size() : 0;
  while (a < as || b < bs) {
    if (a < as && b < bs && left->fields[a].name == right->fields[b].name) {
      field_row(&left->fields[a++], &right->fields[b++]);
    } else if (b < bs &&
               (a == as || std::none_of(left->fields.begin() + static_cast<std::ptrdiff_t>(a), left->fields.end(),
                                        [&](const DissectedField& f) { return f.name == right->fields[b].name; }))) {
      field_row(nullptr, &right->fields[b++]);
    } else {
      field_row(&left->fields[a++], nullptr);
    }
  }
  for (const std::string& fault : (right ? right : left)->faults) {
    FieldRow row;
    row.name = QObject::tr("wrong");
    (right ? row.after : row.before) = QString::fromStdString(fault);
    row.wrong = true;
    rows[at].wrong = true;
    rows.push_back(row);
  }
}

}  // namespace

PacketDetail packet_detail(const Inspector& machine, uint32_t id) {
  PacketDetail out;
  const unsigned chip = chip_of_packet(id);
  const PacketTracker* tracker = chip < machine.machine().chips.size() ? machine.packets(chip) : nullptr;
  const PacketRecord* record = tracker ? find_record(*tracker, number_of_packet(id)) : nullptr;
  if (record == nullptr) return out;
  out.known = true;
  out.ticks_per_cycle = machine.ticks_per_cycle();
  out.ticks_per_second = machine.ticks_per_second();
  out.record = *record;
  PacketRecord& r = out.record;
  if (r.verdict == emulator::Verdict::in_flight && r.ended == 0) r.ended = machine.observed_cycle();
  out.row.id = id;
  out.row.verdict = r.verdict;
  out.row.port = r.port;
  out.row.out_port = r.out_port;
  out.row.arrived = r.arrived;
  out.row.ended = r.ended;
  out.row.budget = r.budget;
  out.row.bytes = r.bytes;
  for (const emulator::PacketCost& c : r.cost) out.row.busy += uint64_t{c.executing} + c.aborted + c.stalled;
  out.row.reason = QString::fromStdString(r.reason);
  out.row.line = QString::fromStdString(r.line);
  if (!r.data.empty()) out.row.summary = QString::fromStdString(workbench::packet_summary(r.data));
  for (const emulator::PacketStep& s : r.steps)
    out.steps.push_back(
        {place_of(machine, *tracker, chip, s.engine, s.context, s.pc, s.from, s.place), s.from, s.to, s.busy});
  for (const PacketWrite& w : r.bytes_of.writes)
    out.writers.push_back(place_of(machine, *tracker, chip, w.engine, w.context, w.pc, w.cycle, w.place));
  if (!r.line.empty()) {
    out.reason = place_of(machine, *tracker, chip, r.reason_by.engine, r.reason_by.context, r.reason_pc, r.reason_cycle,
                          std::nullopt);
    for (const PacketStepView& s : out.steps)
      if (s.place.who == out.reason->who && s.from <= r.reason_cycle && r.reason_cycle <= s.to)
        out.reason->stage = s.place.stage;
  }
  out.stages = stages_of(out);
  return out;
}

std::vector<PacketFrame> packet_frames(const Inspector& machine, std::vector<uint32_t> ids) {
  std::ranges::sort(ids);
  std::vector<PacketFrame> out;
  const size_t chips = machine.machine().chips.size();
  const uint64_t period = machine.ticks_per_cycle(), second = machine.ticks_per_second();
  const auto take = [&](unsigned chip, const PacketRecord& r) {
    const uint32_t id = packet_id(chip, r.number);
    if (!std::ranges::binary_search(ids, id)) return;
    const uint64_t at = r.arrived * period;
    out.push_back({id, at / second * 1'000'000'000 + at % second * 1'000'000'000 / second, r});
  };
  for (unsigned chip = 0; chip < chips; ++chip) {
    const PacketTracker* tracker = machine.packets(chip);
    if (tracker == nullptr) continue;
    for (const PacketRecord& r : tracker->records()) take(chip, r);
    for (const PacketRecord* r : tracker->under_way()) take(chip, *r);
  }
  std::ranges::sort(out, {}, &PacketFrame::id);
  return out;
}

std::vector<FieldRow> compare_frames(std::span<const uint8_t> before, std::span<const uint8_t> after) {
  const bool two = !std::ranges::equal(before, after);
  const workbench::Dissection left = workbench::dissect(before), right = workbench::dissect(after);
  const std::vector<Named> a = named(left), b = named(right);
  const auto has = [](const std::vector<Named>& list, size_t from, const std::string& key) {
    return std::any_of(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(),
                       [&](const Named& n) { return n.key == key; });
  };
  std::vector<FieldRow> rows;
  size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (i < a.size() && k < b.size() && a[i].key == b[k].key)
      add_layer(rows, a[i++].layer, b[k++].layer, two);
    else if (i == a.size() || (k < b.size() && !has(a, i, b[k].key)))
      add_layer(rows, nullptr, b[k++].layer, two);
    else
      add_layer(rows, a[i++].layer, nullptr, two);
  }
  for (const std::string& fault : right.faults) {
    FieldRow row;
    row.layer = true;
    row.name = QObject::tr("Wrong");
    row.after = QString::fromStdString(fault);
    row.wrong = true;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace weft::ide
