// Files that are read whole and written whole or not at all.
#include "weft/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

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
}

TEST_CASE("a byte order mark is no part of a source") {
  const Folder folder;
  REQUIRE(write_file(folder.file("x"), "\xEF\xBB\xBFnop\n"));
  const auto source = read_source(folder.file("x"));
  REQUIRE(source);
  CHECK((*source)->text() == "nop\n");
}
