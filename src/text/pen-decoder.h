/* pen-decoder.h: bytes to instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  PEN_SYNTAX_ATT,
  PEN_SYNTAX_INTEL,
} PenSyntax;

typedef enum {
  PEN_INSTRUCTION_OTHER,
  PEN_INSTRUCTION_NOP,
  PEN_INSTRUCTION_BREAKPOINT,
  PEN_INSTRUCTION_JUMP,
  PEN_INSTRUCTION_CONDITIONAL_JUMP,
  PEN_INSTRUCTION_CALL,
  PEN_INSTRUCTION_RETURN,
  PEN_INSTRUCTION_BAD,     /* not an instruction: one byte is passed over */
  PEN_INSTRUCTION_LANDING, /* endbr64, bti: where an indirect branch may land */
} PenInstructionClass;

typedef struct {
  guint8 length;
  PenInstructionClass class;
  gboolean has_target; /* a direct jump or call */
  guint64 target;
  char text[192]; /* mnemonic and operands, as objdump would print them; "(bad)" */
} PenInstruction;

typedef struct _PenDecoder PenDecoder;

/*
 * pen_decoder_new:
 * @arch: as uname prints it ("x86_64", "i686", "aarch64"); NULL: x86_64
 * @syntax: of x86; others have one only
 *
 * A decoder belongs to one thread at a time. Errors: G_IO_ERROR, NOT_SUPPORTED for other machines,
 * NOT_FOUND where Capstone is not installed.
 */
PenDecoder *pen_decoder_new (const char *arch, PenSyntax syntax, GError **error);
void pen_decoder_free (PenDecoder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDecoder, pen_decoder_free)

/*
 * pen_decoder_new_classifier: for pen_decoder_classify() alone
 *
 * Capstone, with 77,000 relocations, is loaded only when there is an instruction that needs it. If
 * it is not there, that one is bad, and pen_decoder_check() returns the error in the end.
 */
PenDecoder *pen_decoder_new_classifier (const char *arch, GError **error);
gboolean pen_decoder_check (PenDecoder *self, GError **error);

/* Returns: FALSE: Capstone is not installed */
gboolean pen_decoder_get_version (int *major, int *minor);

/* Decodes one instruction from @bytes (at most @length) that stands at @address. Always advances:
 * @instruction->length is at least 1. @length must not be 0. */
void pen_decoder_decode (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                         PenInstruction *instruction);

/* The same without its text, which takes most of the time: that is left empty. */
void pen_decoder_classify (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                           PenInstruction *instruction);

/* No instruction of the machines here is longer. */
#define PEN_INSTRUCTION_MAX 16u

/*
 * pen_decoder_settle:
 * @start, @end: the function
 * @settled: (out): as many bytes as @instruction is long
 *
 * As pen_decoder_classify(), with the bytes as they would be wherever the text and its data lie:
 * distances to what is not in [@start, @end), and addresses in the kernel's half, are 0. A distance
 * inside of the function stays.
 *
 * Returns: TRUE: @instruction leads out of the function, and its target is one of the zeros
 */
gboolean pen_decoder_settle (PenDecoder *self, const guint8 *bytes, gsize length, guint64 address,
                             guint64 start, guint64 end, PenInstruction *instruction,
                             guint8 settled[PEN_INSTRUCTION_MAX]);

/* Where an address is moved to. */
typedef guint64 (*PenMoveFunc) (guint64 address, gpointer user_data);

/* Both included. */
typedef struct {
  guint64 first;
  guint64 last;
} PenMoveRange;

/*
 * pen_decoder_move:
 * @bytes: an instruction of the kernel at @address, and what follows: changed in place
 * @images: where the kernel and its modules are: only what is there is taken for an address; other
 *   numbers are constants, by which a known text would show how far it was moved
 * @is_made: the code was made while the kernel ran, with the addresses of what it uses: all 64 bits
 *   of the kernel's half are addresses
 *
 * Makes it the instruction that would stand at @func's @address: distances to what moves otherwise,
 * and addresses that it has whole, are those of the places that @func moves their targets to. A
 * number of 64 bits that may be an address of the kernel's memory, which kernels put into their
 * code as they start (include/asm-generic/runtime-const.h), is 0 unless @is_made; masks
 * (pen_is_plain_mask()) are no addresses. Only of x86-64.
 *
 * Returns: how long the instruction is; 0: there is none, it is cut off, or it is one of which it
 * is not known where it may have an address: @bytes are as they were
 */
gsize pen_decoder_move (PenDecoder *self, guint8 *bytes, gsize length, guint64 address,
                        const PenMoveRange *images, guint n_images, gboolean is_made,
                        PenMoveFunc func, gpointer user_data);

G_END_DECLS
