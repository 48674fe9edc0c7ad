// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/secret.h"

#include <QLineEdit>

namespace boxdeck::ui {

/// A field for a key: hidden unless the eye is pressed, never in the undo history of an input method, wiped when it
/// goes.
class KeyEdit : public QLineEdit
{
    Q_OBJECT

public:
    explicit KeyEdit(const QString &name, QWidget *parent = nullptr);
    ~KeyEdit() override;

    Secret key() const;
    void setKey(const Secret &key);
};

} // namespace boxdeck::ui
