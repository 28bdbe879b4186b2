/* pl-index-file.h: which file holds the index of a trace file, and whether it is to be believed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_FILE_H
#define PL_INDEX_FILE_H

#include "pl-index-io.h"

G_BEGIN_DECLS

/* Changes with every change of what is written, or of what decoding gives. */
#define PL_INDEX_MAGIC "parklane index 8"

/* Of what follows the header. A larger one would leave no room for others in the cache. */
#define PL_INDEX_MAX_SIZE (512 * 1024 * 1024)

/**
 * PlIndexHeader:
 * @device: of the trace file, as are @inode, @size and @changed_ns
 * @n_blocks: in the payload
 * @payload_size: what follows, a multiple of 8
 * @checksum: over payload and @n_blocks
 *
 * With what an index begins.
 */
typedef struct
{
  char magic[16];
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64 changed_ns;
  guint64 n_blocks;
  guint64 payload_size;
  guint64 checksum;
} PlIndexHeader;

gboolean  pl_index_file_identify (const char           *path,
                                  PlIndexHeader        *out_header);
GBytes   *pl_index_file_read     (const char           *path,
                                  PlIndexHeader        *out_header);
void      pl_index_file_seal     (PlIndexHeader        *header,
                                  GByteArray           *contents);
gboolean  pl_index_file_write    (PlIndexHeader        *header,
                                  PlIndexWriter        *writer,
                                  GError              **error);

G_END_DECLS

#endif /* PL_INDEX_FILE_H */
