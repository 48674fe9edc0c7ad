// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/remote_path.h"

#include <QWidget>

class QHBoxLayout;
class QLineEdit;
class QStackedLayout;

namespace boxdeck::ui {

/// Where a pane is: one button for each folder on the way, or a line to type a path into (edit(), or a click beside the
/// buttons). Folders that don't fit are left out on the left.
class PathBar : public QWidget
{
    Q_OBJECT

public:
    /// `name` becomes the object name and the prefix of the names inside.
    explicit PathBar(const QString &name, QWidget *parent = nullptr);

    void setPath(const RemotePath &path);
    const RemotePath &path() const { return m_path; }
    void edit(); ///< shows the line, with the whole path selected

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void pathChosen(const boxdeck::RemotePath &path);
    /// What was typed is no absolute path.
    void refused(const QString &typed);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void rebuild();
    void fit();
    void accept();

    RemotePath m_path;
    QStackedLayout *m_stack;
    QWidget *m_crumbs;
    QHBoxLayout *m_crumbLayout;
    QLineEdit *m_line;
    QList<QWidget *> m_parts; ///< buttons and arrows, left to right
};

} // namespace boxdeck::ui
