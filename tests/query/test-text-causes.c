/* test-text-causes.c: when each cause was on, told by pokes alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-tenure.h"
#include "pen-text-causes.h"

#define SITE 0x1000u

static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 call[] = { 0xe8, 1, 0, 0, 0 };
static const guint8 other_call[] = { 0xe8, 2, 0, 0, 0 };
static const guint8 push[] = { 0x55 };
static const guint8 breakpoint[] = { 0xcc };

typedef struct {
  GArray *pokes;
  GArray *holds;
  GArray *losses;
  GArray *batches;
} Story;

static void
set_up (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  PenTextHold hold = { 1, 100, 10000 };

  story->pokes = g_array_new (FALSE, TRUE, sizeof (PenPoke));
  story->holds = g_array_new (FALSE, TRUE, sizeof (PenTextHold));
  story->losses = g_array_new (FALSE, TRUE, sizeof (PenLoss));
  story->batches = g_array_new (FALSE, TRUE, sizeof (PenBatch));
  g_array_append_val (story->holds, hold);
}

static void
tear_down (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_array_unref (story->pokes);
  g_array_unref (story->holds);
  g_array_unref (story->losses);
  g_array_unref (story->batches);
}

static PenSideForm
get_form (const guint8 *bytes)
{
  return bytes == nop                           ? PEN_FORM_NOP
         : bytes == call || bytes == other_call ? PEN_FORM_CALL
         : bytes == breakpoint                  ? PEN_FORM_BREAKPOINT
                                                : PEN_FORM_OTHER;
}

static PenPoke *
poke (Story *story, guint64 time, guint64 address, PenCause cause, const guint8 *old,
      const guint8 *new)
{
  guint16 length = old == push || old == breakpoint ? 1 : 5;
  PenPoke poke = { .id = story->pokes->len + 1,
                   .moment = { time, 0 },
                   .time = time,
                   .has_time = TRUE,
                   .address = address,
                   .old_length = length,
                   .new_length = length,
                   .old_bytes = old,
                   .new_bytes = new,
                   .tenure = 1,
                   .cause = cause,
                   .before = { .form = get_form (old) },
                   .after = { .form = get_form (new) } };

  g_array_append_val (story->pokes, poke);
  return &g_array_index (story->pokes, PenPoke, story->pokes->len - 1);
}

static GPtrArray *
list_causes (const Story *story)
{
  return pen_text_causes_new (story->pokes, story->holds, story->losses,
                              (const PenBatch *) story->batches->data, story->batches->len);
}

/* Their turns in one line: "0 unknown 100 off 200 on …" */
static void
check (GPtrArray *causes, guint index, PenCause cause, const char *expected)
{
  const PenTextCause *found = causes->pdata[index];
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_cmpint (found->cause, ==, cause);
  for (guint i = 0; i < found->turns->len; i++) {
    const PenTextTurn *turn = &g_array_index (found->turns, PenTextTurn, i);

    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s", i > 0 ? " " : "", turn->time,
                            pen_text_state_to_string (turn->state));
  }
  g_assert_cmpstr (text->str, ==, expected);
}

/* A probe that becomes a jump is one cause, on all the while. */
static void
test_probe (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) causes = NULL;
  static const guint8 jump[] = { 0xe9, 1, 0, 0, 0 };
  static const guint8 trapped[] = { 0xcc, 1, 0, 0, 0 };
  PenPoke *optimised;

  poke (story, 200, SITE, PEN_CAUSE_KPROBE, push, breakpoint);
  optimised = poke (story, 300, SITE, PEN_CAUSE_OPTPROBE, trapped, jump);
  optimised->before.form = PEN_FORM_BREAKPOINT;
  optimised->after.form = PEN_FORM_JUMP;
  optimised = poke (story, 500, SITE, PEN_CAUSE_OPTPROBE, jump, trapped);
  optimised->before.form = PEN_FORM_JUMP;
  optimised->after.form = PEN_FORM_BREAKPOINT;
  poke (story, 600, SITE, PEN_CAUSE_KPROBE, breakpoint, push);
  causes = list_causes (story);
  g_assert_cmpuint (causes->len, ==, 1);
  check (causes, 0, PEN_CAUSE_KPROBE, "0 unknown 100 off 200 on 600 off 10000 unknown");
  g_assert_cmpuint (((const PenTextCause *) causes->pdata[0])->pokes, ==, 4);
}

/* A tracer and a program share a site: while one has it, the other is neither on nor off. Text that
 * was traced at the start is on until the first poke. */
static void
test_shared_site (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) causes = NULL;

  poke (story, 200, SITE, PEN_CAUSE_FTRACE, call, nop);
  poke (story, 300, SITE, PEN_CAUSE_BPF, nop, other_call);
  poke (story, 400, SITE, PEN_CAUSE_FTRACE, other_call, call);
  poke (story, 500, SITE, PEN_CAUSE_FTRACE, call, nop);
  causes = list_causes (story);
  g_assert_cmpuint (causes->len, ==, 2);
  check (causes, 0, PEN_CAUSE_FTRACE,
         "0 unknown 100 on 200 off 300 other 400 on 500 off 10000 unknown");
  check (causes, 1, PEN_CAUSE_BPF,
         "0 unknown 100 other 200 off 300 on 400 other 500 off "
         "10000 unknown");
}

/* Without a known switch, the first text is off. */
static void
test_first_text (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) causes = NULL;

  poke (story, 200, SITE, PEN_CAUSE_STATIC_CALL, call, other_call)->key = "key";
  poke (story, 300, SITE, PEN_CAUSE_STATIC_CALL, other_call, nop)->key = "key";
  poke (story, 400, SITE, PEN_CAUSE_STATIC_CALL, nop, call);
  causes = list_causes (story);
  g_assert_cmpuint (causes->len, ==, 1);
  check (causes, 0, PEN_CAUSE_STATIC_CALL, "0 unknown 100 off 200 on 400 off 10000 unknown");
  g_assert_false (((const PenTextCause *) causes->pdata[0])->is_switch);
}

/* Sites of one key are one cause; between the first and the last of them it is neither. */
static void
test_sites_of_a_key (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) causes = NULL;
  PenBatch on = { .id = 1, .action = PEN_ACTION_ON };
  PenPoke *last;

  g_array_append_val (story->batches, on);
  poke (story, 200, SITE, PEN_CAUSE_STATIC_KEY, nop, call)->batch = 1;
  g_array_index (story->pokes, PenPoke, 0).after.form = PEN_FORM_JUMP;
  last = poke (story, 210, SITE + 0x10, PEN_CAUSE_STATIC_KEY, nop, call);
  last->batch = 1;
  last->after.form = PEN_FORM_JUMP;
  causes = list_causes (story);
  g_assert_cmpuint (causes->len, ==, 1);
  check (causes, 0, PEN_CAUSE_STATIC_KEY, "0 unknown 100 off 200 other 210 on 10000 unknown");
  g_assert_cmpuint (((const PenTextCause *) causes->pdata[0])->sites, ==, 2);
}

/* Before a break of the chain a change is missing; records lost after the last poke may be one. */
static void
test_unknown (Story *story, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) causes = NULL;
  PenLoss samples = { .kind = PEN_LOSS_SAMPLES, .from = 250, .to = 9000 };
  PenLoss between = { .kind = PEN_LOSS_RECORDS, .from = 220, .to = 230 };
  PenLoss after = { .kind = PEN_LOSS_RECORDS, .from = 700, .to = 800 };

  g_array_append_val (story->losses, between);
  g_array_append_val (story->losses, samples);
  g_array_append_val (story->losses, after);
  poke (story, 200, SITE, PEN_CAUSE_FTRACE, nop, call);
  poke (story, 300, SITE, PEN_CAUSE_FTRACE, call, nop);
  poke (story, 400, SITE, PEN_CAUSE_FTRACE, call, nop)->breaks_chain = TRUE;
  poke (story, 500, SITE, PEN_CAUSE_FTRACE, nop, call);
  causes = list_causes (story);
  check (causes, 0, PEN_CAUSE_FTRACE,
         "0 unknown 100 off 200 on 300 unknown 400 off 500 on 700 unknown");
}

#define ADD(name, function)                                                                        \
  g_test_add ("/text-causes/" name, Story, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("probe", test_probe);
  ADD ("shared-site", test_shared_site);
  ADD ("first-text", test_first_text);
  ADD ("sites-of-a-key", test_sites_of_a_key);
  ADD ("unknown", test_unknown);
  return g_test_run ();
}
