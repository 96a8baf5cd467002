/* pen-schema.h: the tables of a store, as SQL; described for people in docs/store.md
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

/* Run before the first row. */
extern const char *const pen_schema_tables[];

/* Run after the last row: an index that is built at the end costs a sort, not a search per row. */
extern const char *const pen_schema_indexes[];

/* What the view `change` is made of. */
extern const char pen_schema_changes[];

/* The one table that is written to after the import: by who looks at the store. */
extern const char pen_schema_note[];
