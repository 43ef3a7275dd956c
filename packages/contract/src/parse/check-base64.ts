import type { FieldError } from '@lathe/domain'
import { splitName } from '@lathe/formats'
import { limits } from '../limits.ts'
import type { Body } from './check-fields.ts'

// RFC 2397: data:[<mediatype>][;base64],<data>. The head is short; the data is not for a regular expression.
const head = /^data:[^,]{0,255};base64,/i

/** The data of a base64 data URI, or undefined if the text is none. */
export function dataOf(uri: string): string | undefined {
  const found = head.exec(uri)
  return found === null ? undefined : uri.slice(found[0].length)
}

/** Checks the file and the name of an `import/base64`. */
export function checkBase64(body: Body): FieldError[] {
  const faults = typeof body.file === 'string' ? checkData(dataOf(body.file)) : []
  if (typeof body.filename === 'string' && splitName(body.filename).ext === '') {
    faults.push({ path: 'filename', msg: 'needs an extension, such as photo.jpg.' })
  }
  return faults
}

function checkData(data: string | undefined): FieldError[] {
  const path = 'file'
  if (data === undefined) return [{ path, msg: 'must be a data URI: data:<media_type>;base64,<data>.' }]
  if (data.length > limits.base64Chars) {
    const msg = `holds ${data.length} characters of data; at most ${limits.base64Chars} are allowed. Use import/upload.`
    return [{ path, msg }]
  }
  if (data === '') return [{ path, msg: 'holds no data after the comma.' }]
  return isBase64(data) ? [] : [{ path, msg: 'holds data that is not base64 (RFC 4648).' }]
}

function isBase64(data: string): boolean {
  // Four characters are three bytes; padding may be left out, but one character alone carries no byte.
  return /^[A-Za-z0-9+/]*={0,2}$/.test(data) && data.replace(/={1,2}$/, '').length % 4 !== 1
}
