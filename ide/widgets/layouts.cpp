#include "layouts.h"

#include <QDockWidget>
#include <QLayout>
#include <map>

namespace weft::ide {

namespace {

constexpr int kVersion = 1;      // another one: what was kept is not understood any more
constexpr int kLow = 800;        // a window of less: its views need a larger share for some rows
constexpr int kRegisters = 344;  // pixels, with values of 32 bits in hexadecimal and decimal

}  // namespace

QSettings user_settings() {
  return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("weft"), QStringLiteral("weft-ide"));
}

QDockWidget* Layouts::dock(const char* name) const {
  for (QDockWidget* d : docks_)
    if (d->objectName() == QLatin1String(name)) return d;
  return nullptr;
}

void Layouts::reset(Layout layout) {
  const QSize size = window_.size();  // docks that are beside each other for a moment would make it larger
  std::map<Qt::DockWidgetArea, QDockWidget*> last;
  for (QDockWidget* d : docks_) {
    // Each dock knows its area by the property that it was made with.
    const auto area = static_cast<Qt::DockWidgetArea>(d->property("area").toInt());
    d->setFloating(false);
    window_.addDockWidget(area, d);
    QDockWidget*& before = last[area];
    if (before != nullptr) window_.tabifyDockWidget(before, d);
    before = d;
    const bool shown = area == Qt::BottomDockWidgetArea ||
                       (area == Qt::LeftDockWidgetArea && layout != Layout::analyse) ||
                       (area == Qt::RightDockWidgetArea && layout == Layout::debug);
    d->setVisible(shown);
  }
  const auto raise = [this](std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (QDockWidget* d = dock(name); d != nullptr && !d->isHidden()) d->raise();
  };
  if (layout == Layout::edit)
    raise({"project", "problems"});
  else if (layout == Layout::debug)
    raise({"project", "contexts", "registers"});
  else
    raise({"timeline"});
  if (!window_.isMaximized() && !window_.isFullScreen()) {
    if (QLayout* inside = window_.layout()) inside->activate();
    window_.resize(size);
  }
  const int height = window_.height();
  if (QDockWidget* side = dock("project"); side != nullptr && !side->isHidden())
    window_.resizeDocks({side}, {window_.width() < 1200 ? 150 : 230}, Qt::Horizontal);
  if (QDockWidget* side = dock("registers"); side != nullptr && !side->isHidden())
    window_.resizeDocks({side}, {kRegisters}, Qt::Horizontal);
  if (QDockWidget* below = last[Qt::BottomDockWidgetArea])
    window_.resizeDocks({below},
                        {layout == Layout::analyse ? height * 6 / 10
                         : layout == Layout::edit  ? height / 5
                         : height < kLow           ? height * 4 / 10
                                                   : height * 3 / 10},
                        Qt::Vertical);
}

bool Layouts::restore() {
  const QSettings kept = user_settings();
  if (kept.value(QStringLiteral("layout/version")).toInt() != kVersion) return false;
  window_.restoreGeometry(kept.value(QStringLiteral("layout/geometry")).toByteArray());
  return window_.restoreState(kept.value(QStringLiteral("layout/docks")).toByteArray(), kVersion);
}

void Layouts::save() const {
  QSettings kept = user_settings();
  kept.setValue(QStringLiteral("layout/version"), kVersion);
  kept.setValue(QStringLiteral("layout/geometry"), window_.saveGeometry());
  kept.setValue(QStringLiteral("layout/docks"), window_.saveState(kVersion));
}

}  // namespace weft::ide
