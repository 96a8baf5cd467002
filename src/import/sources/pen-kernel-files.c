/* pen-kernel-files.c: the ELF files that have the text of the kernel and its modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

#include "pen-reason.h"

#define PAGE 4096u
/* One of so many names may be at another place: labels that kallsyms does not have. */
#define MISPLACED 10u

/* ---- the kernel's own file ---- */

/* Returns: FALSE: it cannot be of this kernel */
static gboolean
place_kernel (PenKernelSources *self, PenSource *source)
{
  const PenKernelFacts *facts = self->facts;
  const char *symbol = facts->symbol_address != 0 ? facts->symbol : "_stext";
  guint64 there = facts->symbol_address != 0 ? facts->symbol_address : facts->text_start;
  guint64 own = pen_kernel_file_lookup (source->file, symbol);

  if (own == 0 || there == 0 || (there - own) % PAGE != 0) {
    pen_source_refuse (source, pen_reason_new (PEN_REASON_NO_ADDRESS, symbol, NULL));
    return FALSE;
  }

  source->moved = there - own;
  pen_kernel_file_place (source->file, source->moved);
  pen_kernel_file_load_symbols (source->file);
  return TRUE;
}

/* Returns: (nullable): looked for once */
static PenSource *
get_kernel (PenKernelSources *self)
{
  const PenKernelFacts *facts = self->facts;
  PenKernelFile *file;
  const char *found;
  PenSource *source;

  if (self->has_looked_for_kernel)
    return self->kernel;

  self->has_looked_for_kernel = TRUE;
  for (guint i = 0; i < self->list->len; i++) {
    source = g_ptr_array_index (self->list, i);
    if (source->file && g_str_equal (source->what, "vmlinux") && place_kernel (self, source))
      return self->kernel = source;
  }

  file = pen_kernel_finder_find_kernel (self->finder, facts->build_id, facts->build_id_length,
                                        &found);
  if (!file)
    return NULL;

  source = pen_kernel_sources_add (self, "vmlinux", found, pen_kernel_file_get_path (file),
                                   PEN_EVIDENCE_FILE);
  source->file = file;
  return place_kernel (self, source) ? self->kernel = source : NULL;
}

/* ---- modules' files ---- */

typedef struct {
  PenKallsyms *kallsyms;
  const PenTenure *tenure;
  guint asked;
  guint agreed;
} Placing;

static void
compare_place (const PenSymbol *symbol, const char *occupant G_GNUC_UNUSED, gpointer user_data)
{
  Placing *placing = user_data;
  PenSymbol known;

  if (!pen_kallsyms_find (placing->kallsyms, placing->tenure->occupant, symbol->start, &known)
      || known.start < placing->tenure->start || known.start >= placing->tenure->end)
    return;
  placing->asked++;
  placing->agreed += known.start == symbol->start;
}

/* Another build of the module, or one that does not begin where it was thought to, has its
 * functions elsewhere than kallsyms says. */
static gboolean
is_in_place (PenKernelSources *self, const PenSource *module, const PenTenure *tenure)
{
  gboolean is_refuted = FALSE;

  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);
    Placing placing = { source->kallsyms, tenure, 0, 0 };

    if (!source->kallsyms)
      continue;
    pen_kernel_file_foreach_symbol (module->file, compare_place, tenure->occupant, &placing);
    if (placing.asked > 0 && placing.agreed >= placing.asked - placing.asked / MISPLACED)
      return TRUE;
    is_refuted |= placing.asked > 0;
  }
  return !is_refuted;
}

static gboolean
holds_at (const PenTenure *tenure, guint64 time)
{
  return pen_moment_compare (tenure->from, (PenMoment){ time, G_MAXUINT64 }) <= 0
         && pen_moment_compare ((PenMoment){ time, 0 }, tenure->to) <= 0;
}

/* By the notes of a copy of /sys/module that has the module where it was. Returns: (nullable) */
static const guint8 *
find_noted_id (PenKernelSources *self, const PenTenure *tenure, guint *length,
               gboolean *is_recorded)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    for (guint k = 0; source->is_folder && source->modules && k < source->modules->len; k++) {
      const PenModule *module = &g_array_index (source->modules, PenModule, k);

      if (module->build_id_length == 0 || module->start != tenure->start
          || !g_str_equal (module->name, tenure->occupant)
          || (module->time != 0 ? !holds_at (tenure, module->time)
                                : !pen_source_is_of_stay (source, tenure)))
        continue;
      *length = module->build_id_length;
      *is_recorded = source->is_captured;
      return module->build_id;
    }
  }
  return NULL;
}

static PenSource *
open_module (PenKernelSources *self, const PenTenure *tenure)
{
  guint length;
  const guint8 *build_id = pen_kernel_facts_get_module_id (self->facts, tenure, &length);
  gboolean is_recorded = length > 0;
  const char *found;
  PenKernelFile *file;
  PenSource *source;

  if (!is_recorded)
    build_id = find_noted_id (self, tenure, &length, &is_recorded);
  file = pen_kernel_finder_find_module (self->finder, tenure->name, build_id, length, &found);
  if (!file)
    return NULL;

  source = pen_kernel_sources_add (self, "module", found, pen_kernel_file_get_path (file),
                                   is_recorded ? PEN_EVIDENCE_FILE : PEN_EVIDENCE_FILE_UNCHECKED);
  source->occupant = g_strdup (tenure->occupant);
  source->file = file;
  pen_kernel_file_place (file, tenure->start);
  pen_kernel_file_load_symbols (file);
  if (!is_in_place (self, source, tenure)) {
    pen_source_refuse (source, pen_reason_new (PEN_REASON_OTHER_FUNCTIONS, tenure->occupant, NULL));
    return NULL;
  }
  return source;
}

static PenSource *
get_module (PenKernelSources *self, const PenTenure *tenure)
{
  gpointer key = GUINT_TO_POINTER (tenure->id);
  gpointer source;

  if (!g_hash_table_lookup_extended (self->module_files, key, NULL, &source)) {
    source = open_module (self, tenure);
    g_hash_table_insert (self->module_files, key, source);
  }
  return source;
}

PenSource *
pen_kernel_sources_get_file (PenKernelSources *self, const PenTenure *tenure)
{
  if (tenure->space != PEN_SPACE_KERNEL || tenure->layer != PEN_LAYER_MAP)
    return NULL;
  if (tenure->kind == PEN_KIND_KERNEL)
    return get_kernel (self);
  return tenure->kind == PEN_KIND_MODULE ? get_module (self, tenure) : NULL;
}
