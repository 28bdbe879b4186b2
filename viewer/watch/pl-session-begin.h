/* pl-session-begin.h: when a session began, as far as what is left of it tells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SESSION_BEGIN_H
#define PL_SESSION_BEGIN_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

/**
 * PlSessionBegin:
 * @file: the one that was read, all zero before the first
 * @wall_ns: what it says of when it was begun, or %G_MAXINT64
 *
 * What is kept from look to look. Begins as all zero.
 */
typedef struct
{
  PlDirFile file;
  gint64 wall_ns;
} PlSessionBegin;

gint64 pl_session_begin_find (PlSessionBegin  *self,
                              int              dir_fd,
                              const char      *prefix,
                              const PlDirScan *scan);

G_END_DECLS

#endif /* PL_SESSION_BEGIN_H */
