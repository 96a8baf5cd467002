/* text-fixture.h: makes files, tenures and pokes for the tests of src/text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-cause-finder.h"
#include "pen-text.h"

G_BEGIN_DECLS

/* A file of the test's own; gone with text_fixture_remove(). */
char *text_fixture_write (const char *name, gconstpointer data, gsize length);
void text_fixture_remove (char *path);

/* "0f1f440000" to bytes. "" is no bytes. */
GBytes *text_fixture_hex (const char *hex);

/* Pokes at seconds 1, 2, 3 …, with the lengths and effects that follow from the bytes. Ids from 1.
 */
typedef struct _TextPokes TextPokes;

TextPokes *text_pokes_new (void);
void text_pokes_free (TextPokes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TextPokes, text_pokes_free)
void text_pokes_add (TextPokes *self, guint32 tenure, guint64 address, const char *old_hex,
                     const char *new_hex);
const PenPoke *text_pokes_get (TextPokes *self, guint *n);
const PenPoke *const *text_pokes_get_pointers (TextPokes *self, gsize *n);

#define SECOND G_GUINT64_CONSTANT (1000000000)

/* A moment between two of those pokes: @seconds and a half. */
PenMoment text_fixture_between (guint seconds);

PenTenure text_fixture_tenure (guint32 id, guint64 start, guint64 end);

/* The text at @address, as hex digits; "??" where it is not known. */
char *text_fixture_read (PenText *text, guint64 address, gsize length, PenMoment moment,
                         PenEvidence *evidence);

/* A kcore: an ELF core with the given segments. */
typedef struct {
  guint64 address;
  const char *hex;
} TextSegment;

GByteArray *text_fixture_make_core (const TextSegment *segments, guint n);

/* NULL without PENTIMENTO_CAPTURES: the test is then marked as skipped. */
char *text_fixture_find_capture (const char *name);

G_END_DECLS
