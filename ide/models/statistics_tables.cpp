#include "statistics_tables.h"

#include <algorithm>
#include <cstdlib>

#include "coverage_run.h"
#include "weft/emulator/observers/tables.h"

namespace weft::ide {

using emulator::StatisticsFigures;
using Kind = FigureColumn::Kind;

namespace {

QString tr(const char* text) { return QObject::tr(text); }
QVariant count(uint64_t n) { return QVariant::fromValue<qulonglong>(n); }
/// Of hundredths of a percent, so that shares sum to what the reports say.
QVariant percent(unsigned hundredths) { return hundredths / 100.0; }
QVariant share(uint64_t part, uint64_t whole) {
  return whole == 0 ? QVariant() : QVariant(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

struct Chip {
  unsigned number = 0;
  QString prefix;  ///< "ingress "; empty on a board of one chip
  emulator::Images images;
  FileNames names;
};

/// "path/forward.uc:12" as a place to go to, and as a short text.
QString place(FigureRow& row, const std::string& text, const FileNames& names) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return QString::fromStdString(text);
  row.file = text.substr(0, colon);
  row.line = static_cast<uint32_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
  return names.place(row.file, row.line);
}

FigureTable contexts_table() {
  return {"contexts",
          tr("Contexts"),
          {},
          1,
          {{tr("Context")},
           {tr("Program")},
           {tr("Executing"), Kind::percent, true},
           {tr("Aborted"), Kind::percent, true},
           {tr("Stalled"), Kind::percent, true},
           {tr("Idle"), Kind::percent, true, 2, true},
           {tr("Executing cycles"), Kind::count, true},
           {tr("Aborted cycles"), Kind::count},
           {tr("Stalled cycles"), Kind::count},
           {tr("Idle cycles"), Kind::count},
           {tr("Instructions"), Kind::count, true},
           {tr("Commands"), Kind::count, true},
           {tr("Swaps"), Kind::count},
           {tr("Branches taken"), Kind::count}},
          {}};
}

/// `taken`: branches that were taken are known.
FigureRow cycles_row(const QString& name, const QString& program, const emulator::CycleFigures& f, bool taken) {
  const auto s = emulator::shares({f.executing, f.aborted, f.stalled, f.idle});
  FigureRow row;
  row.values = {name,
                program,
                percent(s[0]),
                percent(s[1]),
                percent(s[2]),
                percent(s[3]),
                count(f.executing),
                count(f.aborted),
                count(f.stalled),
                count(f.idle)};
  for (const uint64_t n : {f.instructions, f.commands, f.swaps}) row.values.push_back(count(n));
  row.values.push_back(taken ? count(f.branches_taken) : QVariant());
  return row;
}

void add_contexts(FigureTable& table, const StatisticsFigures& f, const Chip& chip, bool range) {
  emulator::CycleFigures all;
  std::vector<FigureRow> rows;
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    if (!f.used[e]) continue;
    const image::Image* image = emulator::image_of(chip.images, e);
    const QString program = image != nullptr ? QString::fromStdString(image->name) : tr("(words)");
    const emulator::CycleFigures& engine = f.engines[e];
    const std::vector<emulator::CycleFigures>& contexts = f.context[e];
    rows.push_back(cycles_row(chip.prefix + QStringLiteral("me%1").arg(e), program, engine, !range));
    for (unsigned c = 0; c < contexts.size(); ++c) {
      rows.push_back(cycles_row(chip.prefix + QStringLiteral("me%1.%2").arg(e).arg(c), program, contexts[c], !range));
      rows.back().context = workbench::ContextId{chip.number, e, c};
    }
    all.executing += engine.executing, all.aborted += engine.aborted, all.stalled += engine.stalled,
        all.idle += engine.idle;
    all.instructions += engine.instructions, all.commands += engine.commands, all.swaps += engine.swaps,
        all.branches_taken += engine.branches_taken;
  }
  if (rows.empty()) return;
  table.rows.push_back(cycles_row(chip.prefix + tr("chip"), tr("all microengines with a program"), all, !range));
  table.rows.insert(table.rows.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

FigureTable units_table() {
  return {"units",
          tr("Units"),
          {},
          1,
          {{tr("Unit")},
           {tr("Busy"), Kind::percent, true},
           {tr("Depth of the queue"), Kind::depth},
           {tr("Mean depth"), Kind::decimal, true, 3},
           {tr("Stall cycles"), Kind::count, true},
           {tr("Commands"), Kind::count, true},
           {tr("Served"), Kind::count},
           {tr("MB/s"), Kind::decimal, true, 1},
           {tr("Peak MB/s"), Kind::decimal, false, 0},
           {tr("Longwords in"), Kind::count},
           {tr("Longwords out"), Kind::count},
           {tr("Media moves"), Kind::count}},
          {}};
}
FigureTable queues_table() {
  return {"queues",
          tr("Queues"),
          {},
          2,
          {{tr("Unit")},
           {tr("Commands waiting"), Kind::count},
           {tr("Share of time"), Kind::percent, true},
           {tr("Ticks"), Kind::count}},
          {}};
}
FigureTable latencies_table() {
  return {"latencies",
          tr("Latencies"),
          tr("No command has been issued."),
          2,
          {{tr("Unit")},
           {tr("Command")},
           {tr("Issued"), Kind::count, true},
           {tr("Signalled"), Kind::count},
           {tr("Least"), Kind::count},
           {tr("p50"), Kind::count, true},
           {tr("p90"), Kind::count},
           {tr("p99"), Kind::count, true},
           {tr("Most"), Kind::count},
           {tr("Mean"), Kind::decimal, true, 1}},
          {}};
}

/// `range`: what only a whole run has is left out.
void add_units(FigureTable& units, FigureTable& queues, FigureTable& latencies, const StatisticsFigures& f,
               const Chip& chip, bool range) {
  for (const emulator::UnitStatistics& u : f.units) {
    const QString name = chip.prefix + QString::fromStdString(u.name);
    const auto depths = emulator::shares(u.depth);
    if (emulator::worth_a_row(u)) {
      const emulator::Tick time = u.elapsed * u.directions;
      const auto busy = emulator::shares({u.busy, time - std::min(u.busy, time)});
      FigureRow row;
      size_t deepest = 0;
      for (size_t n = 0; n < depths.size(); ++n) {
        row.histogram.push_back(depths[n] / 10'000.0);
        if (u.depth[n] > 0) deepest = n;
      }
      row.values = {name,
                    range ? QVariant() : percent(busy[0]),
                    tr("at most %1").arg(deepest),
                    emulator::mean_depth(u),
                    count(u.stall_cycles),
                    count(u.commands),
                    count(u.served),
                    1e-6 * emulator::bytes_per_second(u, f),
                    u.peak_bytes > 0 ? QVariant(1e-6 * u.peak_bytes * u.directions) : QVariant(),
                    count(u.longwords_in),
                    count(u.longwords_out),
                    count(u.longwords_moved)};
      units.rows.push_back(std::move(row));
    }
    if (u.commands == 0) continue;
    for (size_t n = 0; n < u.depth.size(); ++n)
      queues.rows.push_back({{name, count(n), percent(depths[n]), count(u.depth[n])}});
    for (const emulator::KindFigures& kind : u.kinds) {
      const emulator::Histogram& l = kind.latency;
      const auto name_of = isa::info(kind.op).name;
      FigureRow row;
      row.values = {name, QString::fromUtf8(name_of.data(), static_cast<qsizetype>(name_of.size())),
                    count(kind.commands), count(l.count())};
      const bool any = l.count() > 0;  // commands without a signal have no latency
      for (const uint64_t n : {l.min(), l.percentile(500), l.percentile(900), l.percentile(990), l.max()})
        row.values.push_back(any ? count(n) : QVariant());
      row.values.push_back(any ? QVariant(static_cast<double>(l.sum()) / static_cast<double>(l.count())) : QVariant());
      latencies.rows.push_back(std::move(row));
    }
  }
}

FigureTable ports_table() {
  return {"ports",
          tr("Ports"),
          tr("The board has no ports."),
          1,
          {{tr("Port")},
           {tr("Frames in"), Kind::count, true},
           {tr("Bytes in"), Kind::count},
           {tr("Gb/s in"), Kind::decimal, true, 3},
           {tr("Of wire in"), Kind::percent},
           {tr("Frames out"), Kind::count, true},
           {tr("Bytes out"), Kind::count},
           {tr("Gb/s out"), Kind::decimal, true, 3},
           {tr("Of wire out"), Kind::percent},
           {tr("Lost"), Kind::count, true},
           {tr("Receive buffer peak"), Kind::percent},
           {tr("Peak bytes"), Kind::count},
           {tr("Transmit buffer peak"), Kind::percent},
           {tr("Peak bytes out"), Kind::count}},
          {}};
}
FigureTable losses_table() {
  return {"losses",
          tr("Losses"),
          tr("Nothing was lost or dropped."),
          3,
          {{tr("Port")}, {tr("By")}, {tr("Reason")}, {tr("Frames"), Kind::count, true}},
          {}};
}

void add_ports(FigureTable& ports, FigureTable& losses, const StatisticsFigures& f, const Chip& chip) {
  for (const emulator::PortStatistics& p : f.ports) {
    const emulator::PortCounters& c = p.counters;
    const QString name = chip.prefix + tr("port %1").arg(p.port);
    ports.rows.push_back(
        {{name, count(c.received_frames), count(c.received_bytes), 8e-9 * emulator::per_second(c.received_bytes, f),
          100 * emulator::wire_share(c.received_frames, c.received_bytes, p, f), count(c.transmitted_frames),
          count(c.transmitted_bytes), 8e-9 * emulator::per_second(c.transmitted_bytes, f),
          100 * emulator::wire_share(c.transmitted_frames, c.transmitted_bytes, p, f), count(emulator::lost(c)),
          share(c.receive_buffer_max, p.receive_buffer), count(c.receive_buffer_max),
          share(c.transmit_buffer_max, p.transmit_buffer), count(c.transmit_buffer_max)}});
    const std::pair<const char*, uint64_t> reasons[] = {{"the receive buffer was full", c.lost_overflow},
                                                        {"receiving was not enabled", c.lost_disabled},
                                                        {"longer than the port takes", c.lost_length},
                                                        {"transmitted out of order", c.lost_transmit_order},
                                                        {"longer than the transmit buffer", c.lost_transmit_length},
                                                        {"transmitting was not enabled", c.lost_transmit_disabled}};
    for (const auto& reason : reasons)
      if (reason.second > 0) losses.rows.push_back({{name, tr("MAC"), tr(reason.first), count(reason.second)}});
  }
}

/// Of a range, from the packets that came and left in it.
void add_packets(FigureTable& ports, FigureTable& losses, const workbench::RangePackets& packets,
                 const StatisticsFigures& f, const Chip& chip) {
  for (const workbench::RangePort& p : packets.ports) {
    FigureRow row;
    row.values = {chip.prefix + tr("port %1").arg(p.port),
                  count(p.frames_in),
                  count(p.bytes_in),
                  8e-9 * emulator::per_second(p.bytes_in, f),
                  QVariant(),
                  count(p.frames_out),
                  count(p.bytes_out),
                  8e-9 * emulator::per_second(p.bytes_out, f)};
    uint64_t lost = 0;
    for (const workbench::RangeLoss& l : packets.losses)
      if (l.port == p.port && (l.verdict == emulator::Verdict::lost_in || l.verdict == emulator::Verdict::lost_out))
        lost += l.frames;
    row.values.emplace_back();
    row.values.push_back(count(lost));
    row.values.resize(ports.columns.size());
    ports.rows.push_back(std::move(row));
  }
  for (const workbench::RangeLoss& l : packets.losses) {
    const QString by = l.verdict == emulator::Verdict::dropped   ? tr("program")
                       : l.verdict == emulator::Verdict::to_core ? tr("to the control processor")
                                                                 : tr("MAC");
    losses.rows.push_back(
        {{chip.prefix + tr("port %1").arg(l.port), by, QString::fromStdString(l.reason), count(l.frames)}});
  }
}

void add_reasons(FigureTable& losses, const QString& by, const std::vector<workbench::ReasonFigures>& reasons) {
  for (const workbench::ReasonFigures& r : reasons)
    losses.rows.push_back({{r.port < 0 ? tr("not known") : tr("port %1").arg(r.port), by,
                            QString::fromStdString(r.reason), count(r.count)}});
}

FigureTable lines_table() {
  return {"lines",
          tr("Lines"),
          tr("No line has issued a command."),
          3,
          {{tr("Line")},
           {tr("Unit")},
           {tr("Command")},
           {tr("Issued"), Kind::count, true},
           {tr("Longwords"), Kind::count, true},
           {tr("Mean latency"), Kind::decimal, true, 1},
           {tr("Most"), Kind::count},
           {tr("Stall cycles"), Kind::count, true}},
          {}};
}

void add_lines(FigureTable& table, const StatisticsFigures& f, const Chip& chip) {
  for (const emulator::LineTraffic& l : emulator::traffic_by_line(f, chip.images)) {
    FigureRow row;
    const QString where = chip.prefix + place(row, l.place, chip.names);
    row.values = {
        where,
        QString::fromStdString(f.units[l.unit].name),
        QString::fromStdString(l.command),
        count(l.commands),
        count(l.longwords),
        l.latencies > 0 ? QVariant(static_cast<double>(l.latency_sum) / static_cast<double>(l.latencies)) : QVariant(),
        l.latencies > 0 ? count(l.latency_most) : QVariant(),
        count(l.stall_cycles)};
    table.rows.push_back(std::move(row));
  }
}

FigureTable profile_table(const char* name, const QString& title, const QString& what) {
  return {name,
          title,
          tr("No profile was made of this run."),
          1,
          {{what},
           {tr("Cycles"), Kind::count, true},
           {tr("Share"), Kind::percent, true},
           {tr("With inner"), Kind::count},
           {tr("Share with inner"), Kind::percent},
           {tr("Executing"), Kind::count},
           {tr("Aborted"), Kind::count},
           {tr("Stalled"), Kind::count},
           {tr("Asleep"), Kind::count},
           {tr("Ready"), Kind::count}},
          {}};
}

void add_profile(FigureTable& table, const std::vector<emulator::ProfileRow>& rows, const Chip& chip, uint64_t busy,
                 bool places, bool inner) {
  for (const emulator::ProfileRow& r : rows) {
    FigureRow row;
    const QString name = chip.prefix + (places ? place(row, r.name, chip.names) : QString::fromStdString(r.name));
    row.values = {name,
                  count(r.own.busy()),
                  share(r.own.busy(), busy),
                  inner ? count(r.inclusive.busy()) : QVariant(),
                  inner ? share(r.inclusive.busy(), busy) : QVariant(),
                  count(r.own.executing),
                  count(r.own.aborted),
                  count(r.own.stalled),
                  count(r.own.sleep),
                  count(r.own.ready)};
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

const FigureTable* StatisticsTables::find(std::string_view name) const {
  const auto table = std::ranges::find_if(tables, [&](const FigureTable& t) { return t.name == name; });
  return table == tables.end() ? nullptr : &*table;
}

const std::vector<RangeCache::Chip>& RangeCache::of(const workbench::Inspector& machine, workbench::CycleRange range) {
  const uint64_t now = machine.observed_cycle();
  // What is behind the end of the range says nothing of it.
  if (range_ == range && known_ >= range.second && now >= known_ && !chips_.empty()) return chips_;
  range_ = range;
  known_ = now;
  chips_.clear();
  const auto profiles = workbench::profile_of(machine, range);
  for (unsigned c = 0; c < profiles.size(); ++c)
    chips_.push_back(
        {workbench::statistics_of(machine, c, range), workbench::packets_of(machine, c, range), profiles[c].figures});
  return chips_;
}

namespace {

/// Those of a range in the form of those of a run, so that the same tables are made of them.
StatisticsFigures figures_of(const workbench::Inspector& machine, unsigned chip,
                             const workbench::RangeStatistics& range, const StatisticsFigures* whole) {
  StatisticsFigures f;
  f.from_cycle = range.range.first;
  f.to_cycle = range.range.second;
  f.period = machine.ticks_per_cycle();
  f.elapsed = (f.to_cycle - f.from_cycle) * f.period;
  f.ticks_per_second = machine.ticks_per_second();
  f.engines = range.engines;
  f.context = range.contexts;
  for (unsigned e = 0; e < f.engines.size(); ++e) f.used.push_back(machine.program(chip, e) != nullptr);
  f.units = range.units;
  f.words = range.words;
  if (whole != nullptr)
    for (emulator::UnitStatistics& u : f.units)
      for (const emulator::UnitStatistics& w : whole->units)
        if (w.name == u.name) u.peak_bytes = w.peak_bytes, u.directions = w.directions;
  return f;
}

struct ProfileTablesOfAll {
  FigureTable programs = profile_table("programs", tr("Profile by program"), tr("Program")),
              stages = profile_table("stages", tr("Profile by stage"), tr("Stage")),
              blocks = profile_table("blocks", tr("Profile by block"), tr("Block")),
              macros = profile_table("macros", tr("Profile by macro"), tr("Macro")),
              lines = profile_table("profile_lines", tr("Profile by line"), tr("Line"));
  void add(const emulator::ProfileFigures& f, const Chip& chip) {
    uint64_t busy = 0;
    for (const auto& engine : f.engines)
      for (const emulator::ProfileCycles& word : engine.words) busy += word.busy();
    const emulator::ProfileTables t = emulator::profile_tables(f, chip.images);
    add_profile(programs, t.programs, chip, busy, false, false);
    add_profile(stages, t.stages, chip, busy, false, false);
    add_profile(blocks, t.blocks, chip, busy, false, false);
    add_profile(macros, t.macros, chip, busy, false, true);
    add_profile(lines, t.lines, chip, busy, true, false);
  }
};

}  // namespace

StatisticsTables take_statistics(const workbench::Inspector& machine,
                                 std::optional<std::pair<uint64_t, uint64_t>> range, const FileNames& names,
                                 RangeCache* cache) {
  StatisticsTables out;
  const workbench::MachineView view = machine.machine();
  out.to_cycle = machine.counted_cycle();
  bool history = false;
  for (unsigned chip = 0; chip < view.chips.size(); ++chip) {
    out.recorded |= machine.statistics(chip) != nullptr;
    history |= machine.history(chip) != nullptr;
  }
  if (!history) range.reset();
  out.recorded |= range.has_value();
  if (!out.recorded) return out;
  RangeCache own;
  const std::vector<RangeCache::Chip> none;
  const auto& of_range = range ? (cache != nullptr ? *cache : own).of(machine, *range) : none;

  FigureTable contexts = contexts_table(), units = units_table(), queues = queues_table(),
              latencies = latencies_table(), ports = ports_table(), losses = losses_table(), lines = lines_table();
  ProfileTablesOfAll profiles;
  bool packets = range.has_value();
  for (const RangeCache::Chip& chip : of_range) packets = packets && chip.packets;
  for (unsigned number = 0; number < view.chips.size(); ++number) {
    const Chip chip{number,
                    view.chips.size() > 1 ? QString::fromStdString(view.chips[number]) + QLatin1Char(' ') : QString(),
                    images_of(machine, number), names};
    std::optional<StatisticsFigures> whole;
    if (const emulator::Statistics* statistics = machine.statistics(number)) {
      whole = statistics->figures();
      out.from_cycle = whole->from_cycle;
      out.to_cycle = whole->to_cycle;
      out.seconds = whole->ticks_per_second == 0
                        ? 0
                        : static_cast<double>(whole->elapsed) / static_cast<double>(whole->ticks_per_second);
      out.not_followed += whole->not_followed;
    }
    const RangeCache::Chip* part = number < of_range.size() ? &of_range[number] : nullptr;
    std::optional<StatisticsFigures> shown = whole;
    if (part != nullptr && part->statistics) {
      shown = figures_of(machine, number, *part->statistics, whole ? &*whole : nullptr);
      out.range = part->statistics->range;
    }
    if (shown) {
      add_contexts(contexts, *shown, chip, range.has_value());
      add_units(units, queues, latencies, *shown, chip, range.has_value());
      add_lines(lines, *shown, chip);
    }
    if (packets && part != nullptr)
      add_packets(ports, losses, *part->packets, *shown, chip);
    else if (whole)
      add_ports(ports, losses, *whole, chip);
    if (part != nullptr)
      profiles.add(part->profile, chip);
    else if (const emulator::Profile* profile = machine.profile(number))
      profiles.add(profile->figures(), chip);
  }
  if (!packets) {
    const workbench::Report report = machine.report();
    add_reasons(losses, tr("program"), report.drops);
    add_reasons(losses, tr("to the control processor"), report.exceptions);
  }
  if (range)
    for (FigureTable* table : {&contexts, &units, &queues, &latencies, &lines, &profiles.programs, &profiles.stages,
                               &profiles.blocks, &profiles.macros, &profiles.lines}) {
      table->of_range = true;
      if (table->rows.empty()) table->empty = tr("Nothing of that is in the range.");
    }
  if (packets)
    for (FigureTable* table : {&ports, &losses}) {
      table->of_range = true;
      if (table->rows.empty()) table->empty = tr("No packet has come or ended in the range.");
    }
  for (FigureTable* table : {&contexts, &units, &queues, &latencies, &ports, &losses, &lines, &profiles.programs,
                             &profiles.stages, &profiles.blocks, &profiles.macros, &profiles.lines})
    out.tables.push_back(std::move(*table));
  return out;
}

std::string statistics_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format) {
  const emulator::Statistics* statistics = machine.statistics(chip);
  if (statistics == nullptr) return {};
  const StatisticsFigures figures = statistics->figures();
  const emulator::Images images = images_of(machine, chip);
  switch (format) {
    case StatisticsFormat::text: return to_text(figures, images);
    case StatisticsFormat::csv: return to_csv(figures, images);
    case StatisticsFormat::json: return to_json(figures, images);
  }
  return {};
}

std::string profile_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format) {
  const emulator::Profile* profile = machine.profile(chip);
  if (profile == nullptr) return {};
  const emulator::ProfileFigures figures = profile->figures();
  const emulator::Images images = images_of(machine, chip);
  switch (format) {
    case StatisticsFormat::text: return to_text(figures, images);
    case StatisticsFormat::csv: return to_folded(figures, images);
    case StatisticsFormat::json: return to_json(figures, images);
  }
  return {};
}

}  // namespace weft::ide
