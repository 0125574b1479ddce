// A test run as JUnit XML: one suite a file.
#include <fmt/format.h>

#include <map>

#include "weft/base/markup.h"
#include "weft/workbench/testing.h"

namespace weft::workbench {
std::string to_junit(const TestRun& run) {
  std::map<std::string, std::vector<const CaseOutcome*>> files;
  for (const CaseOutcome& o : run.outcomes) files[o.file].push_back(&o);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [file, outcomes] : files) {
    size_t failures = 0, errors = 0, skipped = 0;
    double seconds = 0;
    for (const CaseOutcome* o : outcomes) {
      failures += o->verdict == Verdict::failed || o->verdict == Verdict::cured;
      errors += o->verdict == Verdict::broken || o->verdict == Verdict::crashed || o->verdict == Verdict::timed_out;
      skipped += o->verdict == Verdict::known;
      seconds += o->seconds;
    }
    xml += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
        escaped_markup(file), outcomes.size(), failures, errors, skipped, seconds);
    for (const CaseOutcome* o : outcomes) {
      xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped_markup(file),
                         escaped_markup(o->name), o->seconds);
      if (o->verdict == Verdict::passed) {
        xml += "/>\n";
        continue;
      }
      const char* element = o->verdict == Verdict::known                                    ? "skipped"
                            : o->verdict == Verdict::failed || o->verdict == Verdict::cured ? "failure"
                                                                                            : "error";
      xml += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", element,
                         escaped_markup(to_text(o->verdict)), escaped_markup(o->text));
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace weft::workbench
