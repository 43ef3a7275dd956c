/** A file inside an argument, as a data URI (RFC 2397) with its name. */
export interface InlineFile {
  readonly uri: string
  readonly filename: string
  /** Its size, decoded. */
  readonly bytes: number
}

/** How much data the files of one call may have: all of it passes through the model. */
export const mostInlineBytes = 256_000

const form = 'data:image/png;name=photo.png;base64,DATA'
// Only the short head is matched by a regular expression, not the data.
const head = /^data:([^,;]{0,100});([^,]{0,300};)?base64,/i
const nameParameter = /(?:^|;)name=([^;]+);/i

/** Whether a text is meant to be a data URI. */
export function isDataUri(given: string): boolean {
  return /^data:/i.test(given)
}

/** Parses a data URI. Returns undefined for any other text. */
export function parseDataUri(given: string): InlineFile | undefined {
  if (!isDataUri(given)) return undefined
  const [start, type, parameters = ''] = head.exec(given) ?? []
  const name = nameParameter.exec(parameters)?.[1]
  if (start === undefined || name === undefined) throw new Error(`file: a data URI must have the form ${form}.`)
  const data = given.slice(start.length)
  const bytes = Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4)
  return { uri: `data:${type};base64,${data}`, filename: decodeName(name), bytes }
}

/** Refuses files that have too much data together. */
export function checkInlineSize(files: readonly InlineFile[]): void {
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0)
  if (bytes <= mostInlineBytes) return
  const most = `${mostInlineBytes / 1000} kB`
  throw new Error(
    `file: the data URIs of a call may have at most ${most} of data, not ${bytes} bytes. Call request_upload, and upload the file.`,
  )
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
