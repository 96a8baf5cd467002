/* pen-live-patches.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-live-patches.h"

#include "pen-names.h"
#include "pen-table-hash.h"

/* No machine has as many at once. */
#define MAX_TENURES 64u

struct _PenLivePatches {
  PenHistory *history;
  PenKernelSources *kernel;
  PenModuleEvents *modules;
  PenNames *strings;
  GHashTable
      *by_function;   /* name → module; "" where two have it. NULL: nothing was looked at yet */
  GHashTable *names;  /* modules */
  GPtrArray *tenures; /* PenTenure, of modules that are live patches */
  GHashTable *found;  /* address → what replaced it */
};

PenLivePatches *
pen_live_patches_new (PenHistory *history, PenKernelSources *kernel, PenModuleEvents *modules)
{
  PenLivePatches *self = g_new0 (PenLivePatches, 1);

  self->history = history;
  self->kernel = kernel;
  self->modules = modules;
  self->strings = pen_names_new ();
  self->found = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
pen_live_patches_free (PenLivePatches *self)
{
  g_clear_pointer (&self->by_function, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->tenures, g_ptr_array_unref);
  g_hash_table_unref (self->found);
  pen_names_free (self->strings);
  g_free (self);
}

/* ---- what copies of kallsyms tell ---- */

static void
take_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  PenLivePatches *self = user_data;
  const char *other = g_hash_table_lookup (self->by_function, symbol->name);

  g_hash_table_add (self->names, (gpointer) occupant);
  g_hash_table_insert (self->by_function, (gpointer) symbol->name,
                       (gpointer) (!other || g_str_equal (other, occupant) ? occupant : ""));
}

static void
look_at_modules (PenLivePatches *self)
{
  guint n;
  const PenTenure *tenures = pen_history_get_tenures (self->history, &n);

  self->by_function = g_hash_table_new (pen_str_hash, g_str_equal);
  self->names = g_hash_table_new (pen_str_hash, g_str_equal);
  self->tenures = g_ptr_array_new ();
  pen_kernel_sources_foreach_livepatch (self->kernel, take_symbol, self);

  for (guint i = 0; i < n && self->tenures->len < MAX_TENURES; i++)
    if (tenures[i].kind == PEN_KIND_MODULE
        && g_hash_table_contains (self->names, tenures[i].occupant))
      g_ptr_array_add (self->tenures, (gpointer) &tenures[i]);
}

/* The only live patch that was there then. */
static const char *
find_only_one (const PenLivePatches *self, PenMoment moment)
{
  const char *only = NULL;

  for (guint i = 0; i < self->tenures->len; i++) {
    const PenTenure *tenure = self->tenures->pdata[i];

    if (pen_moment_compare (tenure->from, moment) > 0
        || pen_moment_compare (tenure->to, moment) <= 0)
      continue;
    if (only && !g_str_equal (only, tenure->occupant))
      return NULL;
    only = tenure->occupant;
  }
  return only;
}

/* ---- a poke ---- */

/* Returns: (nullable): "[module]" */
static const char *
find_loaded (PenLivePatches *self, const PenPoke *poke)
{
  const char *module = poke->has_task
                           ? pen_module_events_find_load (self->modules, poke->tid, poke->moment)
                           : NULL;
  g_autofree char *occupant = module ? g_strdup_printf ("[%s]", module) : NULL;

  if (!occupant)
    return NULL;
  g_strdelimit (occupant, "-", '_'); /* rule M4 */
  return pen_names_add (self->strings, occupant);
}

static const char *
find_replacement (PenLivePatches *self, const PenPoke *poke, const char *function)
{
  const char *loaded = find_loaded (self, poke);
  const char *like = function ? g_hash_table_lookup (self->by_function, function) : NULL;
  g_autofree char *text = NULL;

  if (like && *like != '\0' && (!loaded || g_str_equal (loaded, like))) {
    text = g_strdup_printf ("%s %s", function, like);
    return pen_names_add (self->strings, text);
  }
  return loaded ? loaded : find_only_one (self, poke->moment);
}

/* Who takes a patch away is not who loaded it. */
const char *
pen_live_patches_find (PenLivePatches *self, const PenPoke *poke, const char *function)
{
  const char *replacement;

  if (!self->by_function)
    look_at_modules (self);
  if (poke->after.form != PEN_FORM_CALL) {
    replacement = g_hash_table_lookup (self->found, &poke->address);
    if (replacement)
      return replacement;
  }

  replacement = find_replacement (self, poke, function);
  if (replacement)
    g_hash_table_replace (self->found, g_memdup2 (&poke->address, sizeof poke->address),
                          (gpointer) replacement);
  return replacement;
}
