import { stat } from 'node:fs/promises'
import { basename, dirname, join, normalize, relative, sep } from 'node:path'
import type { Input } from '@lathe/sdk'
import { UsageError } from '../exit-codes.ts'
import { safeName } from './place.ts'
import { readList } from './read-list.ts'

/** A file to process. */
export interface FoundFile {
  /** Its path, or its URL as it was given. */
  readonly path: string
  /** Its path below the folder or pattern it was found by. */
  readonly inTree: string
  /** Set for a file that the service fetches itself. */
  readonly url?: URL
}

export interface FindOptions {
  /** Patterns also match in subfolders. */
  readonly recursive?: boolean
}

const magic = /[*?[\]{}]/

/**
 * Resolves arguments to files: paths, URLs, folders (all files in them), patterns such as `*.docx`, and lists of all of
 * these such as `@list.txt`. Each file once.
 */
export async function findFiles(
  given: readonly string[],
  { recursive = false }: FindOptions = {},
): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const arg of given) {
    const ones = arg.length > 1 && arg.startsWith('@') ? await readList(arg.slice(1)) : [arg]
    for (const one of ones)
      for (const file of await filesOf(one, recursive)) if (!found.has(file.path)) found.set(file.path, file)
  }
  return [...found.values()]
}

/** What the SDK reads the file from. */
export function sourceOf({ path, url }: FoundFile): Input {
  return url ?? path
}

async function filesOf(given: string, recursive: boolean): Promise<readonly FoundFile[]> {
  if (/^https?:\/\//i.test(given)) return [ofUrl(given)]
  const info = await stat(given).catch(() => undefined)
  if (info?.isFile()) return [{ path: given, inTree: basename(given) }]
  if (info?.isDirectory()) return under(given, '**/*')
  if (!magic.test(given)) throw new UsageError(`There is no file ${given}.`)
  const base = baseOf(given)
  const pattern = relative(base, given).split(sep).join('/')
  const files = await under(base, recursive && !pattern.includes('/') ? `**/${pattern}` : pattern)
  if (files.length === 0) throw new UsageError(`No file fits ${given}.`)
  return files
}

function ofUrl(given: string): FoundFile {
  if (!URL.canParse(given)) throw new UsageError(`${given} is not a valid URL.`)
  const url = new URL(given)
  const last = url.pathname.split('/').at(-1) || 'download'
  return { path: given, inTree: safeName(decoded(last)), url }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
