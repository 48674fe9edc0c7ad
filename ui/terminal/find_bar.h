// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace boxdeck::ui {

class TerminalView;

/// Finds text in a terminal's scrollback: Return goes up, Shift+Return down, Escape closes.
class FindBar : public QFrame
{
    Q_OBJECT

public:
    explicit FindBar(TerminalView &view, QWidget *parent = nullptr);

    /// Shows the bar, with the selected text if that is one line, and takes the focus.
    void open();
    void closeBar();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void find(bool forward);

    TerminalView &m_view;
    QLineEdit *m_text;
    QToolButton *m_case;
    QLabel *m_result;
};

} // namespace boxdeck::ui
