// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QWidget>

class QStackedWidget;
class QTreeWidget;

namespace boxdeck::ui {

/// The journal of what was done from here in this run, newest first.
class ActivityPane : public QWidget
{
    Q_OBJECT

public:
    explicit ActivityPane(QWidget *parent = nullptr);

    void addDone(const QString &sentence);
    void addFailure(const Error &error, const QString &what);

private:
    void add(const char *iconName, int token, const QString &text, const QString &details);

    QStackedWidget *m_stack;
    QTreeWidget *m_list;
};

} // namespace boxdeck::ui
