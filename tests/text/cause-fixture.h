/* cause-fixture.h: places of the kernels of real captures, for causes of pokes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-finder.h"
#include "text-fixture.h"

G_BEGIN_DECLS

#define NOP5 "0f1f440000"

/* Finds those places. */
extern const PenCauseSources cause_fixture_sources;

/* A branch of @opcode from @address to @target, in hexadecimal. */
char *cause_fixture_branch (const char *opcode, guint64 address, guint64 target);
/* Of the last poke. */
PenCauseVerdict cause_fixture_find_verdict (TextPokes *pokes, const PenCauseSources *from);
/* For PenCauseSources. @user_data: the name of three sites */
gboolean cause_fixture_find_name (guint64 address, PenMoment moment, PenSiteName *name,
                                  gpointer user_data);
/* Where one of the places begins. */
guint64 cause_fixture_pick (GRand *random);

G_END_DECLS
