/* stack-twin.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "stack-twin.h"

#include "pen-store-buckets.h"
#include "pen-store-samples.h"
#include "pen-store-stacks.h"

const RandomStoreShape stack_twin_shapes[5] = {
  { .seed = 21,
    .n_blocks = 3,
    .block_samples = 300,
    .fan = 8,
    .step = 2000,
    .n_odd = 5,
    .n_places = 40,
    .n_generations = 1,
    .n_chains = 60 },
  { .seed = 22,
    .n_blocks = 40,
    .block_samples = 60,
    .fan = 3,
    .step = 900,
    .n_places = 30,
    .n_generations = 3,
    .n_chains = 700 },
  { .seed = 23,
    .n_blocks = 4,
    .block_samples = 200,
    .fan = 8,
    .step = 900,
    .n_places = 30,
    .n_generations = 1 },
  { .seed = 22,
    .n_blocks = 40,
    .block_samples = 60,
    .fan = 3,
    .step = 900,
    .n_places = 30,
    .n_generations = 3,
    .n_chains = 700,
    .stack_blocks = 3,
    .max_stacks = PEN_STACKS_MAX },
  { .seed = 22,
    .n_blocks = 40,
    .block_samples = 60,
    .fan = 3,
    .step = 900,
    .n_places = 30,
    .n_generations = 3,
    .n_chains = 700,
    .stack_blocks = 2,
    .max_stacks = 1000 },
};

guint
stack_twin_draw (RandomStore *random, guint n)
{
  return (guint) g_rand_int_range (random->rand, 0, (gint32) n);
}

GArray *
stack_twin_get_stack (const RandomStore *random, const RandomSample *sample,
                      PenStackGrouping grouping)
{
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (StackStep));
  gboolean is_whole = sample->has & PEN_SAMPLE_CHAIN_IS_WHOLE && sample->chain != 0;
  guint32 chain = sample->chain;
  StackStep step;

  if (!is_whole) {
    const PenBucket *bucket = &g_array_index (random->buckets, PenBucket, sample->bucket);

    step = (StackStep){ 0, bucket->function, bucket->tenure, bucket->revision, bucket->address };
    step.group = pen_query_get_stack_group (random->query, grouping, step.function, NULL);
    g_array_prepend_val (stack, step);
  }
  while (chain != 0) {
    PenChainNode node = g_array_index (random->chains, PenChainNode, chain - 1);
    const PenFrame *frame = &g_array_index (random->frames, PenFrame, node.frame);

    step = (StackStep){ 0, frame->function, frame->tenure, frame->revision, frame->address };
    step.address -= frame->is_return ? 1 : 0;
    step.group = pen_query_get_stack_group (random->query, grouping, step.function, NULL);
    g_array_prepend_val (stack, step);
    chain = node.parent;
  }
  if (!(sample->has & PEN_SAMPLE_HAS_CHAIN)
      || (sample->has & PEN_SAMPLE_CHAIN_IS_WHOLE && !is_whole)) {
    step = (StackStep){ PEN_STACK_UNRECORDED, G_MAXUINT32, 0, 0, 0 };
    g_array_prepend_val (stack, step);
  }
  return stack;
}

/* Pokes are of whole functions of the kernel: number i + 1 of function i. */
gboolean
stack_twin_is_at (const RandomStore *random, const PenStackPlace *place, const StackStep *step)
{
  guint parts = place->parts;
  guint32 poked = place->poke - 1;

  if (step->function == G_MAXUINT32)
    return FALSE;
  if (parts & PEN_STACK_PLACE_GROUP
      && pen_query_get_stack_group (random->query, place->grouping, step->function, NULL)
             != place->group)
    return FALSE;
  if (parts & PEN_STACK_PLACE_FUNCTION && step->function != place->function)
    return FALSE;
  if (parts & PEN_STACK_PLACE_RANGE
      && (step->address < place->start || step->address >= place->end))
    return FALSE;
  if (parts & PEN_STACK_PLACE_TENURE && step->tenure != place->tenure)
    return FALSE;
  if (parts & PEN_STACK_PLACE_REVISION && step->revision != place->revision)
    return FALSE;
  /* Tenure 1 is the kernel's; then come the programs'. */
  if (parts & PEN_STACK_PLACE_PROGRAM && step->tenure != 1 + place->bpf_id)
    return FALSE;
  if (parts & PEN_STACK_PLACE_POKE
      && (step->tenure != 1 || step->address < TEXT + poked * FUNCTION_LENGTH
          || step->address >= TEXT + (poked + 1) * FUNCTION_LENGTH
          || step->revision != (parts & PEN_STACK_PLACE_BEFORE ? 0 : 1)))
    return FALSE;
  return TRUE;
}

static gboolean
is_hidden (const PenFlameOptions *options, guint32 group)
{
  for (guint i = 0; i < options->n_hidden; i++) {
    if (options->hidden[i] == group)
      return TRUE;
  }
  return FALSE;
}

static gboolean
begins_at_place (const PenFlameOptions *options)
{
  return options->order == PEN_FLAME_CALLEES;
}

static gboolean
is_through (const RandomStore *random, const PenFlameOptions *options, const GArray *stack)
{
  gboolean is_through = FALSE;

  if (options->lens.parts == 0)
    return TRUE;
  for (guint i = 0; i < stack->len; i++)
    is_through |= stack_twin_is_at (random, &options->lens, &g_array_index (stack, StackStep, i));
  return is_through != options->is_lens_reversed;
}

/* Only text of the kernel and of programs has versions; no poke is known of the latter. */
PenFlameVersion
stack_twin_get_version (const RandomStore *random, const StackStep *step)
{
  if (step->function >= N_KERNEL + N_PROGRAMS)
    return (PenFlameVersion){ 0 };
  return (PenFlameVersion){ .tenure = step->tenure,
                            .revision = step->revision,
                            .poke = step->revision > 0 && step->function < OVERLAID
                                            && random->chains->len > 0
                                        ? step->function + 1
                                        : 0 };
}

GArray *
stack_twin_get_path (const RandomStore *random, const PenFlameOptions *options,
                     const RandomSample *sample)
{
  g_autoptr (GArray) stack = stack_twin_get_stack (random, sample, options->grouping);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (StackLevel));
  gboolean has_begun = !begins_at_place (options);
  gint inner = -1;

  if (!is_through (random, options, stack))
    return NULL;
  for (guint i = 0; i < stack->len; i++) {
    const StackStep *step = &g_array_index (stack, StackStep, i);
    gboolean is_place
        = options->place.parts != 0 && stack_twin_is_at (random, &options->place, step);
    gboolean is_first = !has_begun && is_place;
    StackLevel level = { step->group, stack_twin_get_version (random, step) };

    has_begun |= is_place;
    if (!has_begun)
      continue;
    if (is_first || step->function == G_MAXUINT32
        || (!is_hidden (options, step->group)
            && !(options->collapses_recursion && path->len > 0
                 && g_array_index (path, StackLevel, path->len - 1).group == step->group)))
      g_array_append_val (path, level);
    if (is_place)
      inner = (gint) path->len;
  }
  if (!has_begun || (options->order == PEN_FLAME_CALLERS && inner < 0))
    return NULL;
  if (options->order == PEN_FLAME_CALLERS)
    g_array_set_size (path, (guint) inner);
  if (options->order == PEN_FLAME_CALLERS || options->order == PEN_FLAME_INNERMOST) {
    for (guint i = 0; i < path->len / 2; i++) {
      StackLevel *a = &g_array_index (path, StackLevel, i);
      StackLevel *b = &g_array_index (path, StackLevel, path->len - 1 - i);
      StackLevel kept = *a;

      *a = *b;
      *b = kept;
    }
  }
  return g_steal_pointer (&path);
}

PenStackPlace
stack_twin_draw_place (RandomStore *random)
{
  PenStackPlace place = { .grouping = stack_twin_draw (random, 2) };
  guint n;

  pen_query_get_stack_groups (random->query, place.grouping, &n, NULL);
  place.group = 1 + stack_twin_draw (random, n - 1);
  place.function = stack_twin_draw (random, N_FUNCTIONS);
  place.start = TEXT + stack_twin_draw (random, N_KERNEL * FUNCTION_LENGTH);
  place.end = place.start + stack_twin_draw (random, 2 * FUNCTION_LENGTH);
  place.tenure = 1 + stack_twin_draw (random, 4);
  place.bpf_id = 1 + stack_twin_draw (random, N_PROGRAMS);
  place.revision = stack_twin_draw (random, 2);
  place.poke = 1 + stack_twin_draw (random, OVERLAID);
  switch (stack_twin_draw (random, 9)) {
  case 0:
    place.parts = PEN_STACK_PLACE_FUNCTION;
    break;
  case 1:
    place.parts = PEN_STACK_PLACE_RANGE;
    break;
  case 2:
    place.parts = PEN_STACK_PLACE_TENURE;
    break;
  case 3:
    place.parts = PEN_STACK_PLACE_PROGRAM;
    break;
  case 4:
    place.parts = PEN_STACK_PLACE_FUNCTION | PEN_STACK_PLACE_REVISION;
    break;
  case 5:
    place.parts = PEN_STACK_PLACE_POKE;
    break;
  case 6:
    place.parts = PEN_STACK_PLACE_POKE | PEN_STACK_PLACE_BEFORE;
    break;
  default:
    place.parts = PEN_STACK_PLACE_GROUP;
    break;
  }
  return place;
}

void
stack_twin_add (PenStackCount *sum, const RandomSample *sample)
{
  sum->samples++;
  sum->period += sample->period;
}

void
stack_twin_assert_count (PenStackCount a, PenStackCount b)
{
  g_assert_cmpuint (a.samples, ==, b.samples);
  g_assert_cmpuint (a.period, ==, b.period);
}
