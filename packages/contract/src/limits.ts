/** The numbers a client can run into. Sizes are bytes unless the name says otherwise. */
export const limits = {
  /** Room for several base64 imports in one job; anything larger belongs in an upload. */
  bodyBytes: 16 * 1024 * 1024,
  bodyNesting: 32,
  tasksPerJob: 100,
  /** Tasks of one job that wait for one another in a row. */
  tasksInRow: 20,
  inputsPerTask: 1000,
  /** All entries of `input` of a job's tasks together. */
  inputsPerJob: 2000,
  optionsPerTask: 100,
  taskNameChars: 64,
  filenameChars: 255,
  tagChars: 1000,
  webhooksPerOwner: 20,
  descriptionChars: 255,
  /** What browsers and proxies carry; presigned addresses with session tokens reach about 2,500. */
  urlChars: 8192,
  fieldChars: 4096,
  /** An RSA key of 16,384 bits in PEM is about 12,600 characters. */
  secretChars: 16_384,
  /** The spec's 1.5 MB of encoded content: characters after the comma of the data URI. */
  base64Chars: 1_572_864,
  perPageDefault: 50,
  perPageMax: 200,
} as const
