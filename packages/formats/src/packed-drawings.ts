const MiB = 1024 ** 2

/** How far a packed drawing (svgz, emz, wmz) may unpack, with the same rules as the ZIP of an office document. */
export const packedDrawingLimits = {
  bytes: 512 * MiB,
  /** Unpacked bytes per packed byte, checked after `ratioAfterBytes`. */
  ratio: 100,
  ratioAfterBytes: 64 * MiB,
} as const
