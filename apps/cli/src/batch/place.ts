import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { ResultFile } from '@lathe/sdk'
import type { FoundFile } from './find-files.ts'

export interface PlaceOptions {
  /** A folder; the folder of the file by default. */
  readonly output?: string
  readonly keepTree?: boolean
  /** Keeps the tree, too. */
  readonly recursive?: boolean
}

/** The folder for the results of a file. */
export function folderOf({ path, inTree, url }: FoundFile, { output, keepTree, recursive }: PlaceOptions): string {
  if (output === undefined) return url ? '.' : dirname(path)
  return keepTree || recursive ? join(output, dirname(inTree)) : output
}

/** The name of the result, for files with a single one. */
export function nameOf({ inTree }: FoundFile, extension: string): string {
  const name = basename(inTree)
  const { length } = extensionOf(inTree)
  return `${name.slice(0, name.length - length)}.${extension}`
}

/** The extension as a format name. */
export function formatOf({ inTree }: Pick<FoundFile, 'inTree'>): string {
  return extensionOf(inTree).slice(1).toLowerCase()
}

/** With its dot; that of a compressed archive has two parts. */
function extensionOf(path: string): string {
  const ext = extname(path)
  return /\.tar$/i.test(path.slice(0, -ext.length)) ? path.slice(-ext.length - '.tar'.length) : ext
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Writes a result to a temporary name first, so that no program finds an incomplete file. */
export async function saveAs(file: ResultFile, path: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    await file.save(part, { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Makes a name from the service safe: it can only be a file in this folder. */
export function safeName(name: string): string {
  const plain = basename(name.replaceAll('\\', '/')).replaceAll(/[\p{Cc}<>:"|?*]/gu, '_')
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}
