import { cleanFilename } from '@lathe/formats'

/** The first of the candidates that leaves a usable name once cleaned, else `file`. */
export function chooseFilename(...candidates: readonly unknown[]): string {
  for (const candidate of candidates) {
    const name = typeof candidate === 'string' ? cleanFilename(candidate) : undefined
    if (name !== undefined) return name
  }
  return 'file'
}
