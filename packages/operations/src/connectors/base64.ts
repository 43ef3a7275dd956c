import type { FieldError } from '@lathe/domain'
import { splitName } from '@lathe/formats'
import { Type } from 'typebox'
import { defineImport } from '../define.ts'
import { filename } from '../fields.ts'
import { requestLimits } from '../request-limits.ts'

const most = requestLimits.base64Chars

export const importBase64 = defineImport({
  name: 'import/base64',
  summary: 'Import a file sent as base64',
  description: 'For small files, inside the request.',
  fields: {
    file: Type.String({
      minLength: 1,
      description: `A data URI, \`data:<media_type>;base64,<data>\`, of at most ${most} characters of data.`,
      examples: ['data:text/plain;base64,aGVsbG8='],
    }),
    filename,
  },
  content: { field: 'file', read: dataOf },
  check(body) {
    const faults = checkData(dataOf(body.file))
    if (splitName(body.filename).ext === '') {
      faults.push({ path: 'filename', msg: 'needs an extension, such as photo.jpg.' })
    }
    return faults
  },
})

// RFC 2397: data:[<mediatype>][;base64],<data>. Only the short head is matched by a regular expression, not the data.
const head = /^data:[^,]{0,255};base64,/i

function dataOf(uri: string): string | undefined {
  const found = head.exec(uri)
  return found === null ? undefined : uri.slice(found[0].length)
}

function checkData(data: string | undefined): FieldError[] {
  const path = 'file'
  if (data === undefined) return [{ path, msg: 'must be a data URI: data:<media_type>;base64,<data>.' }]
  if (data.length > most) {
    return [{ path, msg: `holds ${data.length} characters of data; at most ${most} are allowed. Use import/upload.` }]
  }
  if (data === '') return [{ path, msg: 'holds no data after the comma.' }]
  return isBase64(data) ? [] : [{ path, msg: 'holds data that is not base64 (RFC 4648).' }]
}

function isBase64(data: string): boolean {
  // Decoding skips what is not base64 and also takes the characters for URLs. A pattern needs ten times as long.
  if (data.includes('-') || data.includes('_')) return false
  const padding = data.endsWith('==') ? 2 : Number(data.endsWith('='))
  const digits = data.length - padding
  // Four characters are three bytes; padding may be left out, but one character alone carries no byte.
  return digits % 4 !== 1 && Buffer.from(data, 'base64').length === Math.floor((digits * 3) / 4)
}
