// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <chrono>

class QComboBox;
class QSpinBox;

namespace boxdeck::ui {

/// A length of time picked from usual ones or typed: an amount and its unit.
class DurationEdit : public QWidget
{
    Q_OBJECT

public:
    DurationEdit(const QString &name, const QString &accessibleName, QWidget *parent = nullptr);

    std::chrono::seconds duration() const; ///< at least one second
    void setDuration(std::chrono::seconds duration);

Q_SIGNALS:
    void changed();

private:
    QSpinBox *m_amount;
    QComboBox *m_unit;
};

/// Asks for how long: the lifetime of a resumed sandbox, or by how much to extend. Opened with open(); never nested.
class LifetimeDialog : public QDialog
{
    Q_OBJECT

public:
    struct Text
    {
        QString name;        ///< object name
        QString title;       ///< window title
        QString question;    ///< what is asked, naming the sandbox
        QString consequence; ///< muted
        QString verb;        ///< of the accept button
    };

    LifetimeDialog(const Text &text, std::chrono::seconds suggested, QWidget *parent = nullptr);

Q_SIGNALS:
    void chosen(std::chrono::seconds duration);

private:
    DurationEdit *m_edit;
};

} // namespace boxdeck::ui
