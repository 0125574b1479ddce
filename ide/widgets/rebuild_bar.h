// The bar over the texts while they differ from what runs: what is typed throws no run away, and the user says when
// the machine is to be built anew.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace weft::ide {

class RebuildBar final : public QWidget {
  Q_OBJECT

 public:
  explicit RebuildBar(QWidget* parent = nullptr);
  /// `names` of the texts that differ; `cycle` at which the machine stands; `failed`: they were built in vain.
  void ask(const QStringList& names, uint64_t cycle, bool failed);
  QString question() const;

 Q_SIGNALS:
  void replay_requested();
  void rebuild_requested();
  void go_on_requested();

 private:
  QLabel* question_;
  QPushButton* replay_;
};

}  // namespace weft::ide
