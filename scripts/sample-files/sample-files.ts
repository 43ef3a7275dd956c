import { createHash } from 'node:crypto'

/** Takes so many of some files, by a seed. A file that is added or removed changes little of what the others do. */
export function sampleFiles(
  files: readonly string[],
  { seed, count }: { readonly seed: string; readonly count: number },
): readonly string[] {
  const rank = (file: string) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return files
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .slice(0, count)
    .sort()
}
