// Programs for ixp2800: sixteen engines, 8,192 words.
#include <filesystem>

#include "support.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("a program runs on the sixteen engines of ixp2800") {
  const auto session = session_of(project("sixteen"));
  session->run({});
  for (uint32_t engine = 0; engine < 16; ++engine)
    for (uint32_t context = 0; context < 8; ++context) {
      const uint32_t number = engine < 8 ? engine : 0x10 + engine - 8;
      CAPTURE(engine, context);
      CHECK(scratch(*session, 0x1000 + 4 * (8 * engine + context)) == (number << 3 | context));
    }
  CHECK(scratch(*session, 0x2000) == 128);
  CHECK(scratch(*session, 0x2004) == 0xb8);  // the signal has passed through the whole chain
  CHECK(session->units().host().interrupts(0, 0) == ~uint64_t{0});
  CHECK(session->units().host().interrupts(0, 1) == ~uint64_t{0});
  check_no_faults(*session);
}

TEST_CASE("ixp2800 holds programs that are too long for ixp2400") {
  const TemporaryFolder folder;
  const auto codes = [&](const std::string& board, size_t words) {
    std::string text;
    for (size_t i = 0; i + 1 < words; ++i) text += "nop\n";
    must(write_file(folder / "long.uc", text + "ctx_arb[kill]\n"));
    must(write_file(folder / "weft.json",
                    R"({"version": 1, "board": ")" + board +
                        R"(", "programs": [{"source": "long.uc", "engines": [0]}], "limits": {"cycles": 100000}})"));
    const auto session = workbench::Session::create(must(workbench::load_project(folder.path().string())));
    std::string out;
    if (!session)
      for (const Diagnostic& d : session.error()) out += d.code + " ";
    else
      (*session)->run({});
    if (session) CHECK((*session)->machine().instructions() >= words);
    return out;
  };
  CHECK(codes("generic-2800", 8192).empty());
  CHECK(codes("generic-2800", 8193) == "asm-control-store ");
  CHECK(codes("generic-2400", 4097) == "asm-control-store ");
}
