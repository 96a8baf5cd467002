/* pen-watch-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-text.h"

#include <stdlib.h>
#include <string.h>

#include "pen-ftrace-trampoline.h"
#include "pen-kallsyms.h"
#include "pen-map-name.h"
#include "pen-modules.h"

#define FTRACE_NAME "ftrace_trampoline"

/* Its first field is the key. */
typedef struct {
  guint64 start;
  guint64 end;
  PenKind kind;
  PenFtraceTrampoline ftrace; /* of one of ftrace; all 0: not known */
  char name[];
} Held;

struct _PenWatchText {
  char *kallsyms_path;
  char *modules_path;
  char *release;
  PenKallsyms *names;    /* NULL: none */
  GArray *modules;       /* PenModule, by start */
  guint64 text_end;      /* of the kernel */
  guint64 modules_print; /* of the list when the names were read */
  GTree *held;           /* Held */
};

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  guint64 x = ((const Held *) a)->start;
  guint64 y = ((const Held *) b)->start;

  return (x > y) - (x < y);
}

PenWatchText *
pen_watch_text_new (const char *kallsyms, const char *modules, const char *release)
{
  PenWatchText *self = g_new0 (PenWatchText, 1);

  self->release = g_strdup (release);
  self->kallsyms_path = g_strdup (kallsyms);
  self->modules_path = g_strdup (modules);
  self->held = g_tree_new_full (compare_starts, NULL, g_free, NULL);
  return self;
}

static void
forget_names (PenWatchText *self)
{
  g_clear_pointer (&self->names, pen_kallsyms_free);
  g_clear_pointer (&self->modules, g_array_unref);
  self->text_end = 0;
}

void
pen_watch_text_forget (PenWatchText *self)
{
  g_tree_remove_all (self->held);
}

void
pen_watch_text_free (PenWatchText *self)
{
  if (!self)
    return;
  forget_names (self);
  g_tree_unref (self->held);
  g_free (self->kallsyms_path);
  g_free (self->modules_path);
  g_free (self->release);
  g_free (self);
}

/* ---- names ---- */

/* Name, size and address of each line; the other columns change by themselves:
 * "ext4 1048576 3 - Live 0xffffffffc0000000". */
static guint64
print_modules (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint64 print = 14695981039346656037u;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line; line++) {
    g_auto (GStrv) words = g_strsplit (*line, " ", 7);
    guint n = g_strv_length (words);

    for (guint i = 0; i < MIN (n, 6); i++)
      for (const char *p = words[i]; i != 2 && i != 3 && i != 4 && *p != '\0'; p++)
        print = (print ^ (guchar) *p) * 1099511628211u;
  }
  return print;
}

static int
compare_modules (gconstpointer a, gconstpointer b)
{
  guint64 x = ((const PenModule *) a)->start;
  guint64 y = ((const PenModule *) b)->start;

  return (x > y) - (x < y);
}

static void
keep (PenWatchText *self, guint64 start, guint64 end, PenKind kind, const char *name)
{
  gsize size = strlen (name) + 1;
  Held *held;

  if (g_tree_nnodes (self->held) >= (gint) PEN_WATCH_HELD_MAX)
    return;
  held = g_malloc0 (sizeof *held + size);
  held->start = start;
  held->end = end;
  held->kind = kind;
  memcpy (held->name, name, size);
  g_tree_replace (self->held, held, held);
}

static gboolean
is_program (const char *name)
{
  return !g_str_has_prefix (name, "bpf_trampoline_") && !g_str_has_prefix (name, "bpf_dispatcher_");
}

/* A record knows better: kallsyms has no lengths. */
static void
keep_registered (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  PenWatchText *self = user_data;
  gboolean is_bpf = g_str_equal (occupant, "[bpf]") && is_program (symbol->name);
  Held probe = { .start = symbol->start };

  if (!g_tree_lookup (self->held, &probe))
    keep (self, symbol->start, symbol->end, is_bpf ? PEN_KIND_BPF : PEN_KIND_STUB, symbol->name);
}

gboolean
pen_watch_text_read (PenWatchText *self, GError **error)
{
  forget_names (self);
  self->modules_print = print_modules (self->modules_path);
  /* At once: the names take longer, and a module may be gone by then. */
  self->modules = pen_modules_load (self->modules_path, NULL);
  self->names = pen_kallsyms_load (self->kallsyms_path, NULL, error);
  if (!self->names)
    return FALSE;
  self->text_end = pen_kallsyms_get_text_end (self->names, PEN_CORE_KERNEL);
  if (!self->modules || self->modules->len == 0) {
    g_clear_pointer (&self->modules, g_array_unref);
    self->modules = pen_kallsyms_list_modules (self->names);
  }
  g_array_sort (self->modules, compare_modules);
  pen_kallsyms_foreach_registered (self->names, keep_registered, self);
  return TRUE;
}

gboolean
pen_watch_text_is_stale (PenWatchText *self)
{
  return print_modules (self->modules_path) != self->modules_print;
}

/* ---- what is registered ---- */

PenKind
pen_watch_text_get_kind (const PenKsymbolRecord *ksymbol)
{
  return ksymbol->type == PEN_KSYMBOL_TYPE_OUT_OF_LINE || !is_program (ksymbol->name)
             ? PEN_KIND_STUB
             : PEN_KIND_BPF;
}

void
pen_watch_text_register (PenWatchText *self, const PenKsymbolRecord *ksymbol)
{
  Held probe = { .start = ksymbol->address };

  if (ksymbol->flags & PEN_KSYMBOL_UNREGISTER)
    g_tree_remove (self->held, &probe);
  else if (ksymbol->length > 0)
    keep (self, ksymbol->address,
          ksymbol->address + MIN (ksymbol->length, G_MAXUINT64 - ksymbol->address),
          pen_watch_text_get_kind (ksymbol), ksymbol->name);
}

/* The last one that begins at or before @address, if it goes on to there. */
static Held *
find_held (PenWatchText *self, guint64 address)
{
  Held probe = { .start = address };
  GTreeNode *node = g_tree_upper_bound (self->held, &probe);
  Held *held;

  node = node ? g_tree_node_previous (node) : g_tree_node_last (self->held);
  held = node ? g_tree_node_key (node) : NULL;
  return held && address < held->end ? held : NULL;
}

void
pen_watch_text_take_poke (PenWatchText *self, const PenTextPokeRecord *poke, PenDecoder *decoder)
{
  Held *held = find_held (self, poke->address);
  PenFtraceTrampoline form;

  if (!held || held->kind != PEN_KIND_STUB || strcmp (held->name, FTRACE_NAME) != 0)
    return;
  form = pen_ftrace_trampoline_read (decoder, poke->new_bytes, poke->new_length, poke->address);
  if (form.call == 0)
    return;
  if (poke->old_length > 0) {
    form.ops = held->ftrace.ops;
    form.wants_registers = held->ftrace.wants_registers;
  }
  held->ftrace = form;
}

/* ---- questions ---- */

static const PenModule *
find_module_at (PenWatchText *self, guint64 address)
{
  guint low = 0;
  guint high = self->modules ? self->modules->len : 0;
  const PenModule *module;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (self->modules, PenModule, middle).start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  module = low > 0 ? &g_array_index (self->modules, PenModule, low - 1) : NULL;
  return module && address - module->start < module->length ? module : NULL;
}

static void
name_function (PenWatchText *self, const char *occupant, guint64 address, PenPlace *place)
{
  PenSymbol symbol;

  place->occupant = occupant;
  if (!pen_kallsyms_find (self->names, occupant, address, &symbol))
    return;
  place->function_start = symbol.start;
  place->function_name = symbol.name;
}

/* Returns: (nullable): of what begins there */
static const char *
find_name (PenWatchText *self, guint64 address)
{
  PenSymbol symbol;

  return address != 0 && pen_kallsyms_find (self->names, PEN_CORE_KERNEL, address, &symbol)
                 && symbol.start == address
             ? symbol.name
             : NULL;
}

static void
find_user (PenWatchText *self, const PenFtraceTrampoline *trampoline, PenPlace *place)
{
  const char *called = find_name (self, trampoline->target);

  if (called)
    place->user
        = pen_ftrace_trampoline_find_user (trampoline, called, find_name (self, trampoline->ops),
                                           self->release, &place->is_user_inferred);
}

static void
find_held_place (PenWatchText *self, const Held *held, PenPlace *place)
{
  place->kind = held->kind;
  place->occupant = held->name;
  place->function_start = held->start;
  place->function_name = held->name;
  if (held->ftrace.target != 0 && self->names)
    find_user (self, &held->ftrace, place);
}

void
pen_watch_text_find (PenWatchText *self, guint64 address, PenPlace *place)
{
  const Held *held = find_held (self, address);
  const PenModule *module;
  PenSymbol symbol;

  *place = (PenPlace){ .kind = PEN_KIND_UNKNOWN, .occupant = "" };
  if (held) {
    find_held_place (self, held, place);
    return;
  }
  if (!self->names)
    return;
  module = find_module_at (self, address);
  if (module) {
    place->kind = PEN_KIND_MODULE;
    name_function (self, module->name, address, place);
  } else if (address < self->text_end
             && pen_kallsyms_find (self->names, PEN_CORE_KERNEL, address, &symbol)) {
    place->kind = PEN_KIND_KERNEL;
    name_function (self, PEN_CORE_KERNEL, address, place);
  }
}

gboolean
pen_watch_text_find_module (PenWatchText *self, const char *name, guint64 *start, guint64 *length)
{
  g_autofree char *occupant = g_strdup_printf ("[%s]", name);

  for (guint i = 0; self->modules && i < self->modules->len; i++) {
    const PenModule *module = &g_array_index (self->modules, PenModule, i);

    if (g_str_equal (module->name, occupant)) {
      *start = module->start;
      *length = module->length;
      return TRUE;
    }
  }
  return FALSE;
}
