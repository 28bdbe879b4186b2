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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_FILE_SIZE UINT64_C (104857600)
#define DEFAULT_ROTATION_COUNT 10
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
  return plr_config_check_prefix (config->file_prefix);
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

static void
read_number (Reader *self, const char *name, uint64_t min, uint64_t max, uint64_t *out)
{
  char variable[MAX_VARIABLE];
  const char *value = get (self, name, variable);
  uint64_t number;

  if (value == NULL)
    return;
  if (parse_number (value, &number) == 0 && number >= min && number <= max)
    *out = number;
  else
    warn (self, "%s=\"%.64s\" is not a whole number from %llu to %llu; using %llu", variable, value,
          (unsigned long long) min, (unsigned long long) max, (unsigned long long) *out);
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

int
parklane_config_from_env (ParklaneConfig *config, const char *prefix, ParklaneLogFunc log, void *log_data)
{
  Reader reader = { .config = config, .prefix = prefix, .log = log, .log_data = log_data };

  if (config == NULL || prefix == NULL)
    return -EINVAL;

  parklane_config_init (config);
  config->enabled = 0;
  config->log = log;
  config->log_data = log_data;
  if (strcmp (prefix, RUSTFS_PREFIX) == 0)
    {
      strcpy (config->output_dir, "/var/log/rustfs/telemetry");
      strcpy (config->file_prefix, "rustfs-tokio");
    }

  read_bool (&reader, "ENABLED", &config->enabled);
  read_directory (&reader);
  read_prefix (&reader);
  read_number (&reader, "MAX_FILE_SIZE", PLR_MIN_FILE_SIZE, INT64_MAX, &config->max_file_size);
  read_u32 (&reader, "ROTATION_COUNT", 1, UINT32_MAX, &config->rotation_count);
  return reader.n_warnings;
}
