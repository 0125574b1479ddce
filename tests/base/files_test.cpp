// Files that are read whole and written whole or not at all.
#include "weft/base/files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <functional>

#include "weft/base/limits.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// An empty folder that goes away with the test.
class Folder {
 public:
  Folder() : path_(fs::path(WEFT_BINARY_DIR) / ("files_test_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  size_t count() const { return static_cast<size_t>(std::distance(fs::directory_iterator(path_), {})); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("what is written is read again, byte for byte") {
  const Folder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  REQUIRE(write_file(folder.file("x"), bytes));
  const auto back = read_file(folder.file("x"));
  REQUIRE(back);
  CHECK(*back == bytes);
  const auto source = read_source(folder.file("x"));
  REQUIRE(source);
  CHECK((*source)->text() == bytes);
  CHECK((*source)->name() == folder.file("x"));
  CHECK(folder.count() == 1);
}

TEST_CASE("an output that is not committed leaves nothing, not even beside it") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "old"));
  {
    auto out = AtomicFile::create(folder.file("x"));
    REQUIRE(out);
    out->write("new and unfinished");
    CHECK(*read_file(folder.file("x")) == "old");
  }
  CHECK(*read_file(folder.file("x")) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("a committed output replaces the old one at once") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "old and longer"));
  auto out = AtomicFile::create(folder.file("x"));
  REQUIRE(out);
  out->write("ne");
  out->write("w");
  REQUIRE(out->commit());
  CHECK(*read_file(folder.file("x")) == "new");
  CHECK(folder.count() == 1);
}

TEST_CASE("a moved output is written once") {
  const Folder folder;
  auto first = AtomicFile::create(folder.file("x"));
  REQUIRE(first);
  first->write("a");
  AtomicFile second = std::move(*first);
  second.write("b");
  REQUIRE(second.commit());
  CHECK(*read_file(folder.file("x")) == "ab");
  CHECK(folder.count() == 1);
}

TEST_CASE("an output over another one drops what that was writing") {
  const Folder folder;
  auto first = AtomicFile::create(folder.file("x"));
  auto second = AtomicFile::create(folder.file("y"));
  REQUIRE(first);
  REQUIRE(second);
  first->write("lost");
  second->write("kept");
  *first = std::move(*second);
  REQUIRE(first->commit());
  CHECK_FALSE(fs::exists(folder.file("x")));
  CHECK(*read_file(folder.file("y")) == "kept");
  CHECK(folder.count() == 1);
}

TEST_CASE("what cannot be read or written is reported by name") {
  const Folder folder;
  const auto missing = read_file(folder.file("none"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().list()[0].code == "file-missing");
  CHECK(missing.error().list()[0].range.file->name() == folder.file("none"));

  const auto directory = read_file(folder.file("."));
  REQUIRE_FALSE(directory);
  CHECK(directory.error().list()[0].code == "file-unreadable");

  CHECK_FALSE(AtomicFile::create(folder.file("no/such/folder/x")));
  CHECK_FALSE(write_file(folder.file("no/such/folder/x"), "x"));
  CHECK(folder.count() == 0);
}

TEST_CASE("outputs are looked at before the work") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "old"));
  CHECK(check_output(folder.file("x")));
  CHECK(check_output(folder.file("new")));
  CHECK_FALSE(check_output(""));
  CHECK_FALSE(check_output(folder.file(".")));
  CHECK_FALSE(check_output(folder.file("none/x")));
  CHECK_FALSE(check_output(folder.file("x/y")));
  CHECK(folder.count() == 1);
}

TEST_CASE("a pipe is written, not replaced") {
  const Folder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  REQUIRE(write_file(pipe, "text"));
  char buffer[16] = {};
  CHECK(::read(reader, buffer, sizeof buffer) == 4);
  CHECK(std::string(buffer) == "text");
  ::close(reader);
  CHECK(fs::is_fifo(pipe));
  CHECK(folder.count() == 1);
}

TEST_CASE("a link stays one, the file behind it is replaced") {
  const Folder folder;
  REQUIRE(write_file(folder.file("target"), "old"));
  fs::create_symlink("target", folder.file("link"));
  REQUIRE(write_file(folder.file("link"), "new"));
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(*read_file(folder.file("target")) == "new");

  fs::create_symlink("link-to-nothing", folder.file("first"));
  fs::create_symlink("later", folder.file("link-to-nothing"));
  CHECK(check_output(folder.file("first")));
  REQUIRE(write_file(folder.file("first"), "made"));
  CHECK(fs::is_symlink(folder.file("first")));
  CHECK(fs::is_symlink(folder.file("link-to-nothing")));
  CHECK(*read_file(folder.file("later")) == "made");
}

TEST_CASE("what the system refuses has the remedy that helps") {
  const Folder folder;
  const auto refused = [&](const std::string& name, const std::string& reason, const std::string& remedy) {
    INFO(name);
    for (const auto& result : {check_output(folder.file(name)), write_file(folder.file(name), "x")}) {
      REQUIRE_FALSE(result);
      CHECK(result.error().list()[0].text.find(reason) != std::string::npos);
      CHECK(result.error().list()[0].remedy == remedy);
    }
  };
  fs::create_symlink("there", folder.file("here"));
  fs::create_symlink("here", folder.file("there"));
  refused("here", "Too many levels of symbolic links", "name the file itself: links lead to each other");
  CHECK(read_file(folder.file("here")).error().list()[0].remedy == "name the file itself: links lead to each other");
  fs::create_symlink("no/such/file", folder.file("away"));
  refused("away", "there is no folder", "make the folder first");
  const std::string longest(255, 'n');
  CHECK(write_file(folder.file(longest), "x"));
  CHECK(*read_file(folder.file(longest)) == "x");
  refused(longest + "n", "File name too long", "give it a shorter name");
  CHECK(read_file(folder.file(longest + "n")).error().list()[0].remedy == "give it a shorter name");
}

namespace {

/// What `path` names is one of this process's descriptors while `what` runs.
template <typename What>
void with_descriptor(int number, int flags, const std::string& path, What what) {
  const int saved = ::dup(number);
  const int opened = ::open(path.c_str(), flags, 0600);
  REQUIRE(opened >= 0);
  ::dup2(opened, number);
  ::close(opened);
  what();
  ::dup2(saved, number);
  ::close(saved);
}

}  // namespace

TEST_CASE("an open descriptor is written to where it stands, and its name stays") {
  const Folder folder;
  constexpr int kNumber = 97;
  const std::string name = "/dev/fd/" + std::to_string(kNumber), target = folder.file("target");
  fs::create_symlink(name, folder.file("link"));
  bool first = false, second = false;
  with_descriptor(kNumber, O_WRONLY | O_CREAT, target, [&] {
    REQUIRE(::write(kNumber, "before ", 7) == 7);
    first = write_file(name, "first ").has_value();
    second = write_file(folder.file("link"), "second ").has_value();
    REQUIRE(::write(kNumber, "behind", 6) == 6);
  });
  CHECK(first);
  CHECK(second);
  CHECK(*read_file(target) == "before first second behind");
  CHECK(fs::is_symlink(folder.file("link")));

  // A file that is open and has been removed has no name: nothing may take the place of the link.
  with_descriptor(kNumber, O_RDWR | O_CREAT, folder.file("removed"), [&] {
    fs::remove(folder.file("removed"));
    first = write_file(folder.file("link"), "x").has_value();
    char got = 0;
    CHECK(::pread(kNumber, &got, 1, 0) == 1);
    CHECK(got == 'x');
  });
  CHECK(first);
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(folder.count() == 2);

  with_descriptor(kNumber, O_RDONLY, target, [&] { first = write_file(name, "x").has_value(); });
  CHECK_FALSE(first);
}

TEST_CASE("a byte order mark is not part of a source") {
  CHECK(without_mark("\xEF\xBB\xBFnop\n") == "nop\n");
  CHECK(without_mark("nop\xEF\xBB\xBF") == "nop\xEF\xBB\xBF");
  CHECK(without_mark("\xEF\xBB").size() == 2);
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "\xEF\xBB\xBFnop\n"));
  const auto source = read_source(folder.file("x"));
  REQUIRE(source);
  CHECK((*source)->text() == "nop\n");
}

namespace {

/// Status of a process of its own that does `what`; 100 for an exception.
int in_child(const std::function<int()>& what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

mode_t mode_of(const std::string& path) {
  struct stat s = {};
  return ::stat(path.c_str(), &s) == 0 ? s.st_mode & 07777 : 0;
}

}  // namespace

TEST_CASE("a file without an end is not read to its end") {
  const auto endless = read_file("/dev/zero");
  REQUIRE_FALSE(endless);
  CHECK(endless.error().list()[0].code == "input-limit");
  CHECK(endless.error().list()[0].range.file->name() == "/dev/zero");

  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "12345"));
  CHECK(read_file(folder.file("x"), 5));
  CHECK_FALSE(read_file(folder.file("x"), 4));
  fs::resize_file(folder.file("x"), limits::kFileBytes + 1);
  CHECK_FALSE(read_file(folder.file("x")));
  CHECK_FALSE(read_source(folder.file("x")));
  fs::resize_file(folder.file("x"), limits::kFileBytes);
  CHECK(read_file(folder.file("x")));
}

TEST_CASE("a file that is replaced keeps its permissions, a new one follows the umask") {
  const Folder folder;
  const mode_t before = ::umask(027);
  REQUIRE(write_file(folder.file("new"), "x"));
  ::umask(before);
  CHECK(mode_of(folder.file("new")) == 0640);
  for (const mode_t mode : {0600, 0755, 0664, 0604}) {
    REQUIRE(::chmod(folder.file("new").c_str(), mode) == 0);
    REQUIRE(write_file(folder.file("new"), "y"));
    CHECK(mode_of(folder.file("new")) == mode);
  }
}

TEST_CASE("a file that may not be written is not replaced") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "old"));
  const int status = in_child([&] {
    // Root may write everything: an ordinary user who owns folder and file.
    if (::geteuid() == 0) {
      if (::chown(folder.file("").c_str(), 65534, 65534) != 0 || ::chown(folder.file("x").c_str(), 65534, 65534) != 0 ||
          ::seteuid(65534) != 0)
        return 77;
    }
    ::chmod(folder.file("x").c_str(), 0444);
    if (check_output(folder.file("x")) || write_file(folder.file("x"), "new")) return 1;
    if (check_output(folder.file("x")).error().list()[0].text.find("Permission denied") == std::string::npos) return 2;
    ::chmod(folder.file("x").c_str(), 0644);
    return check_output(folder.file("x")) && write_file(folder.file("x"), "newer") ? 0 : 3;
  });
  CHECK(status == 0);
  CHECK(*read_file(folder.file("x")) == "newer");
}

TEST_CASE("a write that fails says why, and leaves the old file") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "old"));
  const auto full = write_file("/dev/full", std::string(1 << 20, 'x'));
  REQUIRE_FALSE(full);
  CHECK(full.error().list()[0].text.find("No space left on device") != std::string::npos);
  // In a file: the largest that this process may make.
  const int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit max{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &max);
    const auto done = write_file(folder.file("x"), std::string(1 << 20, 'x'));
    if (done) return 1;
    return done.error().list()[0].text.find("File too large") != std::string::npos ? 0 : 2;
  });
  CHECK(status == 0);
  CHECK(*read_file(folder.file("x")) == "old");
  CHECK(folder.count() == 1);
}

TEST_CASE("what a killed run has left is removed by the next one, what another run writes is not") {
  const Folder folder;
  const int status = in_child([&]() -> int {
    auto out = AtomicFile::create(folder.file("x"));
    out->write("half of it");
    std::fflush(out->stream());
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  CHECK(status == 1000 + SIGKILL);
  CHECK(folder.count() == 1);
  // A file that is only called alike is somebody's own.
  REQUIRE(write_file(folder.file("x.weft-tmp-notes"), "mine"));
  auto running = AtomicFile::create(folder.file("x"));
  REQUIRE(running);
  CHECK(folder.count() == 2);  // of the killed run nothing, the one that runs, and the notes
  const int other = in_child([&] { return write_file(folder.file("x"), "other") ? 0 : 1; });
  CHECK(other == 0);
  running->write("last");
  REQUIRE(running->commit());
  CHECK(*read_file(folder.file("x")) == "last");
  CHECK(folder.count() == 2);
}
