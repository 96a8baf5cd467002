/* pen-text-limits.h: how long a row of `text` can be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

/* Longer text is written as several rows: a search by address need not look further back than this.
 */
#define PEN_STORE_TEXT_MAX 65536
