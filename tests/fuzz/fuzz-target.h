/* fuzz-target.h: the entry point that a fuzzer calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes,
                            size_t         size);

#endif /* FUZZ_TARGET_H */
