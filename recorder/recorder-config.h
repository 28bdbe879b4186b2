/* recorder-config.h: checks of a configuration, inside
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_CONFIG_H
#define PLR_CONFIG_H

#include "parklane-recorder.h"

#define PLR_MIN_FILE_SIZE UINT64_C (65536)
#define PLR_MIN_BUFFER_SIZE (UINT64_C (1) << 20)
#define PLR_MAX_BUFFER_SIZE (UINT64_C (1) << 32)
#define PLR_MAX_TIME_RESOLUTION_NS 1000000u
#define PLR_MAX_PREFIX 100

/* 0, or -EINVAL when a field is out of its range. */
int plr_config_check (const ParklaneConfig *config);

/* Bytes that all segments together may take. */
uint64_t plr_config_get_budget (const ParklaneConfig *config);

/* Whether @prefix can begin a file name of ours. */
int plr_config_check_prefix (const char *prefix);

#endif /* PLR_CONFIG_H */
