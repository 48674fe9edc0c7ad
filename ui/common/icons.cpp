// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icons.h"

#include "backend/core/logging.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// The drawings live in a static library: without a reference the linker would drop them.
static void initDrawings()
{
    Q_INIT_RESOURCE(boxdeck_drawings);
}

namespace boxdeck::ui {

namespace {

QByteArray load(const QString &path)
{
    static const bool once = (initDrawings(), true);
    Q_UNUSED(once)
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        qCWarning(lcUi) << "no such drawing" << path;
        return {};
    }
    return file.readAll();
}

QString iconPath(const QByteArray &name)
{
    return QStringLiteral(":/icons/boxdeck/scalable/%1.svg").arg(QLatin1String(name));
}

QPixmap render(const QByteArray &svg, const QSize &pixels)
{
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    if (!svg.isEmpty()) {
        QSvgRenderer renderer(svg);
        QPainter painter(&pixmap);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(pixels)));
    }
    return pixmap;
}

/// Icons are drawn when painted, in the colour the palette has then.
class Engine final : public QIconEngine
{
public:
    Engine(const QByteArray &name, Token token)
        : m_name(name)
        , m_token(token)
    {
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QGuiApplication::palette();
        const QColor colour = mode == QIcon::Disabled ? palette.color(QPalette::Disabled, QPalette::Text)
                                                      : Theme::color(m_token, palette);
        const QString key = QStringLiteral("boxdeck/%1/%2/%3/%4")
                                .arg(QLatin1String(m_name), colour.name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap result;
        if (QPixmapCache::find(key, &result))
            return result;
        QByteArray svg = load(iconPath(m_name));
        svg.replace("currentColor", colour.name().toLatin1());
        result = render(svg, size);
        QPixmapCache::insert(key, result);
        return result;
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        QPixmap drawn = pixmap(rect.size() * ratio, mode, state);
        drawn.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), drawn);
    }

    QIconEngine *clone() const override { return new Engine(*this); }
    QString iconName() override { return QString::fromLatin1(m_name); }
    bool isNull() override { return false; }

private:
    QByteArray m_name;
    Token m_token;
};

} // namespace

QIcon icon(const char *name, Token token)
{
    const QByteArray key(name);
    static QHash<QByteArray, bool> known;
    if (!known.contains(key)) {
        known.insert(key, (initDrawings(), QFile::exists(iconPath(key))));
        if (!known.value(key))
            qCWarning(lcUi) << "no such icon" << key;
    }
    return known.value(key) ? QIcon(new Engine(key, token)) : QIcon();
}

QPixmap iconPixmap(const char *name, int size, Token token, qreal devicePixelRatio)
{
    QPixmap result = Engine(name, token).pixmap(QSize(size, size) * devicePixelRatio, QIcon::Normal, QIcon::Off);
    result.setDevicePixelRatio(devicePixelRatio);
    return result;
}

QPixmap illustration(const char *name, int size, qreal devicePixelRatio)
{
    QByteArray svg = load(QStringLiteral(":/illustrations/%1.svg").arg(QLatin1String(name)));
    const auto put = [&svg](const char *placeholder, Token token) {
        svg.replace(placeholder, Theme::color(token).name().toLatin1());
    };
    put("currentColor", Token::Muted);
    put("accentColor", Token::Accent);
    put("groundColor", Token::Hover);
    put("windowColor", Token::Window);
    QPixmap result = render(svg, QSize(size, size) * devicePixelRatio);
    result.setDevicePixelRatio(devicePixelRatio);
    return result;
}

} // namespace boxdeck::ui
