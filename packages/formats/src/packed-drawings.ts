const MiB = 1024 ** 2

/** How much a packed drawing (svgz, emz, wmz) may unpack to: the rules are those for the ZIP of an office document. */
export const packedDrawingLimits = {
  bytes: 512 * MiB,
  /** Unpacked bytes for each packed one, judged once so many have come. */
  ratio: 100,
  ratioAfterBytes: 64 * MiB,
} as const
