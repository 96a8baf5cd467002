/* pen-pair-key.c: the same function in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-key.h"

#include <string.h>

/* Neither stands in a name: they are strings, and kinds are printed as words. */
#define SEPARATOR '\n'

#define DELETED " (deleted)"
#define JIT_DUMP "jit-"

void
pen_pair_key_init (PenPairKey *self)
{
  self->key = g_string_new (NULL);
  self->occupant = g_string_new (NULL);
  self->symbol = g_string_new (NULL);
}

void
pen_pair_key_clear (PenPairKey *self)
{
  g_string_free (self->key, TRUE);
  g_string_free (self->occupant, TRUE);
  g_string_free (self->symbol, TRUE);
}

static void
append_file (GString *words, const char *path)
{
  const char *slash = strrchr (path, '/');

  g_string_append (words, slash && slash[1] != '\0' ? slash + 1 : path);
  if (g_str_has_suffix (words->str, DELETED))
    g_string_truncate (words, words->len - strlen (DELETED));
}

/* A dump's name has the number of its process: "jit-1234.dump". */
static void
append_without_number (GString *words, const char *path)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const char *at;

  append_file (name, path);
  if (!g_str_has_prefix (name->str, JIT_DUMP)) {
    g_string_append (words, path);
    return;
  }
  at = name->str + strlen (JIT_DUMP);
  g_string_append (words, JIT_DUMP "*");
  g_string_append (words, at + strspn (at, "0123456789"));
}

static void
append_stub (GString *words, const char *name, const PenPairPrograms *programs)
{
  const char *attached;

  if (!g_str_has_prefix (name, PEN_PAIR_TRAMPOLINE)) {
    g_string_append (words, name);
    return;
  }
  attached = programs ? pen_pair_programs_get_attached (programs, name) : NULL;
  g_string_append (words, PEN_PAIR_TRAMPOLINE "*");
  if (attached)
    g_string_append_printf (words, " (%s)", attached);
}

static void
append_program (GString *words, const char *symbol, const PenPairPrograms *programs)
{
  const char *others = programs ? pen_pair_programs_get_others (programs, symbol) : NULL;

  g_string_append (words, pen_pair_program_get_name (symbol));
  if (others)
    g_string_append_printf (words, " (%s)", others);
}

/* Of the parts that are shown. */
static void
write_key (PenPairKey *self, PenKind kind, gboolean has_symbol)
{
  g_string_assign (self->key, pen_kind_to_string (kind));
  g_string_append_c (self->key, SEPARATOR);
  g_string_append (self->key, self->occupant->str);
  g_string_append_c (self->key, SEPARATOR);
  g_string_append (self->key, has_symbol ? "=" : "");
  g_string_append (self->key, self->symbol->str);
}

void
pen_pair_key_set (PenPairKey *self, const PenFunction *function, const PenPairPrograms *programs)
{
  const char *symbol = function->symbol ? function->symbol : "";

  g_string_truncate (self->occupant, 0);
  g_string_truncate (self->symbol, 0);
  switch (function->kind) {
  case PEN_KIND_BPF:
    append_program (self->occupant, function->occupant, programs);
    append_program (self->symbol, symbol, programs);
    break;
  case PEN_KIND_STUB:
    append_stub (self->occupant, function->occupant, programs);
    append_stub (self->symbol, symbol, programs);
    break;
  case PEN_KIND_DSO:
    append_file (self->occupant, function->occupant);
    g_string_append (self->symbol, symbol);
    break;
  case PEN_KIND_ANON:
    append_without_number (self->occupant, function->occupant);
    g_string_append (self->symbol, symbol);
    break;
  default:
    g_string_append (self->occupant, function->occupant);
    g_string_append (self->symbol, symbol);
    break;
  }
  write_key (self, function->kind, function->symbol != NULL);
}

void
pen_pair_key_set_words (PenPairKey *self, PenKind kind, const char *occupant, const char *symbol)
{
  g_string_assign (self->occupant, occupant);
  g_string_assign (self->symbol, symbol ? symbol : "");
  write_key (self, kind, symbol != NULL);
}
