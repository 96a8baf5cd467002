/* pictures-live.c: pictures of a recording that is being made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "live-support.h"
#include "pictures.h"

#include <unistd.h>

static void
take (PenWindow *window, const Guise *guise, const char *view)
{
  pictures_settle (window);
  if (pictures_is_wanted (guise, "growing", view))
    pictures_take (GTK_WIDGET (window), guise, "growing", view);
}

void
pictures_take_live (const Guise *guise)
{
  LiveRecorder recorder;
  PenWindow *window;

  if (!pictures_is_wanted (guise, "growing", "live")
      && !pictures_is_wanted (guise, "growing", "live-paused"))
    return;
  window = live_recorder_open (&recorder, 60);
  pictures_resize (GTK_WINDOW (window), guise);
  take (window, guise, "live");
  /* Other words: for people only. */
  if (!pictures_is_audit ()) {
    pen_session_set_paused (window->session, TRUE);
    take (window, guise, "live-paused");
  }
  window_support_close_window (window);
  close (recorder.fd);
  live_recorder_clear (&recorder);
}
