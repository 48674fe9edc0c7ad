// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/theme.h"

#include <QLabel>

namespace boxdeck::ui {

/// An id, path or other machine text: monospaced, elided in the middle to the room there is, selectable, copied whole.
class IdLabel : public QLabel
{
    Q_OBJECT

public:
    explicit IdLabel(const QString &name, QWidget *parent = nullptr);

    void setFullText(const QString &text);
    const QString &fullText() const { return m_full; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    void elide();
    void copy();

    QString m_full;
};

/// A state: its icon and its word, in its colour.
class StateLabel : public QWidget
{
    Q_OBJECT

public:
    explicit StateLabel(const QString &name, QWidget *parent = nullptr);

    /// `iconName` as in icon(); `word` is translated.
    void setState(const char *iconName, const QString &word, Token token);

protected:
    void changeEvent(QEvent *event) override;

private:
    void redraw();

    QByteArray m_iconName;
    Token m_token = Token::Text;
    QLabel *m_icon;
    QLabel *m_word;
};

/// Gives a label's text the colour of `token` in the scheme of now; call it again when the palette changes.
void setTextColor(QWidget *label, Token token);

/// A label in the muted colour, following the theme.
QLabel *mutedLabel(const QString &text, QWidget *parent = nullptr);

/// A one-pixel line across.
QWidget *hairline(QWidget *parent = nullptr);

} // namespace boxdeck::ui
