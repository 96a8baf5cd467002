/* test-decoder.c: bytes to instructions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "text-fixture.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)

typedef struct {
  const char *hex;
  guint8 length;
  PenInstructionClass class;
  guint64 target; /* 0: none */
  const char *text;
} Expected;

/* Without its text it is the same. */
static void
assert_classified (PenDecoder *decoder, const guint8 *bytes, gsize length, guint64 address,
                   const PenInstruction *decoded)
{
  PenInstruction instruction;

  pen_decoder_classify (decoder, bytes, length, address, &instruction);
  g_assert_cmpuint (instruction.length, ==, decoded->length);
  g_assert_cmpint (instruction.class, ==, decoded->class);
  g_assert_cmpint (instruction.has_target, ==, decoded->has_target);
  g_assert_cmphex (instruction.target, ==, decoded->target);
  g_assert_cmpstr (instruction.text, ==, "");
}

static void
assert_decoded (PenDecoder *decoder, const Expected *expected)
{
  g_autoptr (GBytes) bytes = text_fixture_hex (expected->hex);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  PenInstruction instruction;

  pen_decoder_decode (decoder, data, length, BASE, &instruction);
  g_assert_cmpstr (instruction.text, ==, expected->text);
  g_assert_cmpuint (instruction.length, ==, expected->length);
  g_assert_cmpint (instruction.class, ==, expected->class);
  g_assert_cmpint (instruction.has_target, ==, expected->target != 0);
  g_assert_cmphex (instruction.target, ==, expected->target);
  assert_classified (decoder, data, length, BASE, &instruction);
}

static void
test_att (void)
{
  static const Expected expected[] = {
    { "90", 1, PEN_INSTRUCTION_NOP, 0, "nop" },
    { "6690", 2, PEN_INSTRUCTION_NOP, 0, "xchg   %ax,%ax" },
    { "0f1f00", 3, PEN_INSTRUCTION_NOP, 0, "nopl   (%rax)" },
    { "0f1f4000", 4, PEN_INSTRUCTION_NOP, 0, "nopl   0x0(%rax)" },
    { "0f1f440000", 5, PEN_INSTRUCTION_NOP, 0, "nopl   0x0(%rax,%rax,1)" },
    { "660f1f440000", 6, PEN_INSTRUCTION_NOP, 0, "nopw   0x0(%rax,%rax,1)" },
    { "0f1f8000000000", 7, PEN_INSTRUCTION_NOP, 0, "nopl   0x0(%rax)" },
    { "666666669066", 5, PEN_INSTRUCTION_NOP, 0, "data16 data16 data16 xchg %ax,%ax" },
    { "cc89442460", 1, PEN_INSTRUCTION_BREAKPOINT, 0, "int3" },
    { "f30f1efa", 4, PEN_INSTRUCTION_LANDING, 0, "endbr64" },
    { "e91f010000", 5, PEN_INSTRUCTION_JUMP, BASE + 0x124, "jmp    0xffffffff81000124" },
    { "eb44", 2, PEN_INSTRUCTION_JUMP, BASE + 0x46, "jmp    0xffffffff81000046" },
    { "74fe", 2, PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE, "je     0xffffffff81000000" },
    { "0f84ffffffff", 6, PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE + 5, "je     0xffffffff81000005" },
    { "e3fe", 2, PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE, "jrcxz  0xffffffff81000000" },
    { "e2fe", 2, PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE, "loop   0xffffffff81000000" },
    { "e833620000", 5, PEN_INSTRUCTION_CALL, BASE + 0x6238, "call   0xffffffff81006238" },
    { "2ee8ffffffff", 6, PEN_INSTRUCTION_CALL, BASE + 5, "cs call 0xffffffff81000005" },
    { "41ff5508", 4, PEN_INSTRUCTION_CALL, 0, "call   *0x8(%r13)" },
    { "ffe0", 2, PEN_INSTRUCTION_JUMP, 0, "jmp    *%rax" },
    { "ff2500000000", 6, PEN_INSTRUCTION_JUMP, 0, "jmp    *0x0(%rip)" },
    { "c3cccccccc", 1, PEN_INSTRUCTION_RETURN, 0, "ret" },
    { "48cf", 2, PEN_INSTRUCTION_RETURN, 0, "iretq" },
    { "480f07", 3, PEN_INSTRUCTION_RETURN, 0, "sysretq" },
    { "2e2e2e31c0", 5, PEN_INSTRUCTION_OTHER, 0, "cs cs cs xor %eax,%eax" },
    { "4889442460", 5, PEN_INSTRUCTION_OTHER, 0, "mov    %rax,0x60(%rsp)" },
    { "8b4508", 3, PEN_INSTRUCTION_OTHER, 0, "mov    0x8(%rbp),%eax" },
    { "488b45f8", 4, PEN_INSTRUCTION_OTHER, 0, "mov    -0x8(%rbp),%rax" },
    { "4883ec08", 4, PEN_INSTRUCTION_OTHER, 0, "sub    $0x8,%rsp" },
    { "48c744247800000000", 9, PEN_INSTRUCTION_OTHER, 0, "movq   $0x0,0x78(%rsp)" },
    { "48c7c720200082", 7, PEN_INSTRUCTION_OTHER, 0, "mov    $0xffffffff82002020,%rdi" },
    { "83f8ff", 3, PEN_INSTRUCTION_OTHER, 0, "cmp    $0xffffffff,%eax" },
    { "65488b042528000000", 9, PEN_INSTRUCTION_OTHER, 0, "mov    %gs:0x28,%rax" },
    { "f0480fb13a", 5, PEN_INSTRUCTION_OTHER, 0, "lock cmpxchg %rdi,(%rdx)" },
    { "d320", 2, PEN_INSTRUCTION_OTHER, 0, "shll   %cl,(%rax)" },
    { "0fb600", 3, PEN_INSTRUCTION_OTHER, 0, "movzbl (%rax),%eax" },
    { "4898", 2, PEN_INSTRUCTION_OTHER, 0, "cltq" },
    { "d9c1", 2, PEN_INSTRUCTION_OTHER, 0, "fld    %st(1)" },
    { "4157", 2, PEN_INSTRUCTION_OTHER, 0, "push   %r15" },
    { "0f01ee90", 3, PEN_INSTRUCTION_OTHER, 0, "rdpkru" },
    { "48c7c0ffffffff", 7, PEN_INSTRUCTION_OTHER, 0, "mov    $0xffffffffffffffff,%rax" },
    { "80fbff", 3, PEN_INSTRUCTION_OTHER, 0, "cmp    $0xff,%bl" },
    { "660f70c0ee", 5, PEN_INSTRUCTION_OTHER, 0, "pshufd $0xee,%xmm0,%xmm0" },
    { "ea", 1, PEN_INSTRUCTION_BAD, 0, "(bad)" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_decoded (decoder, &expected[i]);
}

/* Capstone 4 does not know some of them, or takes them for others. */
static void
test_as_objdump (void)
{
  static const Expected expected[] = {
    { "66662e0f1f840000000000", 11, PEN_INSTRUCTION_NOP, 0, "data16 cs nopw 0x0(%rax,%rax,1)" },
    { "662e0f1f840000000000", 10, PEN_INSTRUCTION_NOP, 0, "cs nopw 0x0(%rax,%rax,1)" },
    { "2e0f1f440000", 6, PEN_INSTRUCTION_NOP, 0, "cs nopl 0x0(%rax,%rax,1)" },
    { "f348ab", 3, PEN_INSTRUCTION_OTHER, 0, "rep stos %rax,%es:(%rdi)" },
    { "f3ab", 2, PEN_INSTRUCTION_OTHER, 0, "rep stos %eax,%es:(%rdi)" },
    { "f348a5", 3, PEN_INSTRUCTION_OTHER, 0, "rep movsq %ds:(%rsi),%es:(%rdi)" },
    { "a4", 1, PEN_INSTRUCTION_OTHER, 0, "movsb  %ds:(%rsi),%es:(%rdi)" },
    { "65a4", 2, PEN_INSTRUCTION_OTHER, 0, "movsb  %gs:(%rsi),%es:(%rdi)" },
    { "66f36d", 3, PEN_INSTRUCTION_OTHER, 0, "rep insw (%dx),%es:(%rdi)" },
    { "ee", 1, PEN_INSTRUCTION_OTHER, 0, "out    %al,(%dx)" },
    { "ed", 1, PEN_INSTRUCTION_OTHER, 0, "in     (%dx),%eax" },
    { "0f21d0", 3, PEN_INSTRUCTION_OTHER, 0, "mov    %db2,%rax" },
    { "9b", 1, PEN_INSTRUCTION_OTHER, 0, "fwait" },
    { "c4e2f9f7c8", 5, PEN_INSTRUCTION_OTHER, 0, "shlx   %rax,%rax,%rcx" },
    { "0f011424", 4, PEN_INSTRUCTION_OTHER, 0, "lgdt   (%rsp)" },
    { "f2480f38f101", 6, PEN_INSTRUCTION_OTHER, 0, "crc32q (%rcx),%rax" },
    { "f2480f38f1f8", 6, PEN_INSTRUCTION_OTHER, 0, "crc32  %rax,%rdi" },
    { "66480f6ecf", 5, PEN_INSTRUCTION_OTHER, 0, "movq   %rdi,%xmm1" },
    { "66440fd67720", 6, PEN_INSTRUCTION_OTHER, 0, "movq   %xmm14,0x20(%rdi)" },
    { "0f01c8", 3, PEN_INSTRUCTION_OTHER, 0, "monitor %rax,%ecx,%edx" },
    { "0f01c9", 3, PEN_INSTRUCTION_OTHER, 0, "mwait  %eax,%ecx" },
    { "0f01fa", 3, PEN_INSTRUCTION_OTHER, 0, "monitorx %rax,%ecx,%edx" },
    { "c5fb92d1", 4, PEN_INSTRUCTION_OTHER, 0, "kmovd  %ecx,%k2" },
    { "c5fb93c1", 4, PEN_INSTRUCTION_OTHER, 0, "kmovd  %k1,%eax" },
    { "c4c1fb92d1", 5, PEN_INSTRUCTION_OTHER, 0, "kmovq  %r9,%k2" },
    { "c5f898c0", 4, PEN_INSTRUCTION_OTHER, 0, "kortestw %k0,%k0" },
    { "c4e1ed41d9", 5, PEN_INSTRUCTION_OTHER, 0, "kandd  %k1,%k2,%k3" },
    { "660faef1", 4, PEN_INSTRUCTION_OTHER, 0, "tpause %ecx" },
    { "0fb9cc", 3, PEN_INSTRUCTION_OTHER, 0, "ud1    %esp,%ecx" },
    { "67480fb93a", 5, PEN_INSTRUCTION_OTHER, 0, "ud1    (%edx),%rdi" },
    { "440fb9848890000000", 9, PEN_INSTRUCTION_OTHER, 0, "ud1    0x90(%rax,%rcx,4),%r8d" },
    { "f20f01d9", 4, PEN_INSTRUCTION_OTHER, 0, "vmgexit" },
    { "0f01d9", 3, PEN_INSTRUCTION_OTHER, 0, "vmmcall" },
    { "f30f01fe", 4, PEN_INSTRUCTION_OTHER, 0, "rmpadjust" },
    { "f20f01ff", 4, PEN_INSTRUCTION_OTHER, 0, "pvalidate" },
    { "660f01cc", 4, PEN_INSTRUCTION_OTHER, 0, "tdcall" },
    { "66480f38f553f8", 7, PEN_INSTRUCTION_OTHER, 0, "wrussq %rdx,-0x8(%rbx)" },
    { "664c0f38f50e", 6, PEN_INSTRUCTION_OTHER, 0, "wrussq %r9,(%rsi)" },
    { "c4e27849c0", 5, PEN_INSTRUCTION_OTHER, 0, "tilerelease" },
    { "c4e27d5a71b0", 6, PEN_INSTRUCTION_OTHER, 0, "vbroadcasti128 -0x50(%rcx),%ymm6" },
    { "c4e37d44ef11", 6, PEN_INSTRUCTION_OTHER, 0, "vpclmulhqhqdq %ymm7,%ymm0,%ymm5" },
    { "c4e27ddcef", 5, PEN_INSTRUCTION_OTHER, 0, "vaesenc %ymm7,%ymm0,%ymm5" },
    { "62f1650872c310", 7, PEN_INSTRUCTION_OTHER, 0, "vprord $0x10,%xmm3,%xmm3" },
    { "62f3d54825dc96", 7, PEN_INSTRUCTION_OTHER, 0, "vpternlogq $0x96,%zmm4,%zmm5,%zmm3" },
    { "62724d2876c7", 6, PEN_INSTRUCTION_OTHER, 0, "vpermi2d %ymm7,%ymm6,%ymm8" },
    { "62f2754800ce", 6, PEN_INSTRUCTION_OTHER, 0, "vpshufb %zmm6,%zmm1,%zmm1" },
    { "62f3fd4825440802ff", 9, PEN_INSTRUCTION_OTHER, 0,
      "vpternlogq $0xff,0x80(%rax,%rcx,1),%zmm0,%zmm0" },
    { "62f27d4a89", 1, PEN_INSTRUCTION_BAD, 0, "(bad)" },
  };
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_decoded (decoder, &expected[i]);
}

static void
test_intel (void)
{
  static const Expected expected[] = {
    { "4889442460", 5, PEN_INSTRUCTION_OTHER, 0, "mov    QWORD PTR [rsp+0x60],rax" },
    { "c3", 1, PEN_INSTRUCTION_RETURN, 0, "ret" },
    { "eb44", 2, PEN_INSTRUCTION_JUMP, BASE + 0x46, "jmp    0xffffffff81000046" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenDecoder) decoder = pen_decoder_new ("x86_64", PEN_SYNTAX_INTEL, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_decoded (decoder, &expected[i]);
}

static void
test_i386 (void)
{
  static const Expected expected[] = {
    { "40", 1, PEN_INSTRUCTION_OTHER, 0, "inc    %eax" },
    { "e9fbffffff", 5, PEN_INSTRUCTION_JUMP, 0x81000000, "jmp    0x81000000" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenDecoder) decoder = pen_decoder_new ("i686", PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GBytes) bytes = text_fixture_hex (expected[i].hex);
    gsize length;
    const guint8 *data = g_bytes_get_data (bytes, &length);
    PenInstruction instruction;

    pen_decoder_decode (decoder, data, length, 0x81000000, &instruction);
    g_assert_cmpstr (instruction.text, ==, expected[i].text);
    g_assert_cmpint (instruction.class, ==, expected[i].class);
    g_assert_cmphex (instruction.target, ==, expected[i].target);
  }
}

static void
test_aarch64 (void)
{
  static const struct {
    const char *hex;
    PenInstructionClass class;
    guint64 target;
  } expected[] = {
    { "1f2003d5", PEN_INSTRUCTION_NOP, 0 },                        /* nop */
    { "04000014", PEN_INSTRUCTION_JUMP, BASE + 0x10 },             /* b */
    { "04000094", PEN_INSTRUCTION_CALL, BASE + 0x10 },             /* bl */
    { "80000054", PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE + 0x10 }, /* b.eq */
    { "800000b4", PEN_INSTRUCTION_CONDITIONAL_JUMP, BASE + 0x10 }, /* cbz */
    { "c0035fd6", PEN_INSTRUCTION_RETURN, 0 },                     /* ret */
    { "800020d4", PEN_INSTRUCTION_BREAKPOINT, 0 },                 /* brk #4 */
    { "5f2403d5", PEN_INSTRUCTION_LANDING, 0 },                    /* bti c */
    { "00000091", PEN_INSTRUCTION_OTHER, 0 },                      /* add x0, x0, #0 */
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenDecoder) decoder = pen_decoder_new ("aarch64", PEN_SYNTAX_ATT, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GBytes) bytes = text_fixture_hex (expected[i].hex);
    gsize length;
    const guint8 *data = g_bytes_get_data (bytes, &length);
    PenInstruction instruction;

    pen_decoder_decode (decoder, data, length, BASE, &instruction);
    g_assert_cmpint (instruction.class, ==, expected[i].class);
    g_assert_cmpuint (instruction.length, ==, 4);
    g_assert_cmphex (instruction.target, ==, expected[i].target);
  }
}

static void
test_unknown_machine (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_decoder_new ("s390x", PEN_SYNTAX_ATT, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* An instruction that the bytes do not hold whole is none. */
static void
test_cut (void)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  const guint8 call[] = { 0xe8, 0x33, 0x62, 0x00, 0x00 };

  for (gsize length = 1; length < sizeof call; length++) {
    PenInstruction instruction;

    pen_decoder_decode (decoder, call, length, BASE, &instruction);
    g_assert_cmpint (instruction.class, ==, PEN_INSTRUCTION_BAD);
    g_assert_cmpuint (instruction.length, ==, 1);
  }
}

/* Whatever an instruction begins with, Capstone is asked or need not be. */
static void
test_classifier (void)
{
  static const guint8 tails[][PEN_INSTRUCTION_MAX - 3] = {
    { 0 },
    { 0x24, 0x25, 0xff, 0x7f, 0x80, 0x90, 0xe8, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06 },
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
  };
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  g_autoptr (PenDecoder) classifier = pen_decoder_new_classifier (NULL, NULL);

  g_assert_nonnull (classifier);
  for (guint first = 0; first < 65536; first++)
    for (gsize i = 0; i < G_N_ELEMENTS (tails); i++) {
      guint8 bytes[PEN_INSTRUCTION_MAX] = { (guint8) (first >> 8), (guint8) first };
      guint8 third = (guint8) (first * 7 + i);
      gsize length = first % 5 == 0 ? 1 + (first / 5) % 8 : sizeof bytes;
      PenInstruction decoded;

      bytes[2] = third;
      memcpy (bytes + 3, tails[i], sizeof tails[i]);
      pen_decoder_decode (decoder, bytes, length, BASE, &decoded);
      assert_classified (classifier, bytes, length, BASE, &decoded);
    }
  g_assert_true (pen_decoder_check (classifier, NULL));
}

static void
test_classifier_arch (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_decoder_new_classifier ("s390x", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* Any bytes at all: always a step forward, never past the end, always a text. */
static void
test_random (void)
{
  static const char *const machines[] = { "x86_64", "i386", "aarch64" };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gsize m = 0; m < G_N_ELEMENTS (machines); m++) {
    g_autoptr (PenDecoder) decoder = pen_decoder_new (machines[m], PEN_SYNTAX_ATT, NULL);

    for (int i = 0; i < 50000; i++) {
      guint8 bytes[24];
      gsize length = (gsize) g_rand_int_range (random, 1, sizeof bytes);
      guint64 address = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
      PenInstruction instruction;

      for (gsize j = 0; j < length; j++)
        bytes[j] = (guint8) g_rand_int_range (random, 0, 256);
      if (i % 8 == 0)
        bytes[0] = i % 16 == 0 ? 0xe8 : 0xe9;
      pen_decoder_decode (decoder, bytes, length, address, &instruction);
      assert_classified (decoder, bytes, length, address, &instruction);
      g_assert_cmpuint (instruction.length, >=, 1);
      g_assert_cmpuint (instruction.length, <=, MIN (length, 16));
      g_assert_cmpuint (strlen (instruction.text), >, 0);
      g_assert_cmpuint (strlen (instruction.text), <, sizeof instruction.text);
    }
  }
}

/* ---- kernels ---- */

/* Instructions of one function, and how many bytes of it are none. */
static void
count_bad (PenDecoder *decoder, PenKcore *kcore, const PenSymbol *symbol, guint *n, guint *n_bad)
{
  gsize length = (gsize) MIN (symbol->end - symbol->start, 1u << 16);
  g_autofree guint8 *bytes = g_malloc (length + 16);
  gsize n_read = pen_kcore_read (kcore, symbol->start, bytes, length + 16);

  for (gsize at = 0; at < MIN (length, n_read);) {
    PenInstruction instruction;

    pen_decoder_decode (decoder, bytes + at, n_read - at, symbol->start + at, &instruction);
    assert_classified (decoder, bytes + at, n_read - at, symbol->start + at, &instruction);
    *n += 1;
    *n_bad += instruction.class == PEN_INSTRUCTION_BAD;
    at += instruction.length;
  }
}

/* Of all that whole kernels execute, every instruction is known: what is not are data among the
 * code of a few functions. */
static void
test_kernels (gconstpointer data)
{
  g_autofree char *directory = text_fixture_find_capture (data);
  g_autofree char *names = NULL;
  g_autofree char *core = NULL;
  g_autoptr (PenKallsyms) kallsyms = NULL;
  g_autoptr (PenKcore) kcore = NULL;
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  PenSymbol symbol = { 0 };
  guint n = 0;
  guint n_bad = 0;

  if (!directory)
    return;
  names = g_build_filename (directory, "perf.data", "kcore_dir", "kallsyms", NULL);
  core = g_build_filename (directory, "perf.data", "kcore_dir", "kcore", NULL);
  kallsyms = pen_kallsyms_load (names, NULL, NULL);
  kcore = pen_kcore_open (core, NULL);
  g_assert_nonnull (kallsyms);
  g_assert_nonnull (kcore);
  for (guint64 at = BASE; pen_kallsyms_find (kallsyms, "[kernel.kallsyms]", at, &symbol);
       at = symbol.end) {
    if (strcmp (symbol.name, "_etext") == 0)
      break;
    count_bad (decoder, kcore, &symbol, &n, &n_bad);
  }
  g_test_message ("%u instructions, %u bytes that are none", n, n_bad);
  g_assert_cmpuint (n, >, 1000000);
  g_assert_cmpuint (n_bad, <, n / 100000);
}

/* ---- wherever it lies ---- */

typedef struct {
  const char *arch;
  const char *hex;
  const char *settled;
  gboolean leads_out;
} Settled;

/* In a function of 512 bytes. */
static void
test_settled (void)
{
  static const Settled expected[] = {
    { "x86_64", "0f1f440000", "0f1f440000", FALSE },
    { "x86_64", "e91f010000", "e91f010000", FALSE }, /* to what is in the function */
    { "x86_64", "e933620000", "e900000000", TRUE },
    { "x86_64", "e833620000", "e800000000", TRUE },
    { "x86_64", "2ee833620000", "2ee800000000", TRUE },
    { "x86_64", "0f8433620000", "0f8400000000", TRUE },
    { "x86_64", "74f0", "7400", TRUE }, /* to what is in front of it */
    { "x86_64", "7410", "7410", FALSE },
    { "x86_64", "48c7c778563482", "48c7c700000000", FALSE }, /* mov $0xffffffff82345678,%rdi */
    { "x86_64", "48c7c778563402", "48c7c778563402", FALSE },
    { "x86_64", "81e200ffffff", "81e200ffffff", FALSE },     /* and $0xffffff00,%edx */
    { "x86_64", "488b0578563412", "488b0500000000", FALSE }, /* of the instruction pointer */
    { "x86_64", "c7051000000001000000", "c7050000000001000000", FALSE },
    { "x86_64", "8b8040563482", "8b8000000000", FALSE }, /* an array of the kernel's */
    { "x86_64", "8b45f8", "8b45f8", FALSE },
    { "x86_64", "48b800112233448fffff", "48b80000000000000000", FALSE },
    { "x86_64", "48b800112233448f0000", "48b800112233448f0000", FALSE },
    { "aarch64", "10000094", "10000094", FALSE }, /* bl 0x40 bytes further */
    { "aarch64", "00100094", "00000094", TRUE },
    { "aarch64", "00100014", "00000014", TRUE },
    { "aarch64", "40123490", "00000090", FALSE }, /* adrp x0 */
    { "aarch64", "1f2003d5", "1f2003d5", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (PenDecoder) decoder = pen_decoder_new (expected[i].arch, PEN_SYNTAX_ATT, NULL);
    g_autoptr (GBytes) bytes = text_fixture_hex (expected[i].hex);
    g_autoptr (GBytes) settled = text_fixture_hex (expected[i].settled);
    gsize length;
    const guint8 *data = g_bytes_get_data (bytes, &length);
    PenInstruction decoded, instruction;
    guint8 found[PEN_INSTRUCTION_MAX];

    pen_decoder_classify (decoder, data, length, BASE, &decoded);
    g_assert_cmpint (
        pen_decoder_settle (decoder, data, length, BASE, BASE, BASE + 512, &instruction, found), ==,
        expected[i].leads_out);
    g_assert_cmpmem (found, instruction.length, g_bytes_get_data (settled, NULL), length);
    g_assert_cmpint (instruction.class, ==, decoded.class);
    g_assert_cmphex (instruction.target, ==, decoded.target);
  }
}

/* ---- to somewhere else ---- */

#define DISTANCE 0x01234000ull
#define IMAGE_FIRST 0xffffffff81000000ull

static guint64
move (guint64 address, gpointer user_data G_GNUC_UNUSED)
{
  return address >> 63 ? address + DISTANCE : address;
}

typedef struct {
  const char *arch;
  const char *hex;
  const char *moved;
} Moved;

/* Of code at IMAGE_FIRST. */
static void
test_moved (void)
{
  static const Moved expected[] = {
    { "x86_64", "0f1f440000", "0f1f440000" },
    { "x86_64", "e833620000", "e833620000" }, /* both ends move */
    { "x86_64", "0f8433620000", "0f8433620000" },
    { "x86_64", "7410", "7410" },
    { "x86_64", "48c7c778563482", "48c7c778965783" }, /* mov $0xffffffff82345678,%rdi */
    { "x86_64", "48c7c778563402", "48c7c778563402" }, /* a number */
    { "x86_64", "b978563482", "b978563482" },         /* mov $0x82345678,%ecx: is not extended */
    { "x86_64", "48c7c1b979379e", "48c7c1b979379e" }, /* elsewhere */
    { "x86_64", "48c7c7785634c0", "48c7c7789657c1" }, /* of a module */
    { "x86_64", "81e200ffffff", "81e200ffffff" },     /* and $0xffffff00,%edx */
    { "x86_64", "488b0578563400",
      "488b0578563400" }, /* of the instruction pointer, to what moves */
    /* mov %gs:…(%rip),%eax: of the processor's own memory at 0x1fb80, which does not */
    { "x86_64", "658b0579fb017f", "658b0579bbde7d" },
    { "x86_64", "8b8040563482", "8b8040965783" }, /* an array of the kernel's */
    /* movabs $0xffff8f4433221100,%rax: of memory, or a constant */
    { "x86_64", "48b800112233448fffff", "48b80000000000000000" },
    { "x86_64", "48b800000000ffffffff", "48b800000000ffffffff" }, /* masks */
    { "x86_64", "48b8000000000080ffff", "48b8000000000080ffff" },
    { "x86_64", "48b8ffffffffffffff7f", "48b8ffffffffffffff7f" },
    { "x86_64", "48b8ffffffffff7fffff", "48b8ffffffffff7fffff" },
    { "x86_64", "48b8000000000081ffff", "48b80000000000000000" },
    { "x86_64", "48b80040f0ffffffffff", "48b80040f0ffffffffff" }, /* of neither */
    { "x86_64", "48b878563482ffffffff", "48b878965783ffffffff" },
    { "x86_64", "b800f0ff7f", "b800f0ff7f" }, /* mov $0x7ffff000,%eax */
    { "x86_64", "4889442460", "4889442460" }, /* mov %rax,0x60(%rsp) */
    { "x86_64", "48b800112233448f0000", "48b800112233448f0000" },
    /* Several, the last cut off. */
    { "x86_64", "9048c7c77856348290e833", "9048c7c77896578390e833" },
    { "x86_64", "6878563482", "6878965783" },                         /* push $0xffffffff82345678 */
    { "x86_64", "48c7400878563482", "48c7400878965783" },             /* movq …,0x8(%rax) */
    { "x86_64", "48813d0010000078563482", "48813d0010000078965783" }, /* cmpq …,0x1000(%rip) */
    { "x86_64", "c7c778563482", "c7c778563482" },                     /* mov $0x82345678,%edi */
  };

  static const PenMoveRange images[]
      = { { IMAGE_FIRST, IMAGE_FIRST + 0x7ffffff }, { 0xffffffffc0000000, 0xffffffffc0ffffff } };

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (PenDecoder) decoder = pen_decoder_new (expected[i].arch, PEN_SYNTAX_ATT, NULL);
    g_autoptr (GBytes) bytes = text_fixture_hex (expected[i].hex);
    g_autoptr (GBytes) moved = text_fixture_hex (expected[i].moved);
    gsize length;
    const guint8 *data = g_bytes_get_data (bytes, &length);
    g_autofree guint8 *found = g_memdup2 (data, length);

    g_test_message ("%s", expected[i].hex);
    for (gsize at = 0, n = 1; at < length && n > 0; at += n)
      n = pen_decoder_move (decoder, found + at, length - at, IMAGE_FIRST + at, images,
                            G_N_ELEMENTS (images), FALSE, move, NULL);
    g_assert_cmpmem (found, length, g_bytes_get_data (moved, NULL), length);
  }
}

/* How long what can be moved is. */
static void
test_moved_length (void)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  guint8 whole[] = { 0x48, 0xc7, 0xc7, 0x78, 0x56, 0x34, 0x82, 0x90 };
  guint8 none[] = { 0x06, 0x90 };

  g_assert_cmpint (
      pen_decoder_move (decoder, whole, sizeof whole, IMAGE_FIRST, NULL, 0, FALSE, move, NULL), ==,
      7);
  g_assert_cmpint (pen_decoder_move (decoder, whole, 6, IMAGE_FIRST, NULL, 0, FALSE, move, NULL),
                   ==, 0);
  g_assert_cmpint (
      pen_decoder_move (decoder, none, sizeof none, IMAGE_FIRST, NULL, 0, FALSE, move, NULL), ==,
      0);
}

/* A trampoline has addresses of memory, too. */
static void
test_moved_made (void)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  guint8 bytes[] = { 0x48, 0xbf, 0x00, 0x11, 0x22, 0x33, 0x44, 0x8f, 0xff, 0xff };
  static const guint8 moved[] = { 0x48, 0xbf, 0x00, 0x51, 0x45, 0x34, 0x44, 0x8f, 0xff, 0xff };

  guint8 mask[] = { 0x48, 0xbf, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff };
  const guint8 same[] = { 0x48, 0xbf, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff };

  pen_decoder_move (decoder, bytes, sizeof bytes, IMAGE_FIRST, NULL, 0, TRUE, move, NULL);
  g_assert_cmpmem (bytes, sizeof bytes, moved, sizeof moved);
  pen_decoder_move (decoder, mask, sizeof mask, IMAGE_FIRST, NULL, 0, TRUE, move, NULL);
  g_assert_cmpmem (mask, sizeof mask, same, sizeof same);
}

/* What is no instruction has its bytes; a part of one is no instruction. */
static void
test_settled_cut (void)
{
  g_autoptr (PenDecoder) decoder = pen_decoder_new (NULL, PEN_SYNTAX_ATT, NULL);
  static const guint8 bytes[] = { 0xe8, 0x33, 0x62 };
  PenInstruction instruction;
  guint8 found[PEN_INSTRUCTION_MAX];

  g_assert_false (
      pen_decoder_settle (decoder, bytes, sizeof bytes, BASE, BASE, BASE, &instruction, found));
  g_assert_cmpint (instruction.class, ==, PEN_INSTRUCTION_BAD);
  g_assert_cmpmem (found, instruction.length, bytes, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/decoder/att", test_att);
  g_test_add_func ("/text/decoder/as-objdump", test_as_objdump);
  g_test_add_func ("/text/decoder/intel", test_intel);
  g_test_add_func ("/text/decoder/i386", test_i386);
  g_test_add_func ("/text/decoder/aarch64", test_aarch64);
  g_test_add_func ("/text/decoder/unknown-machine", test_unknown_machine);
  g_test_add_func ("/text/decoder/cut", test_cut);
  g_test_add_func ("/text/decoder/settled", test_settled);
  g_test_add_func ("/text/decoder/moved", test_moved);
  g_test_add_func ("/text/decoder/moved/made", test_moved_made);
  g_test_add_func ("/text/decoder/moved/length", test_moved_length);
  g_test_add_func ("/text/decoder/settled-cut", test_settled_cut);
  g_test_add_func ("/text/decoder/random", test_random);
  g_test_add_func ("/text/decoder/classifier", test_classifier);
  g_test_add_func ("/text/decoder/classifier/arch", test_classifier_arch);
  g_test_add_data_func ("/text/decoder/kernel-6.1", "a-jump-labels", test_kernels);
  g_test_add_data_func ("/text/decoder/kernel-7.2", "k7.2.12-d", test_kernels);
  return g_test_run ();
}
