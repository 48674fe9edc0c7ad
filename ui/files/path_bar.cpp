// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/path_bar.h"

#include "backend/core/display_text.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/ui_util.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QStackedLayout>
#include <QToolButton>

namespace boxdeck::ui {

PathBar::PathBar(const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_crumbs(new QWidget(this))
    , m_crumbLayout(new QHBoxLayout(m_crumbs))
    , m_line(new QLineEdit(this))
{
    setObjectName(name);
    setAccessibleName(tr("Folder"));
    m_crumbs->setObjectName(name + QLatin1String("Crumbs"));
    m_crumbLayout->setContentsMargins(0, 0, 0, 0);
    m_crumbLayout->setSpacing(0);
    m_crumbs->installEventFilter(this);
    m_crumbs->setToolTip(tr("Click beside the names to type a path"));
    nameWidget(m_line, name + QLatin1String("Line"), tr("Path"));
    m_line->setFont(Theme::monospace());
    m_line->installEventFilter(this);
    m_stack->addWidget(m_crumbs);
    m_stack->addWidget(m_line);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    connect(m_line, &QLineEdit::returnPressed, this, &PathBar::accept);
    rebuild();
}

QSize PathBar::minimumSizeHint() const
{
    return {8 * kGrid, m_line->sizeHint().height()};
}

void PathBar::setPath(const RemotePath &path)
{
    m_stack->setCurrentWidget(m_crumbs);
    if (m_path == path)
        return;
    m_path = path;
    rebuild();
}

void PathBar::edit()
{
    m_line->setText(m_path.toString());
    m_line->selectAll();
    m_stack->setCurrentWidget(m_line);
    m_line->setFocus(Qt::ShortcutFocusReason);
}

void PathBar::accept()
{
    const QString typed = m_line->text();
    const auto path = RemotePath::parse(typed.trimmed());
    if (!path) {
        Q_EMIT refused(typed);
        return;
    }
    m_stack->setCurrentWidget(m_crumbs);
    Q_EMIT pathChosen(*path);
}

void PathBar::rebuild()
{
    qDeleteAll(m_parts);
    m_parts.clear();
    while (QLayoutItem *item = m_crumbLayout->takeAt(0))
        delete item;

    QList<RemotePath> way{m_path};
    while (!way.first().isRoot())
        way.prepend(way.first().parent());
    for (const RemotePath &folder : way) {
        const bool last = &folder == &way.last();
        auto *button = new QToolButton(m_crumbs);
        const QString text = folder.isRoot() ? QStringLiteral("/") : displayText(QString::fromUtf8(folder.name()), 40);
        button->setText(QString(text).replace(QLatin1Char('&'), QLatin1String("&&")));
        button->setAutoRaise(true);
        button->setToolTip(toolTipText(displayText(folder.toString())));
        nameWidget(button, objectName() + QLatin1String("Part") + QString::number(m_parts.size() / 2),
                   folder.isRoot() ? tr("Top folder") : tr("Folder %1").arg(text));
        QFont font = button->font();
        font.setBold(last);
        button->setFont(font);
        connect(button, &QToolButton::clicked, this, [this, folder] { Q_EMIT pathChosen(folder); });
        m_crumbLayout->addWidget(button);
        m_parts.append(button);
        if (!last) {
            auto *arrow = new QLabel(m_crumbs);
            arrow->setPixmap(iconPixmap("chevron-right", 12, Token::Muted, devicePixelRatioF()));
            m_crumbLayout->addWidget(arrow);
            m_parts.append(arrow);
        }
    }
    m_crumbLayout->addStretch(1);
    fit();
}

void PathBar::fit()
{
    int room = width() - 2 * kGrid;
    // From the right: the folder itself stays whatever happens.
    for (qsizetype i = m_parts.size() - 1; i >= 0; --i) {
        room -= m_parts[i]->sizeHint().width();
        m_parts[i]->setVisible(room >= 0 || i == m_parts.size() - 1);
    }
}

void PathBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

bool PathBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_crumbs && event->type() == QEvent::MouseButtonPress) {
        edit();
        return true;
    }
    if (watched == m_line) {
        const bool escape =
            event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape;
        if (escape || (event->type() == QEvent::FocusOut &&
                       static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason)) {
            m_stack->setCurrentWidget(m_crumbs);
            if (escape)
                return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace boxdeck::ui
