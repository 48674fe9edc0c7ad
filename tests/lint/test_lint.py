# SPDX-License-Identifier: GPL-3.0-or-later
"""The lint itself can fail: each rule is shown code that breaks it and code that does not."""

import unittest

import house_rules
import layering
import named_tests
import translations
from findings import Tree, code_only

SPDX = "// SPDX-License-Identifier: GPL-3.0-or-later\n"


def found(check, files):
    return [(f.rule, f.path, f.line) for f in check(Tree(files))]


class Layering(unittest.TestCase):
    def links(self, name, text):
        return found(layering.check_links, {name: text})

    def includes(self, name, *headers):
        return found(layering.check_includes, {name: "".join(f"#include {h}\n" for h in headers)})

    def test_an_arrow_of_the_architecture_may_be_linked(self):
        self.assertEqual([], self.links("backend/api/CMakeLists.txt", "boxdeck_qt_library(boxdeck_api SOURCES a.cpp\n"
                                        "LINK boxdeck_protocol boxdeck_net)"))

    def test_a_new_edge_is_found_with_its_line(self):
        self.assertEqual([("layering", "backend/net/CMakeLists.txt", 2)],
                         self.links("backend/net/CMakeLists.txt", "# text\nboxdeck_qt_library(boxdeck_net SOURCES a.cpp\n"
                                    "LINK boxdeck_core boxdeck_protocol)"))

    def test_target_link_libraries_counts_too(self):
        self.assertEqual(1, len(self.links("backend/host/CMakeLists.txt",
                                           "target_link_libraries(boxdeck_host_lib PUBLIC boxdeck_core Boost::json)")))

    def test_a_library_of_others_needs_its_arrow(self):
        self.assertEqual(1, len(self.links("models/CMakeLists.txt",
                                           "boxdeck_qt_library(boxdeck_models SOURCES LINK Qt6::Widgets)")))

    def test_an_unknown_target_is_found(self):
        self.assertEqual(1, len(self.links("backend/x/CMakeLists.txt", "add_library(boxdeck_x STATIC x.cpp)")))

    def test_includes_go_down_only(self):
        self.assertEqual([], self.includes("ui/shell/a.cpp", '"backend/protocol/sandbox.h"', '"models/sandbox_model.h"'))
        self.assertEqual(1, len(self.includes("backend/net/a.cpp", '"backend/protocol/sandbox.h"')))
        self.assertEqual(1, len(self.includes("models/a.h", '"ui/common/theme.h"')))
        self.assertEqual(1, len(self.includes("backend/transfer/a.h", '"backend/session/session.h"')))

    def test_the_host_knows_no_client_library(self):
        self.assertEqual(1, len(self.includes("backend/host/a.cpp", '"backend/core/result.h"')))
        self.assertEqual(1, len(self.includes("backend/host/a.cpp", "<QString>")))

    def test_envd_knows_nothing_of_the_control_plane(self):
        self.assertEqual([], self.includes("backend/host/envd/a.cpp", '"backend/host/http/server.h"'))
        self.assertEqual(1, len(self.includes("backend/host/envd/a.cpp", '"backend/host/control_plane/record.h"')))
        self.assertEqual(1, len(self.includes("backend/host/envd/a.cpp", '"backend/host/http/proxy.h"')))
        self.assertEqual([], self.includes("backend/host/http/proxy.cpp", '"backend/host/control_plane/record.h"'))

    def test_outsiders_stay_in_their_folder(self):
        self.assertEqual(1, len(self.includes("ui/accounts/a.cpp", "<qt6keychain/keychain.h>")))
        self.assertEqual(1, len(self.includes("ui/terminal/a.cpp", "<vterm.h>")))
        self.assertEqual(1, len(self.includes("backend/session/a.cpp", "<QtWidgets/QLabel>")))
        self.assertEqual(1, len(self.includes("backend/net/a.cpp", "<boost/json.hpp>")))
        self.assertEqual([], self.includes("backend/terminal/a.cpp", "<vterm.h>", "<QObject>"))

    def test_a_comment_is_no_include(self):
        self.assertEqual([], found(layering.check_includes, {"models/a.h": '// #include "ui/a.h"\n/*\n#include "ui/a.h"\n*/'}))

    def test_beast_stays_in_few_files(self):
        files = {f"backend/host/http/f{i}.cpp": "#include <boost/beast/core.hpp>\n" for i in range(5)}
        self.assertEqual(1, len(found(layering.check_includes, files)))


class NamedTests(unittest.TestCase):
    def test_names_must_exist(self):
        files = {"tests/unit/tst_a.cpp": "void isGood();", "tests/host/b.py": "def test_it_works(self):"}
        for row, count in (("| x | tst_a `isGood`, host/b `test_it_works` |", 0), ("| x | tst_a `isBad` |", 1),
                           ("| x | tst_gone |", 1), ("| x | host/b `test_it_fails` |", 1), ("tst_gone in a sentence", 0)):
            table = Tree({**files, "tests/conformance/t.md": row})
            self.assertEqual(count, len(list(named_tests.check(table))), row)


class HouseRules(unittest.TestCase):
    def rules(self, name, text):
        return [f.rule for f in house_rules.check(Tree({name: SPDX + text}))]

    def test_bare_waits(self):
        for text in ("QTest::qWait(50);", "QSKIP(\"no bus\");", "QThread::msleep(5);", "QCoreApplication::processEvents();",
                     "std::this_thread::sleep_for(1s);", "usleep(3);"):
            self.assertEqual(["waits"], self.rules("tests/unit/a.cpp", text), text)
        self.assertEqual([], self.rules("tests/unit/a.cpp", "QTRY_COMPARE(spy.count(), 1); // no qWait(5) here"))

    def test_nested_loops(self):
        self.assertEqual(["waits"], self.rules("ui/a.cpp", "if (dialog.exec()) {}"))
        self.assertEqual(["waits"], self.rules("ui/a.cpp", "QEventLoop loop;"))
        self.assertEqual([], self.rules("app/boxdeck/main.cpp", "return app.exec();"))
        self.assertEqual([], self.rules("app/boxdeck/main.cpp", "return QApplication::exec();"))

    def test_a_reason_lets_it_pass(self):
        self.assertEqual([], self.rules("tests/a.cpp", "// lint: allow waits: the kernel has no event for this\nusleep(3);"))
        self.assertEqual(["waits"], self.rules("tests/a.cpp", "usleep(3); // lint: allow waits:"))

    def test_time_may_pass_to_show_that_nothing_happens(self):
        self.assertEqual([], self.rules("tests/a.cpp", "QTest::qWait(300); // a second POST would have come by now"))
        self.assertEqual(["waits"], self.rules("tests/a.cpp", "QTest::qWait(300); // wait"))
        self.assertEqual(["waits"], self.rules("tests/a.cpp", "QThread::msleep(300); // a second POST would have come by now"))

    def test_connect_without_context(self):
        self.assertEqual(["connect"], self.rules("ui/a.cpp", "connect(button, &QPushButton::clicked, [this] { go(a, b); });"))
        self.assertEqual([], self.rules("ui/a.cpp", "connect(button, &QPushButton::clicked, this, [this] { go(); });"))

    def test_awaits_that_are_miscompiled(self):
        for text in ("if (co_await ready()) go();", "while (running && !co_await ready()) go();",
                     "const int a = co_await ready() ? 1 : 2;", "const int a = good ? co_await b() : 2;",
                     "co_return Answer{co_await b(), 2};", "co_return {co_await b()};",
                     "co_await connect(id, Request{.timeout = lease});", "co_await run(id, {.line = line});",
                     "co_await onWorker([this] { return a; }, {.line = line});",
                     "go([this]() -> awaitable<void> { if (co_await b()) c(); });"):
            self.assertEqual(["await"], self.rules("backend/host/a.cpp", text), text)
        for text in ("const bool ready = co_await b(); if (ready) go(); co_return Answer{ready, 2};",
                     "co_await refuse(exchange, size ? 411 : 501, text);", "f(co_await a(), good ? 1 : 2);",
                     "const Request request{.timeout = lease}; co_await connect(id, request);",
                     "co_await onWorker([this] { return a ? Answer{.b = 1} : Answer{}; });",
                     "if (a) { co_await b(); } const int c = good ? 1 : 2;", "for (;;) { co_await b(); } c({.d = 1});"):
            self.assertEqual([], self.rules("backend/host/a.cpp", text), text)

    def test_tool_tips_are_plain_text(self):
        for text in ("a->setToolTip(name);", 'a->setToolTip(tr("Open %1").arg(name));', "a->setTabToolTip(2, name);",
                     'a->setToolTip(good ? name : tr("None"));', 'a->setToolTip(b ? tr("B") : c ? tr("C") : name);',
                     'a->setToolTip(toolTipText(name) + more);'):
            self.assertEqual(["tooltip"], self.rules("ui/a.cpp", text), text)
        for text in ('a->setToolTip(tr("Open"));', "a->setToolTip(toolTipText(name));", "a->setToolTip({});",
                     'a->setToolTip(b ? tr("B") : c.isEmpty() ? QString() : toolTipText(b::name));',
                     "a->setToolTip(0, formatUtc(now));"):
            self.assertEqual([], self.rules("ui/a.cpp", text), text)

    def test_untranslated(self):
        self.assertEqual(["tr"], self.rules("ui/a.cpp", 'label->setText(QStringLiteral("Loading"));'))
        self.assertEqual(["tr"], self.rules("ui/a.cpp", 'auto *b = new QPushButton(QStringLiteral("Kill"), this);'))
        self.assertEqual([], self.rules("ui/a.cpp", 'label->setText(tr("Loading"));'))
        self.assertEqual([], self.rules("ui/a.cpp", 'label->setText(QStringLiteral("%1 / %2").arg(a, b));'))
        self.assertEqual([], self.rules("ui/a.cpp", 'line->setPlaceholderText(QStringLiteral("https://api.example.com"));'))

    def test_spdx(self):
        self.assertEqual(["spdx"], [f.rule for f in house_rules.check(Tree({"ui/a.cpp": "int a;"}))])

    def test_machine_paths(self):
        self.assertEqual(["machine"], self.rules("tests/a.cpp", "open(\"/wo" "rk/x\");"))

    def test_uncategorised_messages(self):
        self.assertEqual(["logging"], self.rules("ui/a.cpp", "qWarning() << key;"))
        self.assertEqual([], self.rules("ui/a.cpp", "qCWarning(lcUi) << id;"))

    def test_comments_and_literals_are_no_code(self):
        self.assertEqual("a          b\n", code_only("a \"sleep()\"b\n"))
        self.assertIn("keep", code_only('f("keep"); // drop', keep_literals=True))
        self.assertNotIn("drop", code_only('f("keep"); // drop', keep_literals=True))
        self.assertNotIn("sleep", code_only('R"(a "sleep(1)" b)";'))


class Translations(unittest.TestCase):
    def check(self, message):
        text = f"<TS><context><name>A</name>{message}</context></TS>"
        return [f.rule for f in translations.check_file("x.ts", text, False)]

    def test_complete(self):
        self.assertEqual([], self.check("<message><source>Kill %1</source><translation>终止 %1</translation></message>"))

    def test_unfinished_or_empty(self):
        self.assertEqual(["translations"], self.check(
            '<message><source>Kill</source><translation type="unfinished">终止</translation></message>'))
        self.assertEqual(["translations"], self.check("<message><source>Kill</source><translation></translation></message>"))

    def test_lost_place(self):
        self.assertEqual(["translations"], self.check(
            "<message><source>Kill %1</source><translation>终止</translation></message>"))

    def test_plural_forms(self):
        self.assertEqual([], self.check('<message numerus="yes"><source>%n files in %1</source><translation><numerusform>'
                                        "%1 里有 %n 个文件</numerusform></translation></message>"))


if __name__ == "__main__":
    unittest.main()
