// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/connection_test.h"

#include <QWidget>

class QVBoxLayout;

namespace boxdeck::ui {

/// The steps of trying a server, each with its verdict, and the reason of the one that failed.
class TestReportView : public QWidget
{
    Q_OBJECT

public:
    explicit TestReportView(const QString &name, QWidget *parent = nullptr);

    void setRunning();
    void setReport(const session::TestReport &report);
    void clear();

    /// The whole report in words, as a screen reader says it.
    QString summary() const { return accessibleDescription(); }

private:
    void addLine(const char *iconName, int token, const QString &text, const QString &details);

    QVBoxLayout *m_column;
    QList<QWidget *> m_lines;
};

} // namespace boxdeck::ui
