#include "finder.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <set>
#include <tuple>

#include "fuzzy.h"
#include "weft/emulator/observers/packets.h"
#include "weft/workbench/dissect.h"

namespace weft::ide {

namespace {

using Kind = FinderItem::Kind;

QString tr(const char* text) { return QCoreApplication::translate("Finder", text); }

/// "1234", "1,234": a number of cycles, lines or packets.
std::optional<uint64_t> number_in(QString text) {
  text = text.trimmed();
  text.remove(QLatin1Char(','));
  bool right = false;
  const qulonglong number = text.toULongLong(&right, 10);
  return right ? std::optional<uint64_t>(number) : std::nullopt;
}

bool wanted(Kind kind, FinderQuery::What what) {
  switch (what) {
    case FinderQuery::What::all: return true;
    case FinderQuery::What::commands: return kind == Kind::command;
    case FinderQuery::What::names: return kind == Kind::macro || kind == Kind::label;
    default: return false;
  }
}

/// Of names that fit alike, what people mean more often comes first.
int rank(Kind kind) {
  switch (kind) {
    case Kind::file: return 4;
    case Kind::view:
    case Kind::macro: return 3;
    case Kind::label: return 2;
    default: return 0;
  }
}

}  // namespace

QString kind_text(Kind kind) {
  switch (kind) {
    case Kind::command: return tr("command");
    case Kind::view: return tr("view");
    case Kind::file: return tr("file");
    case Kind::macro: return tr("macro");
    case Kind::label: return tr("label");
    case Kind::line: return tr("line");
    case Kind::packet: return tr("packet");
    case Kind::cycle: return tr("cycle");
  }
  return {};
}

FinderQuery read_query(const QString& text) {
  using What = FinderQuery::What;
  const std::pair<char, What> letters[] = {
      {'>', What::commands}, {'@', What::names}, {':', What::line}, {'#', What::packets}};
  for (const auto& [letter, what] : letters)
    if (text.startsWith(QLatin1Char(letter))) return {what, text.mid(1).trimmed()};
  return {What::all, text.trimmed()};
}

std::vector<FinderItem> names_of_programs(const Language& language, const FileNames& names) {
  std::vector<FinderItem> out;
  std::set<QString> files;
  std::set<std::tuple<QString, uint32_t, uint32_t>> places;
  for (const ProgramIndex& program : language.programs()) {
    if (!program.index) continue;
    const assembler::Index& index = *program.index;
    for (uint32_t number = 0; number < index.files().size(); ++number) {
      const QString path = QString::fromStdString(index.files()[number]);
      if (index.is_built_in(number) || !files.insert(path).second) continue;
      out.push_back({.kind = Kind::file, .text = names.name(path), .detail = {}, .id = path});
    }
    for (const assembler::IndexName& name : index.names()) {
      const bool macro = name.kind == assembler::NameKind::macro;
      if (!macro && name.kind != assembler::NameKind::label) continue;
      for (const uint32_t reference : name.references) {
        const assembler::IndexReference& r = index.references()[reference];
        if (!r.definition || index.is_built_in(r.place.file)) continue;
        const QString path = QString::fromStdString(index.files()[r.place.file]);
        // Each call of a macro defines its labels anew; they are written once.
        if (!places.emplace(path, r.place.line, r.place.column).second) continue;
        QString shown = QString::fromStdString(name.written.empty() ? name.name : name.written);
        if (!macro && !shown.endsWith(QLatin1Char('#'))) shown += QLatin1Char('#');
        out.push_back({.kind = macro ? Kind::macro : Kind::label,
                       .text = shown,
                       .detail = names.place(path.toStdString(), r.place.line),
                       .id = path,
                       .line = static_cast<int>(r.place.line),
                       .column = static_cast<int>(r.place.column)});
      }
    }
  }
  return out;
}

std::vector<FinderItem> find_items(const QString& text, const std::vector<FinderItem>& all, int lines, size_t max) {
  const FinderQuery query = read_query(text);
  std::vector<FinderItem> out;
  const auto number = number_in(query.text);
  if (query.what == FinderQuery::What::line) {
    if (number && *number >= 1 && *number <= static_cast<uint64_t>(lines))
      out.push_back({.kind = Kind::line,
                     .text = tr("Go to line %1").arg(*number),
                     .detail = tr("of %1").arg(lines),
                     .id = {},
                     .line = static_cast<int>(*number)});
    return out;
  }
  struct Found {
    FinderItem item;
    int score;
  };
  std::vector<Found> found;
  for (const FinderItem& item : all) {
    if (!wanted(item.kind, query.what)) continue;
    auto match = fuzzy_match(query.text, item.text);
    if (!match) continue;
    FinderItem hit = item;
    hit.positions = std::move(match->positions);
    found.push_back(
        {std::move(hit), match->score + (query.text.isEmpty() ? 0 : rank(item.kind)) - (item.enabled ? 0 : 10)});
  }
  std::ranges::stable_sort(found, std::greater(), &Found::score);
  if (query.what == FinderQuery::What::all && number)
    out.push_back({.kind = Kind::cycle,
                   .text = tr("Go to cycle %1").arg(QLocale().toString(qulonglong{*number})),
                   .detail = {},
                   .id = {},
                   .number = *number});
  for (Found& f : found) {
    if (out.size() == max) break;
    out.push_back(std::move(f.item));
  }
  return out;
}

std::vector<FinderItem> find_packets(const Inspector& machine, const QString& text, size_t max) {
  std::vector<FinderItem> out;
  const auto number = number_in(text);
  const auto add = [&](unsigned chip, const emulator::PacketRecord& r) {
    if (out.size() == max || (number && r.number != *number)) return;
    QStringList parts{verdict_text(r.verdict)};
    if (!r.reason.empty() && r.verdict != emulator::Verdict::in_flight) parts << QString::fromStdString(r.reason);
    if (!r.data.empty()) parts << QString::fromStdString(workbench::packet_summary(r.data));
    const QString what = parts.join(QStringLiteral(" · "));
    if (!number && !what.contains(text, Qt::CaseInsensitive)) return;
    out.push_back({.kind = Kind::packet,
                   .text = tr("Packet %1").arg(QLocale().toString(r.number)),
                   .detail = what,
                   .id = {},
                   .number = packet_id(chip, r.number)});
  };
  const size_t chips = machine.machine().chips.size();
  for (unsigned chip = 0; chip < chips; ++chip) {
    const emulator::PacketTracker* tracker = machine.packets(chip);
    if (tracker == nullptr) continue;
    for (const emulator::PacketRecord& r : tracker->records()) add(chip, r);
    for (const emulator::PacketRecord* r : tracker->under_way()) add(chip, *r);
  }
  return out;
}

}  // namespace weft::ide
