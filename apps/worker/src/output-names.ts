import { splitName } from '@lathe/formats'

/** The name of an output made from a source: the source's, with the new extension, numbered if it is one of several. */
export function convertedName(source: string, ext: string, number?: number): string {
  const stem = splitName(source).stem || 'file'
  return number === undefined ? `${stem}.${ext}` : `${stem}-${number}.${ext}`
}

/** The number that stands in a file's name where a planned name has its `*`; undefined if the name does not fit. */
export function numberIn(planned: string, name: string): number | undefined {
  const [before = '', after = ''] = planned.split('*')
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined
  const digits = name.slice(before.length, name.length - after.length)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined
}

/** Names for files whose owner gave one name: that name for one file, `name-1.ext` and so on for several. */
export function numberedNames(given: string, exts: readonly string[]): readonly string[] {
  const { stem, ext } = splitName(given)
  if (exts.length === 1) return [ext ? given : `${given}.${exts[0]}`]
  return exts.map((own, i) => `${stem}-${i + 1}.${own}`)
}
