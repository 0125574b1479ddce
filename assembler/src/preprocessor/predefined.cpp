#include "preprocessor/predefined.h"

#include <fmt/format.h>

#include <cstdlib>

#include "source/names.h"

namespace weft::assembler {
namespace {

struct ChipType {
  const char* name;
  const char* chip;  ///< null: a group of chips
  int64_t bits;
};
// The bits are ours; programs only compare them with these names.
constexpr ChipType types[] = {
    {"__IXP1200", "ixp1200", 0x01}, {"__IXP2400", "ixp2400", 0x02}, {"__IXP2800", "ixp2800", 0x04},
    {"__IXP2850", "ixp2850", 0x08}, {"__IXP28XX", nullptr, 0x0c},   {"__IXP2XXX", nullptr, 0x0e},
};

int64_t seconds(const PreprocessSettings& settings) {
  if (settings.date) return *settings.date;
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  return text ? std::strtoll(text, nullptr, 10) : 0;
}

struct Date {
  int64_t year;
  int month, day;
};

/// Days since 1970-01-01 to the Gregorian calendar: years begin in March, so the leap day comes last.
Date civil(int64_t days) {
  days += 719'468;
  const int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const int64_t day_of_era = days - era * 146'097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t m = (5 * day_of_year + 2) / 153;
  const int month = static_cast<int>(m < 10 ? m + 3 : m - 9);
  return {year_of_era + era * 400 + (month <= 2), month, static_cast<int>(day_of_year - (153 * m + 2) / 5 + 1)};
}

}  // namespace

int64_t chip_type(const Options& options) {
  const std::string& family = options.family.empty() ? options.chip : options.family;
  for (const ChipType& t : types)
    if (t.chip && same_name(family.substr(0, family.find('-')), t.chip)) return t.bits;  // ixp1200-a is an ixp1200
  return types[options.profile == isa::Profile::me1 ? 0 : 1].bits;
}

std::string predefined_text(const Options& options, const PreprocessSettings& settings) {
  std::string text;
  for (const ChipType& t : types) text += fmt::format("#define {} {:#x}\n", t.name, t.bits);
  text += fmt::format("#define __IXPTYPE {:#x}\n", chip_type(options));
  for (int letter = 0; letter < 3; ++letter)
    for (int number = 0; number < 3; ++number)
      text += fmt::format("#define __REVISION_{}{} {:#04x}\n", static_cast<char>('A' + letter), number,
                          letter * 16 + number);
  text += fmt::format("#define __REVISION_MIN {:#04x}\n#define __REVISION_MAX {:#04x}\n", settings.revision_min,
                      settings.revision_max);

  if (settings.wide) text += "#define __PREPROC64 1\n";

  int64_t s = seconds(settings);
  int64_t days = s / 86'400;
  s %= 86'400;
  if (s < 0) s += 86'400, --days;
  static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const Date date = civil(days);
  text += fmt::format("#define __DATE__ \"{} {:2} {}\"\n", months[date.month - 1], date.day, date.year);
  text += fmt::format("#define __TIME__ \"{:02}:{:02}:{:02}\"\n", s / 3'600, s / 60 % 60, s % 60);
  return text;
}

}  // namespace weft::assembler
