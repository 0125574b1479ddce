// --diagnostics, --diagnostics-file and --color: in which form a command says what is wrong, and where to.
#pragma once

#include <string>
#include <vector>

#include "weft/base/diagnostic.h"

namespace CLI {
class App;
}

namespace weft::cli {

struct MessageOptions {
  std::string form = "text";  ///< text, json, sarif, github
  std::string file;           ///< of the document; empty: standard output, and text goes to standard error
  std::string color = "auto";

  /// The document goes where results go.
  bool to_console() const;
  /// And nothing else can stand there. Workflow commands are lines among other lines.
  bool fills_console() const { return to_console() && form != "github"; }
};

void declare_messages(CLI::App& app, MessageOptions& options);

/// While it lives, report() says everything through it. Text goes out at once; of the other forms one document is made
/// of all that was said, by finish(). One at a time.
class Messages {
 public:
  explicit Messages(const MessageOptions& options);
  ~Messages();
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void say(const Diagnostics& diagnostics);
  /// From now on a file that cannot be opened may be one that --confine holds back.
  void confined() { is_confined_ = true; }
  /// Into the document alone: it was said in other words.
  void note(const Diagnostics& diagnostics);
  /// Files that the command reads. The document replaces none of them.
  void reads(const std::vector<std::string>& files);
  /// Writes the document; none for a command line that was refused. Gives `status`, or that of wrong input when the
  /// document cannot be written.
  int finish(int status);

 private:
  bool would_replace_input() const;

  const MessageOptions& options_;
  std::vector<std::string> inputs_;
  Diagnostics all_;
  bool is_confined_ = false;
};

}  // namespace weft::cli
