// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QWidget>

class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace boxdeck::ui {

/// Rows of a name and a value, such as metadata or environment variables; one empty row is always there to type in.
class PairsEditor : public QWidget
{
    Q_OBJECT

public:
    enum class Names {
        Any,         ///< whatever is not empty
        Environment, ///< letters, digits and underscores, not beginning with a digit
    };

    /// `name` prefixes the object names: NAMEKey0, NAMEValue0, NAMERemove0 …
    PairsEditor(const QString &name, const QString &keyLabel, const QString &valueLabel, Names names,
                QWidget *parent = nullptr);

    QMap<QString, QString> pairs() const;
    void setPairs(const QMap<QString, QString> &pairs);
    /// What is wrong with the rows, as a sentence; empty if nothing is.
    QString problem() const;

Q_SIGNALS:
    void changed();

private:
    struct Row
    {
        QWidget *line;
        QLineEdit *key;
        QLineEdit *value;
        QToolButton *remove;
    };
    void addRow(const QString &key = {}, const QString &value = {});
    void removeRow(QWidget *line);
    void edited();
    void renumber();

    QString m_name;
    QString m_keyLabel;
    QString m_valueLabel;
    Names m_names;
    QVBoxLayout *m_column;
    QList<Row> m_rows;
};

} // namespace boxdeck::ui
