/* pen-kernel-names.c: the names that kallsyms and ELF files have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

#include "pen-map-name.h"

static gboolean
has_any_kallsyms (PenKernelSources *self)
{
  for (guint i = 0; i < self->list->len; i++)
    if (((const PenSource *) g_ptr_array_index (self->list, i))->kallsyms)
      return TRUE;
  return FALSE;
}

/* Names of the core kernel are all in one place; a module that kallsyms does not know has a file.
 */
static PenSource *
get_file_for_names (PenKernelSources *self, const PenTenure *tenure)
{
  if (tenure->kind == PEN_KIND_KERNEL && self->has_kernel_names)
    return NULL;
  return pen_kernel_sources_get_file (self, tenure);
}

gboolean
pen_kernel_sources_has_names (PenKernelSources *self, const PenTenure *tenure)
{
  return tenure->space == PEN_SPACE_KERNEL
         && (has_any_kallsyms (self) || get_file_for_names (self, tenure));
}

gboolean
pen_kernel_sources_find_symbol (PenKernelSources *self, const PenTenure *tenure, guint64 address,
                                PenSymbol *symbol)
{
  PenSource *source;

  for (guint i = 0; i < self->list->len; i++) {
    source = g_ptr_array_index (self->list, i);
    if (source->kallsyms && pen_source_is_of_stay (source, tenure)
        && pen_kallsyms_find (source->kallsyms, tenure->occupant, address, symbol)) {
      source->gives |= PEN_SOURCE_NAMES;
      return TRUE;
    }
  }

  source = get_file_for_names (self, tenure);
  if (!source || !pen_kernel_file_find_symbol (source->file, address, symbol))
    return FALSE;
  source->gives |= PEN_SOURCE_NAMES;
  return TRUE;
}

guint64
pen_kernel_sources_find_text_end (PenKernelSources *self, const PenTenure *tenure)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);
    guint64 end = source->kallsyms && pen_source_is_of_stay (source, tenure)
                      ? pen_kallsyms_get_text_end (source->kallsyms, tenure->occupant)
                      : 0;

    if (end != 0)
      return end;
  }
  return 0;
}

guint64
pen_kernel_sources_find_code_end (PenKernelSources *self, const PenTenure *tenure,
                                  gboolean may_open)
{
  guint64 end = pen_kernel_sources_find_text_end (self, tenure);
  const PenSource *source
      = end == 0 && may_open ? pen_kernel_sources_get_file (self, tenure) : NULL;

  return source && source->evidence == PEN_EVIDENCE_FILE
             ? pen_kernel_file_get_code_end (source->file)
             : end;
}

typedef struct {
  PenKallsyms *kallsyms;
  PenSymbolFunc func;
  gpointer user_data;
} Patches;

static void
pass_livepatch (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  const Patches *patches = user_data;

  if (pen_kallsyms_is_livepatch (patches->kallsyms, occupant))
    patches->func (symbol, occupant, patches->user_data);
}

void
pen_kernel_sources_foreach_livepatch (PenKernelSources *self, PenSymbolFunc func,
                                      gpointer user_data)
{
  for (guint i = 0; i < self->n_opened; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);
    Patches patches = { source->kallsyms, func, user_data };

    if (source->kallsyms)
      pen_kallsyms_foreach (source->kallsyms, pass_livepatch, &patches);
  }
}

typedef struct {
  GPtrArray *list;
  guint index; /* of the source at hand */
  const char *occupant;
  gboolean is_known; /* by a source before it */
  PenSymbolFunc func;
  gpointer user_data;
} Telling;

static void
tell_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  Telling *telling = user_data;

  if (occupant != telling->occupant) {
    telling->occupant = occupant;
    telling->is_known = FALSE;
    for (guint i = 0; i < telling->index; i++) {
      const PenSource *source = g_ptr_array_index (telling->list, i);

      if (source->kallsyms && pen_kallsyms_has (source->kallsyms, occupant))
        telling->is_known = TRUE;
    }
  }
  if (!telling->is_known)
    telling->func (symbol, occupant, telling->user_data);
}

void
pen_kernel_sources_foreach_kallsyms (PenKernelSources *self, PenSymbolFunc func, gpointer user_data)
{
  g_autoptr (GPtrArray) list = NULL;
  Telling telling = { .func = func, .user_data = user_data };

  /* Others may be added meanwhile, whose names are not of kallsyms. */
  g_rec_mutex_lock (&self->lock);
  list = g_ptr_array_copy (self->list, NULL, NULL);
  g_rec_mutex_unlock (&self->lock);
  g_ptr_array_set_free_func (list, NULL);
  telling.list = list;
  for (; telling.index < list->len; telling.index++) {
    const PenSource *source = g_ptr_array_index (list, telling.index);

    telling.occupant = NULL;
    if (source->kallsyms)
      pen_kallsyms_foreach (source->kallsyms, tell_symbol, &telling);
  }
}

void
pen_kernel_sources_foreach_file (PenKernelSources *self, PenSymbolFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (source->file && (source->gives & PEN_SOURCE_NAMES) != 0)
      pen_kernel_file_foreach_symbol (
          source->file, func, source->occupant ? source->occupant : PEN_CORE_KERNEL, user_data);
  }
}
