import { requestLimits } from '@lathe/operations'

/** Limits that clients can reach. Sizes are bytes unless the name says otherwise. */
export const limits = {
  ...requestLimits,
  bodyBytes: 64 * 1024,
  /** Room for several base64 imports in one job; anything larger belongs in an upload. */
  inlineBodyBytes: 16 * 1024 * 1024,
  /** Of a message to /mcp, which may contain one small file. */
  mcpBodyBytes: 512 * 1024,
  bodyNesting: 32,
  /** Values in a body, each array and object counted too. The largest allowed job has about as many. */
  bodyValues: 100_000,
  /** Fields in all objects of a body. Each costs many times what an item of an array does. */
  bodyKeys: 10_000,
  bodyKeyBytes: 256,
  /** The longest text in a body: a file in base64. */
  bodyTextBytes: 2 * 1024 * 1024,
  /** Everything in a body that is not in quotes: numbers, brackets and white space. */
  bodyBareBytes: 4 * 1024 * 1024,
  tasksPerJob: 100,
  /** The longest chain of dependent tasks in a job. */
  tasksInRow: 20,
  /** Entries of `input` in all tasks of a job together, unless the operator sets another limit. */
  inputsPerJob: 2000,
  /** Parts of a resumable upload: each costs an object and a row. */
  partsPerUpload: 10_000,
  tagChars: 1000,
  webhooksPerOwner: 20,
  /** Valid API keys of an owner. */
  keysPerOwner: 100,
  /** Valid tokens of a job. */
  tokensPerJob: 20,
  /** Presets of an owner, including the personal presets of all its users. */
  presetsPerOwner: 200,
  presetNameChars: 100,
  keyNameChars: 100,
  rangesPerKey: 20,
  /** Teams that one user may own, whatever the operator allows. */
  teamsPerPerson: 50,
  teamNameChars: 100,
  membersPerTeam: 500,
  /** Valid invitations of a team. */
  invitationsPerTeam: 100,
  emailChars: 254,
  personNameChars: 100,
  passwordChars: 1024,
  /** The highest number of concurrent tasks an account can be given. */
  planSlots: 1000,
  planMinutes: 100_000_000,
  planStorageBytes: 1024 ** 5,
  announcementChars: 500,
  disabledReasonChars: 200,
  descriptionChars: 255,
  /** The longest side of a preview. */
  previewPixels: 512,
  previewPage: 10_000,
  /** Days that one usage query covers. */
  usageDays: 366,
  /** Files that a task shows in any answer or event; the others are read in pages. */
  filesShown: 100,
  filesPerPageMax: 1000,
  /** Jobs of a page that shows their tasks too. */
  jobsWithTasksPerPage: 10,
  perPageDefault: 50,
  perPageMax: 200,
} as const
