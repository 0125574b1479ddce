// A test file: read, checked, and unfolded into cases. The format is described in docs/testing.md and
// docs/schemas/test.schema.json.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testing/blocks.h"
#include "testing/frame_reader.h"
#include "weft/workbench/observation.h"
#include "weft/workbench/project.h"

namespace weft::workbench::testing {

/// Something to write before the run, or to compare after it: longwords from one place on.
struct Longwords {
  std::string place;                ///< "w5", "sram0[0x100]", an expression
  std::vector<std::string> values;  ///< expressions; more than one: the longwords that follow in a memory
  uint32_t mask = 0xffffffff;       ///< bits that count
  SourceRange range;
};

/// A field of a frame, by the names of packet::decode().
struct ExpectedField {
  std::string layer;
  size_t nth = 1;  ///< of the layers of that name
  std::string field;
  std::string value;                  ///< fields.h
  std::optional<uint64_t> mask = {};  ///< bits of a number that count
};

struct ExpectedFrame {
  unsigned port = 0;
  packet::Bytes bytes;
  SourceRange range;
  std::vector<ExpectedField> fields = {};           ///< not empty: they alone count, and there are no bytes
  std::optional<uint64_t> after = {}, before = {};  ///< nanoseconds between which its last bit leaves
};

/// What must hold of any run of a project, whatever enters (invariants.h).
struct Invariant {
  enum class Kind : uint8_t { buffers, order, checksums, accounted } kind = Kind::buffers;
  std::vector<std::string> spares = {};  ///< buffers: places beside those of the block receive that may hold one
  SourceRange range = {};
};

class FrameGenerator;

/// Exactly so many, or bounds.
struct Amount {
  uint64_t min = 0, max = UINT64_MAX;
  SourceRange range;
};

/// A file with what cases have sent before (testing/recorded.h).
struct RecordedFile {
  std::string path;
  SourceRange range;  ///< where the test names it
};

struct Expectations {
  std::vector<Longwords> values;
  std::optional<std::vector<ExpectedFrame>> out;  ///< all frames that leave, by port in their order
  std::optional<RecordedFile> recorded;           ///< `out` stands there
  std::vector<std::string> ignored;               ///< fields of frames that do not count: "ipv4.identification"
  std::optional<std::map<std::string, Amount>> drops, exceptions;  ///< all reasons for which there may be any
  std::optional<Amount> instructions, cycles;
  std::vector<Invariant> invariants;
};

/// A moment of a sequence at which something is expected of what came since the one before.
struct ExpectStep {
  size_t number = 0;         ///< among all steps, from 1
  uint64_t nanoseconds = 0;  ///< since the run began
  SourceRange range;
  Expectations expect;
};

struct StepCommand {
  uint64_t nanoseconds = 0;
  std::string line;
  SourceRange range;
};

/// One run with what must come out of it.
struct Case {
  std::string name;  ///< of the test, with the row in brackets
  SourceRange range;
  Project project;
  std::string project_file;  ///< not empty: a project; its programs run to the limits
  unsigned contexts = 1;     ///< programs of the test itself: bit c = context c runs
  std::vector<Longwords> set;
  std::string commands;                     ///< for the control processor (docs/debugging.md)
  std::vector<SourceRange> command_places;  ///< of each of these lines
  emulator::CheckModes checks;
  Expectations expect;
  uint64_t steps_end = 0;  ///< not 0: a sequence, which lasts so many nanoseconds; its frames stand in `project`
  std::vector<ExpectStep> expect_steps;
  std::vector<StepCommand> step_commands;
  std::shared_ptr<const FrameGenerator> generator;  ///< null: frames enter as they stand in the test
  std::string fails;                                ///< not empty: why this case is known to fail
};

/// The label that the reader puts after the code of a test.
inline constexpr const char* kEndLabel = "weft_test_end#";

class Suite {
 public:
  /// Every wrong place of the file and its fixtures is reported. Diagnostics: test-*, project-*, and those of the
  /// reader.
  static Result<std::shared_ptr<const Suite>> load(const std::string& path);

  struct Entry {
    std::string name;
    size_t test = 0;
    int row = -1;
    std::string board;  ///< of a test that runs on several
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& path() const { return path_; }
  const SuiteBlocks& blocks() const { return blocks_; }
  Result<Case> read(const Entry& entry) const;

 private:
  std::string path_;
  std::vector<std::unique_ptr<JsonDocument>> documents_;  ///< fixtures in their order, the file itself last
  /// A test of the file and its rows: looked up once, as each look makes the whole list.
  struct Listed {
    JsonNode test;
    std::vector<JsonNode> rows;
  };
  std::vector<Listed> tests_;
  std::vector<Entry> entries_;
  SuiteBlocks blocks_;
  friend class CaseReader;
};

}  // namespace weft::workbench::testing
