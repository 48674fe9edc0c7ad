// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

#include <memory>
#include <vector>

class QCoreApplication;

namespace boxdeck::app {

/// The app's and Qt's own texts in the language in use.
class Translations
{
public:
    /// `code`: a language such as "zh_CN" or "en"; empty follows the system. Languages we don't have are English. Also
    /// sets the default locale, so that dates and numbers fit.
    void install(QCoreApplication &app, const QString &code);

private:
    std::vector<std::unique_ptr<QTranslator>> m_translators;
};

} // namespace boxdeck::app
