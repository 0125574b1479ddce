// The instructions that lines stand for: what they are, against the assembler's own listing; the model; and the panel
// under a line, by mouse and keys.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QToolButton>
#include <algorithm>
#include <memory>
#include <regex>
#include <sstream>

#include "models/generated_model.h"
#include "own_settings_test.h"
#include "program_fixture.h"
#include "weft/assembler/assembler.h"
#include "weft/workbench/sources.h"
#include "widgets/code_editor.h"
#include "widgets/code_generated.h"
#include "widgets/generated_panel.h"
#include "widgets/main_window.h"
#include "widgets/texts.h"

using namespace weft;
using namespace weft::ide;
using namespace weft::ide::test;
using State = Target::State;

namespace {

const QByteArray kMain = summing(
    "    .while (total < 30)\n"
    "add_to(total, step)\n"
    "    .endw\n");
constexpr const char* kPart =
    "#macro add_to(sum, what)\n"
    "    alu[sum, sum, +, what]\n"
    "    nop\n"
    "#endm\n";

struct Fixture : ProgramFixture {
  Fixture() : ProgramFixture(kMain, kPart) {}
  GeneratedPanel* panel(int line) const { return qobject_cast<GeneratedPanel*>(editor->panels().at(line)); }
  /// By keys, with the focus in its table.
  GeneratedPanel* open(int line) const {
    editor->go_to(line);
    QTest::keyClick(editor, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    GeneratedPanel* made = panel(line);
    if (made == nullptr ||
        !QTest::qWaitFor([&] { return made->model().rowCount() > 0 && made->table()->hasFocus(); }, kLong))
      return nullptr;
    return made;
  }
  /// The same, with a row of the table selected.
  GeneratedPanel* open(int line, int row) const {
    GeneratedPanel* made = open(line);
    if (made != nullptr) made->table()->selectRow(row);
    return made;
  }
  void click_in_margin(int line) const {
    QTRY_VERIFY_WITH_TIMEOUT(editor->gutter().has_generated(line), kLong);
    for (const VisibleLine& at : editor->visible_lines(0, editor->viewport()->height()))
      if (at.line == line)
        QTest::mouseClick(&editor->gutter(), Qt::LeftButton, {},
                          QPoint(editor->gutter().generated_left() + 6, at.top + at.height / 2));
  }
};

QStringList column(const GeneratedModel& model, GeneratedModel::Column which) {
  QStringList out;
  for (int row = 0; row < model.rowCount(); ++row) out << model.index(row, which).data().toString();
  return out;
}

}  // namespace

class GeneratedTest : public OwnSettingsTest {
  Q_OBJECT

 private Q_SLOTS:
  // Every word of every program of an example: address, word, cycles and place as in the listing of the same assembly,
  // and the text as disassembled: read back from the word, operands that may change places may have done so.
  void words_are_those_of_the_listing_data() {
    QTest::addColumn<QString>("example");
    for (const char* name : {"first", "ipv4-forwarder", "ipv4-forwarder-1200", "dual-stack-router"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }
  void words_are_those_of_the_listing() {
    QFETCH(QString, example);
    const auto project =
        workbench::load_project((QStringLiteral(WEFT_SOURCE_DIR "/examples/") + example).toStdString());
    QVERIFY(project);
    const auto sources = workbench::program_sources(*project);
    QVERIFY(sources && !sources->empty());
    for (const workbench::ProgramSource& source : *sources) {
      QVERIFY(source.options.lost);
      assembler::Options options = source.options;
      options.listing = true;
      const assembler::Assembly made = assembler::assemble(source.file, options);
      QVERIFY(made.image);
      std::istringstream disassembly(assembler::disassemble(*made.image));
      std::vector<std::string> read_back;
      for (std::string line; std::getline(disassembly, line);)
        if (line.starts_with("    ")) read_back.push_back(line.substr(4));
      QCOMPARE(read_back.size(), made.image->words.size());
      std::istringstream listing(made.listing);
      // "   12  f8000c0300  1+2  bne[again#]  ; macro file:line"
      const std::regex row("^ *([0-9]+)  ([0-9a-f]+)  ([0-9+]*) *(.*?)(  ; (\\S+) (.*):([0-9]+))?$");
      uint32_t next = 0;
      for (std::string line; std::getline(listing, line);) {
        std::smatch part;
        if (!std::regex_match(line, part, row)) continue;
        QCOMPARE(static_cast<uint32_t>(std::stoul(part[1])), next);
        const workbench::GeneratedWord word = workbench::generated_word(*made.image, {}, next++, *source.options.lost);
        QCOMPARE(word.word, std::stoull(part[2], nullptr, 16));
        if (!part[3].str().empty()) QCOMPARE(assembler::text_of(word.cycles), part[3].str());
        // What the linker puts in is known to the Image, not to the word.
        const bool linked = std::any_of(made.image->uses.begin(), made.image->uses.end(),
                                        [&](const image::ImportUse& use) { return use.address == word.address; });
        if (!linked) QCOMPARE(QString::fromStdString(word.text), QString::fromStdString(read_back[word.address]));
        QCOMPARE(word.macro, part[6].str());
        if (part[8].matched) QCOMPARE(word.line, static_cast<uint32_t>(std::stoul(part[8])));
      }
      QCOMPARE(static_cast<size_t>(next), made.image->words.size());
    }
  }

  // A name is what the program calls the place: the physical register that the instruction holds belongs to that name
  // there.
  void names_belong_to_the_operands() {
    const auto project = workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");
    QVERIFY(project);
    const auto sources = workbench::program_sources(*project);
    QVERIFY(sources);
    size_t named = 0, words = 0;
    for (const workbench::ProgramSource& source : *sources) {
      const assembler::Assembly made = assembler::assemble(source.file, source.options);
      QVERIFY(made.image);
      for (uint32_t address = 0; address < made.image->words.size(); ++address, ++words) {
        const workbench::GeneratedWord word = workbench::generated_word(*made.image, {}, address, *source.options.lost);
        for (const workbench::GeneratedName& n : word.names) {
          QVERIFY2(word.text.find(n.place) != std::string::npos || n.place.front() == 's',
                   (word.text + ": " + n.name + " " + n.place).c_str());
          ++named;
        }
      }
    }
    QVERIFY2(named > words / 2, qPrintable(QStringLiteral("%1 names in %2 words").arg(named).arg(words)));
  }

  void the_model_keeps_its_contract() {
    GeneratedModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    workbench::GeneratedWord word;
    word.address = 7;
    word.word = 0x12ab;
    word.label = "again#";
    word.text = "bne[again#]";
    word.cycles = {1, 3};
    word.names = {{"total", "a3"}, {"done", "s4"}};
    word.macro = "add_to";
    word.file = "/x/part.uc";
    word.line = 2;
    workbench::GeneratedWord other;
    other.address = 9;
    model.set_rows({{word, 5, QStringLiteral("bne[again#]")}, {other, std::nullopt, {}}}, 4);
    model.set_contexts({{7, QStringLiteral("me0.1, me0.3")}, {9, QStringLiteral("me0.2")}}, 7);
    model.set_breakpoints({{9, false}});
    QCOMPARE(column(model, GeneratedModel::kHere),
             (QStringList{QStringLiteral("▶ me0.1, me0.3"), QStringLiteral("○ ▷ me0.2")}));
    QCOMPARE(model.index(0, GeneratedModel::kHere).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("next of me0.1, me0.3"));
    QCOMPARE(model.index(1, GeneratedModel::kHere).data(Qt::AccessibleTextRole).toString(),
             QStringLiteral("breakpoint, switched off; me0.2 stands here"));
    QCOMPARE(column(model, GeneratedModel::kAddress), (QStringList{QStringLiteral("7"), QStringLiteral("9")}));
    QCOMPARE(model.index(0, GeneratedModel::kWord).data().toString(), QStringLiteral("000012ab"));
    QCOMPARE(model.index(0, GeneratedModel::kInstruction).data().toString(), QStringLiteral("again#: bne[again#]"));
    QCOMPARE(model.index(0, GeneratedModel::kCycles).data().toString(), QStringLiteral("1+3"));
    QCOMPARE(column(model, GeneratedModel::kExecuted), (QStringList{QStringLiteral("5"), QStringLiteral("–")}));
    QCOMPARE(model.index(0, GeneratedModel::kNames).data().toString(), QStringLiteral("total a3, done s4"));
    QCOMPARE(model.index(0, GeneratedModel::kFrom).data().toString(), QStringLiteral("add_to part.uc:2  bne[again#]"));
    model.set_rows({}, 4);
    QCOMPARE(model.rowCount(), 0);
  }

  void a_macro_call_unfolds_by_mouse_and_by_keys() {
    Fixture f;
    const int below = f.editor->visible_lines(0, 2000).at(7).top;
    f.click_in_margin(7);
    GeneratedPanel* panel = f.panel(7);
    QVERIFY(panel != nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(panel->model().rowCount(), 2, kLong);
    QVERIFY(f.window->workspace().breakpoints().empty());
    // The add and the nop of the macro, with names, where they are written.
    const QStringList text = column(panel->model(), GeneratedModel::kInstruction);
    QVERIFY2(text[0].startsWith(QStringLiteral("alu[")), qPrintable(text[0]));
    QCOMPARE(text[1], QStringLiteral("nop"));
    QCOMPARE(column(panel->model(), GeneratedModel::kFrom)[0],
             QStringLiteral("add_to part.uc:2  alu[sum, sum, +, what]"));
    const QString names = column(panel->model(), GeneratedModel::kNames)[0];
    QVERIFY2(names.contains(QStringLiteral("total ")) && names.contains(QStringLiteral("step ")), qPrintable(names));
    // It lies under its line, and pushes the lines below down.
    QVERIFY(panel->isVisible());
    const VisibleLine line = f.editor->visible_lines(0, 2000).at(6), after = f.editor->visible_lines(0, 2000).at(7);
    QCOMPARE(line.line, 7);
    QCOMPARE(panel->geometry().top(), line.top + line.height);
    QCOMPARE(after.top, below + panel->height());
    QCOMPARE(f.editor->toPlainText(), QString::fromUtf8(kMain));  // nothing of it is in the text
    // It goes along with its line.
    f.editor->go_to(1);
    QTest::keyClick(f.editor, Qt::Key_Return);
    QCOMPARE(f.editor->panels().line_of(panel), 8);
    QVERIFY(panel->findChild<QLabel*>()->text().contains(QStringLiteral("changed")));
    QTest::keyClick(f.editor, Qt::Key_Z, Qt::ControlModifier);
    // The keys: into the panel with the shortcut, back with Esc, and folded with the shortcut again.
    QTest::mouseClick(panel->findChild<QToolButton*>(), Qt::LeftButton);
    QVERIFY(!f.editor->has_panel(7));
    QCOMPARE(f.editor->visible_lines(0, 2000).at(7).top, below);
    panel = f.open(7);
    QVERIFY(panel != nullptr);
    QTest::keyClick(panel->table(), Qt::Key_Escape);
    QVERIFY(f.editor->hasFocus());
    QCOMPARE(f.editor->current_line_number(), 7);
    QTest::keyClick(f.editor, Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(!f.editor->has_panel(7));
    f.editor->document()->setModified(false);
  }

  void enter_goes_to_where_it_is_written() {
    Fixture f;
    GeneratedPanel* panel = f.open(7, 1);
    QVERIFY(panel != nullptr);
    QTest::keyClick(panel->table(), Qt::Key_Return);
    QCOMPARE(f.window->texts().current_editor()->path(), f.part);
    QCOMPARE(f.window->texts().current_editor()->current_line_number(), 3);
  }

  void a_breakpoint_on_one_instruction_stops_there() {
    Fixture f;
    GeneratedPanel* panel = f.open(7, 1);
    QVERIFY(panel != nullptr);
    QTest::keyClick(panel->table(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(column(panel->model(), GeneratedModel::kHere)[1].startsWith(QStringLiteral("●")), kLong);
    QVERIFY(!column(panel->model(), GeneratedModel::kHere)[0].contains(QStringLiteral("●")));
    f.window->action(QStringLiteral("run"))->trigger();
    Target& target = *f.window->workspace().target();
    QTRY_VERIFY_WITH_TIMEOUT(target.state() == State::stopped && target.stopped_at().has_value(), kLong);
    QTRY_VERIFY_WITH_TIMEOUT(panel->model().next().has_value(), kLong);
    QCOMPARE(panel->model().row_of(*panel->model().next()), 1);
    QCOMPARE(*panel->model().index(1, GeneratedModel::kHere).data().toString().section(QLatin1Char(' '), 1, 1).begin(),
             QChar(0x25b6));
    QTRY_VERIFY_WITH_TIMEOUT(panel->model().at(0)->executed.value_or(0) >= 1, kLong);
    // The other context stops there in its turn; a step of this one leaves the two instructions.
    const uint32_t before = *panel->model().next();
    f.window->action(QStringLiteral("step"))->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(panel->model().next() != before, kLong);
    // Space again takes it away.
    panel->table()->setFocus();
    QTest::keyClick(panel->table(), Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(f.window->workspace().breakpoints().empty(), kLong);
  }

  void structured_lines_unfold_too() {
    Fixture f;
    GeneratedPanel* panel = f.open(6);
    QVERIFY(panel != nullptr);
    // The test of the loop: a compare and a branch, of the line itself.
    QVERIFY(panel->model().rowCount() >= 2);
    for (int row = 0; row < panel->model().rowCount(); ++row) QCOMPARE(panel->model().at(row)->word.line, 6u);
    QVERIFY(column(panel->model(), GeneratedModel::kCycles).join(QLatin1Char(' ')).contains(QLatin1Char('+')));
  }

  void a_fold_hides_it_and_a_build_takes_the_line_along() {
    Fixture f;
    GeneratedPanel* panel = f.open(7);
    QVERIFY(panel != nullptr);
    QVERIFY(panel->isVisible());
    f.editor->toggle_fold(6);
    QVERIFY(f.editor->is_folded(6));
    QTRY_VERIFY(!panel->isVisible());
    f.editor->toggle_fold(6);
    QTRY_VERIFY(panel->isVisible());
    // A line more above, saved and built: the same macro call is line 8 then.
    f.editor->go_to(4);
    f.editor->setFocus();
    QTest::keyClicks(f.editor, QStringLiteral("nop"));
    QTest::keyClick(f.editor, Qt::Key_Return);
    QTest::keyClick(f.editor, Qt::Key_Escape);
    QTest::keyClick(f.editor, Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!panel->findChild<QLabel*>()->text().contains(QStringLiteral("changed")), kLong);
    QTRY_COMPARE_WITH_TIMEOUT(panel->model().rowCount(), 2, kLong);
    QTRY_COMPARE_WITH_TIMEOUT(column(panel->model(), GeneratedModel::kFrom)[0],
                              QStringLiteral("add_to part.uc:2  alu[sum, sum, +, what]"), kLong);
    QCOMPARE(f.editor->panels().line_of(panel), 8);
  }
};

WEFT_IDE_TEST_MAIN(GeneratedTest)
#include "generated_test.moc"
