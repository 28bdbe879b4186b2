/* pl-source-private.h: what a kind of source implements
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SOURCE_PRIVATE_H
#define PL_SOURCE_PRIVATE_H

#include "pl-source.h"

G_BEGIN_DECLS

/* The file as it lies on disk. Read with pread() and never mapped: a file that somebody truncates meanwhile ends
 * early, instead of taking the process down with SIGBUS. */
typedef struct
{
  char *path;
  int fd;
  guint64 offset;
  guint64 size;
} PlSourceFile;

gssize pl_source_file_read (PlSourceFile *self, guint8 *buffer, gsize size, GError **error);

/**
 * PlSourceClass:
 * @open: begins at the file's place; %NULL without memory
 * @close: frees the state
 * @read: like pl_source_read()
 * @get_read_size: (nullable): like pl_source_get_read_size()
 * @make_index: (nullable): like pl_source_make_index()
 *
 * A decompressor over a #PlSourceFile. Only one thread at a time uses a source.
 */
typedef struct
{
  PlTraceFormat format;
  gpointer (*open)  (void);
  void     (*close) (gpointer state);
  gssize   (*read)  (gpointer state, PlSourceFile *file, guint8 *buffer, gsize size, GError **error);
  gsize    (*get_read_size) (gpointer state, PlSourceFile *file);
  GArray  *(*make_index) (PlSourceFile *file, guint64 *out_raw_size);
} PlSourceClass;

extern const PlSourceClass pl_source_gzip_class;
extern const PlSourceClass pl_source_zstd_class;

G_END_DECLS

#endif /* PL_SOURCE_PRIVATE_H */
