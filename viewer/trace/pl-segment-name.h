/* pl-segment-name.h: names of the files that segments lie in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SEGMENT_NAME_H
#define PL_SEGMENT_NAME_H

#include <glib.h>

G_BEGIN_DECLS

#define PL_N_SEGMENT_SUFFIXES 4

/* From the form to keep to the one to drop, where a segment lies there in several: the processed forms may be half
 * written while the sealed one is still there. */
extern const char *const pl_segment_suffixes[PL_N_SEGMENT_SUFFIXES];

/**
 * PlSegmentName:
 * @stem: what stands before the number
 * @index: the segment's number
 * @suffix: one of #pl_segment_suffixes: `.bin`, `.bin.zst`, `.bin.gz` or `.bin.active`
 */
typedef struct
{
  char *stem;
  guint64 index;
  const char *suffix;
} PlSegmentName;

gboolean pl_segment_name_parse      (const char    *name,
                                     PlSegmentName *out_segment);
void     pl_segment_name_clear      (PlSegmentName *segment);
gboolean pl_segment_name_has_suffix (const char    *name);

G_END_DECLS

#endif /* PL_SEGMENT_NAME_H */
