/* pen-test-kernel.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-kernel.h"

#include <glib/gstdio.h>

static const char source[] = "	.text\n"
                             "	.globl _text, _stext\n"
                             "_text:\n"
                             "_stext:\n"
                             "	.skip 0x100, 0xcc\n"
                             "	.globl hot\n"
                             "	.type hot, @function\n"
                             "hot:\n"
                             ".Lftrace: call __fentry__\n"
                             "	push %rbx\n"
                             ".Ljump: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
                             "	lea 1(%rdi), %rax\n"
                             ".Lcall: call __SCT__pen_hook\n"
                             ".Llock: lock incl (%rsi)\n"
                             "	call cold\n"
                             "	mov pen_local(%rip), %eax\n"
                             "	.globl hot_inner\n"
                             "hot_inner: pop %rbx\n"
                             "	ret\n"
                             ".Lslow: jmp hot\n"
                             ".Lreturn: jmp __x86_return_thunk\n"
                             ".Lindirect: call __x86_indirect_thunk_rax\n"
                             ".Lown: .byte 0x66, 0x90\n"
                             "	.size hot, . - hot\n"
                             "	.p2align 7, 0xcc\n"
                             "#ifndef MODULE\n"
                             "	.globl cold\n"
                             "	.type cold, @function\n"
                             "cold:	ret\n"
                             "	.size cold, . - cold\n"
                             "	.type __fentry__, @function\n"
                             "__fentry__: ret\n"
                             "	.globl __x86_return_thunk, __x86_indirect_thunk_rax\n"
                             "__x86_return_thunk: ret\n"
                             "__x86_indirect_thunk_rax: ret\n"
                             "#else\n"
                             "	.byte 0xcc\n"
                             "#endif\n"
                             "	.p2align 4, 0xcc\n"
                             "	.globl __SCT__pen_hook\n"
                             "	.type __SCT__pen_hook, @function\n"
                             "__SCT__pen_hook: jmp .Lslow\n"
                             "	.byte 0x0f, 0xb9, 0xcc\n"
                             "	.size __SCT__pen_hook, . - __SCT__pen_hook\n"
                             "	.p2align 4, 0xcc\n"
                             "	.section .init.text, \"ax\", @progbits\n"
                             "	.globl begin\n"
                             "	.type begin, @function\n"
                             "begin:	ret\n"
                             "	.size begin, . - begin\n"
                             "	.section __jump_table, \"a\", @progbits\n"
                             "	.long .Ljump - ., .Lslow - .\n"
                             "	.quad pen_key + 8 - . + 1\n"
                             "	.long .Lown - ., .Lslow - .\n"
                             "	.quad pen_local - .\n"
                             "	.section .static_call_sites, \"a\", @progbits\n"
                             "	.long .Lcall - ., __SCK__pen_hook + 1 - .\n"
                             "	.section __mcount_loc, \"a\", @progbits\n"
                             "	.quad .Lftrace\n"
                             "	.section .return_sites, \"a\", @progbits\n"
                             "	.long .Lreturn - .\n"
                             "	.section .retpoline_sites, \"a\", @progbits\n"
                             "	.long .Lindirect - .\n"
                             "	.section .smp_locks, \"a\", @progbits\n"
                             "	.long .Llock - .\n"
                             "	.data\n"
                             "	.type pen_local, @object\n"
                             "	.size pen_local, 4\n"
                             "pen_local: .long 7\n"
                             "	.type __SCK__pen_hook, @object\n"
                             "	.p2align 3\n"
                             "	.size __SCK__pen_hook, 8\n"
                             "__SCK__pen_hook: .quad 0\n"
                             "#ifndef MODULE\n"
                             "	.globl pen_key\n"
                             "	.type pen_key, @object\n"
                             "	.p2align 4\n"
                             "	.size pen_key, 16\n"
                             "pen_key: .quad 0, 0\n"
                             "#endif\n"
                             "	.section .note.GNU-stack, \"\", @progbits\n";

/* A kernel has its tables between symbols, in sections of other names. */
static const char script[]
    = "SECTIONS {\n"
      "  . = 0xffffffff81000000;\n"
      "  .text : { *(.text) _etext = .; }\n"
      "  . = ALIGN(4096);\n"
      "  .rodata : {\n"
      "    __start___jump_table = .; KEEP(*(__jump_table)) __stop___jump_table = .;\n"
      "    __start_static_call_sites = .; KEEP(*(.static_call_sites))"
      " __stop_static_call_sites = .;\n"
      "    __start_mcount_loc = .; KEEP(*(__mcount_loc)) __stop_mcount_loc = .;\n"
      "  }\n"
      "  .notes : { *(.note.gnu.build-id) }\n"
      "  .smp_locks : { *(.smp_locks) }\n"
      "  .return_sites : { *(.return_sites) }\n"
      "  .retpoline_sites : { *(.retpoline_sites) }\n"
      "  . = ALIGN(4096);\n"
      "  .data : { *(.data) }\n"
      "  .init.text : { *(.init.text) }\n"
      "  /DISCARD/ : { *(.note.GNU-stack) *(.note.gnu.property) *(.comment) }\n"
      "}\n";

void
pen_test_kernel_run (const char *format, ...)
{
  g_autofree char *command = NULL;
  g_autofree char *output = NULL;
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;
  va_list arguments;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_spawn_command_line_sync (command, &output, &errors, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", command, errors);
}

gboolean
pen_test_kernel_can_build (void)
{
  static const char *const tools[] = { "cc", "ld", "objcopy", "xz", "gzip", "zstd" };
  g_autofree char *machine = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *path = g_find_program_in_path (tools[i]);

    if (!path) {
      g_test_skip ("needs a compiler, binutils, xz, gzip and zstd");
      return FALSE;
    }
  }

  if (!g_spawn_command_line_sync ("cc -dumpmachine", &machine, NULL, NULL, NULL)
      || !g_str_has_prefix (machine, "x86_64")) {
    g_test_skip ("needs a compiler for x86-64");
    return FALSE;
  }
  return TRUE;
}

void
pen_test_kernel_build (const char *path, const char *build_id, gboolean is_module)
{
  g_autofree char *code = g_strconcat (path, ".S", NULL);
  g_autofree char *object = g_strconcat (path, ".o", NULL);
  g_autofree char *layout = g_strconcat (path, ".lds", NULL);

  g_assert_true (g_file_set_contents (code, source, -1, NULL));
  g_assert_true (g_file_set_contents (layout, script, -1, NULL));
  pen_test_kernel_run ("cc -c %s -o %s %s", is_module ? "-DMODULE" : "", object, code);
  if (is_module)
    pen_test_kernel_run ("ld -r --build-id=0x%s -o %s %s", build_id, path, object);
  else
    pen_test_kernel_run ("ld -nostdlib -static --build-id=0x%s -T %s -o %s %s", build_id, layout,
                         path, object);
  g_unlink (code);
  g_unlink (object);
  g_unlink (layout);
}
