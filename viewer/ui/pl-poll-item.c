/* pl-poll-item.c: one poll as the row of a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Made when a row is looked at, never for a whole list.
 */
#include "config.h"

#include "pl-poll-item.h"

struct _PlPollItem
{
  GObject parent_instance;

  PlPoll poll;
};

G_DEFINE_FINAL_TYPE (PlPollItem, pl_poll_item, G_TYPE_OBJECT)

static void
pl_poll_item_class_init (PlPollItemClass *klass)
{
}

static void
pl_poll_item_init (PlPollItem *self)
{
}

/**
 * pl_poll_item_new:
 * @poll: a poll, copied
 *
 * Returns: (transfer full): a row
 */
PlPollItem *
pl_poll_item_new (const PlPoll *poll)
{
  PlPollItem *self = g_object_new (PL_TYPE_POLL_ITEM, NULL);

  self->poll = *poll;
  return self;
}

/**
 * pl_poll_item_get_poll:
 * @self: a row
 *
 * Returns: (transfer none): its poll, as long as @self lives
 */
const PlPoll *
pl_poll_item_get_poll (PlPollItem *self)
{
  return &self->poll;
}
