/* pen-error-advice.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-error-advice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-format.h"
#include "pen-problem-list.h"
#include "pen-reader.h"
#include "pen-record-command.h"

void
pen_error_advice_free (PenErrorAdvice *self)
{
  g_free (self->title);
  g_free (self->message);
  g_free (self->remedy);
  g_free (self->command);
  g_free (self);
}

/* Letters that a terminal would obey are not handed to it. */
static char *
make_command (const char *format, const char *path)
{
  g_autofree char *quoted = g_shell_quote (path);
  g_autofree char *shown = pen_display_text (quoted);
  const char *place = strstr (format, "%s");

  if (!g_str_equal (quoted, shown))
    return NULL;
  return g_strdup_printf ("%.*s%s%s", (int) (place - format), format, quoted, place + 2);
}

/* ---- what cannot be opened ---- */

static gboolean
is_missing (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
         || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

static gboolean
is_forbidden (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED)
         || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES);
}

/* Messages name the file that they are about. */
static gboolean
is_about (const GError *error, const char *path)
{
  return strstr (error->message, path) != NULL;
}

gboolean
pen_error_advice_is_gone (const GError *error, const char *path)
{
  return is_missing (error) && is_about (error, path);
}

typedef struct {
  const char *title; /* with a place for the name */
  const char *remedy;
  const char *command; /* with a place for the quoted path, or NULL */
  gboolean records;    /* the command is that which records */
  const char *action;
  gboolean is_final; /* it will be the same the next time */
} Words;

static const Words gone = {
  .title = N_ ("“%s” Not Found"),
  .remedy = N_ ("Check the name. The recording may have been moved or removed, or its disk is not "
                "mounted."),
};
static const Words hidden = {
  .title = N_ ("“%s” Not Found"),
  .remedy = N_ ("The sandbox sees only what was chosen in a dialog: choose it with Open. Or open "
                "its place to the sandbox, and start Pentimento again:"),
  .command = "flatpak override --user --filesystem=%s:ro " PEN_APP_ID,
};
static const Words source = {
  .title = N_ ("Cannot Import “%s”"),
  .remedy = N_ ("A source selected in Preferences cannot be read. Select another one, or none."),
  .action = "app.preferences",
};
static const Words forbidden = {
  .title = N_ ("No Permission to Read “%s”"),
  .remedy
  = N_ ("perf makes recordings that only their owner can read (mode 0600). Take ownership in a "
        "terminal, then try again:"),
  .command = "sudo chown -R \"$USER\" %s",
};
static const Words no_room = {
  .title = N_ ("Not Enough Space to Import “%s”"),
  .remedy
  = N_ ("The import was discarded. Remove unused imports in Preferences, or import to another "
        "disk in a terminal and open the result:"),
  .command = "pentimento-cli import %s -o STORE.pentimento",
  .action = "app.preferences",
};
static const Words not_regular = {
  .title = N_ ("Cannot Open “%s”"),
  .remedy
  = N_ ("Devices and sockets cannot be read. Save the data to a file and open it, or give a "
        "named pipe on the command line: pentimento PIPE"),
  .is_final = TRUE,
};
static const Words damaged = {
  .title = N_ ("“%s” Is Damaged"),
  .remedy = N_ ("Nothing could be read. Copy the file again and compare checksums; if they match, "
                "re-record."),
  .command = "sha256sum %s",
};
static const Words not_perf_data = {
  .title = N_ ("“%s” Is Not a Recording"),
  .remedy
  = N_ ("Select a file written by perf record (perf.data), or a folder written by perf record "
        "--kcore. To record:"),
  .records = TRUE,
};
static const Words empty = {
  .title = N_ ("“%s” Is Empty"),
  .remedy = N_ ("The recording may have been stopped before any data was written. Record again:"),
  .records = TRUE,
};
static const Words unsupported = {
  .title = N_ ("“%s” Is Not Supported"),
  .remedy = N_ ("A newer version of Pentimento may read it, or the perf that recorded it."),
  .is_final = TRUE,
};
static const Words newer = {
  .title = N_ ("“%s” Was Made by a Newer Version of Pentimento"),
  .remedy = N_ ("Use that version, or open the original recording to import it again."),
  .is_final = TRUE,
};
static const Words older = {
  .title = N_ ("“%s” Was Made by an Older Version of Pentimento"),
  .remedy = N_ ("Open the original recording to import it again."),
  .is_final = TRUE,
};
static const Words damaged_store = {
  .title = N_ ("“%s” Is Damaged"),
  .remedy = N_ ("Open the original recording to import it again. To list the damage:"),
  .command = "pentimento-cli import --verify %s",
};
static const Words other = {
  .title = N_ ("Cannot Open “%s”"),
  .remedy = N_ ("Try again, or record again:"),
  .records = TRUE,
};

static const Words *
choose_reader_words (const GError *error)
{
  switch ((PenReaderError) error->code) {
  case PEN_READER_ERROR_NOT_REGULAR:
    return &not_regular;
  case PEN_READER_ERROR_DAMAGED:
    return &damaged;
  case PEN_READER_ERROR_NOT_PERF_DATA:
    return &not_perf_data;
  case PEN_READER_ERROR_EMPTY:
    return &empty;
  case PEN_READER_ERROR_UNSUPPORTED:
    return &unsupported;
  default:
    return &other;
  }
}

static const Words *
choose_words (const GError *error, const char *path, gboolean is_sandboxed)
{
  if ((is_missing (error) || is_forbidden (error)) && !is_about (error, path))
    return &source;
  if (is_missing (error))
    return is_sandboxed ? &hidden : &gone;
  if (is_forbidden (error))
    return &forbidden;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    return &no_room;
  if (error->domain == PEN_READER_ERROR)
    return choose_reader_words (error);
  if (g_error_matches (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER))
    return &newer;
  if (g_error_matches (error, PEN_STORE_ERROR, PEN_STORE_ERROR_OLDER))
    return &older;
  if (error->domain == PEN_STORE_ERROR)
    return &damaged_store;
  return &other;
}

static char *
put_name (const char *format, const char *name)
{
  const char *place = strstr (format, "%s");

  return g_strdup_printf ("%.*s%s%s", (int) (place - format), format, name, place + 2);
}

PenErrorAdvice *
pen_error_advice_new (const GError *error, const char *path, gboolean is_sandboxed)
{
  const Words *words = choose_words (error, path, is_sandboxed);
  g_autofree char *name = pen_format_capture (path);
  PenErrorAdvice *self = g_new0 (PenErrorAdvice, 1);

  self->icon = "dialog-warning-symbolic";
  self->title = put_name (_ (words->title), name);
  self->message = pen_format_error (error);
  self->remedy = g_strdup (_ (words->remedy));
  self->action = words->action;
  /* Standard input cannot be read again. */
  self->can_retry = !words->is_final && !g_str_equal (path, "-");
  if (words->records)
    self->command = g_strdup (pen_record_command_get ());
  else if (words->command && !g_str_equal (path, "-"))
    self->command = make_command (words->command, path);
  return self;
}

/* ---- what can be opened ---- */

PenErrorAdvice *
pen_error_advice_new_for_nothing (const PenOpened *opened, const char *path)
{
  g_autofree char *name = pen_format_capture (path);
  PenErrorAdvice *self;

  if (opened->samples > 0 || pen_opened_has_changes (opened))
    return NULL;
  self = g_new0 (PenErrorAdvice, 1);
  self->icon = "dialog-information-symbolic";
  self->title = g_strdup_printf (_ ("Nothing to Show in “%s”"), name);
  self->message
      = g_strdup (pen_problem_list_ends_early (opened)
                      ? _ ("The file ends before the first sample: it was truncated, or the "
                           "recorder was killed.")
                      : _ ("The recording is complete but contains no samples or text changes."));
  self->remedy = g_strdup (_ ("Record for longer, on all CPUs, and as root:"));
  self->command = g_strdup (pen_record_command_get ());
  self->action = "win.show-recording";
  return self;
}

const char *
pen_error_advice_get_remark (const PenOpened *opened)
{
  if (opened->samples == 0)
    return _ ("No samples in the recording: only text changes are shown");
  if (!pen_opened_has_kernel_samples (opened)
      && (opened->outline->kinds & (1u << PEN_KIND_DSO | 1u << PEN_KIND_ANON)) != 0)
    return _ ("No kernel samples: recorded without the kernel, or not as root");
  return NULL;
}
