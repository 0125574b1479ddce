#include "breakpoint_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace weft::ide {

namespace {

using workbench::Breakpoint;
using Kind = Breakpoint::Kind;

QString tr(const char* text) { return QCoreApplication::translate("Breakpoint", text); }

constexpr std::array kChoices{
    BreakpointChoice{Kind::location, "", QT_TRANSLATE_NOOP("Breakpoint", "a line, label or address is reached"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Place"), "forward.uc:120, loop#, 0x1f", false},
    BreakpointChoice{Kind::write, "", QT_TRANSLATE_NOOP("Breakpoint", "a register or memory is written"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Name"), "me0.ctx3.temp, scratch[0x100]", false},
    BreakpointChoice{Kind::read, "", QT_TRANSLATE_NOOP("Breakpoint", "a register or memory is read"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Name"), "me0.ctx3.temp, dram[64]", false},
    BreakpointChoice{Kind::change, "", QT_TRANSLATE_NOOP("Breakpoint", "a register, memory, CSR or figure changes"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Name"), "me0.csr.CTX_ENABLES, ring3.count, dropped", false},
    BreakpointChoice{Kind::condition, "", QT_TRANSLATE_NOOP("Breakpoint", "a condition becomes true"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Condition"), "me0.ctx3.temp == 5 && cycle > 2000", false},
    BreakpointChoice{Kind::packet, "in", QT_TRANSLATE_NOOP("Breakpoint", "a frame arrives"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Port"), "0; empty: any", true},
    BreakpointChoice{Kind::packet, "out", QT_TRANSLATE_NOOP("Breakpoint", "a frame leaves"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Port"), "0; empty: any", true},
    BreakpointChoice{Kind::packet, "dropped", QT_TRANSLATE_NOOP("Breakpoint", "a program drops a packet"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Reason"), "that of .drop; empty: any", true},
    BreakpointChoice{Kind::packet, "lost", QT_TRANSLATE_NOOP("Breakpoint", "a frame is lost at a port"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Port"), "0; empty: any", true},
    BreakpointChoice{Kind::signal, "", QT_TRANSLATE_NOOP("Breakpoint", "a signal is raised"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Signal"), "me0.ctx3.done, me0.*", false},
    BreakpointChoice{Kind::ring, "full", QT_TRANSLATE_NOOP("Breakpoint", "a scratch ring is full"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Ring"), "3", false},
    BreakpointChoice{Kind::ring, "empty", QT_TRANSLATE_NOOP("Breakpoint", "a scratch ring is empty"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Ring"), "3", false},
    BreakpointChoice{Kind::ring, "put", QT_TRANSLATE_NOOP("Breakpoint", "something is put on a scratch ring"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Ring"), "3", false},
    BreakpointChoice{Kind::ring, "get", QT_TRANSLATE_NOOP("Breakpoint", "something is taken from a scratch ring"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Ring"), "3", false},
    BreakpointChoice{Kind::uninitialised, "",
                     QT_TRANSLATE_NOOP("Breakpoint", "a register that nothing has written is read"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Whose"), "*, me0, me0.ctx3", false},
    BreakpointChoice{Kind::stall, "",
                     QT_TRANSLATE_NOOP("Breakpoint", "a context stalls for longer than so many cycles"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Whose, cycles"), "* 20, me0.ctx3 100", false},
    BreakpointChoice{Kind::swap, "", QT_TRANSLATE_NOOP("Breakpoint", "a context leaves its microengine"),
                     QT_TRANSLATE_NOOP("Breakpoint", "Whose"), "me0.ctx3, me0", false},
};

/// "egress: " in front, when it is there.
QString chip_of(const QString& target) {
  const qsizetype colon = target.indexOf(QStringLiteral(": "));
  return colon < 0 ? QString() : target.left(colon + 2);
}

}  // namespace

std::span<const BreakpointChoice> breakpoint_choices() { return kChoices; }

size_t choice_of(const Breakpoint& b) {
  const QString target = QString::fromStdString(b.target);
  const QStringList words = target.mid(chip_of(target).size()).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (size_t i = 0; i < kChoices.size(); ++i) {
    if (kChoices[i].kind != b.kind) continue;
    if (*kChoices[i].event == '\0' || words.contains(QLatin1String(kChoices[i].event))) return i;
  }
  return 0;
}

QString field_of(const Breakpoint& b) {
  const QString target = QString::fromStdString(b.target), chip = chip_of(target);
  const QString event = QLatin1String(kChoices[choice_of(b)].event);
  if (event.isEmpty()) return target;
  QStringList words = target.mid(chip.size()).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  words.removeOne(event);
  return chip + words.join(QLatin1Char(' '));
}

void set_target(Breakpoint& b, const BreakpointChoice& choice, const QString& field) {
  b.kind = choice.kind;
  const QString chip = chip_of(field), rest = field.mid(chip.size()).trimmed();
  const QString event = QLatin1String(choice.event);
  const bool event_first = event == QStringLiteral("dropped");
  QStringList words{rest, event};
  if (event_first) words = {event, rest};
  words.removeAll(QString());
  b.target = (chip + words.join(QLatin1Char(' '))).toStdString();
}

QString kind_text(const Breakpoint& b) {
  switch (b.kind) {
    case Kind::location: return tr("location");
    case Kind::read: return tr("read");
    case Kind::write: return tr("write");
    case Kind::change: return tr("change");
    case Kind::signal: return tr("signal");
    case Kind::ring: return tr("ring");
    case Kind::packet: return tr("packet");
    case Kind::swap: return tr("swap");
    case Kind::stall: return tr("stall");
    case Kind::condition: return tr("condition");
    case Kind::uninitialised: return tr("uninitialised");
  }
  return {};
}

QString who_text(const Breakpoint& b) {
  if (b.kind != Kind::location) return {};
  QStringList engines, contexts;
  for (const unsigned e : b.engines) engines << QStringLiteral("me%1").arg(e);
  for (unsigned c = 0; c < 8; ++c)
    if (b.contexts >> c & 1) contexts << QString::number(c);
  const bool every = (b.contexts & 0xff) == 0xff;
  if (engines.isEmpty() && every) return tr("all");
  const QString who = every                  ? QString()
                      : contexts.size() == 1 ? tr("context %1").arg(contexts[0])
                                             : tr("contexts %1").arg(contexts.join(QLatin1Char(' ')));
  return engines.isEmpty() ? who
         : who.isEmpty()   ? engines.join(QLatin1Char(' '))
                           : engines.join(QLatin1Char(' ')) + QStringLiteral(", ") + who;
}

QString action_text(const Breakpoint& b) {
  if (!b.log.empty()) return tr("logs: %1").arg(QString::fromStdString(b.log));
  return b.once ? tr("stops once") : tr("stops");
}

QString place_text(const Breakpoint& b) {
  if (!b.problem.empty()) return QString::fromStdString(b.problem);
  if (b.id == 0) return tr("not built yet");
  if (b.kind != Kind::location) return tr("watched");
  QStringList names;
  std::set<std::pair<std::string, unsigned>> known;
  for (size_t i = 0; i < b.words.size(); ++i) {
    const std::string chip = i < b.chips.size() ? b.chips[i] : std::string();
    if (!known.emplace(chip, b.words[i].first).second) continue;
    names << (chip.empty() ? QString() : QString::fromStdString(chip) + QLatin1Char(' ')) +
                 QStringLiteral("me%1").arg(b.words[i].first);
  }
  return b.words.size() == 1 ? tr("a word in %1").arg(names.join(QLatin1Char(' ')))
                             : tr("%1 words in %2").arg(b.words.size()).arg(names.join(QLatin1Char(' ')));
}

QString chip_in_front(const Breakpoint& b) { return chip_of(QString::fromStdString(b.target)); }

FilePlace file_place(const Breakpoint& b) {
  if (b.kind != Kind::location) return {};
  const QString target = QString::fromStdString(b.target), place = target.mid(chip_of(target).size());
  const qsizetype colon = place.lastIndexOf(QLatin1Char(':'));
  bool number = false;
  const int line = place.mid(colon + 1).toInt(&number);
  return colon > 0 && number ? FilePlace{place.left(colon), line} : FilePlace{};
}

bool is_in_file(const Breakpoint& b, const QString& path) {
  const QString file = file_place(b).file;
  return !file.isEmpty() && (path == file || path.endsWith(QLatin1Char('/') + file));
}

void set_line(Breakpoint& b, int line) {
  const QString target = QString::fromStdString(b.target);
  b.target = (target.left(target.lastIndexOf(QLatin1Char(':')) + 1) + QString::number(line)).toStdString();
}

}  // namespace weft::ide
