/* pen-versions.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-versions.h"

#include <adwaita.h>
#include <elfutils/libdwfl.h>
#include <sqlite3.h>
#include <sys/utsname.h>

#include "pen-decoder.h"
#include "pen-store.h"

char *
pen_versions_dup_text (void)
{
  GString *text = g_string_new (NULL);
  g_autofree char *os = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  struct utsname kernel;
  int major;
  int minor;

  g_string_append_printf (text, "Pentimento %s\nStore version %d\n", PEN_VERSION,
                          PEN_STORE_VERSION);
  g_string_append_printf (text, "GTK %u.%u.%u\n", gtk_get_major_version (),
                          gtk_get_minor_version (), gtk_get_micro_version ());
  g_string_append_printf (text, "libadwaita %u.%u.%u\n", adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version ());
  g_string_append_printf (text, "GLib %u.%u.%u\n", glib_major_version, glib_minor_version,
                          glib_micro_version);
  g_string_append_printf (text, "SQLite %s\n", sqlite3_libversion ());
  if (pen_decoder_get_version (&major, &minor))
    g_string_append_printf (text, "capstone %d.%d\n", major, minor);
  g_string_append_printf (text, "elfutils %s\n", dwfl_version (NULL));
  if (uname (&kernel) == 0)
    g_string_append_printf (text, "%s %s %s\n", kernel.sysname, kernel.release, kernel.machine);
  if (os)
    g_string_append_printf (text, "%s\n", os);
  return g_string_free (text, FALSE);
}
