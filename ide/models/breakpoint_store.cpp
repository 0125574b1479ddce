#include "breakpoint_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QSaveFile>
#include <algorithm>
#include <array>
#include <optional>

namespace weft::ide {

namespace {

using workbench::Breakpoint;
using Kind = Breakpoint::Kind;

constexpr std::array<std::pair<Kind, const char*>, 11> kKinds{{{Kind::location, "location"},
                                                               {Kind::read, "read"},
                                                               {Kind::write, "write"},
                                                               {Kind::change, "change"},
                                                               {Kind::signal, "signal"},
                                                               {Kind::ring, "ring"},
                                                               {Kind::packet, "packet"},
                                                               {Kind::swap, "swap"},
                                                               {Kind::stall, "stall"},
                                                               {Kind::condition, "condition"},
                                                               {Kind::uninitialised, "uninitialised"}}};

QJsonObject to_json(const Breakpoint& b) {
  QJsonObject out;
  for (const auto& [kind, name] : kKinds)
    if (kind == b.kind) out["kind"] = QLatin1String(name);
  out["target"] = QString::fromStdString(b.target);
  if (!b.engines.empty()) {
    QJsonArray engines;
    for (const unsigned e : b.engines) engines.append(static_cast<int>(e));
    out["engines"] = engines;
  }
  if (b.contexts != 0xff) out["contexts"] = static_cast<int>(b.contexts);
  if (b.bytes != 4) out["bytes"] = static_cast<qint64>(b.bytes);
  if (!b.condition.empty()) out["condition"] = QString::fromStdString(b.condition);
  if (b.from_hit != 1) out["fromHit"] = static_cast<qint64>(b.from_hit);
  if (!b.log.empty()) out["log"] = QString::fromStdString(b.log);
  if (!b.enabled) out["enabled"] = false;
  if (b.once) out["once"] = true;
  return out;
}

std::optional<Breakpoint> from_json(const QJsonObject& in) {
  Breakpoint b;
  const QString kind = in["kind"].toString();
  const auto known =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return kind == QLatin1String(k.second); });
  if (known == kKinds.end() || !in["target"].isString()) return std::nullopt;
  b.kind = known->first;
  b.target = in["target"].toString().toStdString();
  for (const QJsonValue e : in["engines"].toArray()) b.engines.push_back(static_cast<unsigned>(std::max(e.toInt(), 0)));
  b.contexts = static_cast<unsigned>(in["contexts"].toInt(0xff)) & 0xff;
  b.bytes = static_cast<uint32_t>(in["bytes"].toInteger(4));
  b.condition = in["condition"].toString().toStdString();
  b.from_hit = static_cast<uint64_t>(std::max<qint64>(in["fromHit"].toInteger(1), 1));
  b.log = in["log"].toString().toStdString();
  b.enabled = in["enabled"].toBool(true);
  b.once = in["once"].toBool(false);
  return b;
}

}  // namespace

QString BreakpointStore::file() const {
  return folder_.isEmpty() ? QString() : QDir(folder_).filePath(QStringLiteral(".weft/ide.json"));
}

Result<std::vector<Breakpoint>> BreakpointStore::load() const {
  std::vector<Breakpoint> out;
  QFile file(this->file());
  if (folder_.isEmpty() || !file.exists()) return out;
  const auto wrong = [&](const QString& what, qsizetype line = 0) {
    const QString place = line > 0 ? QStringLiteral("%1:%2").arg(file.fileName()).arg(line) : file.fileName();
    return fail("breakpoints-file", {},
                QObject::tr("%1: the breakpoints cannot be read: %2").arg(place, what).toStdString(),
                QObject::tr("repair the file or delete it; it holds nothing but breakpoints").toStdString());
  };
  if (!file.open(QIODevice::ReadOnly)) return wrong(file.errorString());
  const QByteArray text = file.readAll();
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(text, &error);
  if (error.error != QJsonParseError::NoError)
    return wrong(error.errorString(), 1 + text.left(error.offset).count('\n'));
  if (document["version"].toInt() != 1) return wrong(QObject::tr("this program reads version 1"));
  for (const QJsonValue one : document["breakpoints"].toArray()) {
    const auto b = from_json(one.toObject());
    if (!b) return wrong(QObject::tr("a breakpoint has no kind that is known, or no target"));
    out.push_back(*b);
  }
  return out;
}

QString BreakpointStore::save(const std::vector<Breakpoint>& all) const {
  if (folder_.isEmpty()) return {};
  const QFileInfo at(file());
  if (all.empty() && !at.exists()) return {};
  const QDir folder(at.path());
  if (!folder.exists()) {
    if (!QDir().mkpath(at.path())) return QObject::tr("%1 cannot be made").arg(at.path());
    QFile ignore(folder.filePath(QStringLiteral(".gitignore")));
    if (!ignore.open(QIODevice::WriteOnly) || ignore.write("*\n") < 0)
      return QObject::tr("%1: %2").arg(ignore.fileName(), ignore.errorString());
  }
  QJsonArray list;
  for (const Breakpoint& b : all) list.append(to_json(b));
  QSaveFile out(at.filePath());
  if (!out.open(QIODevice::WriteOnly) ||
      out.write(QJsonDocument(QJsonObject{{"version", 1}, {"breakpoints", list}}).toJson()) < 0 || !out.commit())
    return QObject::tr("%1: %2").arg(out.fileName(), out.errorString());
  return {};
}

}  // namespace weft::ide
