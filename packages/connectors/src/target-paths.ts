import type { ObjectId } from '@lathe/domain'
import { splitName } from '@lathe/formats'

/** The path of each file: the template with `{name}`, `{ext}` and `{task}` filled in. Equal paths are numbered. */
export function targetPaths(
  template: string,
  taskId: ObjectId,
  files: readonly { readonly filename: string; readonly format: string }[],
): readonly string[] {
  const paths = files.map((file) => fill(template, taskId, file))
  const count = new Map<string, number>()
  for (const path of paths) count.set(path, (count.get(path) ?? 0) + 1)
  const used = new Map<string, number>()
  return paths.map((path) => {
    if (count.get(path) === 1) return path
    const number = (used.get(path) ?? 0) + 1
    used.set(path, number)
    return numbered(path, number)
  })
}

// Names were cleaned when the files were created: they contain no slash and no control character. Replaced in one pass,
// so that a name that looks like a placeholder stays a name.
function fill(template: string, taskId: ObjectId, { filename, format }: { filename: string; format: string }): string {
  const { stem, ext } = splitName(filename)
  const values: Readonly<Record<string, string>> = { '{name}': stem, '{ext}': ext || format, '{task}': taskId }
  return template.replace(/\{(?:name|ext|task)\}/g, (found) => values[found] ?? found)
}

function numbered(path: string, number: number): string {
  const slash = path.lastIndexOf('/') + 1
  const { stem, ext } = splitName(path.slice(slash))
  return `${path.slice(0, slash)}${stem}-${number}${ext ? `.${ext}` : ''}`
}
