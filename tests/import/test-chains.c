/* test-chains.c: callchains from the spool through the resolver, against each frame looked up
 * afresh
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "page-story.h"
#include "pen-chain-resolver.h"
#include "pen-chain-tree.h"
#include "pen-record-budget.h"
#include "pen-record.h"

#include <string.h>

#define RUNS 200
#define SAMPLES 1500
#define SHAPES 60
#define MAX_LENGTH 24

/* A callchain as a record has it, and what comes for it later. */
typedef struct {
  guint64 address; /* the sample's */
  guint cpumode;
  guint64 entries[MAX_LENGTH];
  guint n;
  gboolean is_deferred;
  guint64 deferred[MAX_LENGTH];
  guint n_deferred;
} Shape;

typedef struct {
  GRand *rand;
  PenHistory *history;
  PenFrameTable *frames;
  PenChainResolver *resolver;
  PenChainCallers *callers;
  GArray *nodes;    /* PenChainNode */
  GArray *expected; /* PenTableFrame */
  GArray *ends;     /* guint: of each sample's, in expected */
  GArray *chains;   /* guint32: of each sample */
} Check;

static guint
pick (GRand *rand, guint n)
{
  return (guint) g_rand_int_range (rand, 0, (gint32) n);
}

/* ---- chains as recorded ---- */

static guint64
pick_marker (GRand *rand)
{
  static const guint64 markers[]
      = { PEN_CONTEXT_KERNEL,     PEN_CONTEXT_USER,          PEN_CONTEXT_USER,
          PEN_CONTEXT_HYPERVISOR, PEN_CONTEXT_GUEST_KERNEL,  PEN_CONTEXT_GUEST,
          PEN_CONTEXT_GUEST_USER, PEN_CONTEXT_USER_DEFERRED, PEN_CONTEXT_MAX };

  return markers[pick (rand, G_N_ELEMENTS (markers))];
}

static void
add_addresses (Shape *shape, GRand *rand, guint n, gboolean is_user)
{
  for (guint i = 0; i < n; i++)
    shape->entries[shape->n++]
        = is_user ? page_story_pick_user_address (rand) : page_story_pick_kernel_address (rand);
}

/* As kernels make them. */
static void
make_usual (Shape *shape, GRand *rand)
{
  gboolean has_kernel = pick (rand, 4) > 0;

  shape->cpumode = has_kernel ? PEN_CPUMODE_KERNEL : PEN_CPUMODE_USER;
  if (has_kernel) {
    shape->entries[shape->n++] = PEN_CONTEXT_KERNEL;
    add_addresses (shape, rand, pick (rand, 9), FALSE);
  }
  if (has_kernel && pick (rand, 4) == 0)
    return;
  if (pick (rand, 8) > 0)
    shape->entries[shape->n++] = PEN_CONTEXT_USER;
  add_addresses (shape, rand, pick (rand, 9), TRUE);
}

/* As nobody makes them. */
static void
make_odd (Shape *shape, GRand *rand)
{
  guint n = 1 + pick (rand, MAX_LENGTH - 4);

  shape->cpumode = pick (rand, 6);
  while (shape->n < n)
    if (pick (rand, 3) == 0)
      shape->entries[shape->n++] = pick_marker (rand);
    else
      add_addresses (shape, rand, 1, pick (rand, 2));
}

static void
make_shape (Shape *shape, GRand *rand, const Shape *earlier)
{
  *shape = (Shape){ 0 };
  /* Halves that are those of others. */
  if (earlier && pick (rand, 3) == 0) {
    *shape = *earlier;
    if (shape->n > 0)
      shape->entries[pick (rand, shape->n)] = page_story_pick_kernel_address (rand);
  } else if (pick (rand, 4) == 0) {
    make_odd (shape, rand);
  } else {
    make_usual (shape, rand);
  }
  if (shape->n == 0)
    shape->entries[shape->n++] = PEN_CONTEXT_USER;

  shape->address = shape->entries[pick (rand, MIN (shape->n, 3))];
  if (pick (rand, 4) == 0)
    shape->address = page_story_pick_kernel_address (rand);
}

/* The second half comes in a record of its own. */
static void
defer (Shape *shape, GRand *rand, guint64 cookie)
{
  Shape user = { 0 };

  if (shape->n + 2 > MAX_LENGTH || shape->entries[shape->n - 1] == PEN_CONTEXT_USER_DEFERRED
      || pick (rand, 3) > 0)
    return;
  shape->entries[shape->n++] = PEN_CONTEXT_USER_DEFERRED;
  shape->entries[shape->n++] = cookie;
  shape->is_deferred = pick (rand, 5) > 0;
  user.entries[user.n++] = PEN_CONTEXT_USER;
  add_addresses (&user, rand, pick (rand, 5), TRUE);
  shape->n_deferred = user.n;
  memcpy (shape->deferred, user.entries, sizeof user.entries);
}

/* ---- each frame, looked up now ---- */

typedef struct {
  PenSweep *sweep; /* of its own */
  gint32 pid;      /* -1: not known */
  guint context;
  gboolean is_return;
} Place;

static void
expect_frame (Check *self, const Place *place, guint64 address)
{
  guint64 looked_up = address - (place->is_return && address != 0);
  PenTableFrame frame = { .address = address, .is_return = place->is_return != 0 };
  const PenTenure *tenure = NULL;

  if (place->context == PEN_CPUMODE_KERNEL)
    tenure = pen_sweep_find_kernel (place->sweep, looked_up, &frame.revision);
  else if (place->context == PEN_CPUMODE_USER && place->pid >= 0)
    tenure = pen_sweep_find_process (place->sweep, place->pid, looked_up);
  else if (place->context >= PEN_CPUMODE_GUEST_KERNEL)
    frame.kind = PEN_KIND_GUEST;
  if (tenure) {
    frame.tenure = tenure->id;
    frame.kind = (guint8) tenure->kind;
  }
  g_array_append_val (self->expected, frame);
}

/* @leaf: the sample's address, if it may be left out; 0: not any more */
static void
expect_entries (Check *self, Place *place, const guint64 *entries, guint n, guint64 leaf)
{
  for (guint i = 0; i < n; i++) {
    if (entries[i] >= PEN_CONTEXT_MAX) {
      place->context = pen_chain_context_after (entries[i], place->context);
      place->is_return = FALSE;
      continue;
    }
    if (leaf == 0 || entries[i] != leaf)
      expect_frame (self, place, entries[i]);
    place->is_return = TRUE;
    leaf = 0;
  }
}

static guint
find_cookie (const Shape *shape)
{
  for (guint i = 0; i + 1 < shape->n; i++)
    if (shape->entries[i] == PEN_CONTEXT_USER_DEFERRED)
      return i;
  return shape->n;
}

static void
expect (Check *self, PenSweep *sweep, const Shape *shape, gint32 pid)
{
  Place place = { sweep, pid, shape->cpumode, FALSE };

  expect_entries (self, &place, shape->entries, find_cookie (shape), shape->address);
  place.context = PEN_CPUMODE_USER;
  place.is_return = FALSE;
  if (shape->is_deferred)
    expect_entries (self, &place, shape->deferred, shape->n_deferred, 0);
  g_array_append_val (self->ends, self->expected->len);
}

/* ---- both ---- */

static PenResolvedChain
resolve (PenChainResolver *resolver, const PenSampleChain *sample, PenSweep *sweep, GArray *words)
{
  PenResolvedChain resolved;
  GError *error = NULL;

  pen_chain_resolver_get (resolver, sample, sweep, &resolved, words, &error);
  g_assert_no_error (error);
  return resolved;
}

static guint32
get_chain (PenChainResolver *resolver, PenChainCallers *callers, const PenSampleChain *sample,
           PenSweep *sweep)
{
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 chain = resolve (resolver, sample, sweep, words);

  pen_chain_callers_get (callers, &chain, 1, (const guint32 *) (gconstpointer) words->data);
  return chain;
}

static void
take_blocks (Check *self, gboolean rest)
{
  for (;;) {
    guint32 first;
    guint n;
    g_autofree PenChainNode *nodes = pen_chain_callers_take_block (self->callers, rest, &first, &n);

    if (!nodes)
      return;
    g_assert_cmpuint (first, ==, self->nodes->len + 1);
    g_array_append_vals (self->nodes, nodes, n);
  }
}

static void
check_chain (Check *self, guint32 chain, const PenTableFrame *expected, guint n)
{
  GArray *frames = pen_frame_table_get_frames (self->frames);

  for (guint i = 0; i < n; i++) {
    const PenChainNode *node;
    const PenTableFrame *frame;

    g_assert_cmpuint (chain, >, 0);
    g_assert_cmpuint (chain, <=, self->nodes->len);
    node = &g_array_index (self->nodes, PenChainNode, chain - 1);
    frame = &g_array_index (frames, PenTableFrame, node->frame);
    g_assert_cmphex (frame->address, ==, expected[i].address);
    g_assert_cmpuint (frame->tenure, ==, expected[i].tenure);
    g_assert_cmpuint (frame->revision, ==, expected[i].revision);
    g_assert_cmpuint (frame->kind, ==, expected[i].kind);
    g_assert_cmpuint (frame->is_return, ==, expected[i].is_return);
    g_assert_cmpuint (node->parent, <, chain);
    chain = node->parent;
  }
  g_assert_cmpuint (chain, ==, 0);
}

static PenSampleChain
spool_sample (PenChainSpool *spool, Shape *shape, GRand *rand)
{
  PenSampleRecord record = {
    .address = shape->address,
    .callchain = shape->entries,
    .callchain_length = shape->n,
  };
  PenSampleChain sample = { .has_task = TRUE, .pid = page_story_pick_pid (rand) };
  PenReadyChain ready;
  guint32 place;
  GError *error = NULL;

  if (pick (rand, 20) == 0)
    sample.has_task = FALSE;
  pen_chain_spool_get_ready (spool, &record, shape->cpumode, &ready);
  if (pick (rand, 2) == 0)
    pen_chain_spool_cut_ready (spool, &ready);
  pen_chain_spool_add_ready (spool, &ready, 1, &place, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (place, !=, 0);
  sample.place = place;
  return sample;
}

static void
spool_deferred (PenChainSpool *spool, const Shape *shape)
{
  guint64 cookie = shape->entries[MIN (find_cookie (shape) + 1, shape->n - 1)];
  GError *error = NULL;

  if (shape->is_deferred)
    pen_chain_spool_add_deferred (spool, cookie, 1, shape->deferred, shape->n_deferred, &error);
  g_assert_no_error (error);
}

/* The spool is full of chains before any is resolved; they come in another order than they do in
 * time. */
static void
fill (PenChainSpool *spool, GRand *rand, Shape *shapes, Shape *of_sample, PenSampleChain *samples)
{
  for (guint i = 0; i < SAMPLES; i++) {
    Shape *shape = &of_sample[i];

    *shape = shapes[pick (rand, SHAPES)];
    if (find_cookie (shape) == shape->n)
      defer (shape, rand, i);
    if (pick (rand, 2) == 0)
      spool_deferred (spool, shape);
    samples[i] = spool_sample (spool, shape, rand);
  }
  for (guint i = 0; i < SAMPLES; i++)
    spool_deferred (spool, &of_sample[i]);
}

/* What is expected changes nothing, whether it comes or not. */
static void
expect_chain (PenChainResolver *resolver, const PenSampleChain *sample, PenSweep *sweep)
{
  PenExpectedChain expected;

  pen_chain_resolver_expect (resolver, sample);
  pen_chain_resolver_expect_runs (resolver, sample, sweep, &expected);
  pen_chain_resolver_expect_frames (resolver, &expected);
  pen_chain_resolver_expect_unknown (resolver, &expected);
}

static void
check_samples (Check *self, const Shape *of_sample, PenSampleChain *samples)
{
  g_autoptr (PenSweep) sweep = pen_sweep_new (self->history);
  g_autoptr (PenSweep) other = pen_sweep_new (self->history);
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint begin = 0;

  for (guint i = 0; i < SAMPLES; i++) {
    PenMoment moment
        = pen_moment (1 + (guint64) i * PAGE_STORY_TIME / SAMPLES, i % 2 == 0 ? 0 : G_MAXUINT32);
    guint which = (guint) ((guint64) i * 7919 % SAMPLES);
    PenSampleChain *sample = &samples[which];
    guint32 chain;

    moment.position = i;
    pen_sweep_advance (sweep, moment);
    pen_sweep_advance (other, moment);
    expect_chain (self->resolver, &samples[(which + i % 3) % SAMPLES], sweep);
    chain = resolve (self->resolver, sample, sweep, words);
    g_array_append_val (self->chains, chain);
    expect (self, other, &of_sample[which], sample->has_task ? sample->pid : -1);
  }

  pen_chain_callers_get (self->callers, (guint32 *) (gpointer) self->chains->data,
                         self->chains->len, (const guint32 *) (gconstpointer) words->data);
  take_blocks (self, TRUE);
  for (guint i = 0; i < SAMPLES; i++) {
    guint end = g_array_index (self->ends, guint, i);

    check_chain (self, g_array_index (self->chains, guint32, i),
                 &g_array_index (self->expected, PenTableFrame, begin), end - begin);
    begin = end;
  }
  g_assert_cmpuint (pen_chain_callers_get_dropped (self->callers), ==, 0);
}

static void
check_init (Check *self, PenHistory *history, PenChainSpool *spool)
{
  self->history = history;
  self->frames = pen_frame_table_new ();
  self->resolver = pen_chain_resolver_new (spool, self->frames);
  self->callers = pen_chain_callers_new (PEN_CHAIN_NODES_MAX);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (PenChainNode));
  self->expected = g_array_new (FALSE, FALSE, sizeof (PenTableFrame));
  self->ends = g_array_new (FALSE, FALSE, sizeof (guint));
  self->chains = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
check_clear (Check *self)
{
  pen_chain_resolver_free (self->resolver);
  pen_chain_callers_free (self->callers);
  pen_frame_table_free (self->frames);
  g_array_unref (self->nodes);
  g_array_unref (self->expected);
  g_array_unref (self->ends);
  g_array_unref (self->chains);
}

/* @memory: of the spool */
static void
run (guint32 seed, gsize memory)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenChainSpool) spool = pen_chain_spool_new (g_get_tmp_dir (), memory);
  g_autofree Shape *shapes = g_new0 (Shape, SHAPES);
  g_autofree Shape *of_sample = g_new0 (Shape, SAMPLES);
  g_autofree PenSampleChain *samples = g_new0 (PenSampleChain, SAMPLES);
  Check check = { 0 };

  page_story_add (maker, rand, 50 + pick (rand, 600));
  for (guint i = 0; i < SHAPES; i++)
    make_shape (&shapes[i], rand, i == 0 ? NULL : &shapes[pick (rand, i)]);
  fill (spool, rand, shapes, of_sample, samples);

  check_init (&check, maker_seal (maker), spool);
  check_samples (&check, of_sample, samples);
  check_clear (&check);
}

static void
test_in_memory (void)
{
  for (guint32 seed = 1; seed <= RUNS; seed++)
    run (seed, 1 << 20);
}

/* Of each chain, hardly anything is in memory when it comes again. */
static void
test_in_file (void)
{
  for (guint32 seed = 1; seed <= RUNS; seed++)
    run (RUNS + seed, seed % 2 == 0 ? 64 : 8192);
}

/* ---- more than tables hold ---- */

/* Chain @number: no other has the same beginning or end. */
static void
make_entries (guint64 *entries, guint n, guint number)
{
  entries[0] = PEN_CONTEXT_KERNEL;
  for (guint i = 1; i < n; i++)
    entries[i] = i < n / 2 ? G_GUINT64_CONSTANT (0xffffffff81000000) + (number * 31 + i) % 4096
                           : G_GUINT64_CONSTANT (0x7f0000000000) + (number * 37 + i) % 4096;
  entries[1] += (guint64) number * 4096;
  entries[n - 1] += (guint64) number * 4096;
}

/* Each of @n_chains @rounds times: first all, then all of them again. Nothing ever changes. */
static void
run_many (guint n_chains, guint length, guint rounds)
{
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenChainSpool) spool = pen_chain_spool_new (g_get_tmp_dir (), 1 << 20);
  g_autoptr (PenSweep) sweep = NULL;
  g_autofree guint64 *entries = g_new (guint64, length);
  g_autofree PenSampleChain *samples = g_new0 (PenSampleChain, n_chains);
  PenSampleRecord record = { .callchain = entries, .callchain_length = length };
  Check check = { 0 };
  GError *error = NULL;

  check_init (&check, maker_seal (maker), spool);
  sweep = pen_sweep_new (check.history);
  for (guint round = 0; round < rounds; round++)
    for (guint i = 0; i < n_chains; i++) {
      guint32 chain;
      guint32 place;
      gboolean is_whole;

      make_entries (entries, length, i);
      pen_chain_spool_add (spool, &record, PEN_CPUMODE_KERNEL, 1, &place, &is_whole, &error);
      g_assert_no_error (error);
      g_assert_true (is_whole);
      samples[i].place = place;
      chain = get_chain (check.resolver, check.callers, &samples[i], sweep);
      g_array_append_val (check.chains, chain);
      take_blocks (&check, FALSE);
    }

  take_blocks (&check, TRUE);
  for (guint i = 0; i < n_chains * rounds; i++) {
    Place place = { sweep, -1, PEN_CPUMODE_KERNEL, FALSE };

    make_entries (entries, length, i % n_chains);
    g_array_set_size (check.expected, 0);
    expect_entries (&check, &place, entries, length, 0);
    check_chain (&check, g_array_index (check.chains, guint32, i),
                 &g_array_index (check.expected, PenTableFrame, 0), check.expected->len);
  }
  check_clear (&check);
}

static void
test_many (void)
{
  run_many (60000, 7, 2);
}

static void
test_long (void)
{
  run_many (300, 8000, 2);
}

/* Chains of frames that are too many are left out, each time they come; others are not. */
static void
test_dropped (void)
{
  const guint n_chains = PEN_FRAMES_MAX / 8000 + 20;
  g_autoptr (Maker) maker = maker_new ();
  g_autoptr (PenChainSpool) spool = pen_chain_spool_new (g_get_tmp_dir (), 1 << 20);
  g_autoptr (PenFrameTable) frames = pen_frame_table_new ();
  g_autoptr (PenChainResolver) resolver = pen_chain_resolver_new (spool, frames);
  g_autoptr (PenChainCallers) callers = pen_chain_callers_new (PEN_CHAIN_NODES_MAX);
  g_autoptr (PenSweep) sweep = pen_sweep_new (maker_seal (maker));
  guint64 *entries = g_new (guint64, 8000);
  PenSampleRecord record = { .callchain = entries, .callchain_length = 8000 };
  GError *error = NULL;

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < n_chains; i++) {
      PenSampleChain sample = { 0 };
      guint32 place;
      gboolean is_whole;

      for (guint k = 0; k < 8000; k++)
        entries[k] = 0x1000 + (guint64) i * 8000 + k;
      pen_chain_spool_add (spool, &record, PEN_CPUMODE_KERNEL, 1, &place, &is_whole, &error);
      g_assert_no_error (error);
      sample.place = place;
      g_assert_cmpint (get_chain (resolver, callers, &sample, sweep) != 0, ==,
                       (i + 1) * 8000 <= PEN_FRAMES_MAX);
    }
  g_assert_cmpuint (pen_chain_callers_get_dropped (callers), ==,
                    2 * (n_chains - PEN_FRAMES_MAX / 8000));
  g_free (entries);
}

/* Those that were there before are found. */
static void
test_limit (void)
{
  const guint max = PEN_FRAMES_MAX >> PEN_HALVINGS_MAX;
  const PenTableFrame first = { .address = 0 };
  g_autoptr (PenFrameTable) frames = pen_frame_table_new ();

  pen_frame_table_limit (frames, max);
  for (guint i = 0; i < max + 100; i++) {
    PenTableFrame frame = { .address = i };
    guint32 expected = i < max ? i : PEN_FRAME_NONE;

    g_assert_cmpuint (pen_frame_table_get (frames, &frame), ==, expected);
  }
  g_assert_cmpuint (pen_frame_table_get (frames, &first), ==, 0);
  g_assert_cmpuint (pen_frame_table_get_frames (frames)->len, ==, max);
}

/* What was forgotten gets a new id; the blocks have all, in order. */
static void
test_tree_forgets (gconstpointer data)
{
  const guint max = GPOINTER_TO_UINT (data);
  g_autoptr (PenChainTree) tree = pen_chain_tree_new (max);
  const guint n = 2 * max + PEN_BLOCK_CHAINS + 3;
  guint64 taken = 0;
  guint blocks = 0;
  guint32 frame = 0;

  for (guint32 i = 0; i < n; i++) {
    PenChainNode *nodes;
    guint32 first;
    guint n_nodes;

    g_assert_cmpuint (pen_chain_tree_get (tree, 0, &i, 1), ==, i + 1);
    while ((nodes = pen_chain_tree_take_block (tree, i + 1 == n, &first, &n_nodes))) {
      g_assert_cmpuint (first, ==, taken + 1);
      for (guint k = 0; k < n_nodes; k++) {
        g_assert_cmpuint (nodes[k].frame, ==, first + k - 1);
        g_assert_cmpuint (nodes[k].parent, ==, 0);
      }
      taken += n_nodes;
      blocks++;
      g_free (nodes);
    }
  }
  g_assert_cmpuint (taken, ==, n);
  g_assert_cmpuint (blocks, ==, 2 * max / PEN_BLOCK_CHAINS + 2);

  /* The last one is known, the first is not any more. */
  frame = n - 1;
  g_assert_cmpuint (pen_chain_tree_get (tree, 0, &frame, 1), ==, n);
  frame = 0;
  g_assert_cmpuint (pen_chain_tree_get (tree, 0, &frame, 1), ==, n + 1);
  g_assert_cmpuint (pen_chain_tree_get (tree, 77, NULL, 0), ==, 77);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/import/chains/in-memory", test_in_memory);
  g_test_add_func ("/import/chains/in-file", test_in_file);
  g_test_add_func ("/import/chains/many", test_many);
  g_test_add_func ("/import/chains/long", test_long);
  g_test_add_func ("/import/chains/dropped", test_dropped);
  g_test_add_func ("/import/chains/limit", test_limit);
  g_test_add_data_func ("/import/chains/tree-forgets", GUINT_TO_POINTER (PEN_CHAIN_NODES_MAX),
                        test_tree_forgets);
  g_test_add_data_func ("/import/chains/small-tree-forgets",
                        GUINT_TO_POINTER (PEN_CHAIN_NODES_MAX >> PEN_HALVINGS_MAX),
                        test_tree_forgets);
  return g_test_run ();
}
