/* pen-reason.h: why something was set aside, repaired, cut off or refused
 *
 * A reason is kept as a word and its arguments, each after a tab, and becomes a sentence, in the
 * reader's language, only where it is shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The records of a capture. */
#define PEN_REASON_RECORD_TOO_SHORT "record-too-short"
#define PEN_REASON_NAME_WITHOUT_END "name-without-end"
#define PEN_REASON_COUNT_TOO_LARGE "count-too-large"
#define PEN_REASON_TEXT_TOO_LONG "text-too-long"
#define PEN_REASON_NO_TRAILER "no-trailer"
#define PEN_REASON_NO_EVENT "no-event"
#define PEN_REASON_NO_TYPE "no-type"
#define PEN_REASON_SAMPLE_TOO_SHORT "sample-too-short"
#define PEN_REASON_FIELD_TOO_LONG "field-too-long"
#define PEN_REASON_EVENT_TOO_LARGE "event-too-large"
#define PEN_REASON_TOO_MANY_EVENTS "too-many-events"
#define PEN_REASON_SIZE_UNALIGNED "size-unaligned"
#define PEN_REASON_SIZE_TOO_LARGE "size-too-large"
#define PEN_REASON_HEADER_CUT_OFF "header-cut-off"
#define PEN_REASON_SHORTER_THAN_HEADER "shorter-than-header"
#define PEN_REASON_RECORD_CUT_OFF "record-cut-off"
#define PEN_REASON_DATA_CUT_OFF "data-cut-off"
#define PEN_REASON_SKIPPED_DATA_CUT_OFF "skipped-data-cut-off"
#define PEN_REASON_MORE_KINDS "more-kinds"

/* Compressed data. The argument for packed files: the program that packed it. */
#define PEN_REASON_COMPRESSED_DAMAGED "compressed-damaged"
#define PEN_REASON_COMPRESSED_CUT_OFF "compressed-cut-off"
#define PEN_REASON_COMPRESSED_TOO_LARGE "compressed-too-large"
#define PEN_REASON_COMPRESSED_SHORTER_THAN_HEADER "compressed-shorter-than-header"
#define PEN_REASON_COMPRESSED_DATA_FOLLOWS "compressed-data-follows"
#define PEN_REASON_COMPRESSED_TWICE "compressed-twice"
#define PEN_REASON_COMPRESSED_UNKNOWN "compressed-unknown"
#define PEN_REASON_COMPRESSED_AFTER_DAMAGE "compressed-after-damage"
#define PEN_REASON_PACKED_CUT_OFF "packed-cut-off"
#define PEN_REASON_PACKED_DAMAGED "packed-damaged"
#define PEN_REASON_PACKED_TOO_LARGE "packed-too-large"

/* The file and its header. Arguments: the path, and the path in quotes for a shell. */
#define PEN_REASON_RECORDER_NOT_ENDED "recorder-not-ended"
#define PEN_REASON_FILE_CUT_OFF "file-cut-off"
#define PEN_REASON_FORBIDDEN "forbidden"
#define PEN_REASON_DIRECTORY "directory"
#define PEN_REASON_NOT_REGULAR "not-regular"
#define PEN_REASON_FILE_SHRANK "file-shrank"
#define PEN_REASON_PATCHES_CUT_OFF "patches-cut-off"
#define PEN_REASON_IDS_OUTSIDE "ids-outside"
#define PEN_REASON_FEATURES_CUT_OFF "features-cut-off"
#define PEN_REASON_FEATURE_OUTSIDE "feature-outside"
#define PEN_REASON_FEATURE_TOO_LARGE "feature-too-large"
#define PEN_REASON_FEATURE_UNREADABLE "feature-unreadable"
#define PEN_REASON_FEATURE_DAMAGED "feature-damaged"
#define PEN_REASON_LIST_TOO_LONG "list-too-long"
#define PEN_REASON_FORMATS_TOO_LONG "formats-too-long"
#define PEN_REASON_FORMATS_DAMAGED "formats-damaged"

/* An import. */
#define PEN_REASON_SAME_BUILD_ID "same-build-id"
#define PEN_REASON_TOO_MANY_CHAINS "too-many-chains"
#define PEN_REASON_TOO_MANY_RECORDS "too-many-records"
#define PEN_REASON_TOO_MANY_LOSSES "too-many-losses"
#define PEN_REASON_TOO_MANY_TASKS "too-many-tasks"
#define PEN_REASON_TOO_MANY_MODULE_EVENTS "too-many-module-events"

/* A jitdump. Arguments: of the whole file its path, of a damage the offset. */
#define PEN_REASON_JIT_CLOCK "jit-clock"
#define PEN_REASON_JIT_PROCESS "jit-process"
#define PEN_REASON_JIT_TOO_SHORT "jit-too-short"
#define PEN_REASON_JIT_VERSION "jit-version"
#define PEN_REASON_JIT_CPU_CLOCK "jit-cpu-clock"
#define PEN_REASON_JIT_RECORD_CUT_OFF "jit-record-cut-off"
#define PEN_REASON_JIT_RECORD_TOO_LONG "jit-record-too-long"
#define PEN_REASON_JIT_FUNCTION_TOO_SHORT "jit-function-too-short"
#define PEN_REASON_JIT_FUNCTION_CUT_OFF "jit-function-cut-off"
#define PEN_REASON_JIT_CODE_TOO_LONG "jit-code-too-long"
#define PEN_REASON_JIT_MOVE_TOO_SHORT "jit-move-too-short"
#define PEN_REASON_JIT_LINES_TOO_SHORT "jit-lines-too-short"
#define PEN_REASON_JIT_LINES_CUT_OFF "jit-lines-cut-off"
#define PEN_REASON_JIT_LINES_TOO_LONG "jit-lines-too-long"

/* Files beside the capture. Arguments as in the sentence: path, symbol, address, build-id. */
#define PEN_REASON_UNREADABLE "unreadable"
#define PEN_REASON_FILE_NOT_REGULAR "file-not-regular"
#define PEN_REASON_FILE_UNREADABLE "file-unreadable"
#define PEN_REASON_NOT_ELF "not-elf"
#define PEN_REASON_NOT_CORE "not-core"
#define PEN_REASON_NOT_KERNEL "not-kernel"
#define PEN_REASON_SEGMENTS_UNREADABLE "segments-unreadable"
#define PEN_REASON_SEGMENTS_OUTSIDE "segments-outside"
#define PEN_REASON_TOO_MANY_SEGMENTS "too-many-segments"
#define PEN_REASON_MODULE_TOO_LARGE "module-too-large"
#define PEN_REASON_MODULE_DAMAGED "module-damaged"
#define PEN_REASON_NO_SYMBOLS "no-symbols"
#define PEN_REASON_ADDRESSES_HIDDEN "addresses-hidden"
#define PEN_REASON_NO_SECTIONS "no-sections"
#define PEN_REASON_NO_MODULES "no-modules"
#define PEN_REASON_OTHER_ADDRESS "other-address"
#define PEN_REASON_OTHER_LENGTH "other-length"
#define PEN_REASON_IS_MODULE "is-module"
#define PEN_REASON_OTHER_KERNEL "other-kernel"
#define PEN_REASON_KERNEL_WITHOUT_BUILD_ID "kernel-without-build-id"
#define PEN_REASON_OTHER_BOOT "other-boot"
#define PEN_REASON_NO_ADDRESS "no-address"
#define PEN_REASON_OTHER_FUNCTIONS "other-functions"
#define PEN_REASON_NO_KERNEL_TEXT "no-kernel-text"
#define PEN_REASON_MODULES_AT_ONE_ADDRESS "modules-at-one-address"
#define PEN_REASON_OTHER_BYTES "other-bytes"
#define PEN_REASON_OTHER_BUILD_ID "other-build-id"
#define PEN_REASON_PLACE_REFUSED "place-refused"
#define PEN_REASON_NO_BUILD_ID "no-build-id"
#define PEN_REASON_LINES_SKIPPED "lines-skipped"
#define PEN_REASON_LINES_DAMAGED "lines-damaged"
#define PEN_REASON_LINES_FAILED "lines-failed"

/* Servers of debug files. Arguments as in the sentence: library, error of the system, minutes. */
#define PEN_REASON_SERVERS_UNKNOWN "servers-unknown"
#define PEN_REASON_SERVERS_NO_LIBRARY "servers-no-library"
#define PEN_REASON_SERVERS_LIBRARY_FAILED "servers-library-failed"
#define PEN_REASON_SERVERS_SLOW "servers-slow"
#define PEN_REASON_SERVERS_UNREACHABLE "servers-unreachable"
#define PEN_REASON_SERVERS_TIME_USED "servers-time-used"

/* An error of the system: path, and the error's name (pen_reason_name_errno()). */
#define PEN_REASON_SYSTEM "system"
/* The message of a library, as it was when the capture was imported. */
#define PEN_REASON_ERROR "error"
/* The argument is another reason. */
#define PEN_REASON_ERROR_OF_ROOT "error-of-root"

/*
 * pen_reason_new:
 * @word: one of those above
 * @...: its arguments, texts, and NULL
 */
char *pen_reason_new (const char *word, ...) G_GNUC_NULL_TERMINATED;

/* The name of an error of the system, for an argument: numbers differ between machines. */
const char *pen_reason_name_errno (int code);

/*
 * pen_reason_set_error:
 * @code: of G_IO_ERROR
 * @word, @...: as pen_reason_new() has them
 *
 * The error of a file that may be the capture's own: its message is the reason itself, since the
 * store keeps it. pen_reason_phrase_error() makes a sentence of it where it goes to a person.
 * Returns: FALSE
 */
gboolean pen_reason_set_error (GError **error, GIOErrorEnum code, const char *word,
                               ...) G_GNUC_NULL_TERMINATED;
void pen_reason_phrase_error (GError *error);

/* The reason that @error has, or PEN_REASON_ERROR with its message. */
char *pen_reason_new_from_error (const GError *error);
/* @argument: (nullable): before the last one, which is the reason of @error */
char *pen_reason_new_with_error (const char *word, const char *argument, const GError *error);

/*
 * pen_reason_describe:
 * @reason: as it is kept; of an unknown word it is given as it is
 *
 * Returns: (transfer full): a sentence, translated
 */
char *pen_reason_describe (const char *reason);
/* The same, of a @domain of gettext: for rows that programs read, one without translations. */
char *pen_reason_describe_in (const char *domain, const char *reason);

G_END_DECLS
