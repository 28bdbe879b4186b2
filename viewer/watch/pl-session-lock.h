/* pl-session-lock.h: whether somebody holds a session's lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SESSION_LOCK_H
#define PL_SESSION_LOCK_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

/**
 * PlSessionLock:
 * @is_listed: the kernel's list of locks has shown it; that it is no longer in there means that it is free
 * @was_tried: since something was written last
 *
 * A plain value, all zero at first.
 */
typedef struct
{
  guint64 inode;
  gboolean is_listed;
  gboolean was_tried;
  gboolean was_held;
} PlSessionLock;

PlLockState pl_session_lock_look         (PlSessionLock *self,
                                          int            dir_fd,
                                          const char    *prefix,
                                          gint64         wall_ns,
                                          guint32       *out_pid);
gboolean    pl_session_lock_is_shared_fs (int            dir_fd);

G_END_DECLS

#endif /* PL_SESSION_LOCK_H */
