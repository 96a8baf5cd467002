/* pen-kernel-lists.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-lists.h"

#include <stdio.h>
#include <string.h>

#include "pen-regular-file.h"

/* "group/name", or the name of a BPF program */
#define NAME_MAX_LENGTH 256u
#define TRAMPOLINE "tramp: 0x"

/* Returns: FALSE: the line cannot be read */
typedef gboolean (*LineFunc) (char *line, gpointer user_data);

static guint
read_lines (PenLineReader *lines, guint n, LineFunc func, gpointer user_data)
{
  guint skipped = 0;
  char *line;

  for (guint i = 0; i < n && pen_line_reader_next (lines, &line, NULL); i++)
    if (!line || (*line != '\0' && !func (line, user_data)))
      skipped++;
  return skipped;
}

/* A function with its data, for a LineFunc. */
typedef struct {
  GCallback func;
  gpointer user_data;
} Reader;

static gboolean
parse_hex (const char *text, guint64 *number)
{
  if (g_str_has_prefix (text, "0x"))
    text += 2;
  return g_ascii_string_to_unsigned (text, 16, 1, G_MAXUINT64, number, NULL);
}

/* ---- probes ---- */

/* "vfs_read+0x1c", "module:symbol+28", "0xffffffff812345a0", "vfs_read%return". Ends @text after
 * the name. */
static gboolean
parse_place (char *text, PenListedProbe *probe)
{
  char *plus = strchr (text, '+');
  char *percent = strchr (text, '%');
  char *colon = strchr (text, ':');

  if (percent) {
    if (g_str_equal (percent, "%return"))
      probe->type = 'r';
    *percent = '\0';
  }
  if (g_str_has_prefix (text, "0x"))
    return parse_hex (text, &probe->address);
  if (plus) {
    *plus++ = '\0';
    probe->offset = g_ascii_strtoull (plus, NULL, 0);
  }
  probe->symbol = colon ? colon + 1 : text;
  return *probe->symbol != '\0';
}

static gboolean
read_probe (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  PenListedProbe probe = { 0 };
  char address[32];
  char type[8];
  char place[512];

  if (sscanf (line, "%31s %7s %511s", address, type, place) != 3
      || (type[0] != 'k' && type[0] != 'r') || type[1] != '\0'
      || !parse_hex (address, &probe.address) || !parse_place (place, &probe))
    return FALSE;
  probe.type = type[0];
  ((PenListedProbeFunc) reader->func) (&probe, reader->user_data);
  return TRUE;
}

guint
pen_kernel_list_probes (PenLineReader *lines, guint n, PenListedProbeFunc func, gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_probe, &reader);
}

/* "r16:kprobes/out do_sys_openat2+0": the number is that of the most that run at once. */
static gboolean
read_event (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  PenListedProbe probe = { .type = line[0] };
  char *event = strchr (line, ':');
  char *place = event ? strchr (event, ' ') : NULL;
  char *end;

  if ((line[0] != 'p' && line[0] != 'r' && line[0] != 'f') || !place
      || (gsize) (place - event) > NAME_MAX_LENGTH)
    return FALSE;
  *event++ = '\0';
  *place++ = '\0';
  end = strchr (place, ' ');
  if (end)
    *end = '\0';
  if (*event == '\0' || !parse_place (place, &probe))
    return FALSE;
  probe.event = event;
  ((PenListedProbeFunc) reader->func) (&probe, reader->user_data);
  return TRUE;
}

guint
pen_kernel_list_probe_events (PenLineReader *lines, guint n, PenListedProbeFunc func,
                              gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_event, &reader);
}

/* ---- trampolines ---- */

static gboolean
read_trampolines (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  char *at = line;

  while ((at = strstr (at, TRAMPOLINE))) {
    char address[32];
    char user[256];
    guint64 trampoline;

    at += strlen (TRAMPOLINE);
    if (sscanf (at, "%31[0-9a-f] (%255[^+)]", address, user) == 2
        && parse_hex (address, &trampoline))
      ((PenListedTrampolineFunc) reader->func) (trampoline, user, reader->user_data);
    else
      return FALSE;
  }
  return TRUE;
}

guint
pen_kernel_list_trampolines (PenLineReader *lines, guint n, PenListedTrampolineFunc func,
                             gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_trampolines, &reader);
}

/* ---- values ---- */

static gboolean
read_value (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  char *value = strchr (line, ' ');

  if (*line != '/' || !value)
    return FALSE;
  *value++ = '\0';
  ((PenListedValueFunc) reader->func) (line, value, reader->user_data);
  return TRUE;
}

guint
pen_kernel_list_values (PenLineReader *lines, guint n, PenListedValueFunc func, gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_value, &reader);
}

/* ---- BPF ---- */

/* The recorder escapes quotes in strings: a key in quotes is a key. Returns: (nullable): where its
 * value begins */
static const char *
find_value (const char *line, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\":", key);
  const char *at = strstr (line, quoted);

  return at ? at + strlen (quoted) : NULL;
}

static guint64
read_number (const char *line, const char *key)
{
  const char *value = find_value (line, key);

  return value && g_ascii_isdigit (*value) ? g_ascii_strtoull (value, NULL, 10) : 0;
}

/* Returns: (transfer full) (nullable) */
static char *
read_string (const char *line, const char *key)
{
  const char *value = find_value (line, key);
  const char *end = value && *value == '"' ? strchr (value + 1, '"') : NULL;

  return end && (gsize) (end - value) <= NAME_MAX_LENGTH
             ? g_strndup (value + 1, (gsize) (end - value - 1))
             : NULL;
}

static gboolean
is_bracket (const char *line)
{
  return g_str_equal (line, "[") || g_str_equal (line, "]");
}

static gboolean
read_program (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  g_autofree char *name = read_string (line, "name");
  PenListedProgram program = { .id = (guint32) read_number (line, "id"), .name = name };

  if (is_bracket (line))
    return TRUE;
  if (program.id == 0 || !name || *name == '\0')
    return program.id != 0;
  ((PenListedProgramFunc) reader->func) (&program, reader->user_data);
  return TRUE;
}

guint
pen_kernel_list_programs (PenLineReader *lines, guint n, PenListedProgramFunc func,
                          gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_program, &reader);
}

/* "addresses":["0xffffffff812345a0",…] */
static void
tell_addresses (const Reader *reader, const char *line, PenListedProgram *program)
{
  const char *at = find_value (line, "addresses");

  for (; at && (*at == '[' || *at == ',') && at[1] == '"'; at = at ? at + 1 : NULL) {
    char *end;

    program->address = g_ascii_strtoull (at + 2, &end, 16);
    at = end;
    if (*at != '"' || program->address == 0)
      return;
    ((PenListedProgramFunc) reader->func) (program, reader->user_data);
  }
}

static gboolean
read_link (char *line, gpointer user_data)
{
  const Reader *reader = user_data;
  g_autofree char *type = read_string (line, "type");
  g_autofree char *attach = read_string (line, "attach_type");
  PenListedProgram program = {
    .id = (guint32) read_number (line, "prog_id"),
    .kind = attach ? attach : type,
    .target
    = read_number (line, "target_obj_id") << 32 | (guint32) read_number (line, "target_btf_id"),
  };

  if (is_bracket (line))
    return TRUE;
  if (program.id == 0 || !program.kind)
    return FALSE;
  if (find_value (line, "addresses"))
    tell_addresses (reader, line, &program);
  else
    ((PenListedProgramFunc) reader->func) (&program, reader->user_data);
  return TRUE;
}

guint
pen_kernel_list_links (PenLineReader *lines, guint n, PenListedProgramFunc func, gpointer user_data)
{
  Reader reader = { G_CALLBACK (func), user_data };

  return read_lines (lines, n, read_link, &reader);
}
