/* pen-kernel-debug.c: what debug information of the kernel and its modules is looked for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

/* Returns: (nullable): the vmlinux that is used, or would be */
static PenSource *
find_kernel (PenKernelSources *self)
{
  if (self->kernel)
    return self->kernel;

  for (guint i = 0; i < self->list->len; i++) {
    PenSource *source = g_ptr_array_index (self->list, i);

    if (source->file && !source->refused && g_str_equal (source->what, "vmlinux"))
      return source;
  }
  return NULL;
}

static gboolean
describe_kernel (PenKernelSources *self, PenKernelDebug *debug)
{
  const PenKernelFacts *facts = self->facts;
  const PenSource *source = find_kernel (self);

  debug->symbol = facts->symbol_address != 0 ? facts->symbol : "_stext";
  debug->address = facts->symbol_address != 0 ? facts->symbol_address : facts->text_start;
  debug->file.release = facts->release;
  debug->file.build_id = facts->build_id;
  debug->file.length = facts->build_id_length;
  if (source) {
    debug->file.known = source->path;
    debug->is_given = source->is_given;
  }
  return debug->address != 0 && (debug->file.known || debug->file.length > 0);
}

static gboolean
describe_module (PenKernelSources *self, const PenTenure *tenure, PenKernelDebug *debug)
{
  const PenSource *source = g_hash_table_lookup (self->module_files, GUINT_TO_POINTER (tenure->id));

  debug->is_module = TRUE;
  debug->address = tenure->start;
  debug->occupant = tenure->occupant;
  debug->file.build_id = pen_kernel_facts_get_module_id (self->facts, tenure, &debug->file.length);
  if (source)
    debug->file.known = source->path;
  return debug->file.known || debug->file.length > 0 || self->symfs;
}

gboolean
pen_kernel_sources_describe_debug (PenKernelSources *self, const PenTenure *tenure,
                                   PenKernelDebug *debug)
{
  *debug = (PenKernelDebug){ .file.name = tenure->name };
  return tenure->kind == PEN_KIND_KERNEL ? describe_kernel (self, debug)
                                         : describe_module (self, tenure, debug);
}

void
pen_kernel_sources_note_lines (PenKernelSources *self, const PenKernelDebug *debug,
                               const char *path, const char *found)
{
  PenSource *source;

  for (guint i = 0; i < self->list->len; i++) {
    source = g_ptr_array_index (self->list, i);
    if (!source->refused && g_str_equal (source->path, path)
        && g_strcmp0 (source->occupant, debug->occupant) == 0) {
      source->gives |= PEN_SOURCE_LINES;
      return;
    }
  }

  source = pen_kernel_sources_add (self, debug->is_module ? "module" : "vmlinux", found, path,
                                   debug->file.length > 0 ? PEN_EVIDENCE_FILE
                                                          : PEN_EVIDENCE_FILE_UNCHECKED);
  source->occupant = g_strdup (debug->occupant);
  source->gives = PEN_SOURCE_LINES;
}
