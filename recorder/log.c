/* log.c: messages to the host, and the words for errors in them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
plr_log (ParklaneLogFunc log, void *log_data, ParklaneLogLevel level, const char *format, ...)
{
  char message[512];
  va_list args;

  if (log == NULL)
    return;
  va_start (args, format);
  vsnprintf (message, sizeof message, format, args);
  va_end (args);
  log (level, message, log_data);
}

const char *
plr_describe_error (int error)
{
  const char *text = strerrordesc_np (-error);

  return text != NULL ? text : "unknown error";
}
