/* pen-pair-reader.h: texts of functions of one recording, fit to be compared with another's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-names.h"
#include "pen-query-pair.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* The target is in the function, but no instruction begins there. */
#define PEN_PAIR_NO_LINE (G_MAXUINT - 1)

/*
 * PenPairInstruction: without what moves with a build or a boot
 * @words: equal ones have equal pointers
 * @names: (nullable): of addresses that are left out of @words, since not every recording knows
 *   them; equal ones have equal pointers
 * @key: of both
 * @target: index of the instruction that it leads to; PEN_PAIR_NO_LINE; G_MAXUINT: it leads nowhere
 *   in its function
 * @rank: how many before it count
 * @is_masked: it has an address without a known name
 * @is_landing: see pen_pair_is_landing(): it does not count, since not every build has such
 */
typedef struct {
  const char *words;
  const char *names;
  const char *key;
  guint target;
  guint rank;
  gboolean is_masked;
  gboolean is_landing;
} PenPairInstruction;

/*
 * PenPairText: of one function
 * @tenure: that has it: see PenAnnotated; its strings live as long as the reader
 * @name: of the function, for its own places
 * @moment: as of which it is
 * @lines: (element-type PenAnnotationLine): by address; in AT&T syntax
 * @instructions: one for each line but those of padding at the end; @n of them
 * @is_known: all of its bytes are
 * @versions: see PenFunction
 */
typedef struct {
  guint32 function;
  guint32 name_file;
  const char *name;
  PenTenure tenure;
  guint64 start;
  guint64 end;
  guint64 versions;
  PenMoment moment;
  GPtrArray *lines;
  PenPairInstruction *instructions;
  guint n;
  gboolean is_known;
} PenPairText;

void pen_pair_text_free (PenPairText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairText, pen_pair_text_free)

/* But for where in their functions they lead to. */
static inline gboolean
pen_pair_instruction_equal (const PenPairInstruction *a, const PenPairInstruction *b)
{
  return a->words == b->words && (!a->names || !b->names || a->names == b->names);
}

/* The first from @i on that counts; @n of the text: there is none. */
static inline guint
pen_pair_text_skip_landings (const PenPairText *self, guint i)
{
  while (i < self->n && self->instructions[i].is_landing)
    i++;
  return i;
}

/* The name without what compilers append ("foo.isra.0" → "foo"), which says how, not what; a cold
 * part is another place. And the kernel has some functions under two names, of which a recording
 * has one: "__pi_memcpy" → "memcpy". */
void pen_pair_append_plain_symbol (GString *name, const char *symbol);

/* Both known, instruction by instruction, but for landings. */
gboolean pen_pair_text_equal (const PenPairText *a, const PenPairText *b);
guint pen_pair_text_hash (const PenPairText *self);

/*
 * PenPairReader: reads one function's text after the other, as of the end of the filter's time, or
 * of the last time before it that the function was there
 */
typedef struct _PenPairReader PenPairReader;

/* @names: of both recordings, outlives it. Cost: the tenures of the kernel's space. */
PenPairReader *pen_pair_reader_new (const PenPairSource *source, PenNames *names, GError **error);
void pen_pair_reader_free (PenPairReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairReader, pen_pair_reader_free)

/* Returns: (transfer full): without instructions where nothing of it is known. Cost: its bytes, and
 * a few searches. */
PenPairText *pen_pair_reader_read (PenPairReader *self, guint32 function, GError **error);

/* Whether all bytes of that text are known: of a file, without reading its instructions. */
gboolean pen_pair_reader_knows (PenPairReader *self, guint32 function, gboolean *is_known,
                                GError **error);

/* Whether two functions are one text whatever it is. Both readers are of one store: of a file,
 * whose code does not change, or as of one moment. */
gboolean pen_pair_reader_is_same_text (const PenPairReader *a, guint32 function,
                                       const PenPairReader *b, guint32 other);

/* The same of a function that has no id. */
PenPairText *pen_pair_reader_read_found (PenPairReader *self, const PenFunction *function,
                                         GError **error);

/*
 * pen_pair_reader_read_instruction:
 * @function: of the kernel or a module; @offset: where an instruction of it begins
 * @target: where it leads to, as pen_pair_reader_append_target() has it
 *
 * Returns: (transfer full) (nullable): NULL, without @error: not known. Cost: a few searches
 */
PenAnnotationLine *pen_pair_reader_read_instruction (PenPairReader *self,
                                                     const PenFunction *function, guint64 offset,
                                                     GString *target, GError **error);

/* Fills in from which lines of source the lines of @text were made, where that is known. */
gboolean pen_pair_reader_tell_source_lines (PenPairReader *self, PenPairText *text, GError **error);

/* What stands at @address, to which @text leads, as it is called in any recording: "vfs_read+0x10".
 * Nothing where that is not known. */
void pen_pair_reader_append_target (PenPairReader *self, const PenPairText *text, guint64 address,
                                    GString *name);

G_END_DECLS
