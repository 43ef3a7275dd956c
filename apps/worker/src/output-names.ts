import { joinName, splitName } from '@lathe/formats'

/** The name of an output made from a source: the source's, with the new extension, numbered if it is one of several. */
export function convertedName(source: string, ext: string, number?: number): string {
  const stem = splitName(source).stem || 'file'
  return joinName(stem, number === undefined ? `.${ext}` : `-${number}.${ext}`)
}

/** The name of an output: its own name if it has one, as attachments do, otherwise one derived from its source. */
export function outputName(
  { name, format, number }: { readonly name?: string; readonly format: string; readonly number?: number },
  source: string,
): string {
  return name ?? convertedName(source, format, number)
}

/** Names for files when the owner gave one name: that name for one file, `name-1.ext` and so on for several. */
export function numberedNames(given: string, exts: readonly string[]): readonly string[] {
  const { stem, ext } = splitName(given)
  if (exts.length === 1) return [ext ? given : joinName(given, `.${exts[0]}`)]
  return exts.map((own, i) => joinName(stem, `-${i + 1}.${own}`))
}
