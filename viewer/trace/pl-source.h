/* pl-source.h: the decompressed bytes of a file, whatever it is compressed with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SOURCE_H
#define PL_SOURCE_H

#include <gio/gio.h>

#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct _PlSource PlSource;

/* What a byte on the disk unpacks to at most: zstd packs 128 KiB of the same into three bytes and a bit. */
#define PL_SOURCE_MAX_RATIO (128 * 1024 / 3 + 1)

/**
 * PlSourcePoint: a place of a compressed file where decompression can begin
 */
typedef struct
{
  guint64 raw_offset;
  guint64 disk_offset;
} PlSourcePoint;

PlSource     *pl_source_open              (const char *path,
                                           GError    **error);
void          pl_source_free              (PlSource   *self);
gssize        pl_source_read              (PlSource   *self,
                                           guint8     *buffer,
                                           gsize       size,
                                           GError    **error);
gsize         pl_source_get_read_size     (PlSource   *self);
gboolean      pl_source_seek              (PlSource   *self,
                                           guint64     raw_offset,
                                           GCancellable *cancellable,
                                           GError    **error);
GArray       *pl_source_make_index        (PlSource   *self,
                                           guint64    *out_raw_size);
void          pl_source_set_index         (PlSource   *self,
                                           GArray     *index);
PlTraceFormat pl_source_get_format        (PlSource   *self);
guint64       pl_source_get_size          (PlSource   *self);
guint64       pl_source_get_disk_offset   (PlSource   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlSource, pl_source_free)

G_END_DECLS

#endif /* PL_SOURCE_H */
