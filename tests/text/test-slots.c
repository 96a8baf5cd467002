/* test-slots.c: the instructions of random histories, as they came to be and as of each moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-slots.h"
#include "text-fixture.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)
#define LENGTH 96u
#define MAX_POKES 40u
#define SLACK 16u /* unknown bytes behind the text */

/* What kernels are made of, and what is patched into them. */
static const char *const snippets[] = {
  "0f1f440000", "e8abc3ec3e", "e903e5ec3e", "6690",         "eb10",     "cc",
  "c3",         "4889442460", "4157",       "55",           "4883ec10", "0f1f8000000000",
  "90",         "0f0b",       "7405",       "0f8412345600", "ffe0",     "f3480fb8c7",
  "31c0",       "0f01ca",     "65488b0425", "f30f1efa",     "06",       "c4e2",
};

typedef struct {
  GRand *random;
  GByteArray *state; /* of the text, with */
  GByteArray *known; /* flags */
  TextPokes *pokes;
  GPtrArray *moved; /* PenPoke *, with moments of their own */
} Story;

static void
append_snippet (GRand *random, GByteArray *out)
{
  gint32 index = g_rand_int_range (random, 0, G_N_ELEMENTS (snippets));
  g_autoptr (GBytes) bytes = text_fixture_hex (snippets[index]);

  g_byte_array_append (out, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
}

static char *
to_hex (const guint8 *bytes, gsize n)
{
  GString *out = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (out, "%02x", bytes[i]);
  return g_string_free (out, FALSE);
}

/* One poke that agrees with what is there: a patch, a clear of known bytes, or a fill of others. */
static void
add_poke (Story *story)
{
  guint start = (guint) g_rand_int_range (story->random, 0, LENGTH);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *old_hex = NULL;
  g_autofree char *new_hex = NULL;
  gboolean is_fill = !story->known->data[start];
  gboolean is_clear = !is_fill && g_rand_int_range (story->random, 0, 10) == 0;
  guint length = 0;

  append_snippet (story->random, bytes);
  if (is_fill || is_clear || g_rand_boolean (story->random))
    append_snippet (story->random, bytes);
  while (length < bytes->len && start + length < LENGTH
         && (story->known->data[start + length] == 0) == is_fill)
    length++;
  old_hex = to_hex (story->state->data + start, is_fill ? 0 : length);
  new_hex = to_hex (bytes->data, is_clear ? 0 : length);
  text_pokes_add (story->pokes, 1, BASE + start, old_hex, new_hex);
  memset (story->known->data + start, is_clear ? 0 : 1, length);
  memcpy (story->state->data + start, bytes->data, length);
}

/* Some pokes have the same time; then the stream's order tells. */
static void
set_moments (Story *story)
{
  guint n;
  const PenPoke *pokes = text_pokes_get (story->pokes, &n);
  guint64 time = SECOND;

  for (guint i = 0; i < n; i++) {
    PenPoke *poke = g_memdup2 (&pokes[i], sizeof pokes[i]);

    time += g_rand_int_range (story->random, 0, 3) == 0 ? 0 : SECOND;
    poke->moment = pen_moment (time, 100 + i);
    g_ptr_array_add (story->moved, poke);
  }
}

static void
story_init (Story *story, guint32 seed, GByteArray *first)
{
  guint n_pokes;

  story->random = g_rand_new_with_seed (seed);
  story->state = g_byte_array_new ();
  story->known = g_byte_array_new ();
  story->pokes = text_pokes_new ();
  story->moved = g_ptr_array_new_with_free_func (g_free);
  while (story->state->len < LENGTH)
    append_snippet (story->random, story->state);
  g_byte_array_set_size (story->state, LENGTH);
  g_byte_array_set_size (story->known, LENGTH);
  memset (story->known->data, 1, LENGTH);
  g_byte_array_append (first, story->state->data, LENGTH);
  n_pokes = (guint) g_rand_int_range (story->random, 1, MAX_POKES);
  for (guint i = 0; i < n_pokes; i++)
    add_poke (story);
  set_moments (story);
}

static void
story_clear (Story *story)
{
  g_rand_free (story->random);
  g_byte_array_unref (story->state);
  g_byte_array_unref (story->known);
  text_pokes_free (story->pokes);
  g_ptr_array_unref (story->moved);
}

/* ---- three ways to the same lines ---- */

static void
show_line (GString *out, guint64 address, const guint8 *bytes, gsize n, const char *text)
{
  g_autofree char *hex = to_hex (bytes, n);

  g_string_append_printf (out, "%02x %s %s\n", (guint) (address - BASE), hex, text);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const PenAnnotationLine *x = *(PenAnnotationLine *const *) a;
  const PenAnnotationLine *y = *(PenAnnotationLine *const *) b;

  return x->address < y->address ? -1 : x->address > y->address;
}

/* Of lines over time, those that stood just before @moment. */
static char *
show_standing (GPtrArray *lines, PenMoment moment)
{
  g_autoptr (GPtrArray) standing = g_ptr_array_new ();
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    if (pen_moment_compare (line->from, moment) < 0 && pen_moment_compare (moment, line->to) <= 0)
      g_ptr_array_add (standing, lines->pdata[i]);
  }
  g_ptr_array_sort (standing, compare_lines);
  for (guint i = 0; i < standing->len; i++) {
    const PenAnnotationLine *line = standing->pdata[i];

    show_line (out, line->address, line->bytes, line->n_bytes, line->instruction);
  }
  return g_string_free (out, FALSE);
}

static void
read_text (PenText *text, PenMoment moment, guint8 *bytes, guint8 *known)
{
  memset (bytes, 0, LENGTH + SLACK);
  memset (known, 0, LENGTH + SLACK);
  pen_text_read (text, BASE, LENGTH, moment, bytes, known, NULL);
}

static gsize
count_known (const guint8 *known, gsize offset)
{
  gsize n = 0;

  while (n < 16 && known[offset + n])
    n++;
  return n;
}

/* Where instructions begin in the first text, but for what fills and clears have gone over. */
static void
find_boundaries (Story *story, PenText *text, PenDecoder *decoder, PenMoment moment,
                 guint8 *boundaries)
{
  guint8 bytes[LENGTH + SLACK];
  guint8 known[LENGTH + SLACK];

  memset (boundaries, 0, LENGTH);
  read_text (text, PEN_MOMENT_START, bytes, known);
  for (gsize at = 0; at < LENGTH;) {
    gsize n = count_known (known, at);
    PenInstruction instruction;

    if (n == 0) {
      at++;
      continue;
    }
    boundaries[at] = 1;
    pen_decoder_decode (decoder, bytes + at, n, BASE + at, &instruction);
    at += instruction.class == PEN_INSTRUCTION_BAD && n < 16 && at + n < LENGTH
              ? n
              : instruction.length;
  }
  for (guint i = 0; i < story->moved->len; i++) {
    const PenPoke *poke = story->moved->pdata[i];

    if ((poke->effect == PEN_POKE_FILL || poke->effect == PEN_POKE_CLEAR)
        && pen_moment_compare (poke->moment, moment) < 0)
      memset (boundaries + (poke->address - BASE), 0, pen_poke_get_length (poke));
  }
}

/* The text of that moment, decoded from one end to the other. */
static char *
show_decoded (Story *story, PenText *text, PenDecoder *decoder, PenMoment moment)
{
  guint8 boundaries[LENGTH];
  guint8 bytes[LENGTH + SLACK];
  guint8 known[LENGTH + SLACK];
  GString *out = g_string_new (NULL);
  gboolean after_stop = FALSE;

  find_boundaries (story, text, decoder, moment, boundaries);
  read_text (text, moment, bytes, known);
  for (gsize at = 0; at < LENGTH;) {
    gsize n = count_known (known, at);
    gsize rest = 0;
    PenInstruction instruction;

    if (n == 0) {
      after_stop = FALSE;
      at++;
      continue;
    }
    while (after_stop && rest < 16 && at + rest < LENGTH && !boundaries[at + rest])
      rest++;
    if (after_stop && rest > 0 && rest < 16 && at + rest < LENGTH && rest <= n) {
      g_autoptr (GString) words = g_string_new (".byte  ");

      for (gsize i = 0; i < rest; i++)
        g_string_append_printf (words, "%s0x%02x", i > 0 ? "," : "", bytes[at + i]);
      show_line (out, BASE + at, bytes + at, rest, words->str);
      after_stop = FALSE;
      at += rest;
      continue;
    }
    pen_decoder_decode (decoder, bytes + at, n, BASE + at, &instruction);
    if (instruction.class == PEN_INSTRUCTION_BAD && n < 16 && at + n < LENGTH) {
      instruction.length = (guint8) n;
      strcpy (instruction.text, "(not all bytes recorded)");
    }
    show_line (out, BASE + at, bytes + at, instruction.length, instruction.text);
    after_stop = instruction.class == PEN_INSTRUCTION_JUMP
                 || instruction.class == PEN_INSTRUCTION_RETURN
                 || instruction.class == PEN_INSTRUCTION_BREAKPOINT;
    at += instruction.length;
  }
  return g_string_free (out, FALSE);
}

static gboolean
is_same_site (const PenPoke *a, const PenPoke *b)
{
  return a->address == b->address && a->effect == b->effect
         && pen_poke_get_length (a) == pen_poke_get_length (b);
}

/* Of each site the first poke, the last before @moment and the first after: all that is needed. */
static GPtrArray *
select_pokes (Story *story, PenMoment moment)
{
  GPtrArray *selected = g_ptr_array_new ();

  for (guint i = 0; i < story->moved->len; i++) {
    const PenPoke *poke = story->moved->pdata[i];
    gboolean is_before = pen_moment_compare (poke->moment, moment) < 0;
    gboolean is_first = TRUE;
    gboolean is_nearest = TRUE;

    for (guint j = 0; j < story->moved->len; j++) {
      const PenPoke *other = story->moved->pdata[j];
      gboolean other_is_before = pen_moment_compare (other->moment, moment) < 0;

      if (j == i || !is_same_site (poke, other))
        continue;
      is_first &= j > i;
      if (other_is_before == is_before)
        is_nearest &= is_before ? j < i : j > i;
    }
    if (is_first || is_nearest)
      g_ptr_array_add (selected, (gpointer) poke);
  }
  return selected;
}

static void
free_line (gpointer data)
{
  PenAnnotationLine *line = data;

  g_free (line->instruction);
  g_free (line->target);
  g_free (line);
}

typedef struct {
  Story *story;
  PenTenure tenure;
  PenDecoder *decoder;
  const PenTextPiece *piece;
} Check;

static PenText *
make_text (const Check *check, GPtrArray *pokes)
{
  return pen_text_new (&check->tenure, BASE, BASE + LENGTH, &check->piece, 1,
                       (const PenPoke *const *) pokes->pdata, pokes->len);
}

static PenSlotsInput
make_input (const Check *check, GPtrArray *pokes)
{
  return (PenSlotsInput){ BASE,       BASE + LENGTH,  (const PenPoke *const *) pokes->pdata,
                          pokes->len, check->decoder, NULL,
                          NULL,       NULL,           NULL };
}

/* Of all lines those that have the byte, in their order. */
static void
check_byte (const Check *check, const PenAnnotationTenure *turn, const GPtrArray *over_time,
            guint64 byte)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_line);
  PenSlotsInput input = make_input (check, check->story->moved);
  guint n = 0;

  input.byte = &byte;
  pen_slots_add_lines (&input, turn, lines);
  for (guint i = 0; i < over_time->len; i++) {
    const PenAnnotationLine *line = over_time->pdata[i];
    const PenAnnotationLine *one;

    if (line->address > byte || byte - line->address >= line->n_bytes)
      continue;
    g_assert_cmpuint (n, <, lines->len);
    one = lines->pdata[n++];
    g_assert_cmpuint (one->address, ==, line->address);
    g_assert_cmpint (pen_moment_compare (one->from, line->from), ==, 0);
    g_assert_cmpint (pen_moment_compare (one->to, line->to), ==, 0);
    g_assert_cmpstr (one->instruction, ==, line->instruction);
  }
  g_assert_cmpuint (n, ==, lines->len);
}

static void
check_moment (const Check *check, PenText *text, GPtrArray *over_time, PenMoment moment)
{
  g_autoptr (GPtrArray) selected = select_pokes (check->story, moment);
  g_autoptr (PenText) little = make_text (check, selected);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_line);
  g_autofree char *decoded = show_decoded (check->story, text, check->decoder, moment);
  g_autofree char *standing = show_standing (over_time, moment);
  g_autofree char *as_of = NULL;
  PenSlotsInput input = make_input (check, selected);
  PenAnnotationTenure turn = { &check->tenure, little };

  pen_slots_add_lines_at (&input, &turn, moment, lines);
  as_of = show_standing (lines, moment);
  g_assert_cmpstr (as_of, ==, decoded);
  g_assert_cmpstr (standing, ==, decoded);
}

static void
check_story (guint32 seed)
{
  Story story;
  g_autoptr (GByteArray) first = g_byte_array_new ();
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autoptr (PenText) text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (free_line);
  PenTextPiece piece = { 1, BASE, NULL, PEN_EVIDENCE_FILE, "kcore" };
  Check check = { &story, text_fixture_tenure (1, BASE, BASE + LENGTH), decoder, &piece };
  PenAnnotationTenure turn = { &check.tenure, NULL };
  PenSlotsInput input;

  story_init (&story, seed, first);
  piece.bytes = bytes = g_bytes_new (first->data, seed % 4 == 0 ? LENGTH / 3 : LENGTH);
  turn.text = text = make_text (&check, story.moved);
  input = make_input (&check, story.moved);
  pen_slots_add_lines (&input, &turn, lines);

  check_byte (&check, &turn, lines, BASE + seed % LENGTH);
  check_moment (&check, text, lines, pen_moment (0, G_MAXUINT64));
  for (guint i = 0; i < story.moved->len; i++) {
    PenMoment moment = ((const PenPoke *) story.moved->pdata[i])->moment;

    check_moment (&check, text, lines, moment);
    moment.position++;
    check_moment (&check, text, lines, moment);
  }
  check_moment (&check, text, lines, PEN_MOMENT_END);
  story_clear (&story);
}

/* Lines that came to be by one poke after the other, lines made for one moment from the few pokes
 * that matter then, and the bytes of that moment decoded from end to end: all the same. */
static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 300; seed++)
    check_story (seed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/slots/random", test_random);
  return g_test_run ();
}
