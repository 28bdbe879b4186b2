/* pl-writer-sight.h: the process that writes a session, as far as it can be seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WRITER_SIGHT_H
#define PL_WRITER_SIGHT_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

typedef struct _PlWriterSight PlWriterSight;

PlWriterSight *pl_writer_sight_new  (void);
void           pl_writer_sight_free (PlWriterSight *self);
void           pl_writer_sight_look (PlWriterSight *self,
                                     int            dir_fd,
                                     const char    *prefix,
                                     int            segment_fd,
                                     gboolean       is_frozen,
                                     PlDirScan     *scan);
void           pl_writer_sight_seek_lost (PlWriterSight *self,
                                     const char    *directory,
                                     PlDirScan     *scan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlWriterSight, pl_writer_sight_free)

G_END_DECLS

#endif /* PL_WRITER_SIGHT_H */
