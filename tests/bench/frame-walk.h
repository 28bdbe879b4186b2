/* frame-walk.h: goes through the frames of a TRC stream, one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef FRAME_WALK_H
#define FRAME_WALK_H

#include "pl-wire.h"

G_BEGIN_DECLS

/* In the stream; may hold any bytes. */
typedef struct
{
  const guint8 *bytes;
  guint16 length;
} FrameName;

typedef struct
{
  FrameName name;
  guint8 type; /* with TRC_OPTIONAL */
} FrameField;

typedef struct
{
  FrameName name;
  gboolean has_timestamp;
  guint n_fields;
  FrameField *fields;
} FrameSchema;

/**
 * Frame:
 * @tag: TRC_TAG_HEADER for a header
 * @begin: its first byte, the tag
 * @body: behind the tag; of an event, its first value
 * @end: the first byte of the next frame
 * @type_id: of a schema, an event or annotations
 * @schema: of an event or a schema frame
 * @at_ns: of an event, its time, or the base when it has none; of a reset, the new base
 */
typedef struct
{
  guint8 tag;
  const guint8 *begin;
  const guint8 *body;
  const guint8 *end;
  guint64 type_id;
  const FrameSchema *schema;
  guint64 at_ns;
} Frame;

typedef struct _FrameWalk FrameWalk;

FrameWalk *frame_walk_new    (const guint8    *bytes,
                              gsize            size);
void       frame_walk_free   (FrameWalk       *self);
gboolean   frame_walk_next   (FrameWalk       *self,
                              Frame           *out_frame);
gboolean   frame_name_equals (const FrameName *self,
                              const char      *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FrameWalk, frame_walk_free)

G_END_DECLS

#endif /* FRAME_WALK_H */
