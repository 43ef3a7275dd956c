import { stat } from 'node:fs/promises'
import { basename, dirname, join, normalize, relative, sep } from 'node:path'
import { UsageError } from '../exit-codes.ts'

/** A file to process. */
export interface FoundFile {
  readonly path: string
  /** Its path below the folder or pattern it was found by. */
  readonly inTree: string
}

const magic = /[*?[\]{}]/

/** The files that are meant: paths, folders (all files in them), and patterns such as `*.docx`. Each once. */
export async function findFiles(given: readonly string[]): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const one of given) {
    for (const file of await filesOf(one)) if (!found.has(file.path)) found.set(file.path, file)
  }
  return [...found.values()]
}

async function filesOf(given: string): Promise<readonly FoundFile[]> {
  const info = await stat(given).catch(() => undefined)
  if (info?.isFile()) return [{ path: given, inTree: basename(given) }]
  if (info?.isDirectory()) return under(given, '**/*')
  if (!magic.test(given)) throw new UsageError(`There is no file ${given}.`)
  const base = baseOf(given)
  const files = await under(base, relative(base, given).split(sep).join('/'))
  if (files.length === 0) throw new UsageError(`No file fits ${given}.`)
  return files
}

async function under(folder: string, pattern: string): Promise<readonly FoundFile[]> {
  const { glob } = await import('tinyglobby')
  const names = await glob([pattern], { cwd: folder || '.', onlyFiles: true, dot: false, followSymbolicLinks: false })
  return names.sort().map((name) => ({ path: normalize(join(folder, name)), inTree: normalize(name) }))
}

/** The folder before the first part of a pattern with wildcards. */
function baseOf(pattern: string): string {
  const parts = pattern.split(/[/\\]/)
  const first = parts.findIndex((part) => magic.test(part))
  const base = parts.slice(0, first).join(sep)
  return base === '' && pattern.startsWith('/') ? '/' : base || dirname('x')
}
