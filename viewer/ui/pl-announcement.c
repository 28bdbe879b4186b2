/* pl-announcement.c: labels that a screen reader reads out as they change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-announcement.h"

/**
 * pl_announcement_set_text:
 * @label: a label with the accessible role of an alert or a status
 * @text: what it says
 *
 * Sets text and accessible name. A label of another role than its own has no name of its words from GTK 4.10 on.
 */
void
pl_announcement_set_text (GtkLabel   *label,
                          const char *text)
{
  g_return_if_fail (GTK_IS_LABEL (label));

  gtk_label_set_text (label, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}
