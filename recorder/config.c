/* config.c: options from defaults and from the environment
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A value that cannot be honoured changes nothing but itself: the default stays, and a warning names the
 * variable, the value and what is used instead.
 */
#include "recorder-config.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define DEFAULT_FILE_SIZE UINT64_C (104857600)
#define DEFAULT_ROTATION_COUNT 10
#define DEFAULT_BUFFER_SIZE (UINT64_C (1) << 24)
#define DEFAULT_DRAIN_INTERVAL_MS 10
#define MAX_DRAIN_INTERVAL_MS 1000
#define MAX_VARIABLE 128

/* The service whose settings and defaults operators know; its names are honoured to the letter. */
#define RUSTFS_PREFIX "RUSTFS_RUNTIME_DIAL9_"

typedef struct
{
  ParklaneConfig *config;
  const char *prefix;
  ParklaneLogFunc log;
  void *log_data;
  int n_warnings;
} Reader;

void
parklane_config_init (ParklaneConfig *config)
{
  *config = (ParklaneConfig) {
    .struct_size = sizeof *config,
    .enabled = 1,
    .output_dir = "/var/log/parklane",
    .file_prefix = "parklane",
    .max_file_size = DEFAULT_FILE_SIZE,
    .rotation_count = DEFAULT_ROTATION_COUNT,
    .drain_interval_ms = DEFAULT_DRAIN_INTERVAL_MS,
    .compress = PARKLANE_COMPRESS_ZSTD,
    .time_resolution_ns = 1,
    .buffer_size = DEFAULT_BUFFER_SIZE,
    .crash_safe = 1, /* events cost no more in shared memory: 12.4 ns beside 12.4 ns, a clock read being 11.7 */
  };
}

int
plr_config_check_prefix (const char *prefix)
{
  size_t length = strnlen (prefix, PARKLANE_NAME_SIZE);

  if (length == 0 || length > PLR_MAX_PREFIX || prefix[0] == '.')
    return -EINVAL;
  for (size_t i = 0; i < length; i++)
    if (prefix[i] == '/' || (unsigned char) prefix[i] < 0x20 || prefix[i] == 0x7f)
      return -EINVAL;
  return 0;
}

int
plr_config_check (const ParklaneConfig *config)
{
  if (config->struct_size != sizeof *config)
    return -EINVAL;
  if (config->output_dir[0] == '\0' || memchr (config->output_dir, '\0', sizeof config->output_dir) == NULL)
    return -EINVAL;
  if (memchr (config->service_name, '\0', sizeof config->service_name) == NULL)
    return -EINVAL;
  if (config->max_file_size < PLR_MIN_FILE_SIZE || config->rotation_count == 0)
    return -EINVAL;
  if (config->drain_interval_ms == 0 || config->drain_interval_ms > MAX_DRAIN_INTERVAL_MS)
    return -EINVAL;
  if (config->compress != PARKLANE_COMPRESS_NONE && config->compress != PARKLANE_COMPRESS_ZSTD)
    return -EINVAL;
  if (config->buffer_size < PLR_MIN_BUFFER_SIZE || config->buffer_size > PLR_MAX_BUFFER_SIZE)
    return -EINVAL;
  if (config->time_resolution_ns == 0 || config->time_resolution_ns > PLR_MAX_TIME_RESOLUTION_NS)
    return -EINVAL;
  if (config->busy != PARKLANE_BUSY_FAIL && config->busy != PARKLANE_BUSY_SUFFIX)
    return -EINVAL;
  return plr_config_check_prefix (config->file_prefix);
}

uint64_t
plr_config_get_budget (const ParklaneConfig *config)
{
  uint64_t budget;

  if (__builtin_mul_overflow (config->max_file_size, (uint64_t) config->rotation_count, &budget))
    budget = UINT64_MAX;
  return budget;
}

static void __attribute__ ((format (printf, 2, 3)))
warn (Reader *self, const char *format, ...)
{
  char message[PARKLANE_PATH_SIZE + 512];
  va_list args;

  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);

  self->n_warnings++;
  if (self->log != NULL)
    self->log (PARKLANE_LOG_WARNING, message, self->log_data);
  else
    fprintf (stderr, "parklane: %s\n", message);
}

/* The variable's value, NULL when it is unset or empty. @variable receives its full name. */
static const char *
get (Reader *self, const char *name, char variable[MAX_VARIABLE])
{
  const char *value;

  snprintf (variable, MAX_VARIABLE, "%s%s", self->prefix, name);
  value = getenv (variable);
  return value == NULL || *value == '\0' ? NULL : value;
}

static void
read_bool (Reader *self, const char *name, uint32_t *out)
{
  static const char *const yes[] = { "1", "true", "yes", "on" };
  static const char *const no[] = { "0", "false", "no", "off" };
  char variable[MAX_VARIABLE];
  const char *value = get (self, name, variable);

  if (value == NULL)
    return;
  for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
    {
      if (strcasecmp (value, yes[i]) == 0)
        {
          *out = 1;
          return;
        }
      if (strcasecmp (value, no[i]) == 0)
        {
          *out = 0;
          return;
        }
    }
  warn (self, "%s=\"%.64s\" is neither true nor false; using %s", variable, value, *out ? "true" : "false");
}

/* A whole decimal number; blanks around it are forgiven, signs, fractions and units are not. */
static int
parse_number (const char *text, uint64_t *out)
{
  unsigned long long value;
  char *end;

  while (isspace ((unsigned char) *text))
    text++;
  if (!isdigit ((unsigned char) *text))
    return -EINVAL;
  errno = 0;
  value = strtoull (text, &end, 10);
  if (errno != 0)
    return -ERANGE;
  while (isspace ((unsigned char) *end))
    end++;
  if (*end != '\0')
    return -EINVAL;
  *out = value;
  return 0;
}

/* @floor: numbers from 1 below @min are taken as @min; 0 and what is no number never. */
static void
read_number_over (Reader *self, const char *name, bool floor, uint64_t min, uint64_t max, uint64_t *out)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, name, variable);
  uint64_t number;

  if (value == NULL)
    return;
  if (parse_number (value, &number) == 0 && number >= min && number <= max)
    *out = number;
  else if (floor && parse_number (value, &number) == 0 && number > 0 && number < min)
    {
      *out = min;
      warn (self, "%s=\"%.64s\" is too small; using %llu", variable, value, (unsigned long long) min);
    }
  else
    warn (self, "%s=\"%.64s\" is not a whole number from %llu to %llu; using %llu", variable, value,
          (unsigned long long) min, (unsigned long long) max, (unsigned long long) *out);
}

static void
read_number (Reader *self, const char *name, uint64_t min, uint64_t max, uint64_t *out)
{
  read_number_over (self, name, false, min, max, out);
}

static void
read_u32 (Reader *self, const char *name, uint32_t min, uint32_t max, uint32_t *out)
{
  uint64_t number = *out;

  read_number (self, name, min, max, &number);
  *out = (uint32_t) number;
}

static void
read_directory (Reader *self)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, "OUTPUT_DIR", variable);

  if (value == NULL)
    return;
  if (strlen (value) < sizeof self->config->output_dir)
    strcpy (self->config->output_dir, value);
  else
    warn (self, "%s=\"%.64s…\" is longer than %d bytes; using %s", variable, value, PARKLANE_PATH_SIZE - 1,
          self->config->output_dir);
}

static void
read_prefix (Reader *self)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, "FILE_PREFIX", variable);

  if (value == NULL)
    return;
  if (plr_config_check_prefix (value) == 0)
    strcpy (self->config->file_prefix, value);
  else
    warn (self, "%s=\"%.64s\" cannot begin a file name (1 to %d bytes, no slash, no leading dot); using %s", variable,
          value, PLR_MAX_PREFIX, self->config->file_prefix);
}

static void
read_service_name (Reader *self)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, "SERVICE_NAME", variable);

  if (value == NULL)
    return;
  if (strlen (value) < sizeof self->config->service_name)
    strcpy (self->config->service_name, value);
  else
    warn (self, "%s=\"%.64s…\" is longer than %d bytes; using none", variable, value, PARKLANE_NAME_SIZE - 1);
}

/* One of two words; the first one is what is used without. True when it is the second. */
static bool
read_choice (Reader *self, const char *name, const char *usual, const char *other)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, name, variable);

  if (value == NULL || strcasecmp (value, usual) == 0)
    return false;
  if (strcasecmp (value, other) == 0)
    return true;
  warn (self, "%s=\"%.64s\" is neither %s nor %s; using %s", variable, value, other, usual, usual);
  return false;
}

static void
refuse_upload (Reader *self, const char *name)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, name, variable);

  if (value != NULL)
    warn (self,
          "%s=\"%.64s\" has no effect: upload is not built in; fetch the sealed segments %s.*.bin from %s, for example with "
          "rclone or a log shipper",
          variable, value, self->config->file_prefix, self->config->output_dir);
}

static bool
is_setting (const char *name, size_t length, const char *const *settings, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (strlen (settings[i]) == length && memcmp (settings[i], name, length) == 0)
      return true;
  return false;
}

/* A variable with our prefix that is no setting was meant to do something. */
static void
report_unknown (Reader *self, bool has_further)
{
  static const char *const settings[] = { "ENABLED",        "OUTPUT_DIR", "FILE_PREFIX", "MAX_FILE_SIZE",
                                          "ROTATION_COUNT", "S3_BUCKET",  "S3_PREFIX" };
  static const char *const further[] = { "SERVICE_NAME", "MAX_SEGMENT_AGE", "DRAIN_INTERVAL", "CLOCK",       "COMPRESS",
                                         "BUFFER_SIZE",  "CONTROL",         "CRASH_SAFE",     "RETRY_START", "BUSY",
                                         "TIME_RESOLUTION" };
  size_t prefix_length = strlen (self->prefix);

  for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
    {
      const char *name = *entry + prefix_length;
      const char *value = strchr (*entry, '=');

      if (strncmp (*entry, self->prefix, prefix_length) != 0 || value == NULL || value < name || value[1] == '\0')
        continue;
      if (is_setting (name, (size_t) (value - name), settings, sizeof settings / sizeof settings[0])
          || (has_further && is_setting (name, (size_t) (value - name), further, sizeof further / sizeof further[0])))
        continue;
      warn (self, "%.*s=\"%.64s\" is no setting of this recorder and has no effect; recording goes on without it",
            (int) (value - *entry), *entry, value + 1);
    }
}

int
parklane_config_from_env (ParklaneConfig *config, const char *prefix, ParklaneLogFunc log, void *log_data)
{
  Reader reader = { .config = config, .prefix = prefix, .log = log, .log_data = log_data };
  bool is_rustfs;

  if (config == NULL || prefix == NULL)
    return -EINVAL;

  is_rustfs = strcmp (prefix, RUSTFS_PREFIX) == 0;
  parklane_config_init (config);
  config->enabled = 0;
  config->log = log;
  config->log_data = log_data;
  if (is_rustfs)
    {
      strcpy (config->output_dir, "/var/log/rustfs/telemetry");
      strcpy (config->file_prefix, "rustfs-tokio");
    }

  read_bool (&reader, "ENABLED", &config->enabled);
  read_directory (&reader);
  read_prefix (&reader);
  read_number_over (&reader, "MAX_FILE_SIZE", true, PLR_MIN_FILE_SIZE, INT64_MAX, &config->max_file_size);
  read_u32 (&reader, "ROTATION_COUNT", 1, UINT32_MAX, &config->rotation_count);
  if (!is_rustfs)
    {
      read_service_name (&reader);
      read_u32 (&reader, "MAX_SEGMENT_AGE", 0, UINT32_MAX, &config->max_segment_age_s);
      read_u32 (&reader, "DRAIN_INTERVAL", 1, MAX_DRAIN_INTERVAL_MS, &config->drain_interval_ms);
      config->clock = read_choice (&reader, "CLOCK", "auto", "monotonic") ? PARKLANE_CLOCK_MONOTONIC : PARKLANE_CLOCK_AUTO;
      config->compress = read_choice (&reader, "COMPRESS", "zst", "none") ? PARKLANE_COMPRESS_NONE : PARKLANE_COMPRESS_ZSTD;
      config->busy = read_choice (&reader, "BUSY", "fail", "suffix") ? PARKLANE_BUSY_SUFFIX : PARKLANE_BUSY_FAIL;
      read_u32 (&reader, "TIME_RESOLUTION", 1, PLR_MAX_TIME_RESOLUTION_NS, &config->time_resolution_ns);
      read_number (&reader, "BUFFER_SIZE", PLR_MIN_BUFFER_SIZE, PLR_MAX_BUFFER_SIZE, &config->buffer_size);
      read_bool (&reader, "CONTROL", &config->control);
      read_bool (&reader, "CRASH_SAFE", &config->crash_safe);
      read_u32 (&reader, "RETRY_START", 0, UINT32_MAX, &config->retry_start_s);
    }
  refuse_upload (&reader, "S3_BUCKET");
  refuse_upload (&reader, "S3_PREFIX");
  report_unknown (&reader, !is_rustfs);
  return reader.n_warnings;
}
