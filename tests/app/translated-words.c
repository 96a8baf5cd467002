/* translated-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "translated-words.h"

#include <string.h>

#include "app-support.h"
#include "pen-record-command.h"
#include "pen-unknown-text.h"

/* ---- what need not be translated ---- */

/* Words on their own. */
static const char *const allowed[] = {
  /* names of programs, of ways to write instructions, and the one way to write CSV */
  "Pentimento",
  "perf",
  "AT&T",
  "Intel",
  /* filters as they are typed, in the hint of their entry */
  "comm:",
  "comm:sh",
  "!kind:dso",
  "time:10%,20%",
  "symbol:",
  "occupant:",
  "kind:",
  "address:",
  /* units, with a slash where something is told per second or per pixel */
  "s",
  "ms",
  "µs",
  "ns",
  "B",
  "KB",
  "kB",
  "MB",
  "GB",
  "KiB",
  "MiB",
  "GiB",
  /* files of the kernel, and the folder that perf keeps them in */
  "kallsyms",
  "kcore",
  "modules",
  "kcore_dir",
  /* events of the capture that have no samples */
  "dummy:u",
  "dummy:HG",
};

/* Whole texts that GTK and libadwaita give to their own parts. */
static const char *const foreign[] = {
  "Minimize the window",
  "Maximize the window",
  "Restore the window",
  "Close the window",
  "Minimize",
  "Maximize",
  "Restore",
  "Close",
  "Expand",
  "Apply",
  "Clear entry",
  "Search…",
  "(None)",
  "Search Shortcuts",
  "Search",
  "Search Results",
  "No Results Found",
  "Try a different search",
  "Try a different search.",
  "Shortcuts",
  "Show All",
  "_Show All",
};

static GHashTable *data;  /* (element-type utf8): words of the recording */
static GHashTable *texts; /* (element-type utf8): whole values of it */

/* Of a BPF program also the name without its tag. */
void
translated_words_add (const char *text)
{
  const gsize tag = strlen ("bpf_prog_0123456789abcdef_");
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);

  for (char **word = words; *word; word++) {
    if (g_str_has_prefix (*word, "bpf_prog_") && strlen (*word) > tag)
      g_hash_table_add (data, g_strdup (*word + tag));
    g_hash_table_add (data, g_strdup (*word));
  }
}

/* One field of CSV, and where the next begins. */
static char *
read_field (const char **at)
{
  GString *field = g_string_new (NULL);
  const char *c = *at;
  gboolean quoted = *c == '"';

  for (c += quoted; *c && (quoted || (*c != ',' && *c != '\n')); c++) {
    if (*c == '"' && c[1] != '"')
      quoted = FALSE;
    else if (*c != '"' || !quoted || *c++ == '"')
      g_string_append_c (field, *c);
  }
  *at = c;
  return g_string_free (field, FALSE);
}

/* Words in place of an instruction are in no recording. */
static gboolean
is_ours (const char *value)
{
  g_autofree char *translated = pen_unknown_text_translate (value);

  return !g_str_equal (translated, value);
}

/* What the named columns of a table hold. */
static void
add_table (PenSession *session, PenExport table, const char *const *columns)
{
  g_autofree char *csv = app_support_session_export (session, table);
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  const char *at = csv;

  do
    g_ptr_array_add (titles, read_field (&at));
  while (*at && *at++ == ',');
  for (guint column = 0; *at; column = *at && *at++ == ',' ? column + 1 : 0) {
    g_autofree char *value = read_field (&at);

    if (column < titles->len && g_strv_contains (columns, titles->pdata[column])
        && !is_ours (value))
      translated_words_add (value);
  }
}

/* The rest of the facts of a recording is in our words. */
static gboolean
is_recorded (const char *fact)
{
  static const char *const facts[]
      = { "capture",   "command line",         "perf version",   "event groups", "host", "machine",
          "processor", "processor id",         "kernel release", "CPUs online",  "PMUs", "caches",
          "clock",     "better recorded with", "began",          "ended",        NULL };
  static const char *const attributes[]
      = { " type", " config", " sample fields", " read format", " flags" };

  if (g_strv_contains (facts, fact))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++) {
    if (g_str_has_prefix (fact, "event ") && g_str_has_suffix (fact, attributes[i]))
      return TRUE;
  }
  return FALSE;
}

void
translated_words_learn_facts (PenSession *session)
{
  g_autofree char *csv = app_support_session_export (session, PEN_EXPORT_RECORDING);
  const char *at = csv;

  while (*at) {
    g_autofree char *fact = read_field (&at);
    g_autofree char *value = NULL;

    at += *at == ',';
    value = read_field (&at);
    at += *at == '\n';
    if (is_recorded (fact))
      g_hash_table_add (texts, g_strdup (value));
    else if (g_str_has_prefix (fact, "source "))
      g_hash_table_add (data, g_strndup (value, strcspn (value, " ")));
    else if (g_str_has_prefix (fact, "records "))
      translated_words_add (fact + strlen ("records "));
    else if (g_str_has_prefix (fact, "build-id ")) {
      translated_words_add (fact + strlen ("build-id "));
      translated_words_add (value);
    }
  }
}

/* Functions that only called others are in no list but that of callers. */
static void
add_callers (PenSession *session)
{
  g_autoptr (PenQuery) query = app_support_open_query (session);
  guint n;
  const PenFunction *functions = pen_store_get_functions (pen_query_get_store (query), &n, NULL);

  for (guint i = 0; i < n; i++) {
    g_autofree char *base = g_path_get_basename (functions[i].occupant);

    if (functions[i].symbol)
      translated_words_add (functions[i].symbol);
    translated_words_add (functions[i].occupant);
    translated_words_add (base);
  }
}

void
translated_words_learn (PenSession *session)
{
  static const PenExport tables[]
      = { PEN_EXPORT_FUNCTIONS, PEN_EXPORT_SAMPLES,    PEN_EXPORT_CHANGES,
          PEN_EXPORT_OCCUPANTS, PEN_EXPORT_ANNOTATION, PEN_EXPORT_HISTORY };
  static const char *const names[]
      = { "symbol",      "occupant",           "comm", "event", "program",
          "instruction", "before_instruction", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    add_table (session, tables[i], names);
  add_callers (session);
  translated_words_learn_facts (session);
}

/* ---- one text ---- */

/* Without what is in brackets; they can hold others. */
static char *
dup_outside (const char *text)
{
  GString *outside = g_string_new (NULL);
  guint depth = 0;

  for (const char *c = text; *c; c = g_utf8_next_char (c)) {
    gunichar letter = g_utf8_get_char (c);

    if (letter == 0x27e6)
      depth++;
    else if (letter == 0x27e7)
      depth -= depth > 0;
    else if (depth == 0)
      g_string_append_unichar (outside, letter == 0x202f || letter == 0xa0 ? ' ' : letter);
  }
  return g_string_free (outside, FALSE);
}

/* "4.81", "12–15", "0x1f", "8b", "+1c", "34/s", and the tag of a BPF program */
static gboolean
is_number (const char *word)
{
  return g_regex_match_simple (
      "^([+\\-~#<]?[0-9.,:–\\-]*[0-9]|[0-9a-f]{2}|[0-9a-f]{16}|\\+[0-9a-f]+|0x[0-9a-f]+"
      "(–0x[0-9a-f]+)?)(/s)?$",
      word, 0, 0);
}

static gboolean
has_letters (const char *word)
{
  for (const char *c = word; *c; c = g_utf8_next_char (c)) {
    if (g_unichar_isalpha (g_utf8_get_char (c)))
      return TRUE;
  }
  return FALSE;
}

/* Letters of causes are the same in every language. */
static gboolean
is_letter (const char *word)
{
  return g_ascii_isupper (word[0]) && word[1] == '\0';
}

static gboolean
is_known (const char *word)
{
  return !has_letters (word) || is_number (word) || is_letter (word)
         || g_str_has_prefix (word, g_get_user_cache_dir ()) || g_hash_table_contains (data, word)
         || g_hash_table_contains (texts, word);
}

/* Also with what stands around a word, and an offset after a symbol. */
static gboolean
is_word_free (const char *word)
{
  g_autofree char *bare = g_strdup (word + (*word == '('));
  char *offset;

  if (is_known (word))
    return TRUE;
  for (gsize n = strlen (bare); n > 0 && strchr (",;)", bare[n - 1]); n = strlen (bare))
    bare[n - 1] = '\0';
  if (is_known (bare))
    return TRUE;
  offset = strstr (bare, "+0x");
  if (offset)
    *offset = '\0';
  return is_known (bare);
}

/* The first word that nobody can translate; NULL: there is none. */
static char *
dup_stray_word (const char *outside)
{
  g_auto (GStrv) words = g_strsplit_set (outside, " \t\n", -1);
  gboolean is_value = FALSE;

  for (char **word = words; *word; word++) {
    if (!is_value && !is_word_free (*word))
      return g_strdup (*word);
    /* The value of a filter is as it is typed. */
    is_value = g_str_has_suffix (*word, ":") && g_hash_table_contains (data, *word);
  }
  return NULL;
}

gboolean
translated_words_is_free (const char *text, char **stray)
{
  g_autofree char *outside = NULL;

  if (g_hash_table_contains (texts, text))
    return TRUE;
  outside = dup_outside (text);
  *stray = dup_stray_word (outside);
  if (!*stray)
    g_hash_table_add (texts, g_strdup (text));
  return !*stray;
}

void
translated_words_begin (void)
{
  data = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (allowed); i++)
    g_hash_table_add (data, g_strdup (allowed[i]));
  g_hash_table_add (texts, g_strdup (pen_record_command_get ()));
  g_hash_table_add (texts, g_strdup (g_get_home_dir ()));
  for (gsize i = 0; i < G_N_ELEMENTS (foreign); i++)
    g_hash_table_add (texts, g_strdup (foreign[i]));
}

void
translated_words_end (void)
{
  g_clear_pointer (&data, g_hash_table_unref);
  g_clear_pointer (&texts, g_hash_table_unref);
}
