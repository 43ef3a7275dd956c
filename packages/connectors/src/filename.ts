import { cleanFilename } from '@lathe/formats'

/** The first of the candidates that leaves a usable name once cleaned, else `file`. */
export function chooseFilename(...candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const name = candidate === undefined ? undefined : cleanFilename(candidate)
    if (name !== undefined) return name
  }
  return 'file'
}
