# memory.py: how much memory a trace takes that is larger than memory is meant to be, and how soon a view of it is sharp.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten gibibytes of raw events are opened with the default budget for detail, and views of any place and any width are
asked for one after the other, each as soon as the one before is sharp. The same for zstd segments with a budget that
only a part of them fits. Detail as a share of the raw bytes is the growth of memory from a smaller to a larger trace
that are both held whole."""

import os

import measure
from measure import GIB, MIB, figure, note

RAW_SIZE = 10 * GIB
PACKED_SIZE = GIB
PACKED_BUDGET = 64 * MIB


def jump(options, files, *arguments):
    result = measure.run([options.jump, *arguments, *files])
    note(f"{result['raw_bytes'] / MIB:.0f} MiB raw, {result['events'] / 1e6:.0f} M events: loaded in "
         f"{result['seconds']:.2f} s with {result['loaded_rss_bytes'] / MIB:.0f} MiB; jumps: median "
         f"{result['sharp_ms_p50']:.1f} ms, longest {result['sharp_ms_max']:.1f} ms, "
         f"at most {result['peak_rss_bytes'] / MIB:.0f} MiB")
    return result


def measure_detail(options, folder):
    """Resident bytes for each raw byte that is held in detail."""
    sizes = []
    for mebibytes in (64, 320):
        files = measure.generate(options, os.path.join(folder, f"detail-{mebibytes}.bin"), mebibytes * MIB)
        result = measure.run([options.load, *files])
        sizes.append((os.path.getsize(files[0]), result["peak_rss_bytes"]))
        os.remove(files[0])
    (small, small_rss), (large, large_rss) = sizes
    return (large_rss - small_rss) / (large - small)


def main():
    options = measure.parse(__doc__)
    measure.describe_machine()
    with measure.folder(RAW_SIZE + GIB) as folder:
        detail_ratio = measure_detail(options, folder)
        packed = measure.generate(options, os.path.join(folder, "packed"), PACKED_SIZE, "--segments", "10", "--zstd")
        packed_result = jump(options, packed, "--memory", str(PACKED_BUDGET))
        raw = measure.generate(options, os.path.join(folder, "raw"), RAW_SIZE, "--segments", "10")
        result = jump(options, raw)
        figure("raw_bytes", result["raw_bytes"])
        figure("peak_rss_bytes", result["peak_rss_bytes"])
        figure("detail_ratio", detail_ratio)
        figure("sharp_ms_p99", result["sharp_ms_p99"])
        figure("sharp_zstd_ms_p99", packed_result["sharp_ms_p99"])


if __name__ == "__main__":
    main()
