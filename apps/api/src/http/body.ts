import { limits } from '@lathe/contract'
import { invalidField, Problem } from '@lathe/domain'

/** Reads a JSON body. An empty body is undefined; prototype pollution and deep nesting are refused. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  refuseDepth(bytes)
  const text = decode(bytes)
  if (text.trim() === '') return undefined
  const value = parse(text)
  checkStructure(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Problem('invalid_json', { msg: 'The body is not valid UTF-8.' }, error)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('invalid_json', {}, error)
  }
}

const [quote, backslash] = Buffer.from('"\\')
const openers = new Set(Buffer.from('[{'))
const closers = new Set(Buffer.from(']}'))

// Before parsing: a million brackets take JSON.parse 0.7 s, and this scan a few milliseconds.
function refuseDepth(bytes: Uint8Array): void {
  let depth = 0
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) inText = !inText
    else if (inText) at += byte === backslash ? 1 : 0
    else if (openers.has(byte)) depth++
    else if (closers.has(byte)) depth--
    if (depth > limits.bodyNesting) throw invalidField('body', `is nested deeper than ${limits.bodyNesting} levels.`)
  }
}

function checkStructure(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) refusePoison(value)
  for (const child of Object.values(value)) checkStructure(child)
}

// Such fields are harmless as data, but code that copies them would change the prototype of an object.
function refusePoison(value: object): void {
  if (Object.hasOwn(value, '__proto__')) throw invalidField('__proto__', 'is not allowed anywhere in a body.')
  const made: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) {
    throw invalidField('constructor.prototype', 'is not allowed anywhere in a body.')
  }
}

/** Refuses a body where none is needed; an empty body and `{}` are the same. */
export function requireNoBody(body: unknown): void {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidField('body', 'must be empty or {}.')
  const [field] = Object.keys(body)
  if (field !== undefined) throw invalidField(field, 'is not known. This endpoint takes no body.')
}
