/* test-annotation.c: versions of instructions, and the samples of each
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>
#include <time.h>

#include "text-fixture.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff8134cc50)

/* push %r15; mov %rax,0x60(%rsp); push %rbp; push %rbx; sub $0x10,%rsp; nop2; ret */
#define FUNCTION                                                                                   \
  "4157"                                                                                           \
  "4889442460"                                                                                     \
  "55"                                                                                             \
  "53"                                                                                             \
  "4883ec10"                                                                                       \
  "6690"                                                                                           \
  "c3"

typedef struct {
  TextPokes *pokes;
  GArray *tenures;   /* PenTenure */
  GPtrArray *pieces; /* hex, by tenure */
  GArray *buckets;
  PenTargetFunc target_func;
} Setup;

static Setup *
setup_new (void)
{
  Setup *self = g_new0 (Setup, 1);

  self->pokes = text_pokes_new ();
  self->tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  self->pieces = g_ptr_array_new ();
  self->buckets = g_array_new (FALSE, FALSE, sizeof (PenBucket));
  return self;
}

static void
setup_free (Setup *self)
{
  text_pokes_free (self->pokes);
  g_array_unref (self->tenures);
  g_ptr_array_unref (self->pieces);
  g_array_unref (self->buckets);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Setup, setup_free)

/* Held from @from to @to seconds and a half; 0 and 0: all along. */
static void
add_tenure (Setup *self, const char *hex, guint from, guint to)
{
  PenTenure tenure = text_fixture_tenure (self->tenures->len + 1, BASE, BASE + 0x100);

  if (from != 0 || to != 0) {
    tenure.from = text_fixture_between (from);
    tenure.to = text_fixture_between (to);
  }
  g_array_append_val (self->tenures, tenure);
  g_ptr_array_add (self->pieces, (gpointer) hex);
}

static void
add_bucket (Setup *self, guint32 tenure, guint64 offset, guint32 revision, guint64 samples,
            double seconds)
{
  PenBucket bucket = {
    .id = self->buckets->len + 1,
    .tenure = tenure,
    .revision = revision,
    .has_address = TRUE,
    .address = BASE + offset,
    .samples = samples,
    .period = samples * 10,
    .first = (guint64) (seconds * (double) SECOND),
    .last = (guint64) (seconds * (double) SECOND) + samples,
  };

  g_array_append_val (self->buckets, bucket);
}

static GPtrArray *
build (Setup *self, guint64 length)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autofree PenAnnotationTenure *turns = g_new0 (PenAnnotationTenure, self->tenures->len);
  gsize n_pokes;
  const PenPoke *const *pokes = text_pokes_get_pointers (self->pokes, &n_pokes);
  GPtrArray *lines;

  for (guint i = 0; i < self->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (self->tenures, PenTenure, i);
    g_autoptr (GBytes) bytes = text_fixture_hex (g_ptr_array_index (self->pieces, i));
    PenTextPiece piece = { tenure->id, BASE, bytes, PEN_EVIDENCE_FILE, "kcore" };
    const PenTextPiece *pieces[] = { &piece };

    turns[i].tenure = tenure;
    turns[i].text = pen_text_new (tenure, BASE, BASE + length, pieces, 1, pokes, n_pokes);
  }
  lines = pen_annotation_build (BASE, BASE + length, turns, self->tenures->len, pokes, n_pokes,
                                (const PenBucket *) self->buckets->data, self->buckets->len,
                                decoder, self->target_func, NULL, NULL);
  for (guint i = 0; i < self->tenures->len; i++)
    pen_text_free (turns[i].text);
  return lines;
}

static char
show_time (PenMoment moment)
{
  if (moment.time == 0)
    return '-';
  return moment.time == G_MAXUINT64 ? '+' : (char) ('0' + moment.time / SECOND);
}

/* One line of text for each: offset, version, tenure and revision, from and to in seconds, the
 * poke, a star where patched, bytes, instruction, samples. */
static char *
show (GPtrArray *lines)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (lines, i);

    g_assert_cmphex (line->address, ==, BASE + line->offset);
    g_string_append_printf (out, "%02x v%u t%u r%u %c..%c #%u%s ", (guint) line->offset,
                            line->version, line->tenure, line->revision, show_time (line->from),
                            show_time (line->to), line->poke, line->is_patched ? "*" : "");
    for (guint j = 0; j < line->n_bytes; j++)
      g_string_append_printf (out, "%02x", line->bytes[j]);
    g_string_append_printf (out, " %s%s", line->is_inside ? "inside" : "", line->instruction);
    if (line->target)
      g_string_append_printf (out, " <%s>", line->target);
    if (line->samples > 0) {
      g_assert_cmpuint (line->period, ==, 10 * line->samples);
      g_string_append_printf (out, " %" G_GUINT64_FORMAT, line->samples);
    }
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

static void
assert_lines (Setup *setup, guint64 length, const char *expected)
{
  g_autoptr (GPtrArray) lines = build (setup, length);
  g_autofree char *shown = show (lines);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_plain (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, FUNCTION, 0, 0);
  add_bucket (setup, 1, 2, 0, 3, 1);
  add_bucket (setup, 1, 2, 0, 4, 2); /* of another event */
  assert_lines (setup, 16,
                "00 v0 t1 r0 -..+ #0 4157 push   %r15\n"
                "02 v0 t1 r0 -..+ #0 4889442460 mov    %rax,0x60(%rsp) 7\n"
                "07 v0 t1 r0 -..+ #0 55 push   %rbp\n"
                "08 v0 t1 r0 -..+ #0 53 push   %rbx\n"
                "09 v0 t1 r0 -..+ #0 4883ec10 sub    $0x10,%rsp\n"
                "0d v0 t1 r0 -..+ #0 6690 xchg   %ax,%ax\n"
                "0f v0 t1 r0 -..+ #0 c3 ret\n");
}

/* A slot that changes and changes back; its neighbours stay one line each. */
static void
test_patched_slot (void)
{
  g_autoptr (Setup) setup = setup_new ();
  g_autoptr (GPtrArray) lines = NULL;
  const PenAnnotationLine *line;

  add_tenure (setup, FUNCTION, 0, 0);
  text_pokes_add (setup->pokes, 1, BASE + 13, "6690", "eb44");
  text_pokes_add (setup->pokes, 1, BASE + 13, "eb44", "eb44"); /* the same again: no version */
  text_pokes_add (setup->pokes, 1, BASE + 13, "eb44", "6690");
  add_bucket (setup, 1, 13, 0, 5, 0.5);
  add_bucket (setup, 1, 13, 1, 6, 2.5);
  add_bucket (setup, 1, 13, 2, 7, 4.5);
  add_bucket (setup, 1, 13, 2, 1, 5.5);
  add_bucket (setup, 1, 15, 0, 2, 5.5);
  assert_lines (setup, 16,
                "00 v0 t1 r0 -..+ #0 4157 push   %r15\n"
                "02 v0 t1 r0 -..+ #0 4889442460 mov    %rax,0x60(%rsp)\n"
                "07 v0 t1 r0 -..+ #0 55 push   %rbp\n"
                "08 v0 t1 r0 -..+ #0 53 push   %rbx\n"
                "09 v0 t1 r0 -..+ #0 4883ec10 sub    $0x10,%rsp\n"
                "0d v0 t1 r0 -..1 #0* 6690 xchg   %ax,%ax 5\n"
                "0d v1 t1 r1 1..3 #1* eb44 jmp    0xffffffff8134cca3 6\n"
                "0d v2 t1 r2 3..+ #3* 6690 xchg   %ax,%ax 8\n"
                "0f v0 t1 r0 -..+ #0 c3 ret 2\n");

  lines = build (setup, 16);
  line = g_ptr_array_index (lines, 7);
  g_assert_cmpuint (line->first, ==, (guint64) (4.5 * (double) SECOND));
  g_assert_cmpuint (line->last, ==, (guint64) (5.5 * (double) SECOND) + 1);
  g_assert_cmpint (line->evidence, ==, PEN_EVIDENCE_RECORDED);
  line = g_ptr_array_index (lines, 0);
  g_assert_cmpint (line->evidence, ==, PEN_EVIDENCE_FILE);
}

/* Equal bytes, but a patch: a revision of its own. */
static void
test_patch_without_effect_on_slot (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, "9090c3", 0, 0);
  text_pokes_add (setup->pokes, 1, BASE, "9090", "90cc");
  assert_lines (setup, 3,
                "00 v0 t1 r0 -..1 #0* 90 nop\n"
                "00 v1 t1 r1 1..+ #1* 90 nop\n"
                "01 v0 t1 r0 -..1 #0* 90 nop\n"
                "01 v1 t1 r1 1..+ #1* cc int3\n"
                "02 v0 t1 r0 -..+ #0 c3 ret\n");
}

/* A kprobe, optimised and taken away: instructions of 1, 5 and other lengths at one place. */
static void
test_kprobe (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, FUNCTION, 0, 0);
  text_pokes_add (setup->pokes, 1, BASE + 2, "48", "cc");
  text_pokes_add (setup->pokes, 1, BASE + 2, "cc89442460", "e903e5ec3e");
  text_pokes_add (setup->pokes, 1, BASE + 2, "e903e5ec3e", "cc89442460");
  text_pokes_add (setup->pokes, 1, BASE + 2, "cc", "48");
  add_bucket (setup, 1, 7, 0, 9, 2.5);
  assert_lines (setup, 9,
                "00 v0 t1 r0 -..+ #0 4157 push   %r15\n"
                "02 v0 t1 r0 -..1 #0* 4889442460 mov    %rax,0x60(%rsp)\n"
                "02 v1 t1 r1 1..2 #1* cc int3\n"
                "02 v2 t1 r2 2..3 #2* e903e5ec3e jmp    0xffffffffc021b15a\n"
                "02 v3 t1 r3 3..4 #3* cc int3\n"
                "02 v4 t1 r4 4..+ #4* 4889442460 mov    %rax,0x60(%rsp)\n"
                "07 v0 t1 r0 -..+ #0 55 push   %rbp 9\n"
                "08 v0 t1 r0 -..+ #0 53 push   %rbx\n");
}

/* The jump of an optimised probe covers three instructions, and not all of the last. */
static void
test_optprobe_over_several (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, FUNCTION, 0, 0);
  text_pokes_add (setup->pokes, 1, BASE + 7, "55", "cc");
  text_pokes_add (setup->pokes, 1, BASE + 7, "cc534883ec", "e998daec3e");
  text_pokes_add (setup->pokes, 1, BASE + 7, "e998daec3e", "cc534883ec");
  text_pokes_add (setup->pokes, 1, BASE + 7, "cc", "55");
  add_bucket (setup, 1, 8, 0, 1, 0.5);
  add_bucket (setup, 1, 8, 1, 2, 2.5); /* inside the jump */
  add_bucket (setup, 1, 8, 2, 3, 4.5);
  assert_lines (setup, 16,
                "00 v0 t1 r0 -..+ #0 4157 push   %r15\n"
                "02 v0 t1 r0 -..+ #0 4889442460 mov    %rax,0x60(%rsp)\n"
                "07 v0 t1 r0 -..1 #0* 55 push   %rbp\n"
                "07 v1 t1 r1 1..2 #1* cc int3\n"
                "07 v2 t1 r2 2..3 #2* e998daec3e jmp    0xffffffffc021a6f4\n"
                "07 v3 t1 r3 3..4 #3* cc int3\n"
                "07 v4 t1 r4 4..+ #4* 55 push   %rbp\n"
                "08 v0 t1 r0 -..2 #0* 53 push   %rbx 1\n"
                "08 v1 t1 r1 2..3 #2*  inside 2\n"
                "08 v2 t1 r2 3..+ #3* 53 push   %rbx 3\n"
                "09 v0 t1 r0 -..2 #0* 4883ec10 sub    $0x10,%rsp\n"
                "09 v1 t1 r2 3..+ #3* 4883ec10 sub    $0x10,%rsp\n"
                "0d v0 t1 r0 -..+ #0 6690 xchg   %ax,%ax\n"
                "0f v0 t1 r0 -..+ #0 c3 ret\n");

  /* A sample on what the jump left over gets to see it. */
  add_bucket (setup, 1, 12, 0, 4, 2.7);
  {
    g_autoptr (GPtrArray) lines = build (setup, 16);
    g_autofree char *shown = show (lines);

    g_assert_nonnull (strstr (shown, "0c v0 t1 r0 2..3 #2 10 .byte  0x10 4\n"));
  }
}

/* Where the new instructions end elsewhere, decoding goes on until they fall into step. */
static void
test_out_of_step (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup,
              "90"
              "4889c3"
              "4889c3"
              "c3",
              0, 0);
  text_pokes_add (setup->pokes, 1, BASE, "90", "48");
  /* 48 48 89 c3: the second 48 is a prefix of mov; 7 bytes later all is as before. */
  assert_lines (setup, 8,
                "00 v0 t1 r0 -..1 #0* 90 nop\n"
                "00 v1 t1 r1 1..+ #1* 484889c3 rex.W mov    %rax,%rbx\n"
                "01 v0 t1 r0 -..1 #0 4889c3 mov    %rax,%rbx\n"
                "04 v0 t1 r0 -..+ #0 4889c3 mov    %rax,%rbx\n"
                "07 v0 t1 r0 -..+ #0 c3 ret\n");
}

/* A stub: filled, patched inside, cleared, filled again with something else. */
static void
test_fills (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, "00000000000000000000", 0, 0);
  text_pokes_add (setup->pokes, 1, BASE, "", "4889442460cc");
  text_pokes_add (setup->pokes, 1, BASE, "4889442460cc", "");
  text_pokes_add (setup->pokes, 1, BASE, "", "55cc");
  add_bucket (setup, 1, 0, 0, 1, 1.5);
  add_bucket (setup, 1, 0, 0, 2, 3.5);
  add_bucket (setup, 1, 5, 0, 4, 1.5);
  assert_lines (setup, 6,
                "00 v0 t1 r0 1..2 #1* 4889442460 mov    %rax,0x60(%rsp) 1\n"
                "00 v1 t1 r0 3..+ #3* 55 push   %rbp 2\n"
                "01 v0 t1 r0 3..+ #3 cc int3\n"
                "05 v0 t1 r0 1..2 #1 cc int3 4\n");
}

/* Two BPF programs in turn at one address, with a gap, and a patch of the second. */
static void
test_address_reuse (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, "5331c05bc3", 1, 3);
  add_tenure (setup, "535bc3", 4, 8);
  text_pokes_add (setup->pokes, 0, BASE + 50, "90", "91");
  text_pokes_add (setup->pokes, 0, BASE + 50, "91", "90");
  text_pokes_add (setup->pokes, 0, BASE + 50, "90", "91");
  text_pokes_add (setup->pokes, 0, BASE + 50, "91", "90");
  text_pokes_add (setup->pokes, 2, BASE, "53", "cc");
  add_bucket (setup, 1, 0, 0, 1, 2);
  add_bucket (setup, 2, 0, 0, 2, 4.7);
  add_bucket (setup, 2, 0, 1, 3, 6);
  add_bucket (setup, 2, 1, 0, 5, 6);
  assert_lines (setup, 5,
                "00 v0 t1 r0 1..3 #0* 53 push   %rbx 1\n"
                "00 v1 t2 r0 4..5 #0* 53 push   %rbx 2\n"
                "00 v2 t2 r1 5..8 #5* cc int3 3\n"
                "01 v0 t1 r0 1..3 #0* 31c0 xor    %eax,%eax\n"
                "01 v1 t2 r0 4..8 #0* 5b pop    %rbx 5\n"
                "02 v0 t2 r0 4..8 #0 c3 ret\n"
                "03 v0 t1 r0 1..3 #0 5b pop    %rbx\n"
                "04 v0 t1 r0 1..3 #0 c3 ret\n");
}

static void
test_inside (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, FUNCTION, 0, 0);
  add_bucket (setup, 1, 3, 0, 1, 1);
  add_bucket (setup, 1, 3, 0, 1, 2);
  add_bucket (setup, 1, 6, 0, 4, 2);
  assert_lines (setup, 7,
                "00 v0 t1 r0 -..+ #0 4157 push   %r15\n"
                "02 v0 t1 r0 -..+ #0 4889442460 mov    %rax,0x60(%rsp)\n"
                "03 v0 t1 r0 -..+ #0  inside 2\n"
                "06 v0 t1 r0 -..+ #0  inside 4\n");
}

/* Lines for samples only, and for what a poke tells. */
static void
test_not_recorded (void)
{
  g_autoptr (Setup) setup = setup_new ();
  PenBucket outside = { .tenure = 1, .has_address = FALSE, .samples = 1, .address = BASE };

  add_tenure (setup, "", 0, 0);
  text_pokes_add (setup->pokes, 1, BASE + 4, "0f1f440000", "e940000000");
  add_bucket (setup, 1, 0, 0, 1, 1);
  add_bucket (setup, 1, 0, 0, 2, 2);
  add_bucket (setup, 0, 2, 0, 3, 2);
  add_bucket (setup, 1, 4, 0, 4, 0.5);
  add_bucket (setup, 1, 4, 1, 5, 3);
  add_bucket (setup, 9, 9, 7, 6, 3);
  add_bucket (setup, 1, 100, 0, 7, 3); /* not of the range */
  g_array_append_val (setup->buckets, outside);
  assert_lines (setup, 16,
                "00 v0 t1 r0 -..+ #0  (bytes not recorded) 3\n"
                "02 v0 t0 r0 -..+ #0  (bytes not recorded) 3\n"
                "04 v0 t1 r0 -..1 #0* 0f1f440000 nopl   0x0(%rax,%rax,1) 4\n"
                "04 v1 t1 r1 1..+ #1* e940000000 jmp    0xffffffff8134cc99 5\n"
                "09 v0 t9 r7 -..+ #0  (bytes not recorded) 6\n");
}

static void
test_cut_short (void)
{
  g_autoptr (Setup) setup = setup_new ();

  add_tenure (setup, "554889", 0, 0);
  assert_lines (setup, 16,
                "00 v0 t1 r0 -..+ #0 55 push   %rbp\n"
                "01 v0 t1 r0 -..+ #0 4889 (not all bytes recorded)\n");
}

static void
name_target (guint64 target, PenMoment moment, GString *name, G_GNUC_UNUSED gpointer user_data)
{
  if (target == BASE + 0x47)
    return;
  if (moment.time == 0)
    g_assert_cmpuint (moment.position, ==, G_MAXUINT64);
  g_string_append_printf (name, "base+0x%x at %u", (guint) (target - BASE),
                          (guint) (moment.time / SECOND));
}

static void
test_targets (void)
{
  g_autoptr (Setup) setup = setup_new ();

  setup->target_func = name_target;
  add_tenure (setup, "e810000000eb40ffe0", 0, 0);
  text_pokes_add (setup->pokes, 1, BASE, "e810000000", "e820000000");
  assert_lines (setup, 9,
                "00 v0 t1 r0 -..1 #0* e810000000 call   0xffffffff8134cc65 <base+0x15 at 0>\n"
                "00 v1 t1 r1 1..+ #1* e820000000 call   0xffffffff8134cc75 <base+0x25 at 1>\n"
                "05 v0 t1 r0 -..+ #0 eb40 jmp    0xffffffff8134cc97\n"
                "07 v0 t1 r0 -..+ #0 ffe0 jmp    *%rax\n");
}

/* Whatever the bytes and pokes: no sample is lost, versions count up, lines of a tenure do not
 * overlap at one time, and each shows the bytes that the text had. */
static void
test_random (void)
{
  enum { LENGTH = 64, POKES = 40, ROUNDS = 300 };
  g_autoptr (GRand) random = g_rand_new_with_seed (4);

  for (int round = 0; round < ROUNDS; round++) {
    g_autoptr (Setup) setup = setup_new ();
    g_autoptr (GString) hex = g_string_new (NULL);
    g_autoptr (GPtrArray) lines = NULL;
    guint64 expected = 0;
    guint64 counted = 0;
    guint8 state[LENGTH];
    guint8 states[POKES + 1][LENGTH];
    guint32 revisions[LENGTH] = { 0 };

    for (int i = 0; i < LENGTH; i++) {
      state[i] = (guint8) g_rand_int_range (random, 0, 256);
      g_string_append_printf (hex, "%02x", state[i]);
    }
    memcpy (states[0], state, LENGTH);
    add_tenure (setup, hex->str, 0, 0);
    for (int p = 0; p < POKES; p++) {
      int start = g_rand_int_range (random, 0, LENGTH);
      int length = g_rand_int_range (random, 1, MIN (7, LENGTH - start + 1));
      int at = g_rand_int_range (random, 0, LENGTH);
      g_autoptr (GString) old_hex = g_string_new (NULL);
      g_autoptr (GString) new_hex = g_string_new (NULL);

      for (int i = start; i < start + length; i++) {
        g_string_append_printf (old_hex, "%02x", state[i]);
        state[i] = (guint8) g_rand_int_range (random, 0, 256);
        g_string_append_printf (new_hex, "%02x", state[i]);
      }
      if (strcmp (old_hex->str, new_hex->str) != 0) {
        for (int i = start; i < start + length; i++)
          revisions[i]++;
      }
      memcpy (states[p + 1], state, LENGTH);
      text_pokes_add (setup->pokes, 1, BASE + (guint64) start, old_hex->str, new_hex->str);
      add_bucket (setup, 1, (guint64) at, revisions[at], (guint64) p + 1, p + 1.5);
      expected += (guint64) p + 1;
    }

    lines = build (setup, LENGTH);
    for (guint i = 0; i < lines->len; i++) {
      const PenAnnotationLine *line = g_ptr_array_index (lines, i);
      const PenAnnotationLine *last = i > 0 ? g_ptr_array_index (lines, i - 1) : NULL;

      counted += line->samples;
      for (guint64 p = line->from.time / SECOND; p <= POKES && p < line->to.time / SECOND; p++)
        g_assert_cmpmem (line->bytes, line->n_bytes, states[p] + line->offset, line->n_bytes);
      g_assert_cmpint (pen_moment_compare (line->from, line->to), <, 0);
      if (!last || last->address != line->address) {
        g_assert_cmpuint (line->version, ==, 0);
        continue;
      }
      g_assert_cmpuint (line->version, ==, last->version + 1);
      g_assert_cmpint (pen_moment_compare (last->from, line->from), <=, 0);
      if (!line->is_inside && !last->is_inside)
        g_assert_cmpint (pen_moment_compare (last->to, line->from), <=, 0);
    }
    g_assert_cmpuint (counted, ==, expected);
  }
}

/* A large function that is patched without end: at one place, and all over. */
static void
test_many (void)
{
  enum { LENGTH = 20 * 1024, POKES = 70000 };

  for (int is_one_place = 0; is_one_place < 2; is_one_place++) {
    g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
    g_autofree PenPoke *pokes = g_new0 (PenPoke, POKES);
    g_autofree const PenPoke **pointers = g_new (const PenPoke *, POKES);
    guint8 *image = g_malloc (LENGTH);
    g_autoptr (GBytes) bytes = NULL;
    PenTenure tenure = text_fixture_tenure (1, BASE, BASE + LENGTH);
    PenTextPiece piece = { 1, BASE, NULL, PEN_EVIDENCE_FILE, "kcore" };
    const PenTextPiece *pieces[] = { &piece };
    g_autoptr (PenText) text = NULL;
    PenAnnotationTenure turn = { &tenure, NULL };
    g_autoptr (GPtrArray) lines = NULL;
    static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
    static const guint8 jump[] = { 0xe9, 0x10, 0x00, 0x00, 0x00 };
    guint n_places = is_one_place ? 1 : LENGTH / 5;
    clock_t begun = clock ();

    for (guint i = 0; i + 5 <= LENGTH; i += 5)
      memcpy (image + i, nop, 5);
    bytes = g_bytes_new_take (image, LENGTH / 5 * 5);
    piece.bytes = bytes;
    for (guint i = 0; i < POKES; i++) {
      gboolean is_on = i / n_places % 2 == 0;

      pokes[i] = (PenPoke){
        .id = i + 1,
        .moment = pen_moment (i + 1, i),
        .address = BASE + 5 * (guint64) (i % n_places),
        .old_length = 5,
        .new_length = 5,
        .old_bytes = is_on ? nop : jump,
        .new_bytes = is_on ? jump : nop,
        .effect = PEN_POKE_PATCH,
        .tenure = 1,
        .comm = "",
      };
      pointers[i] = &pokes[i];
    }
    text = pen_text_new (&tenure, BASE, BASE + LENGTH, pieces, 1, pointers, POKES);
    turn.text = text;
    lines = pen_annotation_build (BASE, BASE + LENGTH, &turn, 1, pointers, POKES, NULL, 0, decoder,
                                  NULL, NULL, NULL);
    g_assert_cmpuint (lines->len, ==, LENGTH / 5 + POKES);
    /* Far more than it takes, far less than it would if each poke looked at all others; of the
     * processor's time, in which other programs do not count. */
    g_assert_cmpint ((clock () - begun) / CLOCKS_PER_SEC, <, 10);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/annotation/plain", test_plain);
  g_test_add_func ("/text/annotation/patched-slot", test_patched_slot);
  g_test_add_func ("/text/annotation/patch-without-effect-on-slot",
                   test_patch_without_effect_on_slot);
  g_test_add_func ("/text/annotation/kprobe", test_kprobe);
  g_test_add_func ("/text/annotation/optprobe-over-several", test_optprobe_over_several);
  g_test_add_func ("/text/annotation/out-of-step", test_out_of_step);
  g_test_add_func ("/text/annotation/fills", test_fills);
  g_test_add_func ("/text/annotation/address-reuse", test_address_reuse);
  g_test_add_func ("/text/annotation/inside", test_inside);
  g_test_add_func ("/text/annotation/not-recorded", test_not_recorded);
  g_test_add_func ("/text/annotation/cut-short", test_cut_short);
  g_test_add_func ("/text/annotation/targets", test_targets);
  g_test_add_func ("/text/annotation/random", test_random);
  g_test_add_func ("/text/annotation/many", test_many);
  return g_test_run ();
}
