// The subcommands of `weft`. Each declares its options on a CLI11 subcommand and gives the function that does the work;
// that function returns the exit status of docs/cli.md (0 done, 1 wrong input, 2 wrong command line, 3 our fault,
// 130 interrupted).
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace weft::cli {

using Command = std::function<int()>;

enum Exit : int { kDone = 0, kWrongInput = 1, kWrongUsage = 2, kFault = 3, kInterrupted = 130 };

Command declare_asm(CLI::App& app);
Command declare_dis(CLI::App& app);
Command declare_explain(CLI::App& app);
Command declare_index(CLI::App& app);
Command declare_fmt(CLI::App& app);
Command declare_run(CLI::App& app);
Command declare_debug(CLI::App& app);
Command declare_test(CLI::App& app);
Command declare_bench(CLI::App& app);
Command declare_chip(CLI::App& app);
Command declare_rules(CLI::App& app);

}  // namespace weft::cli
