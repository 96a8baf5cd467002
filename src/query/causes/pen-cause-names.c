/* pen-cause-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-names.h"

#include <string.h>

#include "pen-names.h"
#include "pen-store-occupants.h"
#include "pen-table-hash.h"

/*
 * Sites of one cause that belong together, as a forest: of each tree the lowest site is the root.
 * @names: of the tree of a root, the first that was found; @is_mixed: there is another one
 * @own: of each site, from its own patches
 */
typedef struct {
  guint32 *parents;
  const char **names;
  guint8 *is_mixed;
  const char **own;
} Family;

struct _PenCauseNames {
  const PenPokeSites *sites;
  GArray *tenures;   /* PenTenure */
  GHashTable *by_id; /* id → PenTenure */
  PenNames *made;    /* names that no record has */
  Family keys;
  Family calls;
};

/* ---- sites that belong together ---- */

static guint32
find_root (Family *family, guint32 site)
{
  while (family->parents[site] != site) {
    family->parents[site] = family->parents[family->parents[site]];
    site = family->parents[site];
  }
  return site;
}

static void
join (Family *family, guint32 a, guint32 b)
{
  guint32 x = find_root (family, a);
  guint32 y = find_root (family, b);

  family->parents[MAX (x, y)] = MIN (x, y);
}

static const char *
get_key (const PenPokeSites *sites, const PenPoke *poke)
{
  const PenBatch *batch = pen_poke_sites_get_batch (sites, poke);

  return poke->key ? poke->key : batch ? batch->key : NULL;
}

static void
join_batches (Family *family, const PenPokeSites *sites, PenCause cause)
{
  g_autofree guint32 *firsts = g_new (guint32, sites->n_batches + 1);

  memset (firsts, 0xff, (sites->n_batches + 1) * sizeof *firsts);
  for (guint i = 0; i < sites->pokes->len; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, i);

    if (poke->cause != cause || poke->effect != PEN_POKE_PATCH
        || !pen_poke_sites_get_batch (sites, poke))
      continue;
    if (firsts[poke->batch] == G_MAXUINT32)
      firsts[poke->batch] = sites->site_of[i];
    join (family, firsts[poke->batch], sites->site_of[i]);
  }
}

static void
find_family (Family *family, const PenPokeSites *sites, PenCause cause)
{
  family->parents = g_new (guint32, sites->n_sites + 1);
  family->names = g_new0 (const char *, sites->n_sites + 1);
  family->is_mixed = g_malloc0 (sites->n_sites + 1);
  family->own = g_new0 (const char *, sites->n_sites + 1);
  for (guint i = 0; i < sites->n_sites; i++)
    family->parents[i] = i;
  join_batches (family, sites, cause);
  for (guint i = 0; i < sites->pokes->len; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, i);
    const char *key = get_key (sites, poke);
    guint32 root;

    if (poke->cause != cause || poke->effect != PEN_POKE_PATCH || !key)
      continue;
    root = find_root (family, sites->site_of[i]);
    if (!family->names[root])
      family->names[root] = key;
    family->is_mixed[root] |= !g_str_equal (family->names[root], key);
    if (!family->own[sites->site_of[i]])
      family->own[sites->site_of[i]] = key;
  }
}

static void
clear_family (Family *family)
{
  g_free (family->parents);
  g_free (family->names);
  g_free (family->is_mixed);
  g_free (family->own);
}

/* ---- names ---- */

static const char *
name_place (PenCauseNames *self, const PenPoke *poke)
{
  g_autofree char *address = NULL;

  if (poke->site && poke->site[0] != '\0')
    return poke->site;
  address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", poke->address);
  return pen_names_add (self->made, address);
}

static PenCauseName
name_member (PenCauseNames *self, Family *family, guint index, const PenPoke *poke)
{
  const PenPokeSites *sites = self->sites;
  guint32 root = find_root (family, sites->site_of[index]);
  const char *name = family->names[root];

  if (name && family->is_mixed[root]) {
    const char *own = get_key (sites, poke);

    name = own ? own : family->own[sites->site_of[index]];
  }
  if (name)
    return (PenCauseName){ name, FALSE };
  return (PenCauseName){
    name_place (self, pen_poke_sites_get (sites, sites->order[sites->starts[root]])), TRUE
  };
}

static const char *
get_who (const PenPokeSide *side)
{
  return side->user ? side->user : side->target;
}

/* A patch that leads to somebody is that one's; one that only undoes, that of whom it led to. */
static const char *
name_target (const PenPoke *poke)
{
  gboolean is_set = poke->after.form != PEN_FORM_NOP && get_who (&poke->after)
                    && g_strcmp0 (poke->after.target, "ftrace_stub") != 0;

  if (!is_set && get_who (&poke->before))
    return get_who (&poke->before);
  return get_who (&poke->after);
}

static gboolean
is_bpf_name (const char *name)
{
  return name && g_str_has_prefix (name, "bpf_") && !g_str_equal (name, "bpf_dispatcher_nop_func");
}

/* Trampolines have a name each, whichever of their images it is: that in which a branch leads
 * further on, or to another image, is named without the offset. */
static const char *
name_bpf (PenCauseNames *self, const PenPoke *poke)
{
  const PenTenure *tenure = pen_cause_names_get_tenure (self, poke->tenure);
  const char *candidates[] = { poke->after.target, poke->before.target,
                               tenure && tenure->kind == PEN_KIND_BPF ? tenure->name : NULL,
                               tenure && tenure->kind == PEN_KIND_STUB ? tenure->name : NULL };
  const char *offset;
  g_autofree char *name = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (candidates); i++) {
    if (!is_bpf_name (candidates[i]))
      continue;
    offset = strstr (candidates[i], "+0x");
    if (!offset)
      return candidates[i];
    name = g_strndup (candidates[i], (gsize) (offset - candidates[i]));
    return pen_names_add (self->made, name);
  }
  return name_target (poke);
}

static const char *
name_holder (PenCauseNames *self, const PenPoke *poke)
{
  const PenTenure *tenure = pen_cause_names_get_tenure (self, poke->tenure);

  return tenure && tenure->occupant && tenure->occupant[0] ? tenure->occupant : NULL;
}

PenCauseName
pen_cause_names_get (PenCauseNames *self, guint index)
{
  const PenPoke *poke = pen_poke_sites_get (self->sites, index);
  const char *name = NULL;

  switch (poke->cause) {
  case PEN_CAUSE_STATIC_KEY:
    return name_member (self, &self->keys, index, poke);
  case PEN_CAUSE_STATIC_CALL:
    return name_member (self, &self->calls, index, poke);
  case PEN_CAUSE_LIVEPATCH:
    name = poke->replacement ? poke->replacement : name_target (poke);
    break;
  case PEN_CAUSE_FTRACE:
    name = name_target (poke);
    break;
  case PEN_CAUSE_BPF:
    name = name_bpf (self, poke);
    break;
  case PEN_CAUSE_KPROBE:
  case PEN_CAUSE_OPTPROBE:
    return (PenCauseName){ name_place (self, poke), FALSE };
  case PEN_CAUSE_UNANNOUNCED:
  case PEN_CAUSE_UNKNOWN:
  case PEN_CAUSES:
  default:
    name = name_holder (self, poke);
    break;
  }
  if (name && name[0] != '\0')
    return (PenCauseName){ name, FALSE };
  return (PenCauseName){ name_place (self, poke), TRUE };
}

const PenTenure *
pen_cause_names_get_tenure (PenCauseNames *self, guint32 tenure)
{
  return g_hash_table_lookup (self->by_id, GUINT_TO_POINTER (tenure));
}

/* ---- object ---- */

PenCauseNames *
pen_cause_names_new (PenQuery *query, const PenPokeSites *sites, GError **error)
{
  g_autoptr (PenCauseNames) self = g_new0 (PenCauseNames, 1);

  self->sites = sites;
  self->made = pen_names_new ();
  self->by_id = g_hash_table_new (pen_direct_hash, NULL);
  self->tenures = pen_store_load_tenures (query->store, PEN_SPACE_KERNEL, 0, G_MAXUINT64, error);
  if (!self->tenures)
    return NULL;
  for (guint i = 0; i < self->tenures->len; i++) {
    PenTenure *tenure = &g_array_index (self->tenures, PenTenure, i);

    g_hash_table_insert (self->by_id, GUINT_TO_POINTER (tenure->id), tenure);
  }
  find_family (&self->keys, sites, PEN_CAUSE_STATIC_KEY);
  find_family (&self->calls, sites, PEN_CAUSE_STATIC_CALL);
  return g_steal_pointer (&self);
}

void
pen_cause_names_free (PenCauseNames *self)
{
  clear_family (&self->keys);
  clear_family (&self->calls);
  g_clear_pointer (&self->tenures, g_array_unref);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  pen_names_free (self->made);
  g_free (self);
}
