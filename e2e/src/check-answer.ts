import { appendFileSync } from 'node:fs'
import { expectationOf } from './openapi.ts'

/** A response as received. */
export interface RawAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string | null
  readonly bytes: Buffer
}

/** Checks a response against the OpenAPI document and records which endpoint sent which status. Returns the body. */
export function checkAnswer(answer: RawAnswer, recordFile: string): unknown {
  const { method, path, status, contentType, bytes } = answer
  const where = `${method} ${path} → ${status}`
  if (method === 'OPTIONS') return undefined
  const expected = expectationOf(method, path, status)
  if (typeof expected === 'string') throw new Error(`${where}: ${expected}. ${bytes.toString('utf8', 0, 500)}`)
  appendFileSync(recordFile, `${expected.operationId} ${status}\n`)
  if (method === 'HEAD') return undefined
  if (expected.mediaTypes.size === 0) {
    if (bytes.length > 0) throw new Error(`${where}: the body is not empty`)
    return undefined
  }
  const mediaType = contentType?.split(';')[0] ?? ''
  const validate = expected.mediaTypes.get(mediaType)
  if (!expected.mediaTypes.has(mediaType)) throw new Error(`${where}: ${contentType} is not a documented media type`)
  if (mediaType !== 'application/json') return undefined
  const body: unknown = JSON.parse(bytes.toString())
  if (validate && !validate(body)) {
    const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
    throw new Error(`${where}: ${faults}\n${JSON.stringify(body, undefined, 1).slice(0, 2000)}`)
  }
  return body
}
