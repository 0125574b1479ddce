// The diagnostics catalogue: what each code means, with an example and its cure. `weft explain` prints it, the
// reference docs/diagnostics.md is made from it, and tests hold it against what the sources emit.
//
// Its text lives in assembler/diagnostics/*.txt, one file per group:
//
//   # Title of the group
//   == asm-some-code: One line that says what is wrong.
//   Why, and what is possible instead: any number of lines.
//   -- wrong
//   a program that gives this code
//   -- cured
//   the same program, set right, which gives no diagnostic at all
//
// `-- no example: REASON` stands in place of both examples where none can be shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::assembler {

struct CatalogueEntry {
  std::string_view code;
  std::string_view meaning;       ///< one sentence
  std::string_view explanation;   ///< lines; may be empty
  std::string_view wrong, cured;  ///< programs; both empty when there is no example
  std::string_view no_example;    ///< why there is none
};

struct CatalogueGroup {
  std::string_view title;
  std::vector<CatalogueEntry> entries;
};

/// One file of the catalogue; the views point into `text`. A line that has no meaning goes to `faults`.
CatalogueGroup read_catalogue(std::string_view text, std::vector<std::string>& faults);

/// The catalogue that belongs to this program.
std::vector<CatalogueGroup> catalogue();
/// Codes that resemble `code`, the nearest first, at most five.
std::vector<std::string> similar_codes(const std::vector<CatalogueGroup>& groups, std::string_view code);

/// The code that a class of warnings names: itself, or what follows "asm-". Nothing when there is none.
std::optional<std::string> code_of_class(const std::vector<CatalogueGroup>& groups, std::string_view name);
/// What to say when there is none: names that resemble it, or where the codes stand.
std::string remedy_of_class(const std::vector<CatalogueGroup>& groups, std::string_view name);

/// One entry as `weft explain` prints it.
std::string explanation(const CatalogueEntry& entry);
/// All codes with their meanings, by group.
std::string catalogue_list(const std::vector<CatalogueGroup>& groups);
/// The reference in Markdown.
std::string catalogue_markdown(const std::vector<CatalogueGroup>& groups);

}  // namespace weft::assembler
