/* pen-sketch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sketch.h"

static void
facts_clear (PenSketchFacts *self)
{
  g_free (self->shape);
  g_free (self->hostname);
  g_free (self->os_release);
  g_free (self->arch);
  g_free (self->processor);
  g_free (self->perf_version);
  g_free (self->command_line);
  g_free (self->events);
}

void
pen_sketch_facts_unref (PenSketchFacts *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) facts_clear);
}

static void
sketch_clear (PenSketch *self)
{
  g_clear_pointer (&self->facts, pen_sketch_facts_unref);
  g_clear_pointer (&self->bars, g_array_unref);
  g_clear_pointer (&self->losses, g_array_unref);
  g_free (self->samples);
  g_free (self->patches);
}

PenSketch *
pen_sketch_ref (PenSketch *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_sketch_unref (PenSketch *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) sketch_clear);
}
