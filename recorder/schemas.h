/* schemas.h: the types of event in a trace, as the encoder writes them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SCHEMAS_H
#define PLR_SCHEMAS_H

#include <stdint.h>

#define PLR_MAX_FIELDS 6

typedef struct
{
  const char *name;
  uint8_t type;
} PlrField;

typedef struct
{
  const char *name;
  PlrField fields[PLR_MAX_FIELDS];
} PlrSchema;

/* The type id on the wire is the index; dial9 gives 1 to 255 to built-in events. */
enum
{
  PLR_TYPE_POLL_START = 1,
  PLR_TYPE_POLL_END,
  PLR_TYPE_PARK,
  PLR_TYPE_UNPARK,
  PLR_TYPE_TASK_SPAWN,
  PLR_TYPE_TASK_TERMINATE,
  PLR_TYPE_RUNTIME_METRICS,
  PLR_TYPE_CLOCK_SYNC,
  PLR_TYPE_METADATA,
  PLR_TYPE_HEARTBEAT,
  PLR_TYPE_GAP,
  PLR_TYPE_OPEN_POLL,
  PLR_TYPE_DELAYED_POLL_START,
  PLR_TYPE_DETACHED_POLL,
  PLR_TYPE_BLOCKING_START,
  PLR_TYPE_BLOCKING_END,
  PLR_TYPE_COUNTER,
  PLR_TYPE_OPEN_PARK,
  PLR_N_TYPES,
};

extern const PlrSchema plr_schemas[PLR_N_TYPES];

#endif /* PLR_SCHEMAS_H */
