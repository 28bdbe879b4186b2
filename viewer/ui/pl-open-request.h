/* pl-open-request.h: what to open, and how to show it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_OPEN_REQUEST_H
#define PL_OPEN_REQUEST_H

#include <gio/gio.h>

#include "pl-instant.h"

G_BEGIN_DECLS

/**
 * PlOpenRequest:
 * @paths: (element-type filename): files and folders of one session
 * @has_threshold: whether @threshold_ns replaces the remembered threshold
 * @has_at: whether to show the moment @at instead of the whole trace
 * @has_span: whether to show @span_ns instead of what suits
 */
typedef struct
{
  GPtrArray *paths;
  gboolean has_threshold;
  gint64 threshold_ns;
  gboolean has_at;
  PlInstant at;
  gboolean has_span;
  gint64 span_ns;
} PlOpenRequest;

PlOpenRequest *pl_open_request_new      (void);
PlOpenRequest *pl_open_request_copy     (const PlOpenRequest *self);
void           pl_open_request_free     (PlOpenRequest       *self);
gboolean       pl_open_request_add_file (PlOpenRequest       *self,
                                         GFile               *file,
                                         GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlOpenRequest, pl_open_request_free)

G_END_DECLS

#endif /* PL_OPEN_REQUEST_H */
