/* livepatch_sample.c: a live patch of a system call that guest-work makes all the time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <linux/kernel.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/ptrace.h>

/* Yields nothing, but takes its time. */
static long
sample_sched_yield (const struct pt_regs *registers)
{
  unsigned long mixed = (unsigned long) registers;
  unsigned int i; /* Linux is C89 up to 5.17 */

  for (i = 0; i < 200; i++)
    mixed = mixed * 3 + i;
  barrier_data (&mixed);
  return 0;
}

static struct klp_func functions[] = {
  { .old_name = "__x64_sys_sched_yield", .new_func = sample_sched_yield },
  {},
};

static struct klp_object objects[] = { { .funcs = functions }, {} };

static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init
sample_init (void)
{
  return klp_enable_patch (&patch);
}

static void __exit
sample_exit (void)
{
}

module_init (sample_init);
module_exit (sample_exit);
MODULE_DESCRIPTION ("live patch of sched_yield");
MODULE_LICENSE ("GPL");
MODULE_INFO (livepatch, "Y");
