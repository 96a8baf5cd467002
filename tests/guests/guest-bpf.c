/* guest-bpf.c: loads and runs, or attaches, a BPF program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   guest-bpf run NAME LENGTH      a program, run until SIGTERM
 *   guest-bpf attach NAME LENGTH   one that is attached to the entry of vfs_read until SIGTERM
 *
 * The name is printed once it is loaded, or attached.
 */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACE "vfs_read"
#define LENGTH_MAX 1000u

/* A program of @length multiplications. Returns: its descriptor, or -1 */
static int
load (enum bpf_prog_type type, const char *name, unsigned length)
{
  struct bpf_insn code[LENGTH_MAX + 2] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 } };
  struct bpf_prog_load_opts options = { .sz = sizeof options };
  int program;

  for (unsigned i = 0; i < length && i < LENGTH_MAX; i++)
    code[1 + i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MUL | BPF_K, .imm = (int) (i | 3) };
  /* Programs of entries may return 0 alone. */
  if (type == BPF_PROG_TYPE_TRACING) {
    code[length] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
    options.expected_attach_type = BPF_TRACE_FENTRY;
    options.attach_btf_id = (uint32_t) libbpf_find_vmlinux_btf_id (PLACE, BPF_TRACE_FENTRY);
  }
  code[1 + length] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
  program = bpf_prog_load (type, name, "GPL", code, length + 2, &options);
  if (program < 0)
    fprintf (stderr, "guest-bpf: %s: %s\n", name, strerror (errno));
  return program;
}

static void
print_name (const char *name)
{
  puts (name);
  fflush (stdout);
}

static int
run (int program, const char *name)
{
  static char packet[64];

  print_name (name);

  for (;;) {
    struct bpf_test_run_opts options
        = { .sz = sizeof options, .data_in = packet, .data_size_in = sizeof packet, .repeat = 500 };

    if (bpf_prog_test_run_opts (program, &options) != 0) {
      fprintf (stderr, "guest-bpf: run: %s\n", strerror (errno));
      return 1;
    }
  }
}

static int
attach (int program, const char *name)
{
  if (bpf_raw_tracepoint_open (NULL, program) < 0) {
    fprintf (stderr, "guest-bpf: attach: %s\n", strerror (errno));
    return 1;
  }
  print_name (name);
  pause ();
  return 0;
}

int
main (int argc, char **argv)
{
  int is_attached = argc == 4 && strcmp (argv[1], "attach") == 0;
  int program;

  if (!is_attached && (argc != 4 || strcmp (argv[1], "run") != 0)) {
    fputs ("guest-bpf: see its source\n", stderr);
    return 2;
  }
  program = load (is_attached ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_SOCKET_FILTER, argv[2],
                  (unsigned) atoi (argv[3]));
  if (program < 0)
    return 1;
  return is_attached ? attach (program, argv[2]) : run (program, argv[2]);
}
