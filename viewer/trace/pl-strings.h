/* pl-strings.h: every string of a trace once, by number
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_STRINGS_H
#define PL_STRINGS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PlStrings PlStrings;

PlStrings  *pl_strings_new        (void);
PlStrings  *pl_strings_ref        (PlStrings  *self);
void        pl_strings_unref      (PlStrings  *self);
guint32     pl_strings_intern     (PlStrings  *self,
                                   const char *text,
                                   gsize       length);
const char *pl_strings_get        (PlStrings  *self,
                                   guint32     id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlStrings, pl_strings_unref)

G_END_DECLS

#endif /* PL_STRINGS_H */
