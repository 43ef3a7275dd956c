import { cleanFilename } from '@lathe/formats'

/** The first candidate that is a usable name after cleaning, otherwise `file`. */
export function chooseFilename(...candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const name = candidate === undefined ? undefined : cleanFilename(candidate)
    if (name !== undefined) return name
  }
  return 'file'
}
