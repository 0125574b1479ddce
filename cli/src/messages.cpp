#include "messages.h"

#include <fmt/format.h>

#include <map>

#include "commands.h"
#include "console.h"
#include "weft/assembler/catalogue.h"
#include "weft/base/render.h"

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

void Messages::say(const Diagnostics& diagnostics) {
  if (options_.form == "text" || !options_.to_console())
    print_text(diagnostics, options_.color == "auto" ? std::nullopt : std::optional<bool>(options_.color == "always"));
  note(diagnostics);
}

void Messages::note(const Diagnostics& diagnostics) {
  if (options_.form != "text" || !options_.file.empty()) all_.append(diagnostics);
}

int Messages::finish(int status) {
  if (options_.form == "text" && options_.file.empty()) return status;
  if (status == kWrongUsage && all_.empty()) return status;
  const std::string document = options_.form == "json"     ? render_json(all_)
                               : options_.form == "sarif"  ? sarif(all_)
                               : options_.form == "github" ? render_github(all_)
                                                           : render_text(all_);
  all_ = {};
  if (write_output(options_.file.empty() ? "-" : options_.file, document)) return status;
  return status == kDone ? kWrongInput : status;
}

}  // namespace weft::cli
