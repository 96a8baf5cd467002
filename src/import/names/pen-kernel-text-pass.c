/* pen-kernel-text-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-text-pass.h"

#include <string.h>

#include "pen-kernel-text.h"

#define PAGE PEN_KERNEL_TEXT_PAGE
/* More is another boot's. */
#define MAX_DIFFERENT (1u << 20)
#define MAX_FILES 16u
/* Fewer equal bytes than these are kept with the different ones around them. */
#define JOINED 16u

struct _PenKernelTextPass {
  GThread *thread;
  char *directory;
  PenKernelCopy copy;
  guint32 tenure;
  /* What the thread made: */
  char *name; /* NULL: nothing */
  char id[PEN_KERNEL_TEXT_ID + 1];
  GPtrArray *different; /* GBytes, and their addresses: */
  GArray *addresses;
};

/* The copy's bytes: whole pages. */
typedef struct {
  guint64 start;
  gsize length;
  guint8 *bytes;
  guint8 *pages;
} Text;

static void
text_clear (Text *text)
{
  g_free (text->bytes);
  g_free (text->pages);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Text, text_clear)

/* Returns: FALSE: too little. Small copies have the pages only that samples and pokes are in, which
 * the store keeps. */
static gboolean
load (PenKernelTextPass *self, Text *text)
{
  g_autoptr (PenKcore) kcore = pen_kcore_open (self->copy.path, NULL);
  gsize n_pages = 0;

  if (!kcore)
    return FALSE;

  text->start = self->copy.start & ~(guint64) (PAGE - 1);
  text->length
      = (gsize) MIN (self->copy.end - text->start, PEN_KERNEL_TEXT_MAX) & ~(gsize) (PAGE - 1);
  text->bytes = g_malloc0 (text->length);
  text->pages = g_malloc0 (text->length / PAGE);
  for (gsize at = 0; at < text->length;) {
    gsize got = pen_kcore_read (kcore, text->start + at, text->bytes + at, text->length - at);
    gsize whole = got / PAGE;

    memset (text->pages + at / PAGE, 1, whole);
    memset (text->bytes + at + whole * PAGE, 0, got - whole * PAGE);
    n_pages += whole;
    at += (whole + (at + whole * PAGE < text->length)) * PAGE;
  }
  return n_pages > 0 && n_pages >= text->length / PAGE / 2;
}

static void
forget_different (PenKernelTextPass *self)
{
  g_ptr_array_set_size (self->different, 0);
  g_array_set_size (self->addresses, 0);
}

static void
add_different (PenKernelTextPass *self, const Text *text, gsize from, gsize to)
{
  guint64 address = text->start + from;

  g_ptr_array_add (self->different, g_bytes_new (text->bytes + from, to - from));
  g_array_append_val (self->addresses, address);
}

/* One page. Returns: how many bytes have to be kept */
static gsize
compare_page (PenKernelTextPass *self, const Text *text, gsize at, const guint8 *other)
{
  const guint8 *own = text->bytes + at;
  gsize kept = 0;

  if (memcmp (own, other, PAGE) == 0)
    return 0;
  for (gsize i = 0, end; i < PAGE; i = end) {
    gsize last = i;

    if (own[i] == other[i]) {
      end = i + 1;
      continue;
    }
    for (end = i + 1; end < PAGE && end - last <= JOINED; end++)
      if (own[end] != other[end])
        last = end;
    add_different (self, text, at + i, at + last + 1);
    kept += last + 1 - i;
  }
  return kept;
}

/* Is it nearly the same? A page that only the file has would be believed of this boot, too. */
static gboolean
is_alike (PenKernelTextPass *self, const Text *text, PenKernelText *file)
{
  guint8 bytes[PAGE];
  guint8 known[PAGE];
  gsize kept = 0;

  forget_different (self);
  if (pen_kernel_text_get_start (file) != text->start
      || pen_kernel_text_get_length (file) != text->length)
    return FALSE;
  for (gsize at = 0; at < text->length && kept <= MAX_DIFFERENT; at += PAGE) {
    gboolean has_page = text->pages[at / PAGE] != 0;

    pen_kernel_text_read (file, text->start + at, PAGE, bytes, known);
    if ((known[0] != 0) != has_page)
      return FALSE;
    if (has_page)
      kept += compare_page (self, text, at, bytes);
  }
  return kept <= MAX_DIFFERENT;
}

static gboolean
find_file (PenKernelTextPass *self, const Text *text)
{
  g_autofree char *prefix = g_strconcat (PEN_KERNEL_TEXT_PREFIX, self->copy.key, "-", NULL);
  g_autoptr (GDir) dir = g_dir_open (self->directory, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && n < MAX_FILES && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (self->directory, name, NULL);
    g_autoptr (PenKernelText) file = NULL;

    if (!g_str_has_prefix (name, prefix) || !pen_kernel_text_is_name (name))
      continue;
    n++;
    file = pen_kernel_text_open (path, NULL);
    if (!file || !is_alike (self, text, file))
      continue;
    self->name = g_strdup (name);
    g_strlcpy (self->id, pen_kernel_text_get_id (file), sizeof self->id);
    return TRUE;
  }
  forget_different (self);
  return FALSE;
}

static void
write_file (PenKernelTextPass *self, const Text *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenKernelText) file = NULL;
  g_autofree char *path = NULL;

  self->name = pen_kernel_text_write (self->directory, self->copy.key, text->start, text->bytes,
                                      text->length, text->pages, &error);
  if (self->name) {
    path = g_build_filename (self->directory, self->name, NULL);
    file = pen_kernel_text_open (path, &error);
  }
  if (file)
    g_strlcpy (self->id, pen_kernel_text_get_id (file), sizeof self->id);
  else
    g_clear_pointer (&self->name, g_free);
  if (error)
    g_debug ("The kernel's text is not kept: %s", error->message);
}

static gpointer
run (gpointer data)
{
  PenKernelTextPass *self = data;
  g_auto (Text) text = { 0 };

  if (load (self, &text) && !find_file (self, &text))
    write_file (self, &text);
  return NULL;
}

PenKernelTextPass *
pen_kernel_text_pass_start (const char *directory, PenKernelSources *sources, PenHistory *history)
{
  g_autoptr (PenKernelTextPass) self = g_new0 (PenKernelTextPass, 1);
  const PenTenure *tenure;

  self->different = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->directory = g_strdup (directory);
  if (!pen_kernel_sources_describe_copy (sources, &self->copy))
    return NULL;
  tenure = pen_history_find (history, PEN_SPACE_KERNEL, self->copy.start,
                             pen_moment (0, G_MAXUINT64), NULL);
  if (!tenure || tenure->kind != PEN_KIND_KERNEL || tenure->from_bound != PEN_BOUND_INITIAL)
    return NULL;

  self->tenure = tenure->id;
  self->thread = g_thread_new ("kernel text", run, self);
  return g_steal_pointer (&self);
}

void
pen_kernel_text_pass_free (PenKernelTextPass *self)
{
  if (!self)
    return;

  if (self->thread)
    g_thread_join (self->thread);
  g_ptr_array_unref (self->different);
  g_array_unref (self->addresses);
  pen_kernel_copy_clear (&self->copy);
  g_free (self->directory);
  g_free (self->name);
  g_free (self);
}

gboolean
pen_kernel_text_pass_finish (PenKernelTextPass *self, PenStoreWriter *writer, GError **error)
{
  if (!self)
    return TRUE;
  g_thread_join (g_steal_pointer (&self->thread));
  if (!self->name)
    return TRUE;

  for (guint i = 0; i < self->different->len; i++) {
    PenStoredText text = {
      .tenure = self->tenure,
      .start = g_array_index (self->addresses, guint64, i),
      .bytes = g_ptr_array_index (self->different, i),
      .evidence = self->copy.evidence,
      .source = "kcore",
    };

    if (!pen_store_writer_add_text (writer, &text, error))
      return FALSE;
  }
  return pen_store_writer_set_fact (writer, "kernel_text", self->name, error)
         && pen_store_writer_set_fact (writer, "kernel_text_id", self->id, error)
         && pen_store_writer_set_fact_int (writer, "kernel_text_tenure", self->tenure, error)
         && pen_store_writer_set_fact (writer, "kernel_text_evidence",
                                       pen_evidence_to_string (self->copy.evidence), error);
}
