// The octets of a file as a text, and back. What no character of the text shows is kept: a byte order mark in front,
// and how each line ends. An end is a property of its block, so it moves with the line, comes back by undoing, and a
// new line has that of the line that it was split from.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

class QTextDocument;

namespace weft::ide {

enum class LineEnd { lf = 1, crlf, cr, paragraph };  ///< paragraph: U+2029, a line end to Qt

/// What a file has beside its lines.
struct TextForm {
  bool mark = false;           ///< a byte order mark in front
  LineEnd end = LineEnd::lf;   ///< of most lines, and of those that say nothing else
  std::vector<LineEnd> lines;  ///< of each but the last, as it was read
};

/// What a file holds as a text, whose lines end in LF; nothing when it is not UTF-8.
std::optional<QString> text_of_octets(const QByteArray& octets, TextForm* form = nullptr);
/// Lines of a document that has that text get their ends. Nothing is changed where they have them; otherwise it is a
/// part of the last step that can be undone. Whether anything was changed.
bool set_line_ends(QTextDocument& document, const TextForm& form);
/// What a file of this form with the document's text holds.
QByteArray octets_of_text(const QTextDocument& document, const TextForm& form);

}  // namespace weft::ide
