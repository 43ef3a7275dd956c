import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError } from '../exit-codes.ts'

/** The lines of a list of files, without empty ones; `-` reads the list from stdin. */
export async function readList(path: string): Promise<readonly string[]> {
  const content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8').catch(() => undefined))
  if (content === undefined)
    throw new UsageError(`There is no list ${path}. A file whose name starts with @ is written as ./@${path}.`)
  const lines = content.split(/\r?\n/).filter((line) => line !== '')
  if (lines.length === 0) throw new UsageError(`The list ${path} is empty.`)
  return lines
}
