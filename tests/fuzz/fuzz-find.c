/* fuzz-find.c: text that is pasted to be looked for: lines of logs and traces
 *
 * Every place is within the text, and is found again when it is written plainly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-fuzz.h"
#include "pen-pasted-trace.h"
#include "pen-query-find.h"

static void
check_place (const PenPastedPlace *place)
{
  g_autofree char *again = NULL;
  g_autoptr (PenPastedPlace) plain = NULL;

  g_assert_true (g_utf8_validate (place->text, -1, NULL));
  g_assert_true (place->symbol || place->has_address);
  pen_fuzz_touch_string (place->symbol);
  pen_fuzz_touch_string (place->owner);
  if (!place->has_address)
    return;
  again = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", place->address);
  plain = pen_pasted_place_new (again);
  g_assert_nonnull (plain);
  g_assert_true (plain->has_address && plain->address == place->address);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (text);
  g_autoptr (PenPastedPlace) place = pen_pasted_place_new (text);
  gboolean is_trace = pen_find_is_trace (text);

  g_assert_cmpuint (trace->places->len, <=, PEN_PASTED_PLACES_MAX);
  for (guint i = 0; i < trace->places->len; i++)
    check_place (trace->places->pdata[i]);
  if (place)
    check_place (place);
  if (is_trace)
    g_assert_nonnull (strchr (text, '\n'));
  return 0;
}
