import { createHash } from 'node:crypto'
import { basename } from 'node:path'

export interface SampleOptions {
  readonly seed: string
  readonly count: number
  /** Files whose names begin with one of these are in every sample. */
  readonly always?: readonly string[]
}

/** Selects `count` files by a seed. Adding or removing a file changes little of the rest of the selection. */
export function sampleFiles(files: readonly string[], { seed, count, always = [] }: SampleOptions): readonly string[] {
  const begins = (file: string, name: string) => basename(file).startsWith(name)
  for (const name of always)
    if (!files.some((file) => begins(file, name))) throw new Error(`no file of the sample begins with ${name}`)
  const rank = (file: string) => {
    const first = always.some((name) => begins(file, name)) ? '0' : '1'
    return first + createHash('sha256').update(`${seed} ${file}`).digest('hex')
  }
  return files
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .slice(0, count)
    .sort()
}
