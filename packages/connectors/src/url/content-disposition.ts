import { decodeExtended, parse } from 'content-disposition'

/** Longer headers are ignored. */
const maxLength = 4096

/** The raw filename of a Content-Disposition header: `filename*` before `filename`, as RFC 6266 requires. */
export function findDispositionName(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxLength) return undefined
  // Some servers omit the type, or put quotes around `filename*`.
  const hasType = !/^[^;]*=/.test(header)
  const { filename, 'filename*': quoted } = parse(hasType ? header : `attachment; ${header}`).parameters
  return (quoted && decodeExtended(quoted)) || filename || undefined
}
