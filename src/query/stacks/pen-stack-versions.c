/* pen-stack-versions.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-versions.h"

#include "pen-store-buckets.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

/* A patched byte, whose poke is to be found. @of: where its version goes */
typedef struct {
  guint64 address;
  guint32 tenure;
  guint32 revision;
  guint32 *of;
} Patched;

typedef struct {
  PenQuery *query;
  PenStackVersions *self;
  GHashTable *known; /* PenStackVersion → index */
  GArray *patched;   /* of Patched */
  GArray *buckets;   /* of Own: those that may have versions */
} Finding;

typedef struct {
  guint32 bucket;
  guint32 function;
} Own;

static void
finding_clear (Finding *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->patched, g_array_unref);
  g_clear_pointer (&self->buckets, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finding, finding_clear)

static guint
hash_version (gconstpointer data)
{
  const PenStackVersion *version = data;
  guint32 key[] = { version->tenure, version->revision, version->poke };

  return pen_data_hash (key, sizeof key);
}

static gboolean
equal_versions (gconstpointer a, gconstpointer b)
{
  const PenStackVersion *x = a;
  const PenStackVersion *y = b;

  return x->tenure == y->tenure && x->revision == y->revision && x->poke == y->poke;
}

static guint32
get_version (Finding *finding, PenStackVersion version)
{
  GArray *versions = finding->self->versions;
  gpointer index;

  if (g_hash_table_lookup_extended (finding->known, &version, NULL, &index))
    return GPOINTER_TO_UINT (index);
  g_array_append_val (versions, version);
  g_hash_table_insert (finding->known, g_memdup2 (&version, sizeof version),
                       GUINT_TO_POINTER (versions->len - 1));
  return versions->len - 1;
}

/* The text of files is the same for all that mapped them. */
static gboolean
has_versions (PenKind kind, const PenFunction *function)
{
  return pen_query_is_kernel_kind (kind) || pen_query_is_jit (function)
         || (kind == PEN_KIND_UNKNOWN && pen_query_is_kernel_text (function));
}

static void
find_version (Finding *finding, Patched byte, PenKind kind, guint32 function)
{
  if (!has_versions (kind, &finding->query->functions[function]))
    *byte.of = 0;
  else if (byte.revision > 0)
    g_array_append_val (finding->patched, byte);
  else
    *byte.of = get_version (finding, (PenStackVersion){ .tenure = byte.tenure });
}

static void
find_of_frames (Finding *finding, const PenFrameColumns *frames)
{
  guint32 tenure = 0;
  guint32 version = 0;

  for (guint32 i = 0; i < frames->n; i++) {
    Patched byte = { frames->address[i] - (frames->is_return[i] != 0), frames->tenure[i],
                     frames->revision[i], &finding->self->of_frame[i] };

    /* Nearly all of them are of the kernel as it was. */
    if (frames->kind[i] == PEN_KIND_KERNEL && byte.revision == 0 && byte.tenure == tenure) {
      *byte.of = version;
      continue;
    }
    find_version (finding, byte, frames->kind[i], frames->function[i]);
    if (frames->kind[i] == PEN_KIND_KERNEL && byte.revision == 0) {
      tenure = byte.tenure;
      version = *byte.of;
    }
  }
}

static void
find_of_bucket (const PenBucket *bucket, gpointer user_data)
{
  Finding *finding = user_data;
  Own own = { bucket->id, bucket->function };
  Patched byte = { bucket->address, bucket->tenure, bucket->revision,
                   &finding->self->of_bucket[bucket->id] };

  find_version (finding, byte, bucket->kind, bucket->function);
  g_array_append_val (finding->buckets, own);
}

static gboolean
find_of_buckets (Finding *finding, GError **error)
{
  PenQuery *query = finding->query;
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < query->n_functions; i++) {
    if (query->functions[i].samples > 0
        && has_versions (query->functions[i].kind, &query->functions[i]))
      g_array_append_val (functions, i);
  }
  return pen_store_foreach_bucket_of (query->store, functions, find_of_bucket, finding, error);
}

/* ---- pokes ---- */

static int
compare_by_address (gconstpointer a, gconstpointer b)
{
  const Patched *x = a;
  const Patched *y = b;

  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  return x->revision < y->revision ? -1 : x->revision > y->revision;
}

/* Bytes [@first, @end) of @patched have one address: they and the patches of each tenure are gone
 * through together. */
static gboolean
find_pokes_at (Finding *finding, guint first, guint end, GError **error)
{
  const Patched *bytes = (const Patched *) (gpointer) finding->patched->data;
  g_autoptr (GArray) pokes = pen_store_load_pokes (finding->query->store, bytes[first].address,
                                                   bytes[first].address + 1, error);
  g_autoptr (GHashTable) counts = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (GHashTable) found = g_hash_table_new (pen_int64_hash, g_int64_equal);
  g_autofree guint64 *keys = NULL;

  if (!pokes)
    return FALSE;
  keys = g_new (guint64, (gsize) pokes->len + 1);
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);
    gpointer tenure = GUINT_TO_POINTER (poke->tenure);
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, tenure));

    if (poke->effect != PEN_POKE_PATCH)
      continue;
    g_hash_table_insert (counts, tenure, GUINT_TO_POINTER (++n));
    keys[i] = (guint64) poke->tenure << 32 | n;
    g_hash_table_insert (found, &keys[i], (gpointer) poke);
  }
  for (guint i = first; i < end; i++) {
    guint64 key = (guint64) bytes[i].tenure << 32 | bytes[i].revision;
    const PenPoke *poke = g_hash_table_lookup (found, &key);
    PenStackVersion version = { bytes[i].tenure, bytes[i].revision, poke ? poke->id : 0,
                                poke ? poke->cause : PEN_CAUSE_UNKNOWN };

    *bytes[i].of = get_version (finding, version);
  }
  return TRUE;
}

static gboolean
find_pokes (Finding *finding, GError **error)
{
  GArray *patched = finding->patched;
  guint end;

  g_array_sort (patched, compare_by_address);
  for (guint first = 0; first < patched->len; first = end) {
    guint64 address = g_array_index (patched, Patched, first).address;

    for (end = first + 1;
         end < patched->len && g_array_index (patched, Patched, end).address == address;)
      end++;
    if (!pen_store_goes_on (finding->query->store, error)
        || !find_pokes_at (finding, first, end, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- functions ---- */

static void
note_version (PenStackVersions *self, guint32 function, guint32 version)
{
  guint32 *of = &self->of_function[function];

  if (*of == 0)
    *of = version + 1;
  if (*of != version + 1 || pen_stack_versions_get (self, version)->revision > 0)
    *of = PEN_STACK_SEVERAL;
}

static void
find_of_functions (const Finding *finding, const PenFrameColumns *frames)
{
  PenStackVersions *self = finding->self;

  for (guint32 i = 0; i < frames->n; i++)
    note_version (self, frames->function[i], self->of_frame[i]);
  for (guint i = 0; i < finding->buckets->len; i++) {
    const Own *own = &g_array_index (finding->buckets, Own, i);

    note_version (self, own->function, self->of_bucket[own->bucket]);
  }
}

PenStackVersions *
pen_stack_versions_new (PenQuery *query, const PenFrameColumns *frames, GError **error)
{
  g_autoptr (PenStackVersions) self = g_new0 (PenStackVersions, 1);
  g_auto (Finding) finding = { .query = query, .self = self };

  finding.known = g_hash_table_new_full (hash_version, equal_versions, g_free, NULL);
  finding.patched = g_array_new (FALSE, FALSE, sizeof (Patched));
  finding.buckets = g_array_new (FALSE, FALSE, sizeof (Own));
  self->versions = g_array_new (FALSE, FALSE, sizeof (PenStackVersion));
  self->of_frame = g_new0 (guint32, (gsize) frames->n + 1);
  self->of_bucket = g_new0 (guint32, (gsize) query->n_buckets + 1);
  self->of_function = g_new0 (guint32, (gsize) query->n_functions + 1);
  get_version (&finding, (PenStackVersion){ 0 });
  find_of_frames (&finding, frames);
  if (!find_of_buckets (&finding, error) || !find_pokes (&finding, error))
    return NULL;
  find_of_functions (&finding, frames);
  return g_steal_pointer (&self);
}

void
pen_stack_versions_free (PenStackVersions *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->versions, g_array_unref);
  g_free (self->of_frame);
  g_free (self->of_bucket);
  g_free (self->of_function);
  g_free (self);
}
