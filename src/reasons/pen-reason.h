/* pen-reason.h: why something was set aside, repaired, cut off or refused
 *
 * A reason is kept as a word and its arguments, each after a tab, and becomes a sentence, in the
 * reader's language, only where it is shown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

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
#define PEN_REASON_JIT_CLOCK "jit-clock"
#define PEN_REASON_JIT_PROCESS "jit-process"

/* Files beside the capture. Arguments as in the sentence: path, symbol, address, build-id. */
#define PEN_REASON_UNREADABLE "unreadable"
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
#define PEN_REASON_NO_BUILD_ID "no-build-id"
#define PEN_REASON_LINES_DAMAGED "lines-damaged"
#define PEN_REASON_LINES_FAILED "lines-failed"

/* The message of a library or of the system, as it was when the capture was imported. */
#define PEN_REASON_ERROR "error"
#define PEN_REASON_ERROR_OF_ROOT "error-of-root"

/*
 * pen_reason_new:
 * @word: one of those above
 * @...: its arguments, texts, and NULL
 */
char *pen_reason_new (const char *word, ...) G_GNUC_NULL_TERMINATED;

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
