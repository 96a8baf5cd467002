/* pen-reason.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-reason.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define ARGUMENTS_MAX 4u
/* No machine has an error of the system with a larger number. */
#define ERRNO_MAX 4095

typedef struct {
  const char *word;
  const char *sentence; /* with a %s for each argument */
} Sentence;

/* Words whose last argument, the @n-th, is no text, but a reason with its own arguments or the name
 * of an error of the system. */
static const struct {
  const char *word;
  guint n;
  gboolean is_reason;
} nested[] = {
  { PEN_REASON_ERROR_OF_ROOT, 1, TRUE },
  { PEN_REASON_LINES_FAILED, 2, TRUE },
  { PEN_REASON_SERVERS_UNREACHABLE, 1, FALSE },
  { PEN_REASON_SYSTEM, 2, FALSE },
};

static const Sentence sentences[] = {
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
  { PEN_REASON_PATCHES_CUT_OFF,
    N_ ("The program that recorded patches ended early: later ones are missing") },
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
  { PEN_REASON_TOO_MANY_RECORDS, N_ ("There are more maps, symbols, patches and tasks than an "
                                     "import has memory for: the later ones are left out") },
  { PEN_REASON_TOO_MANY_LOSSES,
    N_ ("There are more losses than an import has memory for: of the later ones, those of one CPU "
        "are joined, from the first to the last") },
  { PEN_REASON_TOO_MANY_TASKS, N_ ("There are samples of more tasks than an import has memory for: "
                                   "samples of the later ones are kept, without their task") },
  { PEN_REASON_TOO_MANY_MODULE_EVENTS,
    N_ ("There are more samples about modules than an import has memory for: the later ones are "
        "samples only, and place no module") },
  { PEN_REASON_JIT_CLOCK,
    N_ ("the times in a jitdump are those of CLOCK_MONOTONIC, the recording's "
        "are not: perf record -k mono") },
  { PEN_REASON_JIT_PROCESS, N_ ("it is of another process than it says") },
  { PEN_REASON_JIT_TOO_SHORT, N_ ("%s: too short for a jitdump") },
  { PEN_REASON_JIT_VERSION, N_ ("%s: not a jitdump of version 1") },
  { PEN_REASON_JIT_CPU_CLOCK, N_ ("%s: its times are those of the CPU's counter: let the runtime "
                                  "use the clock CLOCK_MONOTONIC") },
  { PEN_REASON_JIT_RECORD_CUT_OFF, N_ ("at offset %s: a record that is cut off") },
  { PEN_REASON_JIT_RECORD_TOO_LONG,
    N_ ("at offset %s: a record that goes on after the end of the file") },
  { PEN_REASON_JIT_FUNCTION_TOO_SHORT,
    N_ ("at offset %s: a function that is shorter than its description") },
  { PEN_REASON_JIT_FUNCTION_CUT_OFF, N_ ("at offset %s: a function that is cut off") },
  { PEN_REASON_JIT_CODE_TOO_LONG, N_ ("at offset %s: a function with more code than there is") },
  { PEN_REASON_JIT_MOVE_TOO_SHORT,
    N_ ("at offset %s: a move that is shorter than its description") },
  { PEN_REASON_JIT_LINES_TOO_SHORT,
    N_ ("at offset %s: lines that are shorter than their description") },
  { PEN_REASON_JIT_LINES_CUT_OFF, N_ ("at offset %s: lines that are cut off") },
  { PEN_REASON_JIT_LINES_TOO_LONG, N_ ("at offset %s: lines that go on after their end") },
  { PEN_REASON_UNREADABLE, N_ ("It cannot be read") },
  { PEN_REASON_FILE_NOT_REGULAR, N_ ("%s: not a regular file") },
  { PEN_REASON_FILE_UNREADABLE, N_ ("%s: cannot be read to its end") },
  { PEN_REASON_NOT_ELF, N_ ("%s: not an ELF file") },
  { PEN_REASON_NOT_CORE, N_ ("%s: not a core") },
  { PEN_REASON_NOT_KERNEL, N_ ("%s: neither a vmlinux nor a kernel module") },
  { PEN_REASON_SEGMENTS_UNREADABLE, N_ ("%s: program headers cannot be read") },
  { PEN_REASON_SEGMENTS_OUTSIDE, N_ ("%s: program headers lie outside the file") },
  { PEN_REASON_TOO_MANY_SEGMENTS, N_ ("%s: too many program headers") },
  { PEN_REASON_MODULE_TOO_LARGE, N_ ("%s: too large for a compressed module") },
  { PEN_REASON_MODULE_DAMAGED, N_ ("%s: damaged, or larger than 512 MiB when unpacked") },
  { PEN_REASON_NO_SYMBOLS, N_ ("%s: no symbols in it") },
  { PEN_REASON_ADDRESSES_HIDDEN, N_ ("%s: all addresses are zero: the recorder was not allowed to "
                                     "see them (kernel.kptr_restrict)") },
  { PEN_REASON_NO_SECTIONS,
    N_ ("%s: no module with addresses of sections in it. Copy /sys/module as root.") },
  { PEN_REASON_NO_MODULES,
    N_ ("%s: no module with an address in it. Copy /proc/modules as root.") },
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
  { PEN_REASON_PLACE_REFUSED,
    N_ ("Recorded paths below /proc, /sys, /dev, /net, /run/user and the like, or with //, are not "
        "looked for on this machine") },
  { PEN_REASON_NO_BUILD_ID, N_ ("Its build-id is not known, and %s was recorded") },
  { PEN_REASON_LINES_SKIPPED, N_ ("%s: lines that cannot be read were left out: %s") },
  { PEN_REASON_LINES_DAMAGED, N_ ("%s: the lines of its source were not read: its debug "
                                  "information is damaged, or takes too much time or memory") },
  { PEN_REASON_LINES_FAILED, N_ ("%s: the lines of its source were not read: %s") },
  { PEN_REASON_SERVERS_UNKNOWN, N_ ("No server is known: set DEBUGINFOD_URLS") },
  { PEN_REASON_SERVERS_NO_LIBRARY, N_ ("%s cannot be loaded: install libdebuginfod") },
  { PEN_REASON_SERVERS_LIBRARY_FAILED, N_ ("%s cannot be used") },
  { PEN_REASON_SERVERS_SLOW,
    N_ ("The servers of DEBUGINFOD_URLS took too long: no more is asked from them") },
  { PEN_REASON_SERVERS_UNREACHABLE,
    N_ ("The servers of DEBUGINFOD_URLS cannot be reached (%s): no more is asked from them") },
  { PEN_REASON_SERVERS_TIME_USED, N_ ("Asking the servers of DEBUGINFOD_URLS took more than %s "
                                      "minutes: no more is asked from them") },
  { PEN_REASON_SYSTEM, "%s: %s" },
  { PEN_REASON_ERROR, "%s" },
  { PEN_REASON_ERROR_OF_ROOT,
    N_ ("%s. If the recorder ran as root: sudo chown -R \"$USER\" on the recording's folder") },
};

static char *
new_from_list (const char *word, va_list arguments)
{
  GString *reason = g_string_new (word);
  const char *argument;

  while ((argument = va_arg (arguments, const char *))) {
    g_autofree char *plain = g_strdelimit (g_strdup (argument), "\t", ' ');

    g_string_append_printf (reason, "\t%s", plain);
  }
  return g_string_free (reason, FALSE);
}

char *
pen_reason_new (const char *word, ...)
{
  va_list arguments;
  char *reason;

  va_start (arguments, word);
  reason = new_from_list (word, arguments);
  va_end (arguments);
  return reason;
}

/* ---- describing ---- */

/* The word of @reason ends at the first tab. Returns: (nullable) */
static const Sentence *
find_sentence (const char *reason)
{
  gsize length = strcspn (reason, "\t");

  for (gsize i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (strlen (sentences[i].word) == length && strncmp (sentences[i].word, reason, length) == 0)
      return &sentences[i];
  return NULL;
}

/* As g_strerror() has it for the reader, and as the sources have it for a program. */
static char *
describe_errno (const char *domain, const char *name)
{
  for (int code = 1; code <= ERRNO_MAX; code++)
    if (g_strcmp0 (strerrorname_np (code), name) == 0)
      return g_strdup (g_str_equal (domain, GETTEXT_PACKAGE) ? g_strerror (code)
                                                             : strerrordesc_np (code));
  return g_strdup (name);
}

/* @may_nest: a store is not believed: a reason in a reason has none itself */
static char *
describe (const char *domain, const char *reason, gboolean may_nest)
{
  const Sentence *sentence = find_sentence (reason);
  const char *arguments[ARGUMENTS_MAX] = { "", "", "", "" };
  gboolean is_reason = FALSE;
  guint n = 0;
  g_auto (GStrv) parts = NULL;
  g_autofree char *last = NULL;

  for (gsize i = 0; sentence && i < G_N_ELEMENTS (nested); i++)
    if (g_str_equal (sentence->word, nested[i].word)) {
      n = nested[i].n;
      is_reason = nested[i].is_reason;
    }
  if (!sentence || (is_reason && !may_nest))
    return g_strdup (reason);

  parts = g_strsplit (reason, "\t", is_reason ? (int) n + 1 : -1);
  for (guint i = 0; i < ARGUMENTS_MAX && parts[0] && parts[i + 1]; i++)
    arguments[i] = parts[i + 1];
  if (n > 0)
    arguments[n - 1] = last = is_reason ? describe (domain, arguments[n - 1], FALSE)
                                        : describe_errno (domain, arguments[n - 1]);
  return g_strdup_printf (g_dgettext (domain, sentence->sentence), arguments[0], arguments[1],
                          arguments[2], arguments[3]);
}

char *
pen_reason_describe (const char *reason)
{
  return pen_reason_describe_in (GETTEXT_PACKAGE, reason);
}

char *
pen_reason_describe_in (const char *domain, const char *reason)
{
  return describe (domain, reason, TRUE);
}

/* ---- errors ---- */

const char *
pen_reason_name_errno (int code)
{
  const char *name = strerrorname_np (code);

  return name ? name : "";
}

gboolean
pen_reason_set_error (GError **error, GIOErrorEnum code, const char *word, ...)
{
  g_autofree char *reason = NULL;
  va_list arguments;

  va_start (arguments, word);
  reason = new_from_list (word, arguments);
  va_end (arguments);
  g_set_error_literal (error, G_IO_ERROR, code, reason);
  return FALSE;
}

void
pen_reason_phrase_error (GError *error)
{
  char *sentence = pen_reason_describe (error->message);

  g_free (error->message);
  error->message = sentence;
}

char *
pen_reason_new_from_error (const GError *error)
{
  return find_sentence (error->message) ? g_strdup (error->message)
                                        : pen_reason_new (PEN_REASON_ERROR, error->message, NULL);
}

char *
pen_reason_new_with_error (const char *word, const char *argument, const GError *error)
{
  g_autofree char *own = pen_reason_new (word, argument, NULL);
  g_autofree char *cause = pen_reason_new_from_error (error);

  return g_strconcat (own, "\t", cause, NULL);
}
