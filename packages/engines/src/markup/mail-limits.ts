import type { StepLimits } from '../engine.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** What a message or a mailbox may hold. */
export const mailLimits = {
  /** A message or a mailbox as a file. */
  bytes: 256 * MiB,
  /** Messages of a mailbox that are converted: the first ones. */
  messages: 1000,
  /** Attachments that become files. */
  attachments: 200,
  /** All messages as one page, with their images. */
  page: 256 * MiB,
} as const

/** What the browser may use to print them. */
export const mailPrintLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: GiB }
