#include "session/observers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "weft/base/binary.h"
#include "weft/base/files.h"
#include "weft/base/json.h"
#include "weft/emulator/stored.h"

namespace weft::workbench {
namespace {

using emulator::CheckMode;

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

std::optional<CheckMode> mode_of(std::string_view text) {
  if (text == "off") return CheckMode::off;
  if (text == "warn") return CheckMode::warn;
  if (text == "stop") return CheckMode::stop;
  return std::nullopt;
}

}  // namespace

bool is_coverage_file(std::string_view path) { return ends_with_any(path, {".info", ".lcov", ".csv", ".json"}); }
bool is_history_file(std::string_view path) {
  return ends_with_any(path, {".perfetto-trace", ".pftrace", ".pb", ".json"});
}
bool is_statistics_file(std::string_view path) { return ends_with_any(path, {".txt", ".csv", ".json"}); }
bool is_packets_file(std::string_view path) { return ends_with_any(path, {".txt", ".json", ".csv", ".pcapng"}); }
bool is_profile_file(std::string_view path) { return ends_with_any(path, {".txt", ".folded", ".json"}); }

std::string file_of_chip(std::string_view path, std::string_view chip) {
  const size_t slash = path.rfind('/');
  const size_t dot = path.find('.', slash == std::string_view::npos ? 0 : slash + 1);
  std::string out(path.substr(0, dot));
  out.append(".").append(chip);
  if (dot != std::string_view::npos) out += path.substr(dot);
  return out;
}

Result<emulator::CheckModes> parse_check_modes(std::string_view text) {
  emulator::CheckModes modes = emulator::all_checks(CheckMode::off);
  std::vector<std::string> names;
  for (size_t i = 0; i < emulator::kChecks; ++i)
    names.emplace_back(emulator::check_name(static_cast<emulator::Check>(i)));
  while (true) {
    const size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const size_t equals = item.find('=');
    const auto mode = mode_of(equals == std::string_view::npos ? item : item.substr(equals + 1));
    if (!mode)
      return fail("check-mode", {}, fmt::format("'{}' is not a mode of a check", item),
                  "write off, warn or stop, or CHECK=MODE, for example warn,ring=stop");
    if (equals == std::string_view::npos) {
      modes = emulator::all_checks(*mode);
    } else {
      const std::string name(item.substr(0, equals));
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) {
        const auto close = nearest(name, names);
        return fail("check-mode", {}, fmt::format("there is no check '{}'", name),
                    close ? fmt::format("did you mean '{}'?", *close)
                          : fmt::format("the checks are {}", fmt::join(names, ", ")));
      }
      modes[static_cast<size_t>(at - names.begin())] = *mode;
    }
    if (comma == std::string_view::npos) return modes;
    text.remove_prefix(comma + 1);
  }
}

void Observers::attach(const Observation& what, emulator::Machine& machine, emulator::Units& units, const Built& built,
                       unsigned chip, const std::vector<PoolEntry>& pools) {
  images_.assign(machine.engine_count(), nullptr);
  for (const image::LoadedProgram& program : built.chips[chip].linked.programs)
    if (program.engine < images_.size()) images_[program.engine] = program.image;
  clock_.ticks_per_second = built.board.ticks_per_second;
  if (what.coverage) {
    coverage_ = std::make_unique<emulator::Coverage>(machine);
    add(machine, *coverage_);
  }
  if (what.history) {
    history_ = std::make_unique<emulator::History>(machine, what.history_limits);
    add(machine, *history_);
  }
  if (what.statistics) {
    statistics_ =
        std::make_unique<emulator::Statistics>(machine, units, built.board.chips[chip], built.board.ticks_per_second);
    add(machine, *statistics_);
  }
  if (what.profile) {
    profile_ = std::make_unique<emulator::Profile>(machine);
    add(machine, *profile_);
  }
  std::vector<emulator::BufferPool> known;
  for (size_t i = 0; i < pools.size(); ++i)
    if (built.pool_chips[i] == chip) known.push_back(pools[i].pool);
  if (known.empty() && built.control && built.control_chip == chip)
    for (const control::PoolSetup& pool : built.control->pools)
      known.push_back({pool.name, emulator::BufferPool::List::scratch_ring, pool.ring, 0, emulator::MemorySpace::dram,
                       0, pool.base, pool.bytes, pool.count, 0});
  if (what.packets) {
    std::vector<emulator::TableMemory> tables;
    for (const auto& [on, table] : built.tables)
      if (on == chip) tables.push_back(table);
    packets_ = std::make_unique<emulator::PacketTracker>(machine, units, images_, known, what.packet_limits, tables);
    add(machine, *packets_);
  }
  const bool any =
      std::any_of(what.checks.begin(), what.checks.end(), [](CheckMode mode) { return mode != CheckMode::off; });
  if (!any) return;
  checks_ = std::make_unique<emulator::Checks>(machine, images_, what.checks, &units, known);
  checks_->take_present_values();
  for (const image::LoadedProgram& program : built.chips[chip].linked.programs) {
    for (const image::RegisterWrite& w : program.registers) {
      const bool absolute = w.kind == image::RegisterKind::gpr_absolute || w.kind == image::RegisterKind::neighbor;
      for (unsigned context = 0; context < emulator::kContexts; ++context)
        if (w.context < 0 || static_cast<unsigned>(w.context) == context)
          checks_->mark_register(program.engine, w.kind, w.bank, absolute ? w.number : 16 * context + w.number);
    }
  }
  add(machine, *checks_);
}

void Observers::add(emulator::Machine& machine, emulator::Observer& observer) {
  machine.attach(observer);
  attached_.push_back(&observer);
}

void Observers::pause_observers(emulator::Machine& machine, bool observers_paused) {
  if (observers_paused == paused_) return;
  paused_ = observers_paused;
  if (!observers_paused) set_past(machine, {});
  for (emulator::Observer* observer : attached_)
    observers_paused ? machine.detach(*observer) : machine.attach(*observer);
}

std::string Observers::counts() const {
  if (!counts_are_of_now()) return {};
  ByteWriter out;
  const auto put = [&](const auto* observer) {
    if (observer != nullptr) put_observer(out, *observer);
  };
  put(coverage());
  put(statistics());
  put(profile());
  if (history_) weft::put(out, history_->mark());
  return out.take();
}

void Observers::set_past(emulator::Machine& machine, std::string_view counts) {
  if (past_) past_->each([&](emulator::Observer& observer) { machine.detach(observer); });
  past_ = nullptr;
  if (counts.empty()) return;
  auto past = std::make_unique<Past>();
  // Copies know the machine and its units; what they have counted is read over.
  if (coverage_) past->coverage = std::make_unique<emulator::Coverage>(*coverage_);
  if (statistics_) past->statistics = std::make_unique<emulator::Statistics>(*statistics_);
  if (profile_) past->profile = std::make_unique<emulator::Profile>(*profile_);
  ByteReader in(counts);
  bool good = true;
  past->each([&](auto& observer) { good = good && get_observer(in, observer); });
  if (!good) return;
  past_ = std::move(past);
  past_->each([&](emulator::Observer& observer) { machine.attach(observer); });
}

void Observers::go_back(std::string_view counts) {
  ByteReader in(counts);
  [[maybe_unused]] bool good = true;
  const auto get = [&](auto& observer) {
    if (observer) good = good && get_observer(in, *observer);
  };
  get(coverage_);
  get(statistics_);
  get(profile_);
  if (history_) {
    emulator::History::Mark mark;
    weft::get(in, mark);
    good = good && in.good();
    if (good) history_->go_back(mark);
  }
  assert(good);
}

Result<bool> Observers::write_coverage(const std::string& path) const {
  if (!coverage()) return fail("coverage-off", {}, "coverage was not recorded", "ask for it before the run");
  std::string text;
  if (path.ends_with(".csv"))
    text = to_csv(*coverage(), images_);
  else if (path.ends_with(".json"))
    text = to_json(*coverage(), images_);
  else
    text = to_lcov(*coverage(), images_);
  return write_file(path, text);
}

std::string Observers::coverage_lcov() const { return coverage() ? to_lcov(*coverage(), images_) : std::string(); }

namespace {

/// `write` gets what takes the parts of the file.
template <class Write>
Result<bool> write_in_parts(const std::string& path, Write write) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  write([&](std::string_view bytes) { file->write(bytes); });
  return file->commit();
}

}  // namespace

Result<bool> Observers::write_history(const std::string& path) const {
  if (!history_) return fail("history-off", {}, "the history was not recorded", "ask for it before the run");
  return write_in_parts(path, [&](const auto& sink) {
    if (path.ends_with(".json"))
      write_json(*history_, images_, clock_, sink);
    else
      write_perfetto(*history_, images_, clock_, sink);
  });
}

Result<bool> Observers::write_statistics(const std::string& path) const {
  if (!statistics()) return fail("statistics-off", {}, "statistics were not kept", "ask for them before the run");
  const emulator::StatisticsFigures figures = statistics()->figures();
  if (path.ends_with(".csv")) return write_file(path, to_csv(figures, images_));
  if (path.ends_with(".json")) return write_file(path, to_json(figures, images_));
  return write_file(path, to_text(figures, images_));
}

std::string Observers::statistics_text() const {
  return statistics() ? to_text(statistics()->figures(), images_) : std::string();
}

Result<bool> Observers::write_packets(const std::string& path) const {
  if (!packets_) return fail("packets-off", {}, "packets were not followed", "ask for it before the run");
  return write_in_parts(path, [&](const auto& sink) {
    if (path.ends_with(".pcapng"))
      write_pcapng(*packets_, clock_.ticks_per_second, sink);
    else if (path.ends_with(".csv"))
      write_csv(*packets_, sink);
    else if (path.ends_with(".json"))
      write_json(*packets_, sink);
    else
      sink(to_text(*packets_));
  });
}

void Observers::finish(const std::vector<uint32_t>& held) {
  if (checks_) checks_->finish(held);
  if (packets_) packets_->finish();
}

Result<bool> Observers::write_profile(const std::string& path) const {
  if (!profile()) return fail("profile-off", {}, "no profile was made", "ask for it before the run");
  const emulator::ProfileFigures figures = profile()->figures();
  if (path.ends_with(".folded")) return write_file(path, to_folded(figures, images_));
  if (path.ends_with(".json")) return write_file(path, to_json(figures, images_));
  return write_file(path, to_text(figures, images_));
}

}  // namespace weft::workbench
