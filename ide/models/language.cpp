#include "language.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "weft/base/files.h"

namespace weft::ide {

namespace {

struct Order {
  uint64_t number = 0, disk = 0;
  std::vector<workbench::ProgramSource> programs;
  std::map<std::string, std::string> buffers;
};

/// Programs that differ only in the engines that run them are indexed once.
bool same_text(const workbench::ProgramSource& a, const workbench::ProgramSource& b) {
  return a.file == b.file && a.options.chip == b.options.chip && a.options.defines == b.options.defines &&
         a.options.include_dirs == b.options.include_dirs && a.options.case_sensitive == b.options.case_sensitive;
}

/// An index, and what it was made from.
struct Made {
  workbench::ProgramSource program;
  std::map<std::string, std::string> buffers;
  uint64_t disk = 0;
  ProgramIndex result;
};

/// Nothing that the program is made of has changed. One that missed an included file may find it now.
bool still_holds(const Made& made, const workbench::ProgramSource& program, const Order& order) {
  if (made.disk != order.disk || !same_text(made.program, program)) return false;
  const auto missed = [](const Diagnostic& d) { return d.code.find("include") != std::string::npos; };
  if (std::any_of(made.result.index->diagnostics().begin(), made.result.index->diagnostics().end(), missed))
    return false;
  return std::ranges::all_of(made.result.index->files(), [&](const std::string& file) {
    const auto then = made.buffers.find(file), now = order.buffers.find(file);
    const bool had = then != made.buffers.end(), has = now != order.buffers.end();
    return had == has && (!has || then->second == now->second);
  });
}

std::optional<std::string> text_of(const std::string& file, const std::map<std::string, std::string>& buffers) {
  const auto buffer = buffers.find(file);
  if (buffer != buffers.end()) return buffer->second;
  auto text = read_file(file);
  return text ? std::optional(without_mark(std::move(*text))) : std::nullopt;
}

}  // namespace

class Language::Worker {
 public:
  explicit Worker(Language& owner) : owner_(owner), thread_([this] { work(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      if (running_) running_->request();
    }
    wake_.notify_one();
    thread_.join();
  }
  void begin(Order order) {
    {
      const std::lock_guard lock(mutex_);
      next_ = std::move(order);
      if (running_) running_->request();
    }
    wake_.notify_one();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ending_ || next_.has_value(); });
      if (ending_) return;
      const Order order = std::move(*next_);
      next_.reset();
      const auto cancellation = std::make_shared<assembler::Cancellation>();
      running_ = cancellation;
      lock.unlock();
      auto result = make(order, *cancellation);
      lock.lock();
      running_ = nullptr;
      if (!result || ending_) continue;
      auto shared = std::make_shared<std::vector<ProgramIndex>>(std::move(*result));
      QMetaObject::invokeMethod(
          &owner_,
          [&owner = owner_, shared, number = order.number] {
            if (number != owner.wanted_) return;  // the texts have changed since
            owner.done_ = std::move(*shared);
            Q_EMIT owner.indexed();
          },
          Qt::QueuedConnection);
    }
  }

  std::optional<std::vector<ProgramIndex>> make(const Order& order, const assembler::Cancellation& cancellation) {
    std::vector<ProgramIndex> out;
    std::erase_if(made_, [&](const Made& m) {
      return std::ranges::none_of(order.programs, [&](const auto& p) { return same_text(p, m.program); });
    });
    for (size_t i = 0; i < order.programs.size(); ++i) {
      const workbench::ProgramSource& program = order.programs[i];
      const auto first = order.programs.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::any_of(order.programs.begin(), first,
                      [&](const workbench::ProgramSource& p) { return same_text(p, program); }))
        continue;
      const auto known = std::ranges::find_if(made_, [&](const Made& m) { return same_text(m.program, program); });
      if (known != made_.end() && still_holds(*known, program, order)) {
        out.push_back(known->result);
        continue;
      }
      const auto text = text_of(program.file, order.buffers);
      if (!text) continue;  // the build says so
      assembler::Options options = program.options;
      options.cancellation = &cancellation;
      assembler::Index::Settings settings;
      settings.buffers = order.buffers;
      settings.allocate = true;
      auto index = assembler::Index::build(make_source(program.file, *text), options, settings);
      if (!index) return std::nullopt;
      out.push_back({program.file, std::make_shared<const assembler::Index>(std::move(*index))});
      if (known != made_.end()) made_.erase(known);
      made_.push_back({program, order.buffers, order.disk, out.back()});
    }
    return out;
  }

  Language& owner_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Order> next_;
  std::shared_ptr<assembler::Cancellation> running_;
  bool ending_ = false;
  std::vector<Made> made_;  ///< of the thread alone
  std::thread thread_;
};

Language::Language(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>(*this)) {}
Language::~Language() = default;

void Language::set_programs(std::vector<workbench::ProgramSource> programs) {
  programs_ = std::move(programs);
  ++disk_;
  again();
}

void Language::set_text(const QString& path, const QString& text) {
  const std::string file = path.toStdString();
  if (text.isNull()) {
    if (buffers_.erase(file) == 0) return;
  } else {
    std::string octets = text.toStdString();
    auto& known = buffers_[file];
    if (known == octets) return;
    known = std::move(octets);
  }
  again();
}

void Language::read_again() {
  ++disk_;
  again();
}

std::optional<std::string> Language::text(const QString& path) const { return text_of(path.toStdString(), buffers_); }

void Language::again() { worker_->begin({++wanted_, disk_, programs_, buffers_}); }

std::shared_ptr<const assembler::Index> Language::index_of(const QString& path) const {
  const std::string file = path.toStdString();
  for (const ProgramIndex& p : done_)
    if (p.file == file) return p.index;
  for (const ProgramIndex& p : done_)
    if (p.index->file(file)) return p.index;
  return nullptr;
}

Diagnostics Language::problems() const {
  Diagnostics out;
  for (const ProgramIndex& p : done_)
    for (const Diagnostic& d : p.index->diagnostics()) {
      const auto same = [&](const Diagnostic& k) {
        return k.code == d.code && k.text == d.text && k.range.begin == d.range.begin &&
               (k.range.file ? k.range.file->name() : "") == (d.range.file ? d.range.file->name() : "");
      };
      if (std::none_of(out.begin(), out.end(), same)) out.add(d);
    }
  return out;
}

}  // namespace weft::ide
