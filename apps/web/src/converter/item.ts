import type { Family } from '@lathe/formats'

/** The stage of a file. */
export type Stage = 'staged' | 'waiting' | 'uploading' | 'queued' | 'running' | 'done' | 'failed' | 'canceled'

export type OptionValue = string | number | boolean
export type Options = Readonly<Record<string, OptionValue>>
export type Kind = Family | 'page' | 'other'

/** What is cropped or trimmed before a file is converted, as options of the operations. */
export interface Edits {
  readonly crop?: Options
  readonly trim?: Options
}

export interface ResultFile {
  readonly name: string
  readonly size: number
  readonly path: string
}

export interface Result {
  /** The file, or a ZIP of several. */
  readonly path: string
  readonly files: readonly ResultFile[]
  readonly size: number
  readonly expiresAt: string
  readonly warnings: readonly string[]
}

export interface Trouble {
  /** The reason as a stable code of the API or of the page. */
  readonly code: string
  /** The service's message, in English. */
  readonly msg: string
}

/** One file of the list, and its conversion. */
export interface Item {
  readonly id: string
  readonly addedAt: number
  readonly name: string
  /** Its folder if a whole folder was added: `album/day 1`. */
  readonly folder: string
  readonly size: number
  /** A URL to fetch it from, instead of a file. */
  readonly url?: string
  /** When the service is asked what the URL leads to; without it, that is known. */
  readonly lookUp?: 'now' | 'later'
  /** The extension of its format; empty if unknown. */
  readonly source: string
  readonly kind: Kind
  /** Its own target and options, if they differ from those of its kind. */
  readonly target?: string
  readonly options?: Options
  readonly edits?: Edits
  /** The number of files merged into it, if any. */
  readonly parts?: number
  /** The file it is merged into: it is then not listed itself. */
  readonly partOf?: string
  readonly stage: Stage
  /** The progress of its stage, from 0 to 1. */
  readonly progress?: number
  readonly secondsLeft?: number
  /** How many bytes of it are sent per second, once that is known. */
  readonly bytesPerSecond?: number
  /** Its queue position, if known. */
  readonly position?: number
  /** Estimates of when its conversion starts and ends, while it waits. */
  readonly secondsToStart?: number
  readonly secondsToEnd?: number
  readonly jobId?: string
  readonly importId?: string
  /** The URL of its upload, if sent in parts. */
  readonly uploadUrl?: string
  readonly convertId?: string
  /** The tasks that crop and trim it. */
  readonly editIds?: readonly string[]
  /** The task that imported the file: until its files expire, nothing needs to be sent again. */
  readonly importedId?: string
  /** The format it was converted to. */
  readonly convertedTo?: string
  /** Warnings of the tasks that crop and trim it. */
  readonly stepWarnings?: readonly string[]
  readonly result?: Result
  readonly trouble?: Trouble
}

const open: ReadonlySet<Stage> = new Set(['waiting', 'uploading', 'queued', 'running'])

/** Whether it is being processed. */
export function isOpen({ stage }: Item): boolean {
  return open.has(stage)
}

/** The same file without any results. */
export function withoutOutcome(item: Item): Item {
  const {
    trouble,
    result,
    progress,
    secondsLeft,
    bytesPerSecond,
    position,
    secondsToStart,
    secondsToEnd,
    stepWarnings,
    jobId,
    importId,
    uploadUrl,
    convertId,
    editIds,
    convertedTo,
    ...rest
  } = item
  return rest
}
