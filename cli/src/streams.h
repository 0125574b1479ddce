// The three streams of the process, and whether what was printed has arrived.
#pragma once

namespace weft::cli {

/// At the start of the program: all three streams are open, and a reader of standard output that goes is an error like
/// others.
void open_streams();
/// Whether everything that was printed has left standard output; if not, that is reported, once. At the end of the
/// program, and wherever a result there must be complete.
bool finish_output();

}  // namespace weft::cli
