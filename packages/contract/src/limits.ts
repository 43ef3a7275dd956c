import { requestLimits } from '@lathe/operations'

/** The numbers a client can run into. Sizes are bytes unless the name says otherwise. */
export const limits = {
  ...requestLimits,
  /** Room for several base64 imports in one job; anything larger belongs in an upload. */
  bodyBytes: 16 * 1024 * 1024,
  bodyNesting: 32,
  tasksPerJob: 100,
  /** Tasks of one job that wait for one another in a row. */
  tasksInRow: 20,
  /** All entries of `input` of a job's tasks together. */
  inputsPerJob: 2000,
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
  disabledReasonChars: 200,
  descriptionChars: 255,
  /** Days that one answer about usage covers. */
  usageDays: 366,
  perPageDefault: 50,
  perPageMax: 200,
} as const
