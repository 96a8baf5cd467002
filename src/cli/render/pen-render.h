/* pen-render.h: what the command render does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/*
 * pen_render_run:
 *
 * There are two of it. Libraries that draw take longer to load than most questions take to answer:
 * pentimento-cli is not linked with them, and becomes pentimento-render (pen-render-start.c), where
 * the picture is made (pen-render.c).
 */
int pen_render_run (const PenArguments *arguments, GError **error);

G_END_DECLS
