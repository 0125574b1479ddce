#include "target.h"

#include <QCryptographicHash>
#include <utility>

namespace weft::ide {

namespace {

template <class Answer>
void cannot(QObject* target, QObject* asker, std::function<void(const Answer&)> then) {
  auto answer = std::make_shared<Answer>();
  answer->problems.error("record-off", {}, "this cannot be gone through again, so nobody knows who wrote it",
                         "open the project itself");
  QMetaObject::invokeMethod(
      target,
      [guard = QPointer<QObject>(asker), answer, then = std::move(then)] {
        if (guard) then(*answer);
      },
      Qt::QueuedConnection);
}

}  // namespace

const BuiltFiles& Target::built_files() const {
  static const BuiltFiles kNone;
  return kNone;
}
QByteArray Target::digest_of(const QByteArray& octets) {
  return QCryptographicHash::hash(octets, QCryptographicHash::Sha1);
}

void Target::find_write(const std::string&, ContextId, bool, QObject* asker, TakeWriter then) {
  cannot(this, asker, std::move(then));
}
void Target::find_sender(const emulator::Command&, unsigned, QObject* asker, TakeWriter then) {
  cannot(this, asker, std::move(then));
}
void Target::find_origin(const workbench::Holder&, std::optional<uint64_t>, QObject* asker, TakeOrigin then) {
  cannot(this, asker, std::move(then));
}
void Target::find_use(const workbench::Holder&, std::optional<uint64_t>, QObject* asker, TakeUse then) {
  cannot(this, asker, std::move(then));
}

void Target::follow(QObject* who, std::function<void()> rebuilt, std::function<void()> moved) const {
  connect(this, &Target::state_changed, who, [this, rebuilt = std::move(rebuilt)] {
    if (state() == State::building) rebuilt();
  });
  connect(this, &Target::view_changed, who, std::move(moved));
}

}  // namespace weft::ide
