/* pen-reason.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-reason.h"

#include <glib/gi18n-lib.h>

#define ARGUMENTS_MAX 4u

static const struct {
  const char *word;
  const char *sentence; /* with a %s for each argument */
} sentences[] = {
  { PEN_REASON_RECORD_TOO_SHORT, N_ ("The record is shorter than its type needs") },
  { PEN_REASON_NAME_WITHOUT_END, N_ ("A name in the record has no end") },
  { PEN_REASON_COUNT_TOO_LARGE, N_ ("A count in the record says more than the record holds") },
  { PEN_REASON_TEXT_TOO_LONG,
    N_ ("The lengths of old and new text say more than the record holds") },
  { PEN_REASON_NO_TRAILER,
    N_ ("The record's trailer is cut short, or belongs to no event of the recording") },
  { PEN_REASON_NO_EVENT,
    N_ ("The sample's event is unknown: its id is not in the recording's header") },
  { PEN_REASON_NO_TYPE, N_ ("There is no record type 0") },
  { PEN_REASON_SAMPLE_TOO_SHORT, N_ ("The sample is shorter than its event's fields") },
  { PEN_REASON_FIELD_TOO_LONG, N_ ("A field of the sample runs past the record's end") },
  { PEN_REASON_EVENT_TOO_LARGE, N_ ("An event says that it is larger than its record") },
  { PEN_REASON_TOO_MANY_EVENTS, N_ ("No recording has that many events") },
  { PEN_REASON_SIZE_UNALIGNED, N_ ("The record's size is no multiple of eight") },
  { PEN_REASON_SIZE_TOO_LARGE, N_ ("The kernel gave a size that is too large, because more than "
                                   "one event listened: read from the front") },
  { PEN_REASON_HEADER_CUT_OFF, N_ ("The records end within the header of one") },
  { PEN_REASON_SHORTER_THAN_HEADER, N_ ("A record says that it is shorter than its own header") },
  { PEN_REASON_RECORD_CUT_OFF, N_ ("A record runs past the end of the records") },
  { PEN_REASON_DATA_CUT_OFF,
    N_ ("The data that follows the record runs past the end of the records") },
  { PEN_REASON_SKIPPED_DATA_CUT_OFF, N_ ("The recording ends within data that follows a record") },
  { PEN_REASON_MORE_KINDS, N_ ("There are more kinds of damage than are listed one by one") },
  { PEN_REASON_COMPRESSED_DAMAGED, N_ ("The compressed data is damaged") },
  { PEN_REASON_COMPRESSED_CUT_OFF, N_ ("The compressed data ends within a record") },
  { PEN_REASON_COMPRESSED_TOO_LARGE,
    N_ ("A compressed record holds more than the recorder's buffers could") },
  { PEN_REASON_COMPRESSED_SHORTER_THAN_HEADER,
    N_ ("A record within compressed data says that it is shorter than its own header") },
  { PEN_REASON_COMPRESSED_DATA_FOLLOWS,
    N_ ("A record whose data follows it cannot be within compressed data") },
  { PEN_REASON_COMPRESSED_TWICE, N_ ("A compressed record cannot be within compressed data") },
  { PEN_REASON_COMPRESSED_UNKNOWN, N_ ("It is compressed by a method that is not known here") },
  { PEN_REASON_COMPRESSED_AFTER_DAMAGE,
    N_ ("It is compressed, and needs what was damaged before it") },
  { PEN_REASON_PACKED_CUT_OFF,
    N_ ("The file is compressed by %s, and what is compressed ends too early") },
  { PEN_REASON_PACKED_DAMAGED,
    N_ ("The file is compressed by %s, and what is compressed is damaged") },
  { PEN_REASON_PACKED_TOO_LARGE, N_ ("The file is compressed by %s, and what is compressed needs "
                                     "more memory than any recording's would") },
  { PEN_REASON_RECORDER_NOT_ENDED,
    N_ ("The recorder did not come to its end: the records are read up to the end of the file, and "
        "what it writes last (names of events, machine, BPF programs) is missing") },
  { PEN_REASON_FILE_CUT_OFF, N_ ("The file is cut off: its header says that there is more") },
  { PEN_REASON_FORBIDDEN,
    N_ ("Cannot read “%s”: permission denied. A recording made as root belongs to root: run “sudo "
        "chown -R \"$USER\" %s”, or open it as the user who recorded it") },
  { PEN_REASON_DIRECTORY, N_ ("“%s” is a directory, not a file: open the recording itself") },
  { PEN_REASON_NOT_REGULAR, N_ ("“%s” is not a regular file: save the recording to a file first") },
  { PEN_REASON_FILE_SHRANK, N_ ("The file became shorter while it was read") },
  { PEN_REASON_IDS_OUTSIDE,
    N_ ("The list of an event's ids is not within the file, or is too long") },
  { PEN_REASON_FEATURES_CUT_OFF,
    N_ ("The file is cut off within the table of what it says of the machine") },
  { PEN_REASON_FEATURE_OUTSIDE, N_ ("A part of the recording's header is not within the file") },
  { PEN_REASON_FEATURE_TOO_LARGE,
    N_ ("A part of the recording's header is larger than any recorder writes") },
  { PEN_REASON_FEATURE_UNREADABLE, N_ ("A part of the recording's header cannot be read") },
  { PEN_REASON_FEATURE_DAMAGED,
    N_ ("A part of the recording's header is damaged: what it says is left out") },
  { PEN_REASON_LIST_TOO_LONG,
    N_ ("A list in the recording's header is longer than any recorder writes") },
  { PEN_REASON_FORMATS_TOO_LONG,
    N_ ("The formats of tracepoints are longer than any recorder writes") },
  { PEN_REASON_FORMATS_DAMAGED,
    N_ ("The formats of tracepoints are damaged: they do not start as such") },
  { PEN_REASON_SAME_BUILD_ID, N_ ("Two modules have the same build-id: the recorder gave others "
                                  "the first one's. Build-ids of modules are not used") },
  { PEN_REASON_TOO_MANY_CHAINS, N_ ("The callchains go through more places than are kept (two "
                                    "million): these samples are kept, without their callchain") },
  { PEN_REASON_JIT_CLOCK,
    N_ ("the times in a jitdump are those of CLOCK_MONOTONIC, the recording's "
        "are not: perf record -k mono") },
  { PEN_REASON_JIT_PROCESS, N_ ("it is of another process than it says") },
  { PEN_REASON_UNREADABLE, N_ ("It cannot be read") },
  { PEN_REASON_OTHER_ADDRESS, N_ ("%s: it is of another kernel: %s is at 0x%s there, and was at "
                                  "0x%s when this was recorded") },
  { PEN_REASON_OTHER_LENGTH, N_ ("%s: it is of another kernel: its text is not as long as that of "
                                 "the kernel that was recorded") },
  { PEN_REASON_IS_MODULE, N_ ("%s: it is a module, and no vmlinux") },
  { PEN_REASON_OTHER_KERNEL,
    N_ ("%s: it is of another kernel: its build-id is %s, and the recorded kernel has %s") },
  { PEN_REASON_KERNEL_WITHOUT_BUILD_ID, N_ ("%s: it is of another kernel: its build-id is not "
                                            "known, and the recorded kernel has %s") },
  { PEN_REASON_OTHER_BOOT,
    N_ ("Whether this kernel was started again since is not known, or it was") },
  { PEN_REASON_NO_ADDRESS,
    N_ ("Where it was loaded is not known: the recording has no address of %s, or the file") },
  { PEN_REASON_MODULES_AT_ONE_ADDRESS, N_ ("It lists %s and %s at one address: neither is used") },
  { PEN_REASON_OTHER_FUNCTIONS,
    N_ ("It is another build of %s, or was loaded elsewhere: kallsyms has its functions at other "
        "addresses") },
  { PEN_REASON_NO_KERNEL_TEXT,
    N_ ("%s: it is of another kernel, or of another boot: it has nothing from 0x%s on, where the "
        "kernel's text was when this was recorded") },
  { PEN_REASON_OTHER_BYTES, N_ ("%s: it is of another kernel, or of another boot: of %s places "
                                "that were patched %s had other bytes") },
  { PEN_REASON_OTHER_BUILD_ID, N_ ("Its build-id is %s, and %s was recorded") },
  { PEN_REASON_NO_BUILD_ID, N_ ("Its build-id is not known, and %s was recorded") },
  { PEN_REASON_LINES_DAMAGED, N_ ("%s: the lines of its source were not read: its debug "
                                  "information is damaged, or takes too much time or memory") },
  { PEN_REASON_LINES_FAILED, N_ ("%s: the lines of its source were not read: %s") },
  { PEN_REASON_ERROR, "%s" },
  { PEN_REASON_ERROR_OF_ROOT,
    N_ ("%s. If the recorder ran as root: sudo chown -R \"$USER\" on the recording's folder") },
};

char *
pen_reason_new (const char *word, ...)
{
  GString *reason = g_string_new (word);
  const char *argument;
  va_list arguments;

  va_start (arguments, word);
  while ((argument = va_arg (arguments, const char *))) {
    g_autofree char *plain = g_strdelimit (g_strdup (argument), "\t", ' ');

    g_string_append_printf (reason, "\t%s", plain);
  }
  va_end (arguments);
  return g_string_free (reason, FALSE);
}

char *
pen_reason_describe (const char *reason)
{
  return pen_reason_describe_in (GETTEXT_PACKAGE, reason);
}

char *
pen_reason_describe_in (const char *domain, const char *reason)
{
  g_auto (GStrv) parts = g_strsplit (reason, "\t", -1);
  const char *arguments[ARGUMENTS_MAX] = { "", "", "", "" };

  for (guint i = 0; i < ARGUMENTS_MAX && parts[0] && parts[i + 1]; i++)
    arguments[i] = parts[i + 1];
  for (gsize i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (g_strcmp0 (parts[0], sentences[i].word) == 0)
      return g_strdup_printf (g_dgettext (domain, sentences[i].sentence), arguments[0],
                              arguments[1], arguments[2], arguments[3]);
  return g_strdup (reason);
}
