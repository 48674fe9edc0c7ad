// SPDX-License-Identifier: GPL-3.0-or-later
// Boost.JSON compiled here instead of linked: the distribution's library is a shared one, and boxdeck-envd is static.
#include <boost/json/src.hpp>
