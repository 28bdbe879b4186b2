/* pl-session-files.h: paths and directories → the files of a session, in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SESSION_FILES_H
#define PL_SESSION_FILES_H

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * PlSegmentName:
 * @stem: what stands before the number
 * @index: the segment's number
 * @suffix: `.bin`, `.bin.active`, `.bin.gz` or `.bin.zst`
 */
typedef struct
{
  char *stem;
  guint64 index;
  const char *suffix;
} PlSegmentName;

gboolean   pl_segment_name_parse  (const char         *name,
                                   PlSegmentName      *out_segment);
void       pl_segment_name_clear  (PlSegmentName      *segment);
GPtrArray *pl_session_files_list  (const char * const *paths,
                                   GCancellable       *cancellable,
                                   GError            **error);

G_END_DECLS

#endif /* PL_SESSION_FILES_H */
