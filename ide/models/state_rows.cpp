#include "state_rows.h"

#include <QCoreApplication>
#include <QLocale>

namespace weft::ide {

namespace {

constexpr size_t kShown = 64;  // elements of a ring that are shown; the memory view shows all

QString tr(const char* text) { return QCoreApplication::translate("State", text); }
QString text_of(const std::string& s) { return QString::fromStdString(s); }
QString hex(uint64_t value, int digits = 8) {
  return QStringLiteral("0x%1").arg(qulonglong{value}, digits, 16, QLatin1Char('0'));
}
QString context_name(unsigned engine, unsigned context) { return QStringLiteral("me%1.%2").arg(engine).arg(context); }

StateRow csr_row(const workbench::CsrView& csr) {
  StateRow row;
  const bool known = csr.value.has_value();
  row.cells = {text_of(csr.shown), known ? hex(*csr.value) : tr("not read"),
               known ? QLocale().toString(*csr.value) : QString(), text_of(csr.doc)};
  row.tip = known ? text_of(csr.doc) : tr("looking at it would change it");
  if (csr.writable) row.write = csr.name;
  if (known)
    for (const workbench::CsrField& field : workbench::csr_fields(csr.doc)) {
      const unsigned bits = field.high - field.low + 1;
      const uint32_t value = *csr.value >> field.low & (bits == 32 ? ~0u : (1u << bits) - 1);
      const QString place =
          field.high == field.low ? tr("bit %1").arg(field.high) : tr("bits %1:%2").arg(field.high).arg(field.low);
      row.below.push_back(
          {{place, bits == 1 ? QString::number(value) : hex(value, 1), QString::number(value), text_of(field.text)}});
    }
  return row;
}

const char* buffer_name(emulator::MediaBuffer buffer) {
  switch (buffer) {
    case emulator::MediaBuffer::rbuf: return "rbuf";
    case emulator::MediaBuffer::tbuf: return "tbuf";
    case emulator::MediaBuffer::rfifo: return "rfifo";
    case emulator::MediaBuffer::tfifo: return "tfifo";
  }
  return "";
}

QString element_state(emulator::BufferElement::State state) {
  using State = emulator::BufferElement::State;
  switch (state) {
    case State::free: return tr("free");
    case State::used: return tr("in use");
    case State::full: return tr("full, its status waits");
    case State::valid: return tr("valid, to be sent");
  }
  return {};
}

StateRow command_row(const workbench::CommandDetail& d, size_t place, const FileNames& names) {
  StateRow row;
  const emulator::Command& c = d.waiting.command;
  const QString who = d.waiting.of_core ? tr("control processor") : context_name(c.from.engine, c.from.context);
  QString where = d.line != 0 ? names.place(d.file, d.line) : d.pc ? hex(*d.pc, 1) : tr("not recorded");
  if (d.waiting.of_core) where.clear();
  row.cells = {QString::number(place),
               text_of(d.text),
               who,
               text_of(d.address),
               tr("%1 longwords").arg(d.longwords),
               where,
               QLocale().toString(qulonglong{d.issued}),
               text_of(d.signal)};
  row.tip = tr("issued in cycle %L1, in the queue from cycle %L2 on").arg(d.issued).arg(d.arrival);
  if (!d.pc && !d.waiting.of_core)
    row.tip += QLatin1Char('\n') +
               tr("Without the execution history the line is found by a replay: choose 'Show the instruction'");
  if (const size_t bracket = d.address.find("[0x");
      bracket != std::string::npos && !d.address.starts_with("fifo") && !d.address.starts_with("msf")) {
    row.memory = text_of(d.address.substr(0, bracket));
    row.address =
        QString::fromStdString(d.address.substr(bracket + 1, d.address.size() - bracket - 2)).toULongLong(nullptr, 16);
  }
  row.file = text_of(d.file);
  row.line = static_cast<int>(d.line);
  if (!d.waiting.of_core) {
    row.context = ContextId{0, c.from.engine, c.from.context};
    row.command = c;
  }
  return row;
}

StateRow ring_row(const workbench::RingDetail& ring) {
  using Kind = workbench::RingDetail::Kind;
  StateRow row;
  const QString kind = ring.kind == Kind::scratch     ? tr("scratch ring")
                       : ring.kind == Kind::neighbor  ? tr("next-neighbor ring")
                       : ring.kind == Kind::sram_ring ? tr("ring or journal")
                       : ring.kind == Kind::sram_list ? tr("list")
                                                      : tr("hardware list");
  QString fill = ring.size ? tr("%1 of %2").arg(ring.count).arg(*ring.size) : QString::number(ring.count);
  if (ring.size && ring.count >= *ring.size)
    fill += tr(", full");
  else if (ring.shows_full)
    fill += tr(", nearly full");
  else if (ring.count == 0)
    fill += tr(", empty");
  row.cells = {text_of(ring.name), kind, fill, text_of(ring.label),
               tr("head %1, tail %2").arg(hex(ring.head, 1), hex(ring.tail, 1))};
  row.memory = text_of(ring.memory);
  if (!ring.elements.empty() && ring.elements.front().address)
    row.address = *ring.elements.front().address;
  else
    row.memory.clear();
  for (size_t i = 0; i < ring.elements.size() && i < kShown; ++i) {
    const workbench::RingDetail::Element& e = ring.elements[i];
    StateRow element;
    element.cells = {QString::number(i), i == 0 ? tr("head") : QString(), hex(e.value), QString::number(e.value),
                     e.address ? hex(*e.address, 1) : QString()};
    if (e.address) {
      element.memory = text_of(ring.memory);
      element.address = *e.address;
    }
    row.below.push_back(std::move(element));
  }
  if (ring.count > row.below.size() && !row.below.empty())
    row.below.push_back({{QString(), tr("and %1 more").arg(ring.count - row.below.size())}});
  return row;
}

QString ports_of(uint64_t flags) {
  QStringList out;
  for (int port = 0; port < 64; ++port)
    if (flags >> port & 1) out << QString::number(port);
  return out.isEmpty() ? tr("none") : out.join(QStringLiteral(", "));
}

}  // namespace

QStringList csr_columns() { return {tr("CSR"), tr("Value"), tr("Decimal"), tr("Meaning")}; }

StateRows csr_rows(const Inspector& machine, ContextId id) {
  StateRows out;
  StateRow local;
  local.cells = {tr("Microengine %1, context %2").arg(id.engine).arg(id.context)};
  for (const workbench::CsrView& csr : machine.local_csrs(id)) local.below.push_back(csr_row(csr));
  out.push_back(std::move(local));
  StateRow chip;
  chip.cells = {tr("Chip")};
  for (const workbench::CsrView& csr : machine.chip_csrs(id.chip)) chip.below.push_back(csr_row(csr));
  out.push_back(std::move(chip));
  return out;
}

QStringList engine_columns() { return {tr("Name"), tr("Value"), tr("State"), tr("Remark")}; }

StateRows engine_rows(const Inspector& machine, ContextId id) {
  const workbench::EngineDetail detail = machine.engine(id);
  StateRows out;
  StateRow signals;
  signals.cells = {tr("Signals of %1").arg(context_name(id.engine, id.context)),
                   {},
                   {},
                   detail.waits_for_any ? tr("one of the awaited is enough") : QString()};
  for (const workbench::SignalView& s : detail.signals)
    signals.below.push_back({{s.name.empty() ? tr("signal %1").arg(s.number) : text_of(s.name),
                              s.arrived ? tr("arrived") : tr("not arrived"), s.awaited ? tr("awaited") : QString(),
                              tr("number %1").arg(s.number)}});
  out.push_back(std::move(signals));
  if (detail.has_local_memory) {
    StateRow pointers;
    pointers.cells = {tr("Local-memory pointers")};
    for (unsigned p = 0; p < 2; ++p) {
      StateRow row;
      row.cells = {QStringLiteral("LM_ADDR_%1").arg(p), hex(detail.lm[p], 1), tr("longword %1").arg(detail.lm[p] / 4),
                   QStringLiteral("*l$index%1").arg(p)};
      row.memory = QStringLiteral("me%1.lm").arg(id.engine);
      row.address = detail.lm[p];
      row.write =
          QStringLiteral("me%1.ctx%2.csr.ACTIVE_LM_ADDR_%3").arg(id.engine).arg(id.context).arg(p).toStdString();
      pointers.below.push_back(std::move(row));
    }
    out.push_back(std::move(pointers));
  }
  StateRow cam;
  cam.cells = {tr("CAM of microengine %1").arg(id.engine),
               {},
               {},
               detail.cam.empty() ? tr("this microengine has none") : QString()};
  for (const workbench::CamEntryView& e : detail.cam)
    cam.below.push_back(
        {{tr("entry %1").arg(e.entry), hex(e.tag), tr("state %1").arg(e.state),
          e.age == 0                       ? tr("least recently used: replaced next")
          : e.age + 1 == detail.cam.size() ? tr("most recently used")
                                           : tr("%1 more recently used").arg(detail.cam.size() - 1 - e.age)}});
  out.push_back(std::move(cam));
  return out;
}

QStringList queue_columns() {
  return {tr("Name"), tr("Kind"), tr("Content"), tr("Value"), tr("Place"), tr("Line"), tr("Issued"), tr("Signal")};
}

StateRows queue_rows(const Inspector& machine, unsigned chip, const FileNames& names) {
  const workbench::UnitsDetail units = machine.units(chip);
  StateRows out;
  StateRow commands;
  commands.cells = {tr("Commands in units")};
  for (const workbench::CommandQueueDetail& q : units.queues) {
    StateRow row;
    QString content =
        q.capacity != 0 ? tr("%1 of %2").arg(q.commands.size()).arg(q.capacity) : QString::number(q.commands.size());
    if (q.capacity != 0 && q.commands.size() >= q.capacity) content += tr(", full");
    QString remark = q.answers != 0 ? tr("answers under way: %1").arg(q.answers) : QString();
    if (q.held) remark += (remark.isEmpty() ? QString() : QStringLiteral("; ")) + tr("held by the control processor");
    row.cells = {q.queue == "inlet" ? text_of(q.unit) : text_of(q.unit + ", " + q.queue), tr("command queue"), content,
                 remark};
    for (size_t i = 0; i < q.commands.size(); ++i) {
      row.below.push_back(command_row(q.commands[i], i, names));
      if (row.below.back().context) row.below.back().context->chip = chip;
    }
    commands.below.push_back(std::move(row));
  }
  out.push_back(std::move(commands));

  StateRow rings;
  rings.cells = {tr("Rings, queues and lists"),
                 {},
                 units.rings.empty() ? tr("none is set up") : QString::number(units.rings.size())};
  for (const workbench::RingDetail& ring : units.rings) rings.below.push_back(ring_row(ring));
  out.push_back(std::move(rings));

  for (const auto& [buffer, elements] : units.buffers) {
    StateRow all;
    size_t taken = 0;
    for (const emulator::BufferElement& e : elements) {
      if (e.state == emulator::BufferElement::State::free) continue;
      ++taken;
      StateRow row;
      row.cells = {tr("element %1").arg(e.number),
                   element_state(e.state),
                   e.status != 0 ? hex(e.status) : QString(),
                   {},
                   hex(e.offset, 1)};
      row.memory = QLatin1String(buffer_name(buffer));
      row.address = e.offset;
      all.below.push_back(std::move(row));
    }
    all.cells = {QString(QLatin1String(buffer_name(buffer))).toUpper(), tr("buffer"),
                 tr("%1 of %2 elements taken").arg(taken).arg(elements.size())};
    out.push_back(std::move(all));
  }
  StateRow waiting;
  waiting.cells = {tr("Contexts that wait for frames"), {}, QString::number(units.waiting.size())};
  for (size_t i = 0; i < units.waiting.size(); ++i) {
    const emulator::WaitingContext& w = units.waiting[i];
    StateRow row;
    row.cells = {QString::number(i), context_name(w.context.engine, w.context.context),
                 units.has_locks ? tr("port %1, element %2").arg(w.list).arg(w.xfer)
                                 : tr("free list %1, register $%2").arg(w.list).arg(w.xfer)};
    row.context = ContextId{chip, w.context.engine, w.context.context};
    waiting.below.push_back(std::move(row));
  }
  out.push_back(std::move(waiting));
  if (units.has_locks) {
    StateRow locks;
    locks.cells = {tr("Locks of SRAM"), {}, QString::number(units.locks.size())};
    for (size_t i = 0; i < units.locks.size(); ++i) {
      StateRow row;
      row.cells = {QString::number(i), tr("locked"), hex(units.locks[i], 1)};
      row.memory = QStringLiteral("sram0");
      row.address = units.locks[i];
      locks.below.push_back(std::move(row));
    }
    out.push_back(std::move(locks));
  }
  if (units.ready) {
    StateRow ready;
    ready.cells = {tr("Ready bus")};
    ready.below.push_back({{tr("receive ready"), tr("ports"), ports_of(units.ready->receive)}});
    ready.below.push_back({{tr("transmit ready"), tr("ports"), ports_of(units.ready->transmit)}});
    out.push_back(std::move(ready));
  }
  return out;
}

}  // namespace weft::ide
