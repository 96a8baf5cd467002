/* pen-list-book.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-list-book.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pen-record-list.h"
#include "pen-snapshots.h"

#define MIB (1024u * 1024u)
#define BOOK_MAX (16u * MIB)
/* Of one list: a tracer of all functions makes three. */
#define LIST_MAX MIB
#define COST_SHARE 100u
#define COST_MIN 1000000u /* ns, of one time */
/* One that does not change is told as often, ns. */
#define SAME_AFTER 1000000000u
#define COST_AHEAD (4u * COST_MIN)

/* In the order in which they are read: docs/recording.md */
static const char *const lists[] = {
  "kprobes", "kprobe_events", "enabled_functions", "tracers", "livepatch", "programs", "links",
};

/*
 * @last: of each list, as it was; @told: when the file was told of it, ns
 * @cost: ns that were used and are not yet made up for at @counted
 * @error: an errno of writing
 */
struct _PenListBook {
  int file;
  GString *last[G_N_ELEMENTS (lists)];
  guint64 told[G_N_ELEMENTS (lists)];
  gsize size;
  guint64 cost;
  guint64 counted;
  int error;
  gboolean is_full;
  gboolean has_too_large;
  gboolean has_changed; /* a list of this time: events are at the places of probes that have */
};

PenListBook *
pen_list_book_new (const char *directory)
{
  PenListBook *self = g_new0 (PenListBook, 1);

  self->file = pen_snapshots_create (directory, "lists");
  self->error = self->file < 0 ? errno : 0;
  return self;
}

static void
add_lack (PenListBook *self, GPtrArray *lacks)
{
  const char *why = self->error != 0      ? g_strerror (self->error)
                    : self->is_full       ? _ ("they take more than 16 MiB")
                    : self->has_too_large ? _ ("some lists have more than 1 MiB")
                                          : NULL;

  if (why)
    pen_record_lacks_add (lacks, PEN_LACK_LISTS, why);
}

void
pen_list_book_close (PenListBook *self, GPtrArray *lacks)
{
  if (!self)
    return;
  if (self->file >= 0 && close (self->file) != 0 && self->error == 0)
    self->error = errno;
  add_lack (self, lacks);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (self->last[i])
      g_string_free (self->last[i], TRUE);
  g_free (self);
}

gboolean
pen_list_book_may_add (PenListBook *self, guint64 now)
{
  guint64 made_up = (now - self->counted) / COST_SHARE;

  self->cost -= MIN (made_up, self->cost);
  self->counted = now;
  return !pen_list_book_is_over (self) && self->cost < COST_AHEAD;
}

gboolean
pen_list_book_is_over (PenListBook *self)
{
  return self->error != 0 || self->is_full;
}

static guint
count_lines (const GString *text)
{
  guint n = 0;

  for (gsize i = 0; i < text->len; i++)
    n += text->str[i] == '\n';
  return n;
}

/* At once: of a killed recording, no list ends in its middle but the last one. */
static gboolean
write_entry (PenListBook *self, const GString *entry)
{
  if (self->size + entry->len > BOOK_MAX) {
    self->is_full = TRUE;
    return FALSE;
  }
  self->error = pen_snapshots_write (self->file, entry);
  self->size += entry->len;
  return self->error == 0;
}

static void
add_list (PenListBook *self, guint index)
{
  g_autoptr (GString) entry = g_string_new (NULL);
  guint64 begun = pen_snapshots_read_clock ();
  gboolean is_too_large;
  GString *text = pen_record_list_read (lists[index], LIST_MAX, &is_too_large);
  guint64 ended = pen_snapshots_read_clock ();

  self->has_too_large |= is_too_large;
  if (text && text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  if (text && self->last[index] && g_string_equal (text, self->last[index])) {
    if (self->has_changed || begun - self->told[index] >= SAME_AFTER)
      g_string_append_printf (entry, "same %" PRIu64 " %" PRIu64 " %s\n", begun, ended,
                              lists[index]);
  } else if (text) {
    self->has_changed = TRUE;
    g_string_append_printf (entry, "list %" PRIu64 " %" PRIu64 " %s %u\n", begun, ended,
                            lists[index], count_lines (text));
    g_string_append_len (entry, text->str, (gssize) text->len);
  }
  if (self->last[index])
    g_string_free (self->last[index], TRUE);
  self->last[index] = text;
  if (entry->len > 0 && write_entry (self, entry))
    self->told[index] = begun;
}

/* Of this thread: others may have the CPU meanwhile. */
static guint64
read_used (void)
{
  struct timespec used = { 0 };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
  return (guint64) used.tv_sec * 1000000000u + (guint64) used.tv_nsec;
}

void
pen_list_book_add (PenListBook *self)
{
  guint64 before = read_used ();

  self->has_changed = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (lists) && !pen_list_book_is_over (self); i++)
    add_list (self, i);
  self->cost += MAX (read_used () - before, COST_MIN);
}
