#include "weft/workbench/recording.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "project/build.h"
#include "recording/archive.h"
#include "recording/contents.h"
#include "recording/files.h"
#include "recording/manifest.h"
#include "recording/read_parts.h"
#include "weft/base/files.h"
#include "weft/base/limits.h"

namespace weft::workbench {

namespace fs = std::filesystem;

namespace {

constexpr std::array<unsigned char, 4> kZstd{0x28, 0xb5, 0x2f, 0xfd};  // RFC 8878, 3.1.1
constexpr const char* kExtension = ".weftrec";

/// A folder that goes away with this.
class OwnFolder {
 public:
  OwnFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "weft-recording-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~OwnFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const fs::path& path() const { return path_; }  ///< empty: it could not be made

 private:
  fs::path path_;
};

}  // namespace

Observation recorded_observation(uint64_t bytes, const Observation& also) {
  Observation out = also;
  out.coverage = out.history = out.statistics = out.packets = true;
  // States take 6 bytes at most and references 40; a packet with its frame and who wrote its bytes about 3,000, a
  // change of a queue 16, a signal of somebody else 32 (headers of the observers).
  out.history_limits.segments = std::max<uint64_t>(bytes / 8 * 3 / 6, 1024);
  out.history_limits.references = std::max<uint64_t>(bytes / 8 * 3 / 40, 1024);
  out.packet_limits.packets = std::max<uint64_t>(bytes / 16 * 3 / 3000, 64);
  out.packet_limits.queue_changes = std::max<uint64_t>(bytes / 32 / 16, 1024);
  out.history_limits.signals = std::max<uint64_t>(bytes / 32 / 32, 1024);
  out.packet_limits.frames = true;
  return out;
}

std::vector<std::string> lost_by_limits(const Session& session) {
  std::vector<std::string> out;
  const auto chips = session.chips();
  for (unsigned c = 0; c < chips.size(); ++c) {
    const std::string chip = chips[c].empty() ? "" : chips[c] + ": ";
    if (const emulator::History* history = session.history(c)) {
      if (history->dropped_segments() != 0)
        out.push_back(fmt::format("{}the history begins at cycle {}: what lay before was more than the limit", chip,
                                  history->from_cycle()));
      if (history->dropped_references() != 0)
        out.push_back(fmt::format("{}the first {} memory references are missing: they were more than the limit", chip,
                                  history->dropped_references()));
    }
    if (const emulator::PacketTracker* packets = session.packets(c)) {
      if (packets->totals().not_kept != 0)
        out.push_back(fmt::format(
            "{}records of the first {} packets are missing: they were more than the limit; the totals count them", chip,
            packets->totals().not_kept));
      if (packets->queue_changes_lost() != 0)
        out.push_back(
            fmt::format("{}the first {} changes of rings and queues are missing: they were more than the limit", chip,
                        packets->queue_changes_lost()));
    }
  }
  return out;
}

Result<bool> write_recording(Session& session, const Overrides& overrides, const std::string& path, uint64_t bytes) {
  if (const std::string obstacle = SessionContents::obstacle(session); !obstacle.empty())
    return fail("recording-late", whole_file(path), "this run cannot be recorded: " + obstacle,
                "ask for the recording before the run");
  if (session.observed() > session.board().position())
    return fail("recording-back", whole_file(path), "the machine stands before the end of what was observed",
                "go to the end of the run first");
  const RunFiles files = files_of_run(session);
  const Project& project = SessionContents::project(session);
  Manifest m;
  const Report report = session.report();
  m.info.weft = WEFT_VERSION;
  m.info.cycle = report.cycles;
  m.info.stop = report.stop;
  m.info.lost = lost_by_limits(session);
  m.info.observation = SessionContents::observation(session);
  m.layout = SessionContents::layout();
  m.fingerprint = SessionContents::fingerprint(session);
  m.state = session.state_hash();
  m.root = files.root.string();
  m.called = files.called;
  m.project = files.project;
  m.name = project.name;
  m.overrides = overrides;
  for (const SourceFilePtr& commands : SessionContents::commands(session))
    m.commands.emplace_back(commands->name(), commands->text());

  const SessionParts parts = SessionContents::put(session, bytes);
  m.info.checkpoints = parts.checkpoints;
  m.parts = {
      {kStates, part_of(parts.states)}, {kEvents, part_of(parts.events)}, {kObservers, part_of(parts.observers)}};
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [name, file] : files.files) {
    auto text = read_file(file.string(), limits::kCaptureBytes);
    if (!text) return tl::unexpected(std::move(text.error()));
    m.parts[kProjectFolder + name] = part_of(*text);
    texts.emplace_back(kProjectFolder + name, std::move(*text));
  }
  auto out = ArchiveWriter::create(path);
  if (!out) return tl::unexpected(std::move(out.error()));
  const std::string manifest = to_json(m);
  out->add(kManifest, manifest);
  out->add(kManifestSum, sum_of(manifest));
  for (const auto& [name, text] : texts) out->add(name, text);
  out->add(kStates, parts.states);
  out->add(kEvents, parts.events);
  out->add(kObservers, parts.observers);
  return out->commit();
}

bool is_recording(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::array<unsigned char, 4> begin{};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  return file && std::fread(begin.data(), 1, begin.size(), file.get()) == begin.size() && begin == kZstd;
}

// A file that begins like a project is one, whatever it is called; one that is called like JSON is told what is wrong
// with its JSON.
bool is_meant_as_recording(const std::string& path) {
  if (is_recording(path)) return true;
  std::error_code error;
  const fs::path extension = fs::path(path).extension();
  if (!fs::is_regular_file(path, error) || extension == ".json") return false;
  auto text = read_file(path);
  if (!text) return false;
  const size_t first = text->find_first_not_of(" \t\r\n");
  return extension == kExtension || first == std::string::npos || (*text)[first] != '{';
}

struct Recording::Impl {
  std::string path;
  OwnFolder folder;
  Manifest manifest;
  Project project;

  bool is_right(const std::string& name, std::string_view bytes) const { return is_part(manifest, name, bytes); }
  size_t count(bool of_project) const {
    return static_cast<size_t>(std::ranges::count_if(
        manifest.parts, [&](const auto& part) { return part.first.starts_with(kProjectFolder) == of_project; }));
  }
  /// Bytes that a part may unpack to: what the manifest says, which comes first.
  uint64_t max(const std::string& name) const { return max_bytes(manifest, name); }
  Result<bool> unpack(const std::string& name, const std::string& bytes) const;
};

Result<bool> Recording::Impl::unpack(const std::string& name, const std::string& bytes) const {
  const fs::path file = folder.path() / name.substr(std::string_view(kProjectFolder).size());
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  auto written = write_file(file.string(), bytes);
  // What stands here is a copy: who changes it must not think that he changes the project.
  if (written) fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read, error);
  return written;
}

namespace {

/// Whether what the manifest says may be unpacked: a small file must not fill disk and memory.
Result<bool> unpacks_to_little(const std::string& path, const Manifest& manifest) {
  std::error_code error;
  const uint64_t packed = fs::file_size(path, error);
  const uint64_t max =
      std::min(limits::kUnpackedBytes, std::max(limits::kUnpackedFreely, packed * limits::kUnpackedTimes));
  uint64_t left = max;
  for (const auto& [name, part] : manifest.parts) {
    if (part.bytes > left)
      return fail(
          "input-limit", whole_file(path),
          fmt::format("the recording says that it unpacks to more than {} MiB, and has {} bytes", max >> 20, packed),
          "no run makes such a recording; docs/limits.md says what may be unpacked");
    left -= part.bytes;
  }
  return true;
}

}  // namespace

Recording::Recording() : impl_(std::make_unique<Impl>()) {}
Recording::~Recording() = default;
const Recording::Info& Recording::info() const { return impl_->manifest.info; }
const Project& Recording::project() const { return impl_->project; }
const fs::path& Recording::folder() const { return impl_->folder.path(); }

Result<std::unique_ptr<Recording>> Recording::open(const std::string& path) {
  if (!is_recording(path)) {
    const auto bytes = read_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    const bool called = fs::path(path).extension() == kExtension;
    return fail(
        "recording-format", whole_file(path),
        fmt::format("this is {}{}", called ? "not a recording" : "neither a recording nor a project",
                    bytes->empty() ? ": the file is empty" : ""),
        called ? "name a file that 'weft run PROJECT --record FILE' has written"
               : "name a project folder, its weft.json, or a file that 'weft run PROJECT --record FILE' has written");
  }
  std::unique_ptr<Recording> out(new Recording);
  Impl& self = *out->impl_;
  self.path = path;
  if (self.folder.path().empty())
    return fail("file-unwritable", whole_file(path), "there is no room to unpack the recording's sources",
                "make the folder for temporary files writable, or set TMPDIR");
  const fs::path files = self.folder.path();
  // What the run has left is read when somebody wants a session: it is most of the file.
  bool described = false, is_whole = false;
  std::string sum;
  size_t found = 0;
  auto read = read_archive(
      path, [](const std::string&) { return true; }, [&](const std::string& name) { return self.max(name); },
      [&](const std::string& name, const std::string& bytes) -> Result<bool> {
        if (!described) {
          if (name != kManifest) return damaged_recording(path, "it does not begin with a manifest");
          auto manifest = read_manifest(path, bytes);
          if (!manifest) return tl::unexpected(std::move(manifest.error()));
          self.manifest = std::move(*manifest);
          described = true;
          sum = sum_of(bytes);
        } else if (!is_whole) {
          if (name != kManifestSum || bytes != sum)
            return damaged_recording(path, "its manifest is not what was recorded");
          is_whole = true;
          if (auto good = unpacks_to_little(path, self.manifest); !good) return good;
        } else {
          if (!name.starts_with(kProjectFolder) || !self.is_right(name, bytes))
            return damaged_recording(path, fmt::format("'{}' is not what was recorded", name));
          if (auto done = self.unpack(name, bytes); !done) return done;
          ++found;
        }
        return found < self.count(true);
      });
  if (!read) return tl::unexpected(std::move(read.error()));
  if (!is_whole || found != self.count(true)) return damaged_recording(path, "its end is missing");
  Overrides overrides = self.manifest.overrides;
  overrides.moved = {self.manifest.root, files};
  auto project = load_project((files / self.manifest.project).string(), overrides);
  if (!project) return tl::unexpected(std::move(project.error()));
  self.project = std::move(*project);
  self.project.name = self.manifest.name;
  // What left by the ports was written by the run; its files are not touched again.
  for (PortEntry& port : self.project.ports)
    if (port.out) port.out = files / fmt::format("port{}.pcap", port.port);
  return out;
}

Result<std::unique_ptr<Session>> Recording::session(Names names) const {
  const Impl& self = *impl_;
  ReadParts parts(self.path, self.manifest);
  auto built = build(self.project);
  if (!built) return tl::unexpected(std::move(built.error()));
  std::map<std::string, std::string> here;  // by recorded name
  for (const auto& [name, called] : self.manifest.called) here[called] = (folder() / name).string();
  for (BuiltChip& chip : built->chips)
    for (const auto& program : chip.programs)
      for (std::string& file : program->image.files)
        for (const auto& [called, path] : here)
          if (names == Names::recorded && std::filesystem::path(file).lexically_normal() == path) file = called;
  auto session = Session::create(self.project, self.manifest.info.observation, std::move(*built));
  if (!session) return session;
  for (const auto& [name, text] : self.manifest.commands)
    if (auto done = (*session)->add_commands(make_source(name, text)); !done)
      return tl::unexpected(std::move(done.error()));
  if (SessionContents::fingerprint(**session) != self.manifest.fingerprint)
    return fail("recording-other", whole_file(self.path),
                "the recording's sources give another program or another board here than when it was made",
                "open it with the Weft that made it, or record the run again");
  const bool fits = SessionContents::get(**session, parts);
  if (Diagnostics problems = parts.problems(); !problems.empty()) return tl::unexpected(std::move(problems));
  if (!fits || (*session)->state_hash() != self.manifest.state)
    return damaged_recording(self.path, "its states do not fit its programs");
  if (names == Names::here) SessionContents::rename_places(**session, here);
  return session;
}

}  // namespace weft::workbench
