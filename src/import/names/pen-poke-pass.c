/* pen-poke-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-poke-pass.h"

#include <string.h>

#include "pen-cause-finder.h"
#include "pen-chain-check.h"
#include "pen-decoder.h"
#include "pen-ftrace-users.h"
#include "pen-live-patches.h"
#include "pen-purpose-pass.h"
#include "pen-table-hash.h"
#include "pen-trampoline-users.h"

#define PROGRESS_STEP 64

/* The words about a poke. */
typedef enum {
  WORD_KEY,
  WORD_SITE,
  WORD_OLD_TARGET,
  WORD_NEW_TARGET,
  WORD_OLD_USER,
  WORD_NEW_USER,
  WORD_PROGRAMS,
  WORD_REPLACEMENT,
  WORDS,
} Word;

/* Pokes of one batch lead to the same places. */
#define KNOWN_SYMBOLS 64u

typedef struct {
  guint32 tenure; /* 0: nothing is kept here */
  gboolean is_found;
  guint64 address;
  PenSymbol symbol;
} KnownSymbol;

typedef struct {
  PenHistory *history;
  PenKernelSources *kernel;
  PenTrampolineUsers *users;
  PenFtraceUsers *ftrace;
  PenLivePatches *patches;
  PenPurposes *purposes;
  GPtrArray *entries;  /* of each poke: PenCauseVerdict.entry */
  GHashTable *doubted; /* tenure's id → the first PenPoke that contradicts it */
  char *user;          /* of the place that was asked for last */
  char *programs;
  KnownSymbol known[KNOWN_SYMBOLS];
  const char *last[WORDS]; /* of the poke before */
} Places;

/* As a rule, what the poke before had there. */
static const char *
intern (Places *places, Word word, const char *text)
{
  const char **last = &places->last[word];

  if (text && (!*last || strcmp (*last, text) != 0))
    *last = pen_history_intern (places->history, text);
  return text ? *last : NULL;
}

static gboolean
find_symbol (Places *places, const PenTenure *tenure, guint64 address, PenSymbol *symbol)
{
  KnownSymbol *known = &places->known[(address ^ address >> 12) % KNOWN_SYMBOLS];

  if (known->tenure != tenure->id || known->address != address) {
    known->tenure = tenure->id;
    known->address = address;
    known->is_found
        = pen_kernel_sources_find_symbol (places->kernel, tenure, address, &known->symbol);
  }
  *symbol = known->symbol;
  return known->is_found;
}

static void
find_users (Places *places, const PenTenure *tenure, PenMoment moment, PenPlace *place)
{
  g_clear_pointer (&places->user, g_free);
  g_clear_pointer (&places->programs, g_free);
  if (tenure->kind != PEN_KIND_STUB)
    return;

  places->user = pen_trampoline_users_list_called (places->users, tenure, moment);
  if (!places->user)
    places->user = pen_ftrace_users_find (places->ftrace, tenure, moment, &place->is_user_inferred);
  places->programs = pen_trampoline_users_list_loaded (places->users, tenure, moment);
  place->user = places->user;
  place->programs = places->programs;
}

static gboolean
is_doubted (const Places *places, const PenTenure *tenure, PenMoment moment)
{
  const PenPoke *poke = g_hash_table_lookup (places->doubted, GUINT_TO_POINTER (tenure->id));

  return poke && pen_moment_compare (poke->moment, moment) <= 0;
}

static void
find_place (guint64 address, PenMoment moment, PenPlace *place, gpointer user_data)
{
  Places *places = user_data;
  const PenTenure *tenure
      = pen_history_find (places->history, PEN_SPACE_KERNEL, address, moment, NULL);
  PenSymbol symbol;

  *place = (PenPlace){ .kind = PEN_KIND_UNKNOWN, .occupant = "" };
  if (!tenure)
    return;

  find_users (places, tenure, moment, place);
  place->kind = tenure->kind;
  place->occupant = tenure->occupant;
  place->is_unsure
      = pen_tenure_get_evidence (tenure, address, moment, moment) <= PEN_EVIDENCE_FILE_UNCHECKED
        || is_doubted (places, tenure, moment);
  if (tenure->layer == PEN_LAYER_KSYMBOL) {
    place->function_start = tenure->start;
    place->function_name = tenure->name;
  } else if (find_symbol (places, tenure, address, &symbol)) {
    place->function_start = symbol.start;
    place->function_name = symbol.name;
  }
}

/* ftrace's own sites are known by what is there: they have no name to tell. */
static gboolean
find_site_name (guint64 address, PenMoment moment, PenSiteName *name, gpointer user_data)
{
  const Places *places = user_data;
  const PenTenure *tenure
      = pen_history_find (places->history, PEN_SPACE_KERNEL, address, moment, NULL);
  PenTextSite site;

  if (!tenure || !pen_kernel_sources_find_site (places->kernel, tenure, address, &site)
      || !site.name)
    return FALSE;

  *name = (PenSiteName){
    .cause = site.kind == PEN_SITE_JUMP_LABEL ? PEN_CAUSE_STATIC_KEY : PEN_CAUSE_STATIC_CALL,
    .name = site.name,
    .jumps_when_off = site.jumps_when_off,
  };

  return TRUE;
}

/* The name of one site of a batch names the others. */
static void
tell_keys (PenPokeBatches *batches, PenHistory *history)
{
  guint n;
  PenPoke *pokes = pen_history_get_pokes (history, &n);
  const PenBatch *all = pen_poke_batches_finish (batches, &(guint){ 0 });

  for (guint i = 0; i < n; i++)
    if (!pokes[i].key && pokes[i].batch != 0)
      pokes[i].key = pen_history_intern (history, all[pokes[i].batch - 1].key);
}

static void
find_cause (PenPoke *pokes, guint n, guint index, PenDecoder *decoder, Places *places,
            PenPokeBatches *batches)
{
  const PenCauseSources sources
      = { .find_place = find_place, .find_name = find_site_name, .user_data = places };
  PenPoke *poke = &pokes[index];
  PenCauseVerdict verdict;

  if (!decoder) {
    poke->rule = poke->cause == PEN_CAUSE_UNANNOUNCED ? "unannounced" : "none";
    return;
  }
  /* What is given up was in use before. */
  if (poke->effect != PEN_POKE_CLEAR)
    pen_trampoline_users_take (places->users, poke);
  verdict = pen_cause_find (pokes, n, index, decoder, &sources);
  if (poke->effect == PEN_POKE_CLEAR)
    pen_trampoline_users_take (places->users, poke);

  pen_cause_verdict_fill (&verdict, poke);
  if (poke->cause == PEN_CAUSE_LIVEPATCH && verdict.is_entry)
    poke->replacement = pen_live_patches_find (places->patches, poke, verdict.entry);
  g_ptr_array_index (places->entries, index) = (gpointer) verdict.entry;
  poke->batch = pen_poke_batches_add (batches, poke, &verdict);
  poke->key = intern (places, WORD_KEY, poke->key);
  poke->site = intern (places, WORD_SITE, poke->site);
  poke->before.target = intern (places, WORD_OLD_TARGET, poke->before.target);
  poke->after.target = intern (places, WORD_NEW_TARGET, poke->after.target);
  poke->before.user = intern (places, WORD_OLD_USER, poke->before.user);
  poke->after.user = intern (places, WORD_NEW_USER, poke->after.user);
  poke->programs = intern (places, WORD_PROGRAMS, poke->programs);
  poke->replacement = intern (places, WORD_REPLACEMENT, poke->replacement);
  pen_cause_verdict_clear (&verdict);
}

/* Where a poke did not find a module's text, and no loss explains it, another module may have come
 * unseen. */
static GHashTable *
find_doubted (PenHistory *history)
{
  GHashTable *doubted = g_hash_table_new (pen_direct_hash, NULL);
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (history, &n);

  for (guint i = n; i-- > 0;)
    if (pokes[i].breaks_chain && pokes[i].break_loss == 0 && pokes[i].tenure != 0
        && pen_history_get_tenure (history, pokes[i].tenure)->kind == PEN_KIND_MODULE)
      g_hash_table_insert (doubted, GUINT_TO_POINTER (pokes[i].tenure), (gpointer) &pokes[i]);
  return doubted;
}

static gboolean
find_causes (Places *places, PenFunctionTable *functions, PenDecoder *decoder,
             PenPokeBatches *batches, PenProgress *progress, GError **error)
{
  PenHistory *history = places->history;
  guint n;
  PenPoke *pokes = pen_history_get_pokes (history, &n);

  for (guint i = 0; i < n; i++) {
    PenPoke *poke = &pokes[i];
    const PenTenure *tenure = pen_history_get_tenure (history, poke->tenure);

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (progress, i, error))
      return FALSE;

    poke->function = pen_function_table_get (functions, tenure, PEN_KIND_UNKNOWN, poke->address);
    find_cause (pokes, n, i, decoder, places, batches);
  }

  tell_keys (batches, history);
  return pen_purpose_pass_run (history, places->purposes, places->entries, batches, progress,
                               error);
}

static gboolean
has_pokes (PenHistory *history)
{
  guint n;

  pen_history_get_pokes (history, &n);
  return n > 0;
}

gboolean
pen_poke_pass_run (PenHistory *history, PenFunctionTable *functions, PenLoadedSources *sources,
                   const PenFeatures *features, PenModuleEvents *modules, PenPokeBatches *batches,
                   PenProgress *progress, GError **error)
{
  g_autoptr (GError) decoder_error = NULL;
  g_autoptr (PenDecoder) decoder
      = has_pokes (history) ? pen_decoder_new_classifier (features->arch, &decoder_error) : NULL;
  g_autoptr (PenTrampolineUsers) users
      = pen_trampoline_users_new (history, sources, features->bpf_programs, decoder);
  g_autoptr (PenLivePatches) patches = pen_live_patches_new (history, sources->kernel, modules);
  g_autoptr (PenPurposes) purposes = pen_purposes_new (sources, features);
  g_autoptr (PenFtraceUsers) ftrace
      = pen_ftrace_users_new (history, sources->kernel, users, purposes, modules, features);
  Places places = {
    .history = history,
    .kernel = sources->kernel,
    .users = users,
    .ftrace = ftrace,
    .patches = patches,
    .purposes = purposes,
  };
  gboolean is_ok;
  guint n;

  /* Causes on other machines are unknown; here they are not. */
  if (decoder_error && !g_error_matches (decoder_error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED)) {
    g_propagate_error (error, g_steal_pointer (&decoder_error));
    return FALSE;
  }
  if (!pen_chain_check_run (history, sources, progress, error))
    return FALSE;

  pen_history_get_pokes (history, &n);
  places.entries = g_ptr_array_sized_new (n);
  g_ptr_array_set_size (places.entries, (int) n);
  places.doubted = find_doubted (history);
  is_ok = find_causes (&places, functions, decoder, batches, progress, error)
          && (!decoder || pen_decoder_check (decoder, error));
  g_hash_table_unref (places.doubted);
  g_ptr_array_unref (places.entries);
  g_free (places.user);
  g_free (places.programs);
  return is_ok;
}
