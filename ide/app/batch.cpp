#include "batch.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QDockWidget>
#include <QFileInfo>
#include <QImageWriter>
#include <QLineEdit>
#include <QTextStream>
#include <QTimer>

#include "weft/base/files.h"
#include "weft/base/render.h"
#include "widgets/main_window.h"

namespace weft::ide {

namespace {

constexpr int kLook = 600;  // ms that views get to ask what they show
constexpr int kRounds = 3;  // some ask again when they know more

QByteArray format_of(const QString& picture) { return QFileInfo(picture).suffix().toLatin1().toLower(); }

bool write(const QString& path, const QByteArray& bytes) {
  const auto written = write_file(path.toStdString(), {bytes.constData(), static_cast<size_t>(bytes.size())});
  if (!written) report(written.error());
  return written.has_value();
}

}  // namespace

int complain(const QString& text, Status status) {
  QTextStream(stderr) << "weft-ide: " << text << '\n';
  return status;
}

void report(const Diagnostics& problems) {
  constexpr size_t kShown = 50;  // input that is not a source at all fails in thousands of places
  const Diagnostics shown = problems.first(kShown);
  QTextStream out(stderr);
  out << QString::fromStdString(render_text(shown));
  if (shown.left_out() > 0) out << "weft-ide: " << shown.left_out() << " more messages are not shown\n";
}

Batch::Batch(MainWindow& window, BatchOptions options)
    : QObject(&window), window_(window), options_(std::move(options)), started_(options_.until.isEmpty()) {}

Status Batch::check() const {
  const auto wrong = [](const QString& text) { return static_cast<Status>(complain(text)); };
  if (options_.view) {
    const QString names = window_.view_names().join(QStringLiteral(", "));
    if (!window_.view_names().contains(*options_.view))
      return wrong(
          QStringLiteral("there is no view '%1'; write VIEW=FILE.png with one of: %2").arg(*options_.view, names));
    if (options_.picture.isEmpty())
      return wrong(QStringLiteral("--screenshot %1: the file is missing; write %1=FILE.png").arg(*options_.view));
    if (!QImageWriter::supportedImageFormats().contains(format_of(options_.picture)))
      return wrong(QStringLiteral("--screenshot %1=%2: the name of the file says no kind of picture; call it FILE.png")
                       .arg(*options_.view, options_.picture));
  }
  for (const std::optional<QString>& file :
       {options_.view ? std::optional(options_.picture) : std::nullopt, options_.dump})
    if (const auto good = file ? check_output(file->toStdString()) : true; !good)
      return report(good.error()), kWrongInput;
  return kDone;
}

void Batch::begin(Status status) {
  status_ = status;
  // A view behind others has no size, and asks nothing.
  if (auto* dock = options_.view ? qobject_cast<QDockWidget*>(window_.view(*options_.view)) : nullptr) {
    dock->show();
    dock->raise();
    if (window_.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
      window_.resizeDocks({dock}, {window_.height() * 3 / 5}, Qt::Vertical);
  }
  Target* target = window_.workspace().target();
  connect(target, &Target::problems_changed, this, [this, target](const Diagnostics& problems) {
    if (target->state() == Target::State::building) built_ = problems;
  });
  connect(target, &Target::refused, this, [this](const Diagnostics& problems) { refused_ = problems; });
  connect(target, &Target::state_changed, this, &Batch::look);
}

// Questions are answered one after the other: when this one is, views have the answers to theirs.
void Batch::settle(int rounds, const std::function<void()>& then) {
  Target* target = window_.workspace().target();
  if (rounds == 0 || !target->view()) return then();
  target->ask(
      this, [](const Inspector& machine) { return machine.cycle(); },
      [this, rounds, then](uint64_t) { settle(rounds - 1, then); });
}

void Batch::look() {
  using State = Target::State;
  Target* target = window_.workspace().target();
  const State state = target->state();
  if (done_ || state == State::building || state == State::running) return;
  // A recording stands at its end, and can go on.
  if (!started_ && (state == State::stopped || state == State::ended)) {
    started_ = true;
    // The views look first, so that what changes in the run is marked.
    settle(kRounds, [this] { window_.workspace().target()->run_until(options_.until.toStdString()); });
    return;
  }
  done_ = true;
  const bool looks = !options_.press.isEmpty() || options_.range || options_.context;
  if (!looks) return QTimer::singleShot(kLook, this, &Batch::wait_to_finish);
  // Views know first what there is to be looked at.
  QTimer::singleShot(kLook, this, [this] { settle(kRounds, [this] { look_there(); }); });
}

// What people do with the mouse.
void Batch::look_there() {
  Cursor& cursor = window_.workspace().cursor();
  if (options_.range) cursor.set_range(options_.range);
  if (options_.context) cursor.set_context(options_.context);
  if (options_.cycle) cursor.set_cycle(*options_.cycle);
  if (options_.cycle || options_.context) cursor.look();
  for (const QString& name : options_.press) {
    const QWidget* shown = options_.view ? window_.view(*options_.view) : nullptr;
    if (const qsizetype is = name.indexOf(QLatin1Char('=')); is > 0) {
      auto* field = shown != nullptr ? shown->findChild<QLineEdit*>(name.left(is)) : nullptr;
      if (field == nullptr)
        return QApplication::exit(complain(QStringLiteral("--press: the view '%1' has no field '%2'")
                                               .arg(options_.view.value_or(QString()), name.left(is))));
      field->setText(name.mid(is + 1));
      continue;
    }
    QAction* tool = shown != nullptr ? shown->findChild<QAction*>(name) : nullptr;
    if (tool == nullptr)
      return QApplication::exit(complain(
          QStringLiteral("--press: the view '%1' has no tool '%2'").arg(options_.view.value_or(QString()), name)));
    tool->trigger();
  }
  QTimer::singleShot(kLook, this, &Batch::wait_to_finish);
}

void Batch::wait_to_finish() {
  if (!options_.ends()) return;
  const Target* target = window_.workspace().target();
  if (target->busy() || target->state() == Target::State::building)
    return QTimer::singleShot(kLook, this, &Batch::wait_to_finish);
  settle(kRounds, [this] { finish(); });
}

bool Batch::write_picture() const {
  QWidget* widget = window_.view(*options_.view);
  if (widget == nullptr) return complain(QStringLiteral("--screenshot %1: no text is open").arg(*options_.view)), false;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QImageWriter writer(&buffer, format_of(options_.picture));
  if (!writer.write(widget->grab().toImage()))
    return complain(QStringLiteral("%1 cannot be written: %2").arg(options_.picture, writer.errorString())), false;
  return write(options_.picture, bytes);
}

void Batch::finish() {
  if (options_.view && !write_picture()) status_ = kWrongInput;
  if (options_.dump && !write(*options_.dump, window_.state_json())) status_ = kWrongInput;
  const Target* target = window_.workspace().target();
  if (target->state() == Target::State::empty) {
    report(built_);
    status_ = static_cast<Status>(complain(target->reason(), kWrongInput));
  } else if (!refused_.empty()) {
    report(refused_);
    status_ = static_cast<Status>(complain(QStringLiteral("--until \"%1\" cannot be done").arg(options_.until)));
  } else if (target->state() == Target::State::faulted) {
    status_ = static_cast<Status>(complain(target->reason(), kWrongInput));
  }
  QApplication::exit(status_);
}

}  // namespace weft::ide
