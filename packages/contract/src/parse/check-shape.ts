import { invalidField } from '@lathe/domain'
import { limits } from '../limits.ts'
import { join, shorten } from './path.ts'

/**
 * Refuses what no request means well: nesting past the limit, `__proto__`, and
 * texts PostgreSQL cannot store (NUL, halves of surrogate pairs). It stops at
 * the first fault, because such a body is an attack or a broken client.
 */
export function checkShape(body: unknown): void {
  check(body, '', 1)
}

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') checkText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalidField(at(path), 'is a number out of range.')
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.bodyNesting) {
    throw invalidField(shorten(at(path)), `is nested deeper than ${limits.bodyNesting} levels.`)
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`, depth + 1)
    return
  }
  for (const [name, item] of Object.entries(value)) {
    const inner = join(path, name.toWellFormed())
    if (name === '__proto__') throw invalidField(inner, 'is not a name a field can have.')
    checkText(name, inner)
    check(item, inner, depth + 1)
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw invalidField(at(path).replaceAll('\0', '�'), 'holds a NUL character. Leave it out.')
  if (!text.isWellFormed()) throw invalidField(at(path), 'is not well-formed Unicode: half of a surrogate pair.')
}

function at(path: string): string {
  return path === '' ? 'body' : path
}
