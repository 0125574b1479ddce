// Colours of a text by the assembler's own classes of its tokens. They are laid over the text by its layouts: the
// document itself, and its undo history, know nothing of them.
#pragma once

#include <QTextDocument>
#include <vector>

#include "theme.h"
#include "weft/assembler/index.h"

namespace weft::ide {

/// Only blocks whose colours have changed are laid out again.
void colour_text(QTextDocument& document, const std::vector<assembler::IndexToken>& tokens, Theme theme);
/// Until the assembler has seen a change, the colours after it move along with their words. The arguments are those of
/// contentsChange().
void shift_colours(const QTextDocument& document, int position, int removed, int added);

}  // namespace weft::ide
