/* test-text.c: the bytes of a tenure as of a time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "text-fixture.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)

static PenText *
make_text (guint32 tenure_id, const char *piece_hex, TextPokes *pokes)
{
  PenTenure tenure = text_fixture_tenure (tenure_id, BASE, BASE + 0x100);
  g_autoptr (GBytes) bytes = text_fixture_hex (piece_hex);
  PenTextPiece piece = { tenure_id, BASE, bytes, PEN_EVIDENCE_FILE, "kcore" };
  const PenTextPiece *pieces[] = { &piece };
  gsize n_pokes;
  const PenPoke *const *pointers = text_pokes_get_pointers (pokes, &n_pokes);

  return pen_text_new (&tenure, BASE, BASE + 0x100, pieces, 1, pointers, n_pokes);
}

static void
assert_text (PenText *text, guint64 offset, guint seconds, const char *hex, PenEvidence expected)
{
  PenEvidence evidence;
  g_autofree char *got = text_fixture_read (text, BASE + offset, strlen (hex) / 2,
                                            text_fixture_between (seconds), &evidence);

  g_assert_cmpstr (got, ==, hex);
  g_assert_cmpint (evidence, ==, expected);
}

static void
test_patches (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;
  g_autofree char *at = NULL;

  text_pokes_add (pokes, 1, BASE + 1, "0f1f440000", "e8abc3ec3e"); /* 1 s */
  text_pokes_add (pokes, 1, BASE + 7, "48", "cc");                 /* 2 s */
  text_pokes_add (pokes, 1, BASE + 1, "e8abc3ec3e", "0f1f440000"); /* 3 s */
  text = make_text (1, "550f1f44000041484157", pokes);

  assert_text (text, 0, 0, "550f1f44000041484157", PEN_EVIDENCE_FILE);
  assert_text (text, 1, 0, "0f1f440000", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 1, "55e8abc3ec3e41484157", PEN_EVIDENCE_FILE);
  assert_text (text, 1, 1, "e8abc3ec3e", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 2, "55e8abc3ec3e41cc4157", PEN_EVIDENCE_FILE);
  assert_text (text, 0, 9, "550f1f44000041cc4157", PEN_EVIDENCE_FILE);
  assert_text (text, 8, 9, "4157????", PEN_EVIDENCE_FILE);
  assert_text (text, 10, 9, "????", PEN_EVIDENCE_UNKNOWN);
  assert_text (text, 0xff, 9, "????", PEN_EVIDENCE_UNKNOWN);

  /* Just before a poke's moment it is not in the text; right after it is. */
  at = text_fixture_read (text, BASE + 7, 1, pen_moment (2 * SECOND, 128), NULL);
  g_assert_cmpstr (at, ==, "48");
  g_free (at);
  at = text_fixture_read (text, BASE + 7, 1, pen_moment (2 * SECOND, 129), NULL);
  g_assert_cmpstr (at, ==, "cc");
}

static void
test_old_bytes (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;

  text_pokes_add (pokes, 1, BASE, "48", "cc");
  text_pokes_add (pokes, 1, BASE, "cc89442460", "e903e5ec3e");
  text = make_text (1, "", pokes);

  assert_text (text, 0, 0, "4889442460??", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 1, "cc89442460??", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 2, "e903e5ec3e??", PEN_EVIDENCE_RECORDED);
}

/* Reading from before the range and past its end. */
static void
test_edges (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;
  PenTenure tenure = text_fixture_tenure (1, BASE + 2, BASE + 6);
  gsize n;
  const PenPoke *const *pointers;
  g_autofree char *got = NULL;

  text_pokes_add (pokes, 1, BASE, "00010203", "a0a1a2a3");
  text_pokes_add (pokes, 1, BASE + 5, "0506", "b5b6");
  text_pokes_add (pokes, 1, G_MAXUINT64 - 1, "0506", "b5b6");
  pointers = text_pokes_get_pointers (pokes, &n);
  text = pen_text_new (&tenure, 0, G_MAXUINT64, NULL, 0, pointers, n);

  got = text_fixture_read (text, BASE, 8, text_fixture_between (0), NULL);
  g_assert_cmpstr (got, ==, "????0203??05????");
  g_free (got);
  got = text_fixture_read (text, BASE, 8, text_fixture_between (9), NULL);
  g_assert_cmpstr (got, ==, "????a2a3??b5????");
  g_free (got);
  got = text_fixture_read (text, G_MAXUINT64 - 1, 4, text_fixture_between (9), NULL);
  g_assert_cmpstr (got, ==, "????????");
}

static void
test_fill_and_clear (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;

  text_pokes_add (pokes, 1, BASE, "", "4889442460cc"); /* 1 s */
  text_pokes_add (pokes, 1, BASE + 1, "8944", "9090"); /* 2 s: inside the other's bytes */
  text_pokes_add (pokes, 1, BASE, "4890902460cc", ""); /* 3 s */
  text_pokes_add (pokes, 1, BASE, "", "55cc");         /* 4 s */
  text = make_text (1, "0000000000000000", pokes);

  /* Before a fill there is no text, whatever lay in the memory. */
  assert_text (text, 0, 0, "????????????0000", PEN_EVIDENCE_FILE);
  assert_text (text, 0, 1, "4889442460cc0000", PEN_EVIDENCE_FILE);
  assert_text (text, 0, 1, "4889442460cc", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 2, "4890902460cc", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 3, "????????????", PEN_EVIDENCE_UNKNOWN);
  assert_text (text, 0, 4, "55cc????????", PEN_EVIDENCE_RECORDED);
}

/* P3: what was poked into a predecessor at the same address is not used. */
static void
test_other_tenures (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;

  text_pokes_add (pokes, 1, BASE, "0f1f440000", "e940000000");
  text_pokes_add (pokes, 2, BASE, "0f1f440000", "e950000000");
  text = make_text (2, "", pokes);

  assert_text (text, 0, 1, "0f1f440000", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 2, "e950000000", PEN_EVIDENCE_RECORDED);
}

static void
test_pieces (void)
{
  PenTenure tenure = text_fixture_tenure (7, BASE, BASE + 4);
  g_autoptr (GBytes) file = text_fixture_hex ("a0a1a2a3a4a5");
  g_autoptr (GBytes) image = text_fixture_hex ("b1b2");
  PenTextPiece weak = { 7, BASE - 1, file, PEN_EVIDENCE_FILE_UNCHECKED, "kcore" };
  PenTextPiece strong = { 7, BASE + 1, image, PEN_EVIDENCE_RECORDED, "BPF image" };
  PenTextPiece other = { 8, BASE, image, PEN_EVIDENCE_RECORDED, "BPF image" };
  const PenTextPiece *pieces[] = { &strong, &weak, &other };
  g_autoptr (PenText) text = pen_text_new (&tenure, BASE - 8, BASE + 8, pieces, 3, NULL, 0);

  assert_text (text, 0, 0, "a1b1b2a4????", PEN_EVIDENCE_FILE_UNCHECKED);
  assert_text (text, 1, 0, "b1b2", PEN_EVIDENCE_RECORDED);
}

/* What nobody has checked is not held against what a poke found. */
static void
test_unchecked (void)
{
  PenTenure tenure = text_fixture_tenure (7, BASE, BASE + 8);
  g_autoptr (GBytes) file = text_fixture_hex ("e811223344c3");
  PenTextPiece piece = { 7, BASE, file, PEN_EVIDENCE_FILE_UNCHECKED, "vmlinux" };
  const PenTextPiece *pieces[] = { &piece };
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (GArray) breaks = NULL;
  g_autoptr (PenText) text = NULL;
  const PenPoke *const *pointers;
  gsize n;

  text_pokes_add (pokes, 7, BASE, "0f1f440000", "e801000000");
  pointers = text_pokes_get_pointers (pokes, &n);
  text = pen_text_new (&tenure, BASE, BASE + 8, pieces, 1, pointers, n);
  assert_text (text, 0, 0, "0f1f440000", PEN_EVIDENCE_RECORDED);
  assert_text (text, 0, 0, "0f1f440000c3", PEN_EVIDENCE_FILE_UNCHECKED);
  breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });
  g_assert_cmpuint (breaks->len, ==, 0);
}

static void
test_chain (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;
  g_autoptr (GArray) breaks = NULL;
  const PenChainBreak *found;

  text_pokes_add (pokes, 1, BASE, "0f1f440000", "e8abc3ec3e");      /* agrees with the piece */
  text_pokes_add (pokes, 1, BASE, "e8abc3ec3e", "0f1f440000");      /* agrees with the first */
  text_pokes_add (pokes, 1, BASE, "e800000000", "0f1f440000");      /* a poke was lost before it */
  text_pokes_add (pokes, 1, BASE + 16, "6690", "eb44");             /* differs from the piece */
  text_pokes_add (pokes, 1, BASE + 64, "0f1f440000", "e8abc3ec3e"); /* nothing to compare */
  text_pokes_add (pokes, 1, BASE + 64, "e8abc3ec3e9090", "");       /* a part to compare */
  text_pokes_add (pokes, 1, BASE + 64, "112233", "445566");         /* after a clear */
  text_pokes_add (pokes, 1, BASE, "0f1f440000", "0f1f440000");      /* the same again */
  text_pokes_add (pokes, 1, BASE, "0f1f440001", "0f1f440001");      /* not the same */
  text = make_text (1, "0f1f44000090909090909090909090909090eb10", pokes);
  breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });

  g_assert_cmpuint (breaks->len, ==, 3);
  found = &g_array_index (breaks, PenChainBreak, 0);
  g_assert_cmpuint (found->poke, ==, 3);
  g_assert_cmpuint (found->length, ==, 5);
  g_assert_cmpmem (found->expected, found->expected_known, "\x0f\x1f\x44\x00\x00", 5);
  found = &g_array_index (breaks, PenChainBreak, 1);
  g_assert_cmpuint (found->poke, ==, 4);
  g_assert_cmpmem (found->expected, found->expected_known, "\x90\x90", 2);
  g_assert_cmpuint (g_array_index (breaks, PenChainBreak, 2).poke, ==, 9);

  /* A piece that a poke contradicts stays what it was: unconfirmed. */
  assert_text (text, 16, 0, "9090eb10", PEN_EVIDENCE_FILE);
  assert_text (text, 16, 9, "eb44", PEN_EVIDENCE_RECORDED);
}

/* What differs from the copy alone; and the same once it is known to have been changed before the
 * recording: what the poke found was there from the start. */
static void
test_changed_early (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  guint n;

  text_pokes_add (pokes, 1, BASE + 1, "e8abc3ec3e", "0f1f440000");
  text_pokes_add (pokes, 1, BASE + 1, "e8abc3ec3e", "0f1f440000");
  for (int is_early = 0; is_early < 2; is_early++) {
    g_autoptr (PenText) text = NULL;
    g_autoptr (GArray) breaks = NULL;

    ((PenPoke *) text_pokes_get (pokes, &n))[0].is_changed_early = is_early;
    text = make_text (1, "550f1f44000041", pokes);
    breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });
    if (is_early) {
      g_assert_cmpuint (breaks->len, ==, 1);
      assert_text (text, 1, 0, "e8abc3ec3e", PEN_EVIDENCE_RECORDED);
      continue;
    }
    g_assert_cmpuint (breaks->len, ==, 2);
    g_assert_true (g_array_index (breaks, PenChainBreak, 0).is_of_copy);
    g_assert_false (g_array_index (breaks, PenChainBreak, 1).is_of_copy);
    assert_text (text, 1, 0, "0f1f440000", PEN_EVIDENCE_FILE);
  }
}

static void
test_long_break (void)
{
  g_autoptr (TextPokes) pokes = text_pokes_new ();
  g_autoptr (PenText) text = NULL;
  g_autoptr (GArray) breaks = NULL;
  const PenChainBreak *found;

  text_pokes_add (pokes, 1, BASE, "", "000102030405060708090a0b0c0d0e0f1011121314");
  text_pokes_add (pokes, 1, BASE, "000102030405060708090a0b0c0d0e0f10111213ff", "");
  text = make_text (1, "", pokes);
  breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });

  g_assert_cmpuint (breaks->len, ==, 1);
  found = &g_array_index (breaks, PenChainBreak, 0);
  g_assert_cmpuint (found->length, ==, 21);
  g_assert_cmpuint (found->expected_known, ==, 16);
  g_assert_cmphex (found->expected[15], ==, 0x0f);
}

/* Against the plain way: a copy of the bytes, poke after poke. */
static void
test_random (void)
{
  enum { LENGTH = 48, POKES = 60, ROUNDS = 200 };
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (int round = 0; round < ROUNDS; round++) {
    g_autoptr (TextPokes) pokes = text_pokes_new ();
    g_autoptr (PenText) text = NULL;
    g_autoptr (GString) piece = g_string_new (NULL);
    g_autoptr (GArray) breaks = NULL;
    int state[POKES + 1][LENGTH]; /* -1: not known */

    for (int i = 0; i < LENGTH; i++) {
      state[0][i] = g_rand_int_range (random, 0, 256);
      g_string_append_printf (piece, "%02x", (guint) state[0][i]);
    }
    for (int p = 0; p < POKES; p++) {
      int start = g_rand_int_range (random, 0, LENGTH);
      int length = g_rand_int_range (random, 1, MIN (9, LENGTH - start + 1));
      g_autoptr (GString) old_hex = g_string_new (NULL);
      g_autoptr (GString) new_hex = g_string_new (NULL);
      gboolean is_fill = FALSE;
      gboolean is_clear = g_rand_int_range (random, 0, 8) == 0;

      memcpy (state[p + 1], state[p], sizeof state[p]);
      is_fill = state[p][start] < 0;
      for (int i = start; i < start + length; i++) {
        if (is_fill != (state[p][i] < 0))
          length = i - start;
      }
      for (int i = start; i < start + length; i++) {
        if (!is_fill)
          g_string_append_printf (old_hex, "%02x", (guint) state[p][i]);
        state[p + 1][i] = is_clear && !is_fill ? -1 : g_rand_int_range (random, 0, 256);
        if (state[p + 1][i] >= 0)
          g_string_append_printf (new_hex, "%02x", (guint) state[p + 1][i]);
      }
      text_pokes_add (pokes, 1, BASE + (guint64) start, old_hex->str, new_hex->str);
    }
    text = make_text (1, piece->str, pokes);

    breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });
    g_assert_cmpuint (breaks->len, ==, 0);
    for (guint p = 0; p <= POKES; p++) {
      g_autoptr (GString) expected = g_string_new (NULL);
      g_autofree char *got = text_fixture_read (text, BASE, LENGTH, text_fixture_between (p), NULL);

      for (int i = 0; i < LENGTH; i++) {
        if (state[p][i] < 0)
          g_string_append (expected, "??");
        else
          g_string_append_printf (expected, "%02x", (guint) state[p][i]);
      }
      g_assert_cmpstr (got, ==, expected->str);
    }
  }
}

/* As many pokes as a tracer of all functions makes: at places of their own, and all at one place.
 */
static void
test_many (void)
{
  enum { POKES = 70000 };

  for (int is_one_place = 0; is_one_place < 2; is_one_place++) {
    g_autofree PenPoke *pokes = g_new0 (PenPoke, POKES);
    g_autofree const PenPoke **pointers = g_new (const PenPoke *, POKES);
    PenTenure tenure = text_fixture_tenure (1, BASE, BASE + 16 * POKES);
    g_autoptr (PenText) text = NULL;
    g_autoptr (GArray) breaks = NULL;
    static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
    static const guint8 call[] = { 0xe8, 0xab, 0xc3, 0xec, 0x3e };

    for (guint i = 0; i < POKES; i++) {
      gboolean is_on = !is_one_place || i % 2 == 0;

      pokes[i] = (PenPoke){
        .id = i + 1,
        .moment = pen_moment (i + 1, i),
        .address = BASE + (is_one_place ? 0 : 16 * (guint64) i),
        .old_length = 5,
        .new_length = 5,
        .old_bytes = is_on ? nop : call,
        .new_bytes = is_on ? call : nop,
        .effect = PEN_POKE_PATCH,
        .tenure = 1,
        .comm = "",
      };
      pointers[i] = &pokes[i];
    }
    text = pen_text_new (&tenure, tenure.start, tenure.end, NULL, 0, pointers, POKES);
    breaks = pen_text_check_chain (text, &(PenCancelCheck){ 0 });
    g_assert_cmpuint (breaks->len, ==, 0);
    for (guint i = 0; i < POKES; i++) {
      guint8 buffer[5];
      guint8 known[5];

      pen_text_read (text, pokes[i].address, 5, pen_moment (i + 1, i), buffer, known, NULL);
      g_assert_cmpmem (buffer, 5, pokes[i].old_bytes, 5);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/text/patches", test_patches);
  g_test_add_func ("/text/text/old-bytes", test_old_bytes);
  g_test_add_func ("/text/text/edges", test_edges);
  g_test_add_func ("/text/text/fill-and-clear", test_fill_and_clear);
  g_test_add_func ("/text/text/other-tenures", test_other_tenures);
  g_test_add_func ("/text/text/pieces", test_pieces);
  g_test_add_func ("/text/text/unchecked", test_unchecked);
  g_test_add_func ("/text/text/chain", test_chain);
  g_test_add_func ("/text/text/changed-early", test_changed_early);
  g_test_add_func ("/text/text/long-break", test_long_break);
  g_test_add_func ("/text/text/random", test_random);
  g_test_add_func ("/text/text/many", test_many);
  return g_test_run ();
}
