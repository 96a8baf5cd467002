/* pen-ring.c
 *
 * linux/perf_event.h, struct perf_event_mmap_page: data_head and data_tail count on and on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ring.h"

#include <linux/perf_event.h>
#include <string.h>

static void
copy (const guint8 *data, gsize size, guint64 position, guint8 *to, gsize n)
{
  gsize at = (gsize) (position % size);
  gsize first = MIN (n, size - at);

  memcpy (to, data + at, first);
  memcpy (to + first, data, n - first);
}

gsize
pen_ring_take (const guint8 *data, gsize size, guint64 tail, guint64 head, guint8 *scratch,
               PenTextRingFunc func, gpointer user_data)
{
  struct perf_event_header header;

  if (head - tail > size)
    return (gsize) MIN (head - tail, G_MAXSIZE);
  while (tail < head) {
    gsize at = (gsize) (tail % size);
    const guint8 *record = data + at;

    if (head - tail < sizeof header)
      return (gsize) (head - tail);
    copy (data, size, tail, (guint8 *) &header, sizeof header);
    if (header.size < sizeof header || header.size > head - tail)
      return (gsize) (head - tail);
    if (at + header.size > size) {
      copy (data, size, tail, scratch, header.size);
      record = scratch;
    }
    func (record, header.size, user_data);
    tail += header.size;
  }
  return 0;
}
