/* fuzz-decoder.h: the entry point that a fuzzer calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef FUZZ_DECODER_H
#define FUZZ_DECODER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *bytes,
                            size_t         size);

#endif /* FUZZ_DECODER_H */
