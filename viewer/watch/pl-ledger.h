/* pl-ledger.h: what a session has written, ever, from what lies in its directory now and then
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LEDGER_H
#define PL_LEDGER_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

typedef struct _PlLedger PlLedger;

/**
 * PlLedgerChange: what one look brought
 * @grown_bytes: written since the last one
 * @has_new_segment: one that was not there in any form
 * @is_shrunk: a raw file became shorter; @shrunk_index says which
 * @lost_active: the segment being written went away and left no sealed one; @lost_index says which, @lost_size how large
 */
typedef struct
{
  guint64 grown_bytes;
  gboolean has_new_segment;
  gboolean is_shrunk;
  guint64 shrunk_index;
  guint64 shrunk_size;
  gboolean lost_active;
  guint64 lost_index;
  guint64 lost_size;
} PlLedgerChange;

PlLedger       *pl_ledger_new               (void);
void            pl_ledger_free              (PlLedger  *self);
PlLedgerChange  pl_ledger_update            (PlLedger  *self,
                                             GArray    *files);
void            pl_ledger_forget_files      (PlLedger  *self);
guint64         pl_ledger_get_bytes_written (PlLedger  *self);
guint64         pl_ledger_get_disk_usage    (PlLedger  *self);
guint64         pl_ledger_get_evicted_bytes (PlLedger  *self);
guint64         pl_ledger_get_n_evicted     (PlLedger  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlLedger, pl_ledger_free)

G_END_DECLS

#endif /* PL_LEDGER_H */
