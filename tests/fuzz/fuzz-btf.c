/* fuzz-btf.c: the strings of a BTF blob
 *
 * The input is 4 bytes, an offset, and the blob.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-btf-strings.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
#include "pen-fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  PenFuzzBytes input = { data, data + size };
  guint32 offset = (guint32) pen_fuzz_take (&input, 4);
  g_autoptr (GBytes) blob = g_bytes_new (input.at, (gsize) (input.end - input.at));
  PenBtfStrings strings = pen_btf_strings_find (blob);
  const guint32 offsets[] = { 0, 1, offset, (guint32) strings.length, G_MAXUINT32 };

  pen_fuzz_steps_start ();
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    pen_fuzz_touch_string (pen_btf_strings_get (&strings, offsets[i]));
  pen_fuzz_steps_check (size, 100, 1000);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  if (size < 28 || pen_fuzz_random (&seed, 2) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  pen_fuzz_mutate_field (data, MIN (size, 32), &seed);
  return size;
}
