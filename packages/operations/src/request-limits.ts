/** Maximum lengths and counts of the fields of a task. */
export const requestLimits = {
  inputsPerTask: 1000,
  optionsPerTask: 100,
  taskNameChars: 64,
  filenameChars: 255,
  /** A path of folders, as browsers and operating systems send it. */
  folderChars: 1000,
  /** The limit of browsers and proxies; presigned URLs with session tokens reach about 2,500. */
  urlChars: 8192,
  fieldChars: 4096,
  /** An RSA key of 16,384 bits in PEM is about 12,600 characters. */
  secretChars: 16_384,
  /** The spec's 1.5 MB of encoded content: characters after the comma of the data URI. */
  base64Chars: 1_572_864,
  /** Previews that one owner may have in the making. They use no minutes, so their number is limited. */
  previewsAtOnce: 4,
  /** Previews of one owner within the time that files are kept. */
  previewsPerOwner: 1_000,
} as const
