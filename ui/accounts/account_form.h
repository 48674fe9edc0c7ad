// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/connection_profile.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace boxdeck::ui {

class DurationEdit;

/// The fields of a profile, without its key: those everybody needs, and the others behind "Advanced".
class AccountForm : public QWidget
{
    Q_OBJECT

public:
    explicit AccountForm(QWidget *parent = nullptr);

    /// Shows a profile. What the form has no field for is kept and given back by profile().
    void setProfile(const session::ConnectionProfile &profile);
    /// Shows the fields of another kind of server. What was typed stays.
    void setKind(session::ConnectionProfile::Kind kind);
    session::ConnectionProfile::Kind kind() const { return m_base.kind; }

    /// The profile as typed; nothing, and a sentence in `problem`, while a field can't be used.
    std::optional<session::ConnectionProfile> profile(QString *problem) const;

    /// A row of the caller's own (the key), below the server address.
    void insertRow(const QString &label, QWidget *field);
    QLineEdit *nameField() const { return m_name; }
    QLineEdit *urlField() const { return m_url; }
    void setAdvancedShown(bool shown);

Q_SIGNALS:
    void changed();

private:
    void buildBasic();
    void buildAdvanced();
    void showRow(QFormLayout *rows, QWidget *field, bool shown);
    void chooseCaFile();
    QString readAddresses(session::ConnectionProfile &profile) const;
    bool hasAdvanced() const;

    session::ConnectionProfile m_base;
    QFormLayout *m_rows;
    QFormLayout *m_moreRows;
    QLineEdit *m_name;
    QLineEdit *m_url;
    QLineEdit *m_sandboxUrl;
    QLineEdit *m_domain;
    QToolButton *m_advanced;
    QWidget *m_more;
    QLineEdit *m_gateway;
    QWidget *m_caRow;
    QLineEdit *m_caFile;
    QComboBox *m_scheme;
    QSpinBox *m_port;
    QLineEdit *m_user;
    QLineEdit *m_template;
    DurationEdit *m_lifetime;
    QCheckBox *m_strict;
    QCheckBox *m_multipart;
};

} // namespace boxdeck::ui
