import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Comparison } from './compare.ts'
import type { Outcome } from './outcome.ts'

/** One conversion of one real file, by the service and by the bare tool. */
export interface Result extends Comparison {
  readonly file: string
  readonly size: number
  /** The extension it carries, and what the service takes it for. */
  readonly ext: string
  readonly format: string
  readonly to: string
  readonly ours: Outcome
  readonly bare?: Outcome
  /** Whether both ran one after the other, so that their times can be compared. */
  readonly isTimed: boolean
}

/** The results of a run as JSON lines, so that it can be resumed after any line. */
export interface ResultsFile {
  readonly before: readonly Result[]
  add(result: Result): Promise<void>
}

export async function openResults(path: string, { isResumed }: { isResumed: boolean }): Promise<ResultsFile> {
  await mkdir(dirname(path), { recursive: true })
  const text = isResumed ? await readFile(path, 'utf8').catch(() => '') : ''
  // A run that was cut off may have left half a line.
  const lines = text.split('\n').flatMap((line) => parse(line))
  // What was worse is tried again: it may have been mended since.
  const before = lines.filter(({ verdict }) => verdict !== 'worse')
  await writeFile(path, before.map((result) => `${JSON.stringify(result)}\n`).join(''))
  return { before, add: (result) => appendFile(path, `${JSON.stringify(result)}\n`) }
}

function parse(line: string): readonly Result[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Result]
  } catch {
    return []
  }
}
