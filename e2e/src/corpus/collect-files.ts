import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { findFormat } from '@lathe/formats'
import { createChance } from '../chance.ts'

/** A real file to convert. */
export interface RealFile {
  readonly path: string
  /** Collection and name, as shown in reports. */
  readonly name: string
  /** The extension of the file, in lower case. */
  readonly ext: string
}

/** All files of some directories. A directory is a collection, named after its last path segment. */
export async function collectFiles(dirs: readonly string[]): Promise<readonly RealFile[]> {
  const found: RealFile[] = []
  for (const dir of dirs) {
    const entries = await readdir(dir, { withFileTypes: true, recursive: true })
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      found.push({
        path,
        name: join(basename(dir), path.slice(dir.length)),
        ext: extname(entry.name).slice(1).toLowerCase(),
      })
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export interface FileSelection {
  /** Extensions or formats, separated by commas. */
  readonly only?: string | undefined
  readonly sample?: number | undefined
  readonly seed: number
}

/** The files of a run: those of some formats, or a sample that takes from every format in turn. */
export function selectFiles(files: readonly RealFile[], { only, sample, seed }: FileSelection): readonly RealFile[] {
  const words = only?.split(',')
  const fitting = words ? files.filter(({ ext }) => words.includes(ext) || words.includes(kindOf(ext))) : files
  if (sample === undefined) return fitting
  const chance = createChance(seed)
  const heaps = [...Map.groupBy(fitting, ({ ext }) => kindOf(ext)).values()].map((own) => chance.some(own, own.length))
  const longest = Math.max(0, ...heaps.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, n) => heaps.flatMap((heap) => heap.slice(n, n + 1))).flat()
  return inTurn.slice(0, sample)
}

/** The format of an extension; an unknown extension is returned as it is. */
export function kindOf(ext: string): string {
  return findFormat(ext)?.ext ?? ext
}
