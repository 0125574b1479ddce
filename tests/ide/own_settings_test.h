// Tests whose windows keep settings: those of whoever runs the tests are left alone.
#pragma once

#include <QObject>

#include "support.h"

namespace weft::ide::test {

/// A test object derived from it has settings of its own before its first test.
class OwnSettingsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { settings_.begin(); }

 private:
  OwnSettings settings_;
};

}  // namespace weft::ide::test
