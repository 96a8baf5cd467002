/* page-story.h: random events over many pages
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "maker.h"

G_BEGIN_DECLS

#define PAGE_STORY_PIDS 5
#define PAGE_STORY_TIME 4000

/* Kernel maps, BPF programs, patches, processes that fork, map, exec and exit, within
 * PAGE_STORY_TIME: what begins and ends is smaller than a page, or many pages long. */
void page_story_add (Maker *maker, GRand *rand, guint n_events);

/* Near where something begins or ends, mostly; there are a few hundred different ones. */
guint64 page_story_pick_kernel_address (GRand *rand);
guint64 page_story_pick_user_address (GRand *rand);
gint32 page_story_pick_pid (GRand *rand);

G_END_DECLS
