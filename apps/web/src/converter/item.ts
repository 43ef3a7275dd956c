import type { Family } from '@lathe/formats'

/** Where a file is on its way. */
export type Stage = 'staged' | 'waiting' | 'uploading' | 'queued' | 'running' | 'done' | 'failed' | 'canceled'

export type OptionValue = string | number | boolean
export type Options = Readonly<Record<string, OptionValue>>
export type Kind = Family | 'other'

/** What is cut away before a file is converted, as options of the operations. */
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
  /** Why, as a stable code of the API or of the page. */
  readonly code: string
  /** What the service says about it, in English. */
  readonly msg: string
}

/** One file of the list, and what becomes of it. */
export interface Item {
  readonly id: string
  readonly addedAt: number
  readonly name: string
  /** The folder it was in when a whole folder was added: `album/day 1`. */
  readonly folder: string
  readonly size: number
  /** An address to fetch it from, instead of a file. */
  readonly url?: string
  /** The extension that names its format; empty if nobody knows it. */
  readonly source: string
  readonly kind: Kind
  /** Its own target and options, where they differ from those of its kind. */
  readonly target?: string
  readonly options?: Options
  readonly edits?: Edits
  /** Of how many files it is merged, if it is. */
  readonly parts?: number
  /** The file it is merged into: it is not on the list itself. */
  readonly partOf?: string
  readonly stage: Stage
  /** Of the stage it is in, from 0 to 1. */
  readonly progress?: number
  readonly secondsLeft?: number
  /** Its place in the queue, as far as it is known. */
  readonly position?: number
  readonly jobId?: string
  readonly importId?: string
  /** Where its upload has begun, if it goes in parts. */
  readonly uploadUrl?: string
  readonly convertId?: string
  /** The tasks that crop and trim it. */
  readonly editIds?: readonly string[]
  /** The task that has taken the file in: while its files live, nothing needs to be sent again. */
  readonly importedId?: string
  /** What it was converted to. */
  readonly convertedTo?: string
  readonly result?: Result
  readonly trouble?: Trouble
}

const open: ReadonlySet<Stage> = new Set(['waiting', 'uploading', 'queued', 'running'])

/** Whether something is being done with it. */
export function isOpen({ stage }: Item): boolean {
  return open.has(stage)
}

/** The same file as if nothing had been done with it yet. */
export function withoutOutcome(item: Item): Item {
  const {
    trouble,
    result,
    progress,
    secondsLeft,
    position,
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
