/* pen-better-recording.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-better-recording.h"

#include <string.h>

#include "pen-cause-finder.h"
#include "pen-lost-count.h"
#include "pen-store-records.h"
#include "pen-store-sources.h"

/* perf_event_attr's flag bits (perf_event.h) */
#define FLAG_KSYMBOL (1ull << 29)
#define FLAG_BPF_EVENT (1ull << 30)
#define FLAG_TEXT_POKE (1ull << 33)
#define FLAG_BUILD_ID (1ull << 34)
#define SAMPLE_TIME (1ull << 2) /* of its sample_type */

#define BIGGER_BUFFERS "-m 16M"

void
pen_better_recording_free (PenBetterRecording *better)
{
  if (!better)
    return;
  g_free (better->command);
  g_free (better);
}

/* ---- the recorded command ---- */

static gboolean
is_short_flag (const char *word, char flag)
{
  return word[0] == '-' && word[1] == flag;
}

/* Short options of perf record that take no value: they may stand together ("-ag"). */
static gboolean
is_flag_cluster (const char *word)
{
  return word[0] == '-' && word[1] != '-' && word[1] != '\0'
         && strspn (word + 1, "aABdgNqsTWPbnSvz") == strlen (word + 1);
}

/* Options whose value is the next word. Options that are not listed here do not matter for what is
 * asked of the command line, as long as their values do not look like options. */
static gboolean
takes_value (const char *word)
{
  static const char *const options[]
      = { "-e",           "-F",           "-c",       "-o",        "-m",    "-p",     "-t",
          "-u",           "-C",           "-r",       "-j",        "-G",    "-D",     "-k",
          "--event",      "--output",     "--pid",    "--tid",     "--cpu", "--freq", "--count",
          "--call-graph", "--mmap-pages", "--filter", "--clockid", "--uid" };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++) {
    if (g_str_equal (options[i], word))
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_option (const char *word, char flag, const char *name)
{
  gsize length = strlen (name);

  if (flag != '\0' && is_short_flag (word, flag) && word[1] != '-')
    return TRUE;
  return g_str_has_prefix (word, "--") && strncmp (word + 2, name, length) == 0
         && (word[2 + length] == '\0' || word[2 + length] == '=');
}

/* The options in front of the recorded program. */
typedef struct {
  char **words;
  guint record;  /* index of "record" */
  guint program; /* index of the first word of the program, or of the end */
  gboolean has_all_cpus;
  gboolean has_kcore;
  gboolean has_buffers;
  gboolean has_tasks;
  gboolean has_times;
  gboolean is_pipe;
} Recorded;

static void
recorded_clear (Recorded *recorded)
{
  g_strfreev (recorded->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recorded, recorded_clear)

static void
look_at (Recorded *recorded, const char *word, const char *value)
{
  recorded->has_all_cpus |= is_option (word, '\0', "all-cpus")
                            || (is_flag_cluster (word) && strchr (word, 'a'))
                            || is_option (word, 'C', "cpu");
  recorded->has_kcore |= is_option (word, '\0', "kcore");
  recorded->has_buffers |= is_option (word, 'm', "mmap-pages");
  recorded->has_times
      |= is_option (word, '\0', "timestamp") || (is_flag_cluster (word) && strchr (word, 'T'));
  recorded->has_tasks |= is_option (word, 'p', "pid") || is_option (word, 't', "tid")
                         || is_option (word, 'u', "uid");
  recorded->is_pipe |= (is_option (word, 'o', "output") && g_strcmp0 (value, "-") == 0)
                       || g_str_equal (word, "-o-") || g_str_equal (word, "--output=-");
}

static gboolean
take_apart (const char *command_line, Recorded *recorded)
{
  int n;

  if (!command_line || *command_line == '\0'
      || !g_shell_parse_argv (command_line, &n, &recorded->words, NULL))
    return FALSE;
  for (recorded->record = 1; recorded->record < (guint) n; recorded->record++) {
    if (g_str_equal (recorded->words[recorded->record], "record"))
      break;
  }
  if (recorded->record >= (guint) n)
    return FALSE;

  guint i = recorded->record + 1;

  for (; i < (guint) n && recorded->words[i][0] == '-'; i++) {
    const char *word = recorded->words[i];

    if (g_str_equal (word, "--"))
      break;
    look_at (recorded, word, recorded->words[i + 1]);
    if (takes_value (word) && i + 1 < (guint) n)
      i++;
  }
  recorded->program = i;
  return TRUE;
}

gboolean
pen_better_recording_is_system_wide (const char *command_line)
{
  g_auto (Recorded) recorded = { 0 };

  return take_apart (command_line, &recorded) && recorded.has_all_cpus;
}

/* ---- the better one ---- */

static gboolean
needs_quotes (const char *word)
{
  for (const char *p = word; *p != '\0'; p++) {
    if (!g_ascii_isalnum (*p) && !strchr ("-_./:=,+@%^", *p))
      return TRUE;
  }
  return *word == '\0';
}

static void
append_word (GString *command, const char *word)
{
  g_autofree char *quoted = needs_quotes (word) ? g_shell_quote (word) : g_strdup (word);

  g_string_append_printf (command, "%s%s", command->len > 0 ? " " : "", quoted);
}

char *
pen_better_recording_command (const char *command_line, guint wishes)
{
  gboolean bigger_buffers = (wishes & PEN_WISH_BIGGER_BUFFERS) != 0;
  g_auto (Recorded) recorded = { 0 };
  GString *command = g_string_new ("perf record");
  gboolean is_kept
      = take_apart (command_line, &recorded) && !recorded.has_tasks && !recorded.is_pipe;

  if (!is_kept || ((wishes & PEN_WISH_KCORE) != 0 && !recorded.has_kcore))
    g_string_append (command, " --kcore");
  if (!is_kept || ((wishes & PEN_WISH_ALL_CPUS) != 0 && !recorded.has_all_cpus))
    g_string_append (command, " -a");
  if ((wishes & PEN_WISH_TIMES) != 0 && !(is_kept && recorded.has_times))
    g_string_append (command, " -T");
  if (bigger_buffers)
    g_string_append (command, " " BIGGER_BUFFERS);
  if (!is_kept) {
    g_string_append (command, " -- sleep 10");
    return g_string_free (command, FALSE);
  }
  for (guint i = recorded.record + 1; recorded.words[i]; i++) {
    const char *word = recorded.words[i];

    /* The old size would win over the new one, which stands in front. */
    if (bigger_buffers && i < recorded.program && is_option (word, 'm', "mmap-pages")) {
      i += takes_value (word) && recorded.words[i + 1];
      continue;
    }
    append_word (command, word);
  }
  return g_string_free (command, FALSE);
}

/* ---- the store ---- */

static gboolean
has_fact (PenStore *store, const char *key)
{
  const char *value = pen_store_get_fact (store, key);

  return value && *value != '\0';
}

gboolean
pen_better_recording_can_have_times (PenStore *store)
{
  GPtrArray *events = pen_store_get_events (store);

  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = g_ptr_array_index (events, i);

    if (event->samples > 0 && (event->sample_type & SAMPLE_TIME) == 0)
      return TRUE;
  }
  return FALSE;
}

PenBetterRecording *
pen_better_recording_new (PenStore *store, GError **error)
{
  g_autoptr (PenBetterRecording) better = g_new0 (PenBetterRecording, 1);
  GPtrArray *events = pen_store_get_events (store);
  const char *command_line = pen_store_get_fact (store, "command_line");
  guint64 flags = 0;
  g_autoptr (GArray) build_ids = pen_store_load_build_ids (store, error);
  guint wishes = 0;
  PenLostCount lost;

  if (!build_ids)
    return NULL;
  for (guint i = 0; i < events->len; i++)
    flags |= ((const PenStoreEvent *) events->pdata[i])->flags;
  if (!pen_lost_count_load (store, &lost, error))
    return NULL;
  better->lost = lost.lost;
  better->has_pokes = (flags & FLAG_TEXT_POKE) != 0
                      && pen_store_get_fact_int (store, "text_pokes_recorded", 1) != 0;
  better->can_have_pokes
      = better->has_pokes || pen_cause_is_recorded (pen_store_get_fact (store, "arch"));
  better->has_ksymbols = (flags & FLAG_KSYMBOL) != 0;
  better->has_bpf = (flags & FLAG_BPF_EVENT) != 0;
  better->has_kcore = has_fact (store, "kcore");
  better->has_kallsyms = has_fact (store, "kallsyms");
  better->has_build_ids = build_ids->len > 0 || (flags & FLAG_BUILD_ID) != 0;
  better->has_vmlinux = has_fact (store, "vmlinux");
  better->is_system_wide = pen_better_recording_is_system_wide (command_line);

  if ((!better->has_pokes && better->can_have_pokes) || !better->has_kcore || !better->has_kallsyms)
    wishes |= PEN_WISH_KCORE;
  if (!better->is_system_wide)
    wishes |= PEN_WISH_ALL_CPUS;
  if (better->lost > 0)
    wishes |= PEN_WISH_BIGGER_BUFFERS;
  if (pen_store_get_fact_int (store, "timeless_samples", 0) > 0
      && pen_better_recording_can_have_times (store))
    wishes |= PEN_WISH_TIMES;
  if (wishes != 0)
    better->command = pen_better_recording_command (command_line, wishes);
  return g_steal_pointer (&better);
}
