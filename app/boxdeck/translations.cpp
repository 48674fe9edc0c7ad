// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/boxdeck/translations.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

// The translations live in a static library: without a reference the linker would drop them.
static void initTranslations()
{
    Q_INIT_RESOURCE(boxdeck_translations);
}

namespace boxdeck::app {

void Translations::install(QCoreApplication &app, const QString &code)
{
    initTranslations();
    for (const auto &translator : m_translators)
        app.removeTranslator(translator.get());
    m_translators.clear();

    const QLocale wanted = code.isEmpty() ? QLocale::system() : QLocale(code);
    if (!code.isEmpty())
        QLocale::setDefault(wanted);
    if (wanted.language() != QLocale::Chinese)
        return;
    const QString system = QLibraryInfo::path(QLibraryInfo::TranslationsPath);
    const std::initializer_list<std::pair<QString, QString>> files = {
        {QStringLiteral("qtbase_zh_CN"), QStringLiteral(":/i18n")},
        {QStringLiteral("qtbase_zh_CN"), system},
        {QStringLiteral("boxdeck_zh_CN"), QStringLiteral(":/i18n")},
    };
    for (const auto &[name, folder] : files) {
        auto translator = std::make_unique<QTranslator>();
        if (translator->load(name, folder)) {
            app.installTranslator(translator.get());
            m_translators.push_back(std::move(translator));
        }
    }
}

} // namespace boxdeck::app
