import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Limits for a message or a mailbox. */
export const mailLimits = {
  /** File size of a message or a mailbox. */
  bytes: 256 * MiB,
  /** Only this many messages of a mailbox are converted, from its beginning. */
  messages: 1000,
  /** Attachments that become files. */
  attachments: 200,
  /** Size of all messages as one page, with their images. */
  page: 256 * MiB,
} as const

/** Limits of the browser that prints them. */
export const mailPrintLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: GiB }
