#include "messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>

#include "commands.h"
#include "console.h"
#include "print.h"
#include "weft/assembler/catalogue.h"
#include "weft/base/render.h"
#include "weft/workbench/files_read.h"

namespace weft::cli {
namespace {

std::string sarif(const Diagnostics& diagnostics) {
  const auto groups = assembler::catalogue();
  std::map<std::string_view, const assembler::CatalogueEntry*> entries;
  for (const auto& group : groups)
    for (const auto& entry : group.entries) entries.emplace(entry.code, &entry);
  return render_sarif(diagnostics,
                      {WEFT_VERSION, [&](const std::string& code) -> std::optional<SarifTool::Rule> {
                         const auto at = entries.find(code);
                         if (at == entries.end()) return std::nullopt;
                         return SarifTool::Rule{std::string(at->second->meaning), std::string(at->second->explanation)};
                       }});
}

}  // namespace

bool MessageOptions::to_console() const { return form != "text" && (file.empty() || is_standard_output(file)); }

void declare_messages(CLI::App& app, MessageOptions& options) {
  app.add_option("--diagnostics", options.form, "form of the messages; github: annotations of workflow runs")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
      ->capture_default_str();
  app.add_option("--diagnostics-file", options.file,
                 "write the messages in that form here, and text to standard error");
  app.add_option("--color", options.color, "colour of the messages")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

Messages::Messages(const MessageOptions& options) : options_(options) { report_through(this); }
Messages::~Messages() { report_through(nullptr); }

/// Landlock and the search for an include say no more than that a file cannot be opened.
static Diagnostics with_confinement(const Diagnostics& diagnostics) {
  return diagnostics.changed([](Diagnostic& d) {
    if (d.code == "pp-include-missing" || d.text.find(std::strerror(EACCES)) != std::string::npos)
      d.notes.push_back({{}, "--confine lets no file outside of its folder be opened"});
  });
}

void Messages::say(const Diagnostics& said) {
  const Diagnostics diagnostics = is_confined_ ? with_confinement(said) : said;
  if (options_.form == "text" || !options_.to_console())
    print_text(diagnostics, options_.color == "auto" ? std::nullopt : std::optional<bool>(options_.color == "always"));
  note(diagnostics);
}

void Messages::note(const Diagnostics& diagnostics) {
  if (options_.form != "text" || !options_.file.empty()) all_.append(diagnostics);
}

void Messages::reads(const std::vector<std::string>& files) {
  std::copy_if(files.begin(), files.end(), std::back_inserter(inputs_),
               [](const std::string& file) { return !file.empty() && file != "-"; });
}

/// Also what a message speaks of was read, but for those that say why a file cannot be written.
bool Messages::would_replace_input() const {
  std::error_code error;
  if (!std::filesystem::exists(options_.file, error)) return false;
  const auto same = [this](const std::string& input) { return workbench::is_same_file(options_.file, input); };
  if (std::any_of(inputs_.begin(), inputs_.end(), same)) return true;
  return std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& d) {
    const bool of_outputs = d.code.starts_with("output-") || d.code.starts_with("file-");
    return !of_outputs && d.range.file && same(d.range.file->name());
  });
}

int Messages::finish(int status) {
  if (options_.form == "text" && options_.file.empty()) return status;
  if (status == kWrongUsage && all_.empty()) return status;
  if (!options_.file.empty() && options_.file != "-" && would_replace_input()) {
    const auto said = [](const Diagnostic& d) { return d.code == "output-is-input"; };
    if (std::none_of(all_.begin(), all_.end(), said)) print_text(overwrites("--diagnostics-file", options_.file));
    all_ = {};
    return status == kDone ? kWrongInput : status;
  }
  const std::string document = options_.form == "json"     ? render_json(all_)
                               : options_.form == "sarif"  ? sarif(all_)
                               : options_.form == "github" ? render_github(all_)
                                                           : render_text(all_);
  if (all_.left_out() > 0) print_error("weft: {} more messages are left out\n", all_.left_out());
  all_ = {};
  if (write_text(options_.file.empty() ? "-" : options_.file, document)) return status;
  return status == kDone ? kWrongInput : status;
}

}  // namespace weft::cli
