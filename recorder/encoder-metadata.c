/* encoder-metadata.c: encodes what a segment says of its session
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "encoder-private.h"

#include <stdio.h>

#include "clock.h"
#include "metadata.h"
#include "names.h"
#include "schemas.h"

static uint8_t *
write_text (uint8_t *p, const char *text)
{
  size_t length = strlen (text);

  p = trc_write_u32 (p, (uint32_t) length);
  return plr_encoder_write_bytes (p, text, length);
}

static uint8_t *
write_number_entry (uint8_t *p, const char *key, uint64_t value)
{
  char text[24];

  snprintf (text, sizeof text, "%llu", (unsigned long long) value);
  p = write_text (p, key);
  return write_text (p, text);
}

/* `runtime.NAME` = comma-separated worker ids. */
static uint8_t *
write_runtime_entry (uint8_t *p, const PlrRuntime *runtime)
{
  uint8_t *length_at;

  p = trc_write_u32 (p, (uint32_t) (strlen ("runtime.") + strlen (runtime->name)));
  p = plr_encoder_write_bytes (p, "runtime.", strlen ("runtime."));
  p = plr_encoder_write_bytes (p, runtime->name, strlen (runtime->name));

  length_at = p;
  p += 4;
  for (uint32_t i = 0; i < runtime->n_workers; i++)
    p += sprintf ((char *) p, i == 0 ? "%u" : ",%u", runtime->first_worker + i);
  trc_write_u32 (length_at, (uint32_t) (p - length_at - 4));
  return p;
}

void
plr_encoder_metadata (PlrEncoder *self, uint64_t time_ns, const PlrSessionInfo *info, uint32_t segment)
{
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_METADATA, time_ns);
  uint8_t *count_at = p;
  uint32_t count = 0;

  p += 4;
  if (info->service_name[0] != '\0')
    {
      p = write_text (p, "service_name");
      p = write_text (p, info->service_name);
      count++;
    }

  for (uint32_t i = 0; i < plr_names_get_n_runtimes (); i++)
    {
      PlrRuntime runtime = plr_names_get_runtime (i);

      if (runtime.name[0] == '\0')
        continue;
      p = write_runtime_entry (p, &runtime);
      count++;
    }

  for (uint32_t i = 0; i < (plr_names_is_foreign () ? 0 : plr_metadata_get_n ()); i++)
    {
      PlrMetadata entry;

      plr_metadata_get (i, &entry);
      p = write_text (p, entry.key);
      p = write_text (p, entry.value);
      count++;
    }

  p = write_text (p, "parklane.recorder.version");
  p = write_text (p, parklane_recorder_version ());
  p = write_text (p, "parklane.stream");
  p = write_text (p, "merged");
  p = write_text (p, "parklane.run_id");
  p = write_text (p, info->run_id);
  p = write_text (p, "parklane.clock");
  p = write_text (p, plr_clock_get_name ());
  p = write_number_entry (p, "parklane.clock_error_ns", plr_clock_get_error_ns ());
  p = write_number_entry (p, "parklane.heartbeat_ns", info->heartbeat_ns);
  p = write_number_entry (p, "parklane.pid", info->pid);
  p = write_number_entry (p, "parklane.budget_bytes", info->budget_bytes);
  p = write_number_entry (p, "parklane.time_resolution_ns", info->time_resolution_ns);
  p = write_number_entry (p, "parklane.segment", segment);
  count += 10;

  trc_write_u32 (count_at, count);
  plr_encoder_end_event (self, p);
}

void
plr_encoder_end_segment (PlrEncoder *self, uint64_t time_ns, bool is_complete)
{
  uint8_t *p;

  plr_encoder_begin_batch (self);
  p = plr_encoder_begin_event (self, PLR_TYPE_METADATA, time_ns);
  p = trc_write_u32 (p, 1);
  p = write_text (p, "segment.complete");
  plr_encoder_end_event (self, write_text (p, is_complete ? "true" : "false"));
}
