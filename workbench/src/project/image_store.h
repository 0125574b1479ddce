// Images of sources that were assembled before, for those who build many machines with the same programs.
//
// An Image is found again by the text and the options it was made with, as long as every file that was read for it has
// the size and the time of change that it had. Those that come with warnings are not kept: who assembles them again is
// warned again.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/image/image.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// What decides, beside the files, what comes out of assembling the program.
std::string assembly_key(const ProgramEntry& entry, const assembler::Options& options);

struct AssembledImage {
  std::string key;
  image::Image image;
  std::vector<std::string> files;  ///< all that were read for it
};

class ImageStore {
 public:
  /// Null: it is not here, or one of its files has changed.
  const AssembledImage* find(const std::string& key);
  /// Keeps the image; the oldest one goes when there are many.
  void keep(AssembledImage image);
  /// Those that were kept since the last question, from the oldest on.
  std::vector<const AssembledImage*> fresh();

 private:
  struct Stamp {
    uintmax_t size = 0;
    std::filesystem::file_time_type time;
    bool operator==(const Stamp&) const = default;
  };
  struct Kept {
    AssembledImage image;
    std::vector<Stamp> stamps;  ///< of its files
    uint64_t number = 0;        ///< in the order of keep()
  };
  static std::vector<Stamp> stamps_of(const std::vector<std::string>& files);

  std::map<std::string, Kept> kept_;
  uint64_t next_ = 0, told_ = 0;
};

}  // namespace weft::workbench
