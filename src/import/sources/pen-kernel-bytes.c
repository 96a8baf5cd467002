/* pen-kernel-bytes.c: the text that copies of kcore and ELF files have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-sources-private.h"

#include <string.h>

#include "pen-kernel-text.h"
#include "pen-map-name.h"
#include "pen-table-hash.h"

#define PAGE 4096u
/* The text of a kernel has some 20 MiB. */
#define MAX_CORE (64u << 20)
/* No function and no chain is longer. */
#define MAX_READ (1u << 20)
/* So many places tell enough, and a poke is at most so long. */
#define MAX_COMPARED 4096u
#define MAX_POKE 256u

/* ---- comparing with the pokes ---- */

/* Only the first poke of a place found what a copy from before can have. */
void
pen_kernel_sources_compare_kcore (PenKcore *kcore, PenHistory *history, guint *agreed, guint *asked)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);

  *agreed = *asked = 0;
  for (guint i = 0; i < n && *asked < MAX_COMPARED; i++) {
    const PenPoke *poke = &pokes[i];
    const PenTenure *tenure = pen_history_get_tenure (history, poke->tenure);
    guint8 bytes[MAX_POKE];

    if (!tenure || tenure->from_bound != PEN_BOUND_INITIAL || poke->old_length == 0
        || poke->old_length > MAX_POKE
        || !g_hash_table_add (seen, g_memdup2 (&poke->address, sizeof poke->address))
        || pen_kcore_read (kcore, poke->address, bytes, poke->old_length) < poke->old_length)
      continue;
    (*asked)++;
    *agreed += memcmp (bytes, poke->old_bytes, poke->old_length) == 0;
  }
}

/* ---- what is there already ---- */

/* Returns: the bytes of [@start, @end) that @piece has, from @from on */
static guint64
clip (const PenTextPiece *piece, guint64 start, guint64 end, guint64 *from)
{
  guint64 to = MIN (end, piece->start + g_bytes_get_size (piece->bytes));

  *from = MAX (start, piece->start);
  return to > *from ? to - *from : 0;
}

/* Sets the flag of each byte of [@start, @end) that some piece has. */
static void
mark_known (GPtrArray *pieces, guint64 start, guint64 end, guint8 *flags, guint8 flag)
{
  for (guint i = 0; i < pieces->len; i++) {
    guint64 from;
    guint64 n = clip (g_ptr_array_index (pieces, i), start, end, &from);

    if (n > 0)
      memset (flags + (from - start), flag, n);
  }
}

guint64
pen_kernel_sources_count_missing (GPtrArray *pieces, guint64 start, guint64 end)
{
  g_autofree guint8 *known = NULL;
  guint64 missing = 0;
  guint64 from;

  if (start >= end)
    return 0;

  end = MIN (end, start + MAX_READ);
  if (pieces->len == 0)
    return end - start;
  /* As a rule. */
  if (pieces->len == 1)
    return end - start - clip (g_ptr_array_index (pieces, 0), start, end, &from);

  known = g_malloc0 (end - start);
  mark_known (pieces, start, end, known, 1);
  for (guint64 at = start; at < end; at++)
    missing += !known[at - start];
  return missing;
}

static void
add_piece (GPtrArray *pieces, const PenTextPiece *like, guint64 start, gconstpointer bytes,
           gsize length)
{
  PenTextPiece *piece = g_memdup2 (like, sizeof *like);

  piece->start = start;
  piece->bytes = g_bytes_new (bytes, length);
  g_ptr_array_add (pieces, piece);
}

/* Where the run of equal bytes that begins at @at ends. */
static gsize
find_run_end (const guint8 *bytes, gsize at, gsize length)
{
  guint64 eight = bytes[at] * G_GUINT64_CONSTANT (0x0101010101010101);
  gsize end = at + 1;

  while (length - end >= sizeof eight && memcmp (bytes + end, &eight, sizeof eight) == 0)
    end += sizeof eight;
  while (end < length && bytes[end] == bytes[at])
    end++;
  return end;
}

/* Adds runs of bytes that nothing had. @grades: PenEvidence of each byte; forgotten of what is had
 */
static gboolean
add_runs (GPtrArray *pieces, PenTextPiece *like, guint64 start, gsize length, const guint8 *bytes,
          guint8 *grades)
{
  gboolean has_added = FALSE;

  mark_known (pieces, start, start + length, grades, PEN_EVIDENCE_UNKNOWN);
  for (gsize i = 0, next; i < length; i = next) {
    next = find_run_end (grades, i, length);
    if (grades[i] == PEN_EVIDENCE_UNKNOWN)
      continue;
    like->evidence = grades[i];
    add_piece (pieces, like, start + i, bytes + i, next - i);
    has_added = TRUE;
  }
  return has_added;
}

/* Recorders let a module's map reach beyond its text (since Linux 6.4 what the kernel lists of it
 * is not in one place), and another one's may have come there, unseen, after the copy was made.
 * Where nothing names the module, a range of nothing but zeros or breakpoints is no text. */
static gboolean
is_filler (PenKcore *kcore, guint64 page)
{
  guint8 bytes[PAGE];

  if (pen_kcore_read (kcore, page, bytes, sizeof bytes) != sizeof bytes
      || (bytes[0] != 0 && bytes[0] != 0xcc))
    return FALSE;
  return memcmp (bytes, bytes + 1, sizeof bytes - 1) == 0;
}

static void
forget_filler (const PenSource *source, guint64 start, gsize length, guint8 *grades)
{
  for (gsize at = 0, next; at < length; at = next) {
    guint64 page = (start + at) & ~(guint64) (PAGE - 1);

    next = (gsize) MIN (length, page + PAGE - start);
    if (is_filler (source->kcore, page))
      memset (grades + at, PEN_EVIDENCE_UNKNOWN, next - at);
  }
}

/* A kcore may have holes: what it has between them is taken page by page. */
gboolean
pen_kernel_sources_read_kcore (PenKernelSources *self, const PenSource *source,
                               const PenTenure *tenure, guint64 start, guint64 end,
                               GPtrArray *pieces)
{
  PenTextPiece like = { .tenure = tenure->id, .source = "kcore" };
  gboolean is_module = tenure->kind == PEN_KIND_MODULE && !source->dated;
  guint64 text_end = is_module ? pen_kernel_sources_find_text_end (self, tenure) : 0;
  g_autofree guint8 *bytes = NULL;
  g_autofree guint8 *grades = NULL;
  gsize length;

  if (text_end != 0)
    end = MIN (end, text_end);
  if (start >= end)
    return FALSE;

  length = (gsize) MIN (end - start, MAX_READ);
  bytes = g_malloc0 (length);
  grades = g_malloc0 (length);
  if (source->dated) {
    if (!pen_dated_kcore_read (source->dated, tenure, start, length, bytes, grades))
      return FALSE;
    for (gsize i = 0; i < length; i++)
      grades[i] = grades[i] ? source->evidence : PEN_EVIDENCE_UNKNOWN;
    return add_runs (pieces, &like, start, length, bytes, grades);
  }

  for (gsize at = 0; at < length;) {
    gsize n = pen_kcore_read (source->kcore, start + at, bytes + at, length - at);

    memset (grades + at, source->evidence, n);
    at += n;
    if (at < length)
      at = (gsize) MIN (length, (((start + at) | (PAGE - 1)) + 1) - start);
  }

  if (is_module && text_end == 0)
    forget_filler (source, start, length, grades);
  return add_runs (pieces, &like, start, length, bytes, grades);
}

/* ---- ELF files ---- */

typedef struct {
  PenKernelSources *sources;
  const PenTenure *tenure; /* of the module */
} Loading;

/* A name that several have is nobody's. */
static void
take_address (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  PenKernelSources *self = user_data;
  guint64 *known;

  if (!g_str_equal (occupant, PEN_CORE_KERNEL))
    return;

  known = g_hash_table_lookup (self->addresses, symbol->name);
  if (!known)
    g_hash_table_insert (self->addresses, g_strdup (symbol->name),
                         g_memdup2 (&symbol->start, sizeof symbol->start));
  else if (*known != symbol->start)
    *known = 0;
}

/* Names that lost their address to another one are only found by looking for them. */
static guint64
look_up (PenKernelSources *self, const char *name)
{
  guint64 address = 0;

  for (guint i = 0; i < self->list->len && address == 0; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (source->kallsyms)
      address = pen_kallsyms_lookup (source->kallsyms, name);
  }
  g_hash_table_insert (self->addresses, g_strdup (name), g_memdup2 (&address, sizeof address));
  return address;
}

/* The kernel's address of a symbol that a module refers to. */
static guint64
resolve (const char *name, gpointer user_data)
{
  const Loading *loading = user_data;
  PenKernelSources *self = loading->sources;
  const guint64 *address;

  if (!self->addresses) {
    self->addresses = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_free);
    pen_kernel_sources_foreach_kallsyms (self, take_address, self);
    if (g_hash_table_size (self->addresses) == 0 && self->kernel)
      pen_kernel_file_foreach_symbol (self->kernel->file, take_address, PEN_CORE_KERNEL, self);
  }
  address = g_hash_table_lookup (self->addresses, name);
  return address ? *address : look_up (self, name);
}

/* ---- how the kernel loads a module ---- */

static const PenSource *
find_kcore (PenKernelSources *self, gboolean may_be_dated)
{
  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);

    if (source->kcore && (may_be_dated || !source->dated)
        && pen_kernel_sources_holds_kernel (self, source->kcore))
      return source;
  }
  return NULL;
}

/* From the copy of the start on, poke by poke. */
static gboolean
read_core (guint64 address, gsize length, guint8 *buffer, gpointer user_data)
{
  const Loading *loading = user_data;
  const PenSource *source = find_kcore (loading->sources, FALSE);
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (loading->sources->history, &n);

  if (!source || pen_kcore_read (source->kcore, address, buffer, length) < length)
    return FALSE;

  for (guint i = 0; i < n; i++) {
    const PenPoke *poke = &pokes[i];

    if (pen_moment_compare (poke->moment, loading->tenure->from) >= 0)
      break;
    if (poke->address == address && poke->new_length > 0)
      memcpy (buffer, poke->new_bytes, MIN (length, poke->new_length));
  }
  return TRUE;
}

static void
take_symbol (const PenSymbol *symbol, const char *occupant, gpointer user_data)
{
  GArray *symbols = user_data;

  if (g_str_equal (occupant, PEN_CORE_KERNEL))
    g_array_append_val (symbols, *symbol);
}

/* Returns: (nullable): looked at once */
static const PenBootText *
get_boot (PenKernelSources *self)
{
  const PenSource *source = find_kcore (self, TRUE);
  guint64 start = self->facts->text_start;
  gsize length = (gsize) MIN (self->facts->text_end - start, MAX_CORE);
  g_autoptr (GArray) symbols = NULL;
  g_autofree guint8 *bytes = NULL;

  if (self->boot || !source || length == 0)
    return self->boot;

  symbols = g_array_new (FALSE, FALSE, sizeof (PenSymbol));
  bytes = g_malloc0 (length);
  for (gsize at = 0; at < length;) {
    at += pen_kcore_read (source->kcore, start + at, bytes + at, length - at);
    if (at < length)
      at = (gsize) MIN (length, (((start + at) | (PAGE - 1)) + 1) - start);
  }
  pen_kernel_sources_foreach_kallsyms (self, take_symbol, symbols);
  self->boot = g_new0 (PenBootText, 1);
  pen_boot_text_read (self->boot, start, bytes, length, symbols);
  return self->boot;
}

static guint8
get_grade (PenFileByte state, PenEvidence evidence)
{
  if (state == PEN_FILE_BYTE_UNKNOWN)
    return PEN_EVIDENCE_UNKNOWN;
  return state == PEN_FILE_BYTE_SAME ? evidence : PEN_EVIDENCE_FILE_UNCHECKED;
}

gboolean
pen_kernel_sources_read_file (PenKernelSources *self, const PenSource *source,
                              const PenTenure *tenure, guint64 start, guint64 end,
                              GPtrArray *pieces)
{
  PenTextPiece like
      = { .tenure = tenure->id,
          .source = pen_kernel_file_is_module (source->file) ? "module file" : "vmlinux" };
  g_autofree guint8 *bytes = NULL;
  g_autofree guint8 *grades = NULL;
  Loading loading = { self, tenure };
  PenModuleLoad load;
  gsize length;

  if (start >= end)
    return FALSE;

  length = (gsize) MIN (end - start, MAX_READ);
  bytes = g_malloc (length);
  grades = g_malloc (length);
  load = (PenModuleLoad){
    .resolve = resolve,
    .read = read_core,
    .boot = pen_kernel_file_is_module (source->file) ? get_boot (self) : NULL,
    .is_new = tenure->from_bound != PEN_BOUND_INITIAL,
    .user_data = &loading,
  };
  pen_kernel_file_read (source->file, start, length, bytes, grades, &load);
  for (gsize i = 0; i < length; i++)
    grades[i] = get_grade (grades[i], source->evidence);
  return add_runs (pieces, &like, start, length, bytes, grades);
}

/* ---- a copy as a whole ---- */

void
pen_kernel_copy_clear (PenKernelCopy *copy)
{
  g_clear_pointer (&copy->path, g_free);
  g_clear_pointer (&copy->key, g_free);
}

/* Where a map of the kernel ends with its data, its text ends before. */
static guint64
find_text_end (PenKernelSources *self)
{
  guint64 end = self->facts->text_end;

  for (guint i = 0; i < self->list->len; i++) {
    const PenSource *source = g_ptr_array_index (self->list, i);
    guint64 own = source->kallsyms ? pen_kallsyms_lookup (source->kallsyms, "_etext") : 0;

    if (own > self->facts->text_start && own < end)
      return own > G_MAXUINT64 - PAGE ? own : (own + PAGE - 1) & ~(guint64) (PAGE - 1);
  }
  return end;
}

static char *
make_key (const PenKernelFacts *facts)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint64 start = GUINT64_TO_LE (facts->text_start);

  g_checksum_update (sum, facts->build_id, facts->build_id_length);
  g_checksum_update (sum, (const guint8 *) &start, sizeof start);
  if (facts->release)
    g_checksum_update (sum, (const guint8 *) facts->release, -1);
  return g_strndup (g_checksum_get_string (sum), PEN_KERNEL_TEXT_ID);
}

gboolean
pen_kernel_sources_describe_copy (PenKernelSources *self, PenKernelCopy *copy)
{
  const PenSource *source = find_kcore (self, FALSE);

  *copy = (PenKernelCopy){ .start = self->facts->text_start, .end = find_text_end (self) };
  if (!source || copy->start >= copy->end)
    return FALSE;
  copy->path = g_strdup (source->path);
  copy->key = make_key (self->facts);
  copy->evidence = source->evidence;
  return TRUE;
}
