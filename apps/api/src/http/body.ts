import { limits } from '@lathe/contract'
import { invalidField, Problem } from '@lathe/domain'

/** Reads a JSON body. An empty body is undefined; prototype pollution, deep nesting and too many values are refused. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  refuseExcess(bytes)
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
const [comma, colon] = Buffer.from(',:')
const openers = Buffer.from('[{')
const closers = Buffer.from(']}')

/** What a byte outside of texts means, by its value. A table, because this is looked up for each byte of a body. */
const kinds = new Uint8Array(256)
const [isQuote, isComma, isColon, isOpener, isCloser] = [1, 2, 3, 4, 5]
for (const byte of openers) kinds[byte] = isOpener
for (const byte of closers) kinds[byte] = isCloser
Object.assign(kinds, { [Number(quote)]: isQuote, [Number(comma)]: isComma, [Number(colon)]: isColon })

/**
 * Before parsing, because what a body costs depends on the number of its values and not on its size: 1.6 million fields
 * in 14 MB took JSON.parse and all that follows 14 s, and this scan takes 20 ms.
 */
function refuseExcess(bytes: Uint8Array): void {
  let depth = 0
  let keys = 0
  // Each value but the first follows a comma, a colon or the opening of what contains it.
  let values = 1
  let texts = 0
  let textBytes = 0
  let lastText = 0
  for (let at = 0; at < bytes.length; at++) {
    switch (kinds[bytes[at] ?? 0]) {
      case isQuote:
        texts++
        lastText = lengthOfText(bytes, at)
        textBytes += lastText
        at += lastText + 1
        refuseMore(lastText, limits.bodyTextBytes, 'bytes in one text')
        refuseMore(texts, limits.bodyValues, 'texts')
        break
      case isComma:
        values++
        break
      case isColon:
        keys++
        values++
        refuseMore(lastText, limits.bodyKeyBytes, 'bytes in the name of a field')
        refuseMore(keys, limits.bodyKeys, 'fields')
        break
      case isOpener:
        depth++
        values++
        break
      case isCloser:
        depth--
        break
      default:
        continue
    }
    if (depth > limits.bodyNesting) throw invalidField('body', `is nested deeper than ${limits.bodyNesting} levels.`)
    refuseMore(values, limits.bodyValues, 'values')
  }
  refuseMore(bytes.length - textBytes, limits.bodyBareBytes, 'bytes outside of texts')
}

function lengthOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at - start - 1
}

function refuseMore(count: number, most: number, what: string): void {
  if (count > most) throw invalidField('body', `contains more than ${most} ${what}.`)
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
