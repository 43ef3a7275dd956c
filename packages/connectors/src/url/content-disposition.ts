import { decodeExtended, parse } from 'content-disposition'

/** Longer headers than this hold no name worth having. */
const maxLength = 4096

/** The file name a Content-Disposition header tells, raw: `filename*` before `filename`, as RFC 6266 wants. */
export function findDispositionName(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxLength) return undefined
  // Careless servers leave out the type, or put quotes where `filename*` has none.
  const hasType = !/^[^;]*=/.test(header)
  const { filename, 'filename*': quoted } = parse(hasType ? header : `attachment; ${header}`).parameters
  return (quoted && decodeExtended(quoted)) || filename || undefined
}
