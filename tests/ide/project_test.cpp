// The project's tree, examples, and rules that programs include as microcode.
#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <algorithm>
#include <memory>

#include "models/contexts_model.h"
#include "models/examples.h"
#include "support.h"
#include "widgets/examples_menu.h"
#include "widgets/project_tree.h"

using namespace weft::ide;
using weft::ide::test::kLong;
using State = Target::State;
using Kind = ProjectTreeModel::Kind;

namespace {

QString example(const char* name) { return QStringLiteral(WEFT_SOURCE_DIR "/examples/") + QString::fromLatin1(name); }

QModelIndex below(const QAbstractItemModel& model, const QModelIndex& parent, const QString& begin) {
  for (int row = 0; row < model.rowCount(parent); ++row)
    if (const QModelIndex index = model.index(row, 0, parent); index.data().toString().startsWith(begin)) return index;
  return {};
}

QStringList texts(const QAbstractItemModel& model, const QModelIndex& parent) {
  QStringList out;
  for (int row = 0; row < model.rowCount(parent); ++row) out << model.index(row, 0, parent).data().toString();
  return out;
}

void copy_folder(const QString& from, const QString& to) {
  QVERIFY(QDir().mkpath(to));
  for (const QFileInfo& entry : QDir(from).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
    if (entry.isDir())
      copy_folder(entry.filePath(), to + QLatin1Char('/') + entry.fileName());
    else
      QVERIFY(QFile::copy(entry.filePath(), to + QLatin1Char('/') + entry.fileName()));
  }
}

}  // namespace

class ProjectTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

  void the_tree_has_chips_and_files() {
    Workspace workspace;
    ProjectTree view(workspace, Theme::light);
    view.resize(300, 600);
    view.show();
    auto* tree = view.findChild<QTreeView*>();
    QAbstractItemModel& model = *tree->model();
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(workspace.open(example("ipv4-forwarder")));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.language().programs().empty(), kLong);
    const QModelIndex root = model.index(0, 0);
    const QModelIndex chips = below(model, root, QStringLiteral("Chips"));
    QVERIFY(chips.isValid());
    QVERIFY(tree->isExpanded(chips));
    const auto machine = workspace.target()->view();
    QTRY_COMPARE_WITH_TIMEOUT(model.rowCount(chips), static_cast<int>(machine->chips.size()), kLong);
    const QModelIndex chip = model.index(0, 0, chips);
    QCOMPARE(chip.data().toString(), QString::fromStdString(workspace.project().board));
    QCOMPARE(model.rowCount(chip), static_cast<int>(machine->engines.size()));
    int contexts = 0;
    for (int row = 0; row < model.rowCount(chip); ++row) contexts += model.rowCount(model.index(row, 0, chip));
    QCOMPARE(contexts, static_cast<int>(machine->contexts.size()));
    // Each program stands with what it includes, all of which can be read.
    const QModelIndex sources = below(model, root, QStringLiteral("Microcode"));
    QVERIFY(model.rowCount(sources) > 0);
    QVERIFY(tree->isExpanded(sources));
    for (int row = 0; row < model.rowCount(sources); ++row) {
      const QModelIndex main = model.index(row, 0, sources);
      QVERIFY(QFileInfo(main.data(ProjectTreeModel::kPathRole).toString()).isFile());
      QVERIFY2(model.rowCount(main) > 0, qPrintable(main.data().toString()));
      for (int part = 0; part < model.rowCount(main); ++part)
        QVERIFY(QFileInfo(model.index(part, 0, main).data(ProjectTreeModel::kPathRole).toString()).isFile());
    }
    QVERIFY(texts(model, below(model, root, QStringLiteral("Configuration"))).contains(QStringLiteral("weft.json")));
    // Enter at a file opens it; at a context, shows where it stands.
    QSignalSpy opened(&workspace, &Workspace::file_requested), shown(&workspace, &Workspace::place_requested);
    tree->setCurrentIndex(model.index(0, 0, sources));
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toString(), model.index(0, 0, sources).data(ProjectTreeModel::kPathRole).toString());
    const QModelIndex context = model.index(2, 0, model.index(1, 0, chip));
    tree->setCurrentIndex(context);
    QVERIFY(workspace.cursor().context().has_value());
    QCOMPARE(*workspace.cursor().context(),
             machine->contexts.at(static_cast<size_t>(model.rowCount(model.index(0, 0, chip)) + 2)).id);
    QTest::keyClick(tree, Qt::Key_Return);
    QCOMPARE(shown.size(), 1);
    // Another one that is chosen elsewhere is chosen here too.
    workspace.cursor().set_context(machine->contexts.front().id);
    QCOMPARE(tree->currentIndex(), model.index(0, 0, model.index(0, 0, chip)));
  }

  // After a run each context says what the machine says of it.
  void states_live() {
    Workspace workspace;
    ProjectTreeModel model(workspace);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(workspace.open(example("ipv4-forwarder")));
    Target& target = *workspace.target();
    QTRY_COMPARE_WITH_TIMEOUT(target.state(), State::stopped, kLong);
    const auto texts_of_contexts = [&] {
      QStringList out;
      for (const auto& c : target.view()->contexts) out << model.index_of(c.id).data().toString();
      return out;
    };
    const QStringList before = texts_of_contexts();
    target.run_until("20us");
    QTRY_VERIFY_WITH_TIMEOUT(target.state() != State::running && target.view()->cycle > 1000, kLong);
    const QStringList after = texts_of_contexts();
    QVERIFY(before != after);
    bool waits = false;
    for (qsizetype i = 0; i < after.size(); ++i) {
      const auto& c = target.view()->contexts[static_cast<size_t>(i)];
      QVERIFY2(after[i].startsWith(QStringLiteral("Context %1 – %2").arg(c.id.context).arg(state_text(c.state))),
               qPrintable(after[i]));
      QCOMPARE(after[i].contains(QStringLiteral("waits on")), !c.waits_on.empty());
      waits = waits || !c.waits_on.empty();
    }
    QVERIFY(waits);
  }

  // With the next build, also one that fails in the new program.
  void a_program_that_is_added_is_known() {
    QTemporaryDir folder;
    const auto put = [&folder](const char* name, const QByteArray& text) {
      weft::ide::test::write(folder.filePath(QString::fromLatin1(name)), text);
    };
    const auto project = [](const QByteArray& name, const QByteArray& more) {
      QByteArray json = R"({"version": 1, "name": "NAME", "board": "generic-2400",
                            "programs": [{"source": "p.uc", "engines": [0]}MORE]})";
      return json.replace("NAME", name).replace("MORE", more);
    };
    put("p.uc", "nop\nctx_arb[kill]\n");
    put("weft.json", project("one", {}));
    Workspace workspace;
    ProjectTreeModel model(workspace);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(workspace.open(folder.path()));
    const Target& target = *workspace.target();
    QTRY_COMPARE(target.state(), State::stopped);
    QTRY_COMPARE(workspace.language().programs().size(), size_t{1});
    QSignalSpy read_again(&workspace, &Workspace::project_read_again);
    put("second.uc", "alu[nobody, --, B, 1]\nctx_arb[kill]\n");
    put("weft.json", project("two", R"(, {"source": "second.uc", "engines": [1]})"));
    workspace.target()->build();
    QTRY_VERIFY(target.build_failed());
    QTRY_COMPARE(workspace.language().programs().size(), size_t{2});
    QCOMPARE(read_again.size(), 1);
    QCOMPARE(workspace.project().name, std::string("two"));
    QCOMPARE(texts(model, below(model, model.index(0, 0), QStringLiteral("Microcode"))),
             (QStringList{QStringLiteral("p.uc"), QStringLiteral("second.uc")}));
    const auto has_error = [&] {
      return std::ranges::any_of(workspace.language().problems(),
                                 [](const weft::Diagnostic& d) { return d.text.find("nobody") != std::string::npos; });
    };
    QVERIFY(has_error());
    // What another program has written is read with the build, without a word to the language.
    put("second.uc", "nop\nctx_arb[kill]\n");
    workspace.target()->build();
    QTRY_VERIFY(!target.build_failed() && target.state() == State::stopped);
    QTRY_VERIFY(!has_error());
    QCOMPARE(read_again.size(), 1);
    QCOMPARE(target.view()->engines.size(), size_t{2});
  }

  void two_chips_have_a_row_each() {
    Workspace workspace;
    ProjectTreeModel model(workspace);
    QVERIFY(workspace.open(example("two-chips")));
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong);
    const QModelIndex chips = below(model, model.index(0, 0), QStringLiteral("Chips"));
    QStringList names;
    for (const std::string& name : workspace.target()->view()->chips) names << QString::fromStdString(name);
    QCOMPARE(names.size(), 2);
    QCOMPARE(texts(model, chips), names);
  }

  void examples_are_found_and_offered() {
    const std::vector<Example> all = find_examples();
    QStringList names;
    for (const Example& e : all) names << e.name;
    QVERIFY(names.contains(QStringLiteral("ipv4-forwarder")) && names.contains(QStringLiteral("first")));
    QVERIFY(!names.contains(QStringLiteral("language")));  // no project
    for (const Example& e : all)
      if (e.name == QStringLiteral("first"))
        QCOMPARE(e.about, QStringLiteral("One program on one microengine, no packets."));
    ExamplesMenu menu;
    QSignalSpy chosen(&menu, &ExamplesMenu::chosen);
    menu.popup(QPoint(0, 0));
    QCOMPARE(menu.actions().size(), static_cast<qsizetype>(all.size()));
    menu.setActiveAction(menu.actions().at(names.indexOf(QStringLiteral("first"))));
    QTest::keyClick(&menu, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    Workspace workspace;
    QVERIFY(workspace.open(chosen[0][0].toString()));
    QVERIFY(examples_in(QStringLiteral("/nowhere")).empty());
  }

  // The filters include what their rules compile to: the editor's index knows it, and knows the rules as they stand.
  void rules_are_known_to_the_index() {
    QTemporaryDir folder;
    const QString home = folder.filePath(QStringLiteral("examples/firewall-filter"));
    copy_folder(example("firewall-filter"), home);
    QFile json(home + QStringLiteral("/weft.json"));
    QVERIFY(json.open(QIODevice::ReadWrite));
    QByteArray text = json.readAll();
    text.replace("../../lib/microblocks", WEFT_SOURCE_DIR "/lib/microblocks")
        .replace("\"FILTER_STORE\": 1}", "\"FILTER_STORE\": 3}, \"rules\": \"firewall.rules\"");
    json.resize(0);
    json.write(text);
    json.close();
    Workspace workspace;
    QVERIFY(workspace.open(home));
    QTRY_VERIFY_WITH_TIMEOUT(workspace.target()->state() != State::building, kLong);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.language().programs().empty(), kLong);
    const auto said = [&] {
      QStringList out;
      for (const weft::Diagnostic& d : workspace.problems()) out << QString::fromStdString(d.text);
      return out.join(QLatin1Char('\n'));
    };
    QTRY_COMPARE_WITH_TIMEOUT(workspace.target()->state(), State::stopped, kLong);  // the build may not have begun
    QCOMPARE(said(), QString());
    // The macro is the compiled one, not that of some file.
    const auto has_macro = [&] {
      for (const ProgramIndex& p : workspace.language().programs())
        for (const auto& name : p.index->names())
          if (name.kind == weft::assembler::NameKind::macro && name.name == "compiled_rules" &&
              !name.references.empty())
            return true;
      return false;
    };
    QVERIFY(has_macro());
    // Rules with a fault: the program that includes them says it, with the rules' own place.
    QFile rules(home + QStringLiteral("/firewall.rules"));
    QVERIFY(rules.open(QIODevice::Append));
    rules.write("\nno rule at all\n");
    rules.close();
    QSignalSpy indexed(&workspace.language(), &Language::indexed);
    workspace.language().read_again();
    QVERIFY(indexed.wait(kLong));
    QVERIFY2(!workspace.language().problems().empty(), "the fault is not seen");
  }
};

WEFT_IDE_TEST_MAIN(ProjectTest)
#include "project_test.moc"
