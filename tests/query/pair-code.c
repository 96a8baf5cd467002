/* pair-code.c: two recordings of functions whose code a test writes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-code.h"

static void
pair_code_init (PairCode *self, guint64 base, guint gap)
{
  static const char *const names[]
      = { "alpha", "beta", "gamma", "delta", "old_name", "new_name", "data", "tail" };

  *self = (PairCode){ 0 };
  for (guint i = 0; i < PAIR_CODE_FUNCTIONS; i++) {
    self->bytes[i] = g_byte_array_new ();
    self->functions[i].name = names[i];
    self->functions[i].samples = 20;
  }
  self->recording = (PairRecording){
    .base = base, .gap = gap, .seconds = 2, .functions = self->functions, .n = PAIR_CODE_FUNCTIONS
  };
}

guint64
pair_code_get_address (const PairCode *self, guint function)
{
  return pair_recording_get_address (&self->recording, function);
}

void
pair_code_put (PairCode *self, guint function, const char *bytes, guint n)
{
  g_byte_array_append (self->bytes[function], (const guint8 *) bytes, n);
}

void
pair_code_put_relative (PairCode *self, guint function, const char *opcode, guint n, guint64 target)
{
  guint32 distance;

  pair_code_put (self, function, opcode, n);
  distance = GUINT32_TO_LE (
      (guint32) (target
                 - (pair_code_get_address (self, function) + self->bytes[function]->len + 4)));
  pair_code_put (self, function, (const char *) &distance, 4);
}

static void
put_address (PairCode *self, guint function, const char *opcode, guint n, guint64 address)
{
  guint32 low = GUINT32_TO_LE ((guint32) address);

  pair_code_put (self, function, opcode, n);
  pair_code_put (self, function, (const char *) &low, 4);
}

void
pair_code_put_usual (PairCode *self, guint function)
{
  pair_code_put (self, function, PAIR_CODE_NOP, 5);
  pair_code_put_relative (self, function, "\xe8", 1,
                          pair_code_get_address (self, 1)); /* call beta */
  pair_code_put_relative (self, function, "\x48\x8b\x05", 3,
                          pair_code_get_address (self, 6)); /* mov data(%rip),%rax */
  put_address (self, function, "\x48\xc7\xc7", 3,
               pair_code_get_address (self, 6) + 8); /* mov $data+8,%rdi */
  pair_code_put_relative (self, function, "\x48\x8b\x0d", 3,
                          pair_code_get_address (self, 0)
                              + 0x4000000);          /* mov …(%rip),%rcx: without a name */
  pair_code_put (self, function, "\x83\xc3\x07", 3); /* add $0x7,%ebx */
  pair_code_put (self, function, "\x48\x31\xc0", 3); /* xor %rax,%rax */
}

static void
code_import (PairCode *self, QueryFixture *fixture)
{
  g_autoptr (PenTestCapture) capture = NULL;

  for (guint i = 0; i < PAIR_CODE_FUNCTIONS; i++) {
    pair_code_put (self, i, "\xc3", 1);
    self->functions[i].text = self->bytes[i]->data;
    self->functions[i].length = self->bytes[i]->len;
  }
  capture = pair_recording_new_capture (&self->recording);
  if (self->add_records)
    self->add_records (self, capture);
  if (self->has_kernel_text)
    query_fixture_import_with_kernel_text (fixture, capture);
  else
    query_fixture_import (fixture, capture);
}

static void
code_clear (PairCode *self)
{
  for (guint i = 0; i < PAIR_CODE_FUNCTIONS; i++)
    g_byte_array_unref (self->bytes[i]);
}

void
code_pair_init (CodePair *pair)
{
  *pair = (CodePair){ 0 };
  pair_code_init (&pair->codes[0], 0, 0);
  pair_code_init (&pair->codes[1], 0xffffffff9a000000ull, 5);
}

void
code_pair_ask (CodePair *pair)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++) {
    code_import (&pair->codes[i], &pair->fixtures[i]);
    pair->sources[i] = (PenPairSource){ pair->fixtures[i].query, NULL, NULL };
  }
  pair->pairs = pen_query_pair (pair->sources, &error);
  g_assert_no_error (error);
}

void
code_pair_clear (CodePair *pair)
{
  pen_pairs_free (pair->pairs);
  for (guint i = 0; i < 2; i++) {
    query_fixture_tear_down (&pair->fixtures[i], NULL);
    code_clear (&pair->codes[i]);
  }
}

const PenPairRow *
code_pair_find (const CodePair *pair, const char *symbol)
{
  for (guint i = 0; i < pair->pairs->rows->len; i++) {
    const PenPairRow *row = pair->pairs->rows->pdata[i];

    if (g_strcmp0 (row->symbol, symbol) == 0)
      return row;
  }
  return NULL;
}
