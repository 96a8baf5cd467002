/* pen-better-recording.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-better-recording.h"

#include "pen-cause-finder.h"
#include "pen-lost-count.h"
#include "pen-record-command.h"
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

gboolean
pen_better_recording_is_system_wide (const char *command_line)
{
  g_autoptr (PenRecordCommand) recorded = pen_record_command_parse (command_line);

  return recorded && recorded->has_all_cpus;
}

char *
pen_better_recording_command (const char *command_line, guint wishes)
{
  gboolean bigger_buffers = (wishes & PEN_WISH_BIGGER_BUFFERS) != 0;
  g_autoptr (PenRecordCommand) recorded = pen_record_command_parse (command_line);
  /* A stream of ours has what a directory has, but for the kernel's text and the witness. */
  gboolean is_kept = recorded && !recorded->has_tasks && (recorded->is_ours || !recorded->is_pipe);
  gboolean is_ours = is_kept && recorded->is_ours;
  GString *command = g_string_new (is_ours ? "pentimento-cli record" : "perf record");

  /* It asks for both by itself, where they may be had. */
  if (is_ours)
    wishes &= ~(guint) (PEN_WISH_KCORE | PEN_WISH_ALL_CPUS);
  if (!is_kept || ((wishes & PEN_WISH_KCORE) != 0 && !recorded->has_kcore))
    g_string_append (command, " --kcore");
  if (!is_kept || ((wishes & PEN_WISH_ALL_CPUS) != 0 && !recorded->has_all_cpus))
    g_string_append (command, " -a");
  if ((wishes & PEN_WISH_TIMES) != 0 && !(is_kept && recorded->has_times))
    g_string_append (command, " -T");
  if ((wishes & PEN_WISH_CALLCHAINS) != 0)
    g_string_append (command, " -g");
  if (bigger_buffers)
    g_string_append (command, " " BIGGER_BUFFERS);
  if (is_kept)
    /* The old size would win over the new one, which stands in front. */
    pen_record_command_append (recorded, bigger_buffers, command);
  else
    g_string_append (command, " -- sleep 10");
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
  better->witness = pen_witness_count_load (store);
  /* No event of perf's asked for those that the recorder wrote beside it. */
  better->has_pokes
      = pen_store_get_fact_int (store, "text_pokes_recorded", (flags & FLAG_TEXT_POKE) != 0) != 0;
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
