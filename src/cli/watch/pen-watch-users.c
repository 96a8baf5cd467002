/* pen-watch-users.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-users.h"

#include "pen-kernel-lists.h"
#include "pen-listed-users.h"

#define LISTS_MAX 8u
/* Of what was read since some time: then that begins anew, and what was before it is kept as long.
 */
#define BYTES_MAX (8u << 20)
#define TIMES_MAX 256u
#define COST_SHARE 20u

/*
 * @now, @before: those of late, and of the time before
 * @last: of each list, as it is in @now
 * @next: ns: not to be read before that
 */
struct _PenWatchUsers {
  PenWatchListFunc read;
  PenWatchClockFunc clock;
  gpointer user_data;
  PenListedUsers *now;
  PenListedUsers *before;
  GString *last[LISTS_MAX];
  gsize bytes;
  guint times;
  guint64 next;
  gboolean is_expected;
};

PenWatchUsers *
pen_watch_users_new (PenWatchListFunc read, PenWatchClockFunc clock, gpointer user_data)
{
  PenWatchUsers *self = g_new0 (PenWatchUsers, 1);

  self->read = read;
  self->clock = clock;
  self->user_data = user_data;
  self->now = pen_listed_users_new ();
  self->is_expected = TRUE;
  return self;
}

static void
forget_last (PenWatchUsers *self)
{
  for (guint i = 0; i < LISTS_MAX; i++)
    if (self->last[i]) {
      g_string_free (self->last[i], TRUE);
      self->last[i] = NULL;
    }
}

void
pen_watch_users_free (PenWatchUsers *self)
{
  if (!self)
    return;
  forget_last (self);
  pen_listed_users_free (self->now);
  pen_listed_users_free (self->before);
  g_free (self);
}

/* ---- reading ---- */

static void
begin_anew (PenWatchUsers *self)
{
  pen_listed_users_free (self->before);
  self->before = self->now;
  self->now = pen_listed_users_new ();
  forget_last (self);
  self->bytes = 0;
  self->times = 0;
}

static void
read_list (PenWatchUsers *self, const char *list, GString **last)
{
  guint64 begun = self->clock (self->user_data);
  GString *text = self->read (list, self->user_data);
  guint64 ended = self->clock (self->user_data);

  if (text && *last && g_string_equal (text, *last)) {
    pen_listed_users_repeat (self->now, list, begun, ended);
  } else if (text) {
    g_autoptr (PenLineReader) lines = pen_line_reader_new_for_text (text->str, text->len);

    pen_listed_users_read (self->now, list, begun, ended, lines, PEN_KERNEL_LIST_LINES);
    self->bytes += text->len;
  }
  if (*last)
    g_string_free (*last, TRUE);
  *last = text;
}

void
pen_watch_users_expect (PenWatchUsers *self)
{
  self->is_expected = TRUE;
}

void
pen_watch_users_update (PenWatchUsers *self)
{
  const char *const *lists = pen_listed_users_get_lists ();
  guint64 begun = self->clock (self->user_data);
  guint64 ended;

  if (!self->is_expected || begun < self->next)
    return;
  if (self->bytes > BYTES_MAX || self->times++ > TIMES_MAX)
    begin_anew (self);
  for (guint i = 0; i < LISTS_MAX && lists[i]; i++)
    read_list (self, lists[i], &self->last[i]);
  ended = self->clock (self->user_data);
  self->next = ended + COST_SHARE * (ended - begun);
  self->is_expected = FALSE;
}

const char *
pen_watch_users_find (PenWatchUsers *self, const PenPoke *poke, const char *entry, guint64 since,
                      guint64 until)
{
  const char *names = pen_listed_users_find (self->now, poke, entry, since, until);

  return names || !self->before ? names
                                : pen_listed_users_find (self->before, poke, entry, since, until);
}
