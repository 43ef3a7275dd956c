/** A limit as docs/limits.md states it. Limits of a kind have the same id, which is in the titles of their tests. */
export interface Limit {
  readonly id: `L-${string}`
  /** What is limited. */
  readonly name: string
  readonly value: Amount
  /** What happens beyond the limit, and what the user can do. */
  readonly beyond: string
  /** Set if the value is in a separate table: many engines have the same kinds of limits. */
  readonly cell?: { readonly row: string; readonly column: string }
  /** What is measured in a real file and compared with the limit, or why nothing is. */
  readonly real: Measure | Unmeasured
}

/** The limits of one subject, under one heading of the page. */
export interface LimitGroup {
  readonly title: string
  readonly limits: readonly Limit[]
}

/** A number from the code, and its text for people. */
export interface Amount {
  readonly number: number
  readonly unit: 'count' | 'bytes' | 'seconds'
  readonly text: string
}

/** Why no real file is compared with a limit. */
export interface Unmeasured {
  readonly reason: string
}

/** What `npm run corpus` measures in real files and their results. */
export type Measure =
  | 'archiveBytes'
  | 'archiveDepth'
  | 'archiveEntries'
  | 'archiveRatio'
  | 'bookBytes'
  | 'bookEntries'
  | 'bookPageBytes'
  | 'bookRatio'
  | 'drawingBytes'
  | 'drawingDepth'
  | 'drawingEntityBytes'
  | 'drawingSide'
  | 'drawnSide'
  | 'failureBytes'
  | 'fileBytes'
  | 'fitsSide'
  | 'iconSide'
  | 'imageFrames'
  | 'imageFramesPixels'
  | 'imagePixels'
  | 'imageSide'
  | 'mailAttachments'
  | 'mailBytes'
  | 'mailMessages'
  | 'mailPageBytes'
  | 'markdownBytes'
  | 'mediaChapters'
  | 'mediaRate'
  | 'mediaSeconds'
  | 'mediaSide'
  | 'mediaStreams'
  | 'midiBytes'
  | 'officePages'
  | 'packageBytes'
  | 'packageEntries'
  | 'packageImageBytes'
  | 'packageImagePixels'
  | 'packageRatio'
  | 'pagePixels'
  | 'pdfImageBytes'
  | 'pdfPages'
  | 'pdfPoints'
  | 'resultFiles'
  | 'resultSideAvif'
  | 'resultSideGif'
  | 'resultSideJpg'
  | 'resultSideWebp'
  | 'storedPageParts'

/** Why some limits are not compared with files. */
export const unmeasured = {
  time: { reason: 'Time depends on the machine.' },
  memory: { reason: 'Memory, processes and output of engines are counted while they run; no file states them.' },
  request: { reason: 'It limits requests, not files.' },
  option: { reason: 'It depends on options that this run does not use.' },
  network: { reason: 'It limits connections to other hosts, which this run does not open.' },
  archive: { reason: 'This run extracts no archives.' },
  pair: { reason: 'This run compares no two files.' },
  metadata: { reason: 'This run reads no metadata.' },
  kindle: { reason: 'This run converts no Kindle books.' },
  data: { reason: 'This run converts no files of data, and no maps.' },
  threshold: { reason: 'It is the size from which another limit counts.' },
} as const satisfies Record<string, Unmeasured>

/** A number of things. */
export function count(number: number): Amount {
  return { number, unit: 'count', text: number.toLocaleString('en') }
}

const units = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const

/** A number of bytes, in the largest unit that divides it. */
export function bytes(number: number): Amount {
  const fitting = units.find(([, size]) => number % size === 0)
  const text = fitting
    ? `${(number / fitting[1]).toLocaleString('en')} ${fitting[0]}`
    : `${number.toLocaleString('en')} bytes`
  return { number, unit: 'bytes', text }
}

/** A time, given in seconds, in the largest unit that leaves no long fraction. */
export function seconds(number: number): Amount {
  const [size, name] =
    number % 1800 === 0 && number >= 3600 ? [3600, 'hour'] : number % 60 === 0 ? [60, 'minute'] : [1, 'second']
  const amount = number / size
  return { number, unit: 'seconds', text: `${amount.toLocaleString('en')} ${name}${amount === 1 ? '' : 's'}` }
}
