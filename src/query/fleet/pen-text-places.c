/* pen-text-places.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-places.h"

#include "pen-annotator.h"
#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

/* Text is loaded by pages: places of many tenures may be in one. */
#define PAGE_SHIFT 12

int
pen_text_place_compare (gconstpointer a, gconstpointer b)
{
  const PenTextPlace *x = a;
  const PenTextPlace *y = b;

  if (x->tenure != y->tenure)
    return PEN_COMPARE (x->tenure, y->tenure);
  if (x->address != y->address)
    return PEN_COMPARE (x->address, y->address);
  return PEN_COMPARE (x->revision, y->revision);
}

static PenTextPlace *
get_place (const GArray *places, guint i)
{
  return &g_array_index (places, PenTextPlace, i);
}

/* ---- patches ---- */

/* One address of a tenure: its places are [@next, @end), by revision. */
typedef struct {
  guint64 address;
  guint next;
  guint end;
  guint32 revision;
} Byte;

static GArray *
list_bytes (const GArray *places, guint first, guint end)
{
  GArray *bytes = g_array_new (FALSE, FALSE, sizeof (Byte));

  for (guint i = first; i < end; i++) {
    const PenTextPlace *place = get_place (places, i);
    Byte *last = bytes->len > 0 ? &g_array_index (bytes, Byte, bytes->len - 1) : NULL;

    if (last && last->address == place->address) {
      last->end = i + 1;
    } else {
      Byte byte = { place->address, i, i + 1, 0 };

      g_array_append_val (bytes, byte);
    }
  }
  return bytes;
}

static void
patch_byte (const GArray *places, Byte *byte, guint poke, PenMoment moment)
{
  if (byte->next < byte->end && get_place (places, byte->next)->revision == byte->revision)
    get_place (places, byte->next++)->to = moment;
  byte->revision++;
  if (byte->next < byte->end && get_place (places, byte->next)->revision == byte->revision) {
    get_place (places, byte->next)->poke = poke + 1;
    get_place (places, byte->next)->from = moment;
  }
}

typedef struct {
  guint32 tenure;
  guint poke;
} Patch;

static int
compare_patches (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Patch *x = a;
  const Patch *y = b;

  return x->tenure != y->tenure ? PEN_COMPARE (x->tenure, y->tenure)
                                : PEN_COMPARE (x->poke, y->poke);
}

/* Returns: NULL: cancelled */
static GArray *
list_patches (PenQuery *query, const PenPokeSites *sites, GError **error)
{
  PenCancelCheck check = pen_query_make_check (query);
  g_autoptr (GArray) patches = g_array_new (FALSE, FALSE, sizeof (Patch));

  for (guint i = 0; i < sites->pokes->len && pen_cancel_check_step (&check); i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, i);
    Patch patch = { poke->tenure, i };

    if (poke->effect == PEN_POKE_PATCH && poke->tenure != 0)
      g_array_append_val (patches, patch);
  }
  pen_cancel_check_sort (&check, patches->data, patches->len, sizeof (Patch), compare_patches,
                         NULL);
  return pen_query_end_check (query, &check, error) ? g_steal_pointer (&patches) : NULL;
}

/* The patches of one tenure, from @p on, in time order. Returns: the first of the next one */
static guint
replay (const PenPokeSites *sites, const GArray *patches, guint p, const GArray *places,
        GArray *bytes)
{
  guint32 tenure = g_array_index (patches, Patch, p).tenure;

  for (; p < patches->len && g_array_index (patches, Patch, p).tenure == tenure; p++) {
    guint index = g_array_index (patches, Patch, p).poke;
    const PenPoke *poke = pen_poke_sites_get (sites, index);
    guint i = PEN_BINARY_SEARCH (b, 0, bytes->len,
                                 g_array_index (bytes, Byte, b).address < poke->address);

    for (; i < bytes->len
           && g_array_index (bytes, Byte, i).address - poke->address < pen_poke_get_length (poke);
         i++)
      patch_byte (places, &g_array_index (bytes, Byte, i), index, poke->moment);
  }
  return p;
}

static gboolean
find_patches (PenQuery *query, const PenPokeSites *sites, GArray *places, GError **error)
{
  g_autoptr (GArray) patches = list_patches (query, sites, error);
  guint p = 0;
  guint end;

  if (!patches)
    return FALSE;
  for (guint first = 0; first < places->len; first = end) {
    guint32 tenure = get_place (places, first)->tenure;
    g_autoptr (GArray) bytes = NULL;

    if (!pen_store_goes_on (query->store, error))
      return FALSE;
    for (end = first + 1; end < places->len && get_place (places, end)->tenure == tenure;)
      end++;
    p = PEN_BINARY_SEARCH (i, p, patches->len, g_array_index (patches, Patch, i).tenure < tenure);
    if (p == patches->len || g_array_index (patches, Patch, p).tenure != tenure)
      continue;
    bytes = list_bytes (places, first, end);
    p = replay (sites, patches, p, places, bytes);
  }
  return TRUE;
}

/* ---- text ---- */

typedef struct {
  PenQuery *query;
  PenAnnotator *annotator;
  GHashTable *tenures; /* id → PenTenure */
  GString *name;
} Reading;

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->annotator, pen_annotator_free);
  g_clear_pointer (&self->tenures, g_hash_table_unref);
  if (self->name)
    g_string_free (g_steal_pointer (&self->name), TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static int
compare_pages (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const PenTextPlace *x = *(PenTextPlace *const *) a;
  const PenTextPlace *y = *(PenTextPlace *const *) b;
  guint64 page_x = x->address >> PAGE_SHIFT;
  guint64 page_y = y->address >> PAGE_SHIFT;

  return page_x != page_y ? PEN_COMPARE (page_x, page_y) : pen_text_place_compare (x, y);
}

/* While the revision was there. */
static PenMoment
get_moment (const PenTextPlace *place)
{
  PenMoment moment = place->seen;

  if (place->poke != 0 && pen_moment_compare (moment, place->from) <= 0)
    moment = (PenMoment){ place->from.time, place->from.position + 1 };
  return pen_moment_compare (moment, place->to) > 0 ? place->to : moment;
}

static void
read_place (Reading *self, PenText *text, PenTextPlace *place)
{
  g_autoptr (GChecksum) sum = NULL;
  guint8 bytes[PEN_INSTRUCTION_MAX], known[PEN_INSTRUCTION_MAX], settled[PEN_INSTRUCTION_MAX];
  PenMoment moment = get_moment (place);
  PenInstruction instruction;
  gsize n = 0;
  guint8 digest[32];
  gsize size = sizeof digest;

  pen_text_read (text, place->address, sizeof bytes, moment, bytes, known, NULL);
  while (n < sizeof bytes && known[n])
    n++;
  if (n == 0)
    return;
  g_string_truncate (self->name, 0);
  if (pen_decoder_settle (self->annotator->decoder, bytes, n, place->address, place->start,
                          place->end, &instruction, settled))
    pen_annotator_name_place (self->annotator, instruction.target, moment, self->name);
  /* A part of an instruction is none. */
  if (instruction.class == PEN_INSTRUCTION_BAD && n < sizeof bytes)
    return;
  sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (sum, settled, instruction.length);
  g_checksum_update (sum, (const guchar *) self->name->str, (gssize) self->name->len);
  g_checksum_get_digest (sum, digest, &size);
  for (guint i = 0; i < sizeof place->digest; i++)
    place->digest = place->digest << 8 | digest[i];
  place->has_digest = TRUE;
}

/* Returns: (nullable): NULL with @error, or where there is none */
static const PenTenure *
find_tenure (Reading *self, guint32 id, GError **error)
{
  PenTenure *tenure = g_hash_table_lookup (self->tenures, GUINT_TO_POINTER (id));
  PenTenure found;

  if (tenure || !pen_store_load_tenure (self->query->store, id, &found, error))
    return tenure;
  tenure = g_memdup2 (&found, sizeof found);
  g_hash_table_insert (self->tenures, GUINT_TO_POINTER (id), tenure);
  return tenure;
}

/* Places of one tenure in one page. */
static gboolean
read_tenure (Reading *self, PenLoadedText *loaded, PenTextPlace **places, guint n, GError **error)
{
  GError *failure = NULL;
  const PenTenure *tenure = find_tenure (self, places[0]->tenure, &failure);
  const PenTenureText *stored = pen_loaded_text_find (loaded, places[0]->tenure);
  g_autoptr (PenText) text = NULL;
  guint64 last;

  if (failure) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  if (!tenure || (stored->pieces->len == 0 && stored->pokes->len == 0))
    return TRUE;
  last = places[n - 1]->address;
  text = pen_text_new (tenure, places[0]->address,
                       last + MIN (PEN_INSTRUCTION_MAX, G_MAXUINT64 - last),
                       (const PenTextPiece *const *) stored->pieces->pdata, stored->pieces->len,
                       (const PenPoke *const *) stored->pokes->pdata, stored->pokes->len);
  for (guint i = 0; i < n; i++) {
    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    read_place (self, text, places[i]);
  }
  return TRUE;
}

static gboolean
read_page (Reading *self, PenTextPlace **places, guint n, GError **error)
{
  guint64 first = places[0]->address >> PAGE_SHIFT << PAGE_SHIFT;
  guint64 room = G_MAXUINT64 - first;
  g_autoptr (PenLoadedText) loaded = pen_loaded_text_new (
      self->query->store, first,
      first + MIN (((guint64) 1 << PAGE_SHIFT) + PEN_INSTRUCTION_MAX, room), error);
  guint end;

  if (!loaded)
    return FALSE;
  for (guint i = 0; i < n; i = end) {
    for (end = i + 1; end < n && places[end]->tenure == places[i]->tenure;)
      end++;
    if (!pen_store_goes_on (self->query->store, error)
        || !read_tenure (self, loaded, &places[i], end - i, error))
      return FALSE;
  }
  return TRUE;
}

/* Of machines whose instructions cannot be decoded there are no digests. */
static gboolean
find_digests (PenQuery *query, GArray *places, GError **error)
{
  g_autoptr (GPtrArray) by_page = g_ptr_array_sized_new (places->len);
  PenCancelCheck check = pen_query_make_check (query);
  g_auto (Reading) self = { .query = query };
  guint end;

  self.annotator = pen_annotator_new (query, PEN_SYNTAX_ATT, NULL);
  if (!self.annotator)
    return TRUE;
  self.tenures = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  self.name = g_string_new (NULL);
  for (guint i = 0; i < places->len; i++)
    g_ptr_array_add (by_page, get_place (places, i));
  pen_cancel_check_sort (&check, by_page->pdata, by_page->len, sizeof *by_page->pdata,
                         compare_pages, NULL);
  if (!pen_query_end_check (query, &check, error))
    return FALSE;
  for (guint i = 0; i < by_page->len; i = end) {
    const PenTextPlace *first = by_page->pdata[i];
    guint64 page = first->address >> PAGE_SHIFT;

    for (end = i + 1; end < by_page->len
                      && ((PenTextPlace *) by_page->pdata[end])->address >> PAGE_SHIFT == page;)
      end++;
    if (!read_page (&self, (PenTextPlace **) &by_page->pdata[i], end - i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_text_places_find (PenQuery *query, const PenPokeSites *sites, GArray *places, GError **error)
{
  for (guint i = 0; i < places->len; i++) {
    PenTextPlace *place = get_place (places, i);

    place->poke = 0;
    place->from = PEN_MOMENT_START;
    place->to = PEN_MOMENT_END;
    place->has_digest = FALSE;
  }
  return find_patches (query, sites, places, error) && find_digests (query, places, error);
}
