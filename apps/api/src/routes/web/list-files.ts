import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** All files of the build by their path in it, without their compressed variants. No other file is ever sent. */
export function listFiles(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const names = paths.map((path) => relative(folder, path).split(sep).join('/'))
  return new Set(names.filter((name) => !/\.(br|gz)$/.test(name) && !name.startsWith('.')))
}
