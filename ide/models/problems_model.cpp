#include "problems_model.h"

namespace weft::ide {

namespace {

QString severity_text(Severity severity) {
  switch (severity) {
    case Severity::note: return QObject::tr("note");
    case Severity::info: return QObject::tr("info");
    case Severity::warning: return QObject::tr("warning");
    case Severity::error: return QObject::tr("error");
  }
  return {};
}

QString place_text(const SourceRange& range, const FileNames& names) {
  if (!range) return {};
  const QString file = names.name(range.file->name());
  return range.begin.line == 0 ? file
                               : QStringLiteral("%1:%2:%3").arg(file).arg(range.begin.line).arg(range.begin.column);
}

}  // namespace

void ProblemsModel::set(Diagnostics problems, const FileNames& names) {
  beginResetModel();
  names_ = names;
  problems_ = std::move(problems);
  endResetModel();
}

const Diagnostic* ProblemsModel::at(int row) const {
  return row < 0 || static_cast<size_t>(row) >= problems_.size() ? nullptr
                                                                 : &problems_.list()[static_cast<size_t>(row)];
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Diagnostic& d = *at(index.row());
  if (role == Qt::ToolTipRole && d.range) return QString::fromStdString(d.range.file->name());
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kSeverity: return severity_text(d.severity);
    case kText: return names_.shortened(QString::fromStdString(d.text));
    case kRemedy: return QString::fromStdString(d.remedy);
    case kPlace: return place_text(d.range, names_);
    case kCode: return QString::fromStdString(d.code);
    default: return {};
  }
}

QStringList ProblemsModel::names() const {
  return names_of<kColumns>(tr("Severity"), tr("What"), tr("What to do"), tr("Where"), tr("Code"));
}

}  // namespace weft::ide
