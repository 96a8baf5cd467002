/* test-share.h: how much of a long test a build runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

/* With a sanitizer, a test takes four to twenty times as long, and sees how memory and threads are
 * used rather than other answers: a share is enough. Tests whose whole says more are in suite
 * `plain`, or run whole on demand. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define TEST_SHARE(all, sanitized) (sanitized)
#define TEST_IS_SANITIZED 1
#else
#define TEST_SHARE(all, sanitized) (all)
#define TEST_IS_SANITIZED 0
#endif
