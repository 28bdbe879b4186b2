/* log.h: messages to the host, and the words for errors in them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_LOG_H
#define PLR_LOG_H

#include "parklane-recorder.h"

/* Gives @log, which may be NULL, a message of at most 511 bytes; what is longer is cut. */
void plr_log (ParklaneLogFunc log, void *log_data, ParklaneLogLevel level, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

/* What @error, a negative errno, means; never NULL. In English, so that logs can be searched. */
const char *plr_describe_error (int error);

#endif /* PLR_LOG_H */
