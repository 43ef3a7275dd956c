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
  /** A path of folders, as browsers and systems tell them. */
  folderChars: 1000,
  /** Parts of a resumable upload: each costs an object and a row. */
  partsPerUpload: 10_000,
  tagChars: 1000,
  webhooksPerOwner: 20,
  /** API keys of an owner that work. */
  keysPerOwner: 100,
  /** Tokens of a job that work. */
  tokensPerJob: 20,
  /** Presets of an owner, personal ones of all users with them. */
  presetsPerOwner: 200,
  presetNameChars: 100,
  keyNameChars: 100,
  rangesPerKey: 20,
  /** Teams that one person may own, however many are allowed. */
  teamsPerPerson: 50,
  teamNameChars: 100,
  membersPerTeam: 500,
  /** Invitations of a team that work. */
  invitationsPerTeam: 100,
  emailChars: 254,
  personNameChars: 100,
  passwordChars: 1024,
  /** Tasks of one account that run at once, whoever asks for more. */
  planSlots: 1000,
  planMinutes: 100_000_000,
  announcementChars: 500,
  descriptionChars: 255,
  /** What browsers and proxies carry; presigned addresses with session tokens reach about 2,500. */
  urlChars: 8192,
  fieldChars: 4096,
  /** An RSA key of 16,384 bits in PEM is about 12,600 characters. */
  secretChars: 16_384,
  /** The spec's 1.5 MB of encoded content: characters after the comma of the data URI. */
  base64Chars: 1_572_864,
  /** Days that one answer about usage covers. */
  usageDays: 366,
  perPageDefault: 50,
  perPageMax: 200,
} as const
