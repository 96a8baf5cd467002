/* fuzz-find.c: text that is pasted to be looked for: lines of logs and traces
 *
 * Every place is within the text, and is found again when it is written plainly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
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
  g_autoptr (PenPastedTrace) trace = NULL;
  g_autoptr (PenPastedPlace) place = pen_pasted_place_new (text);
  gboolean is_trace = pen_find_is_trace (text);

  pen_fuzz_steps_start ();
  trace = pen_pasted_trace_new (text);
  pen_fuzz_steps_check (size, 2000, 1 << 20);
  g_assert_cmpuint (trace->places->len, <=, PEN_PASTED_PLACES_MAX);
  for (guint i = 0; i < trace->places->len; i++)
    check_place (trace->places->pdata[i]);
  if (place)
    check_place (place);
  if (is_trace)
    g_assert_nonnull (strchr (text, '\n'));
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  static const char *const words[] = { "[<ffffffff81000010>]",
                                       "? ",
                                       "+0x10/0x20",
                                       "[snd_hda]",
                                       " RIP: 0010:",
                                       "Call Trace:",
                                       "[  12.345678] ",
                                       "<TASK>",
                                       "#0 ",
                                       "0x",
                                       "bpf_prog_0123456789abcdef_x",
                                       "at ",
                                       "(",
                                       ")",
                                       "\r\n",
                                       "\n",
                                       NULL };

  if (size == 0 || pen_fuzz_random (&seed, 3) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  return pen_fuzz_mutate_lines (data, size, max_size, &seed, words);
}
