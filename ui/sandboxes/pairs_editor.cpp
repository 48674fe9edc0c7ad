// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/pairs_editor.h"

#include "ui/common/icons.h"
#include "ui/common/ui_util.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

namespace boxdeck::ui {

PairsEditor::PairsEditor(const QString &name, const QString &keyLabel, const QString &valueLabel, Names names,
                         QWidget *parent)
    : QWidget(parent)
    , m_name(name)
    , m_keyLabel(keyLabel)
    , m_valueLabel(valueLabel)
    , m_names(names)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(name);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(kGrid / 2);
    addRow();
}

void PairsEditor::addRow(const QString &key, const QString &value)
{
    auto *line = new QWidget(this);
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid / 2);
    Row fields{line, new QLineEdit(key, line), new QLineEdit(value, line), new QToolButton(line)};
    fields.key->setPlaceholderText(m_keyLabel);
    fields.value->setPlaceholderText(m_valueLabel);
    fields.remove->setIcon(icon("close", Token::Muted));
    fields.remove->setAutoRaise(true);
    row->addWidget(fields.key, 2);
    row->addWidget(fields.value, 3);
    row->addWidget(fields.remove);
    m_column->addWidget(line);
    connect(fields.key, &QLineEdit::textChanged, this, &PairsEditor::edited);
    connect(fields.value, &QLineEdit::textChanged, this, &PairsEditor::edited);
    connect(fields.remove, &QToolButton::clicked, this, [this, line] { removeRow(line); });
    m_rows << fields;
    renumber();
}

void PairsEditor::removeRow(QWidget *line)
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].line != line)
            continue;
        m_rows.removeAt(i);
        line->hide();
        line->deleteLater();
        break;
    }
    edited();
}

void PairsEditor::edited()
{
    if (m_rows.isEmpty() || !m_rows.last().key->text().isEmpty() || !m_rows.last().value->text().isEmpty())
        addRow();
    renumber();
    Q_EMIT changed();
}

void PairsEditor::renumber()
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const Row &row = m_rows[i];
        nameWidget(row.key, m_name + QStringLiteral("Key%1").arg(i), tr("%1, row %2").arg(m_keyLabel).arg(i + 1));
        nameWidget(row.value, m_name + QStringLiteral("Value%1").arg(i), tr("%1, row %2").arg(m_valueLabel).arg(i + 1));
        nameWidget(row.remove, m_name + QStringLiteral("Remove%1").arg(i), tr("Remove row %1").arg(i + 1));
        row.remove->setToolTip(tr("Remove this row"));
        row.remove->setEnabled(i + 1 < m_rows.size());
    }
}

QMap<QString, QString> PairsEditor::pairs() const
{
    QMap<QString, QString> result;
    for (const Row &row : m_rows) {
        if (!row.key->text().trimmed().isEmpty())
            result.insert(row.key->text().trimmed(), row.value->text());
    }
    return result;
}

void PairsEditor::setPairs(const QMap<QString, QString> &pairs)
{
    const QList<Row> old = std::exchange(m_rows, {});
    for (const Row &row : old)
        delete row.line;
    for (auto it = pairs.cbegin(); it != pairs.cend(); ++it)
        addRow(it.key(), it.value());
    addRow();
}

QString PairsEditor::problem() const
{
    static const QRegularExpression variable(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    QSet<QString> seen;
    for (const Row &row : m_rows) {
        const QString key = row.key->text().trimmed();
        if (key.isEmpty()) {
            if (!row.value->text().isEmpty())
                return tr("The value “%1” has no name. Give it one, or remove the row.").arg(row.value->text());
            continue;
        }
        if (m_names == Names::Environment && !variable.match(key).hasMatch())
            return tr("“%1” can't name a variable. Use letters, digits and underscores, not beginning with a digit.")
                .arg(key);
        if (seen.contains(key))
            return tr("“%1” is there twice. Remove one of the rows.").arg(key);
        seen.insert(key);
    }
    return {};
}

} // namespace boxdeck::ui
