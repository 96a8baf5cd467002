/* pen-store-kernel-text.c: the kernel's text in a file beside the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

#include "pen-store-text.h"

/* Another file of that name, or a store that was given another place, is not what was meant. */
static PenKernelText *
get_kernel_text (PenStore *self)
{
  const char *name = pen_store_get_fact (self, "kernel_text");
  const char *id = pen_store_get_fact (self, "kernel_text_id");
  g_autofree char *directory = NULL;
  g_autofree char *path = NULL;

  if (self->has_looked_for_kernel_text || !name || !id || !pen_kernel_text_is_name (name))
    return self->kernel_text;

  self->has_looked_for_kernel_text = TRUE;
  directory = g_path_get_dirname (self->path);
  path = g_build_filename (directory, name, NULL);
  self->kernel_text = pen_kernel_text_open (path, NULL);
  if (self->kernel_text && strcmp (pen_kernel_text_get_id (self->kernel_text), id) != 0)
    g_clear_pointer (&self->kernel_text, pen_kernel_text_free);
  return self->kernel_text;
}

PenStoreKernelText
pen_store_has_kernel_text (PenStore *self)
{
  if (!pen_store_get_fact (self, "kernel_text"))
    return PEN_STORE_KERNEL_TEXT_NONE;
  return get_kernel_text (self) ? PEN_STORE_KERNEL_TEXT_THERE : PEN_STORE_KERNEL_TEXT_GONE;
}

void
pen_store_add_kernel_text (PenStore *self, guint64 start, guint64 end, GPtrArray *texts)
{
  PenKernelText *file = get_kernel_text (self);
  gint64 tenure = pen_store_get_fact_int (self, "kernel_text_tenure", 0);
  const char *word = pen_store_get_fact (self, "kernel_text_evidence");
  g_autofree guint8 *bytes = NULL;
  g_autofree guint8 *known = NULL;
  gsize length;

  if (!file || tenure <= 0 || tenure > G_MAXUINT32)
    return;
  start = MAX (start, pen_kernel_text_get_start (file));
  end = MIN (end, pen_kernel_text_get_start (file) + pen_kernel_text_get_length (file));
  if (start >= end)
    return;

  length = (gsize) (end - start);
  bytes = g_malloc (length);
  known = g_malloc (length);
  pen_kernel_text_read (file, start, length, bytes, known);
  for (gsize at = 0, next; at < length; at = next) {
    PenStoredText *text;

    for (next = at + 1; next < length && known[next] == known[at]; next++)
      ;
    if (!known[at])
      continue;
    text = g_new0 (PenStoredText, 1);
    text->tenure = (guint32) tenure;
    text->start = start + at;
    text->bytes = g_bytes_new (bytes + at, next - at);
    text->evidence = g_strcmp0 (word, pen_evidence_to_string (PEN_EVIDENCE_FILE)) == 0
                         ? PEN_EVIDENCE_FILE
                         : PEN_EVIDENCE_FILE_UNCHECKED;
    text->source = "kcore";
    g_ptr_array_add (texts, text);
  }
}
